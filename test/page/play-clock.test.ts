import { describe, expect, it } from 'vitest';
import { PlayClock } from '../../src/page/playback.ts';

function opened(): PlayClock {
  const clock = new PlayClock();
  clock.open(1000, 2000);
  return clock;
}

describe('the playback time of a recording', () => {
  it('moves 50 ticks in a second, times the speed', () => {
    const clock = opened();
    clock.start();
    expect([clock.advance(1000), clock.tick]).toEqual([true, 1050]);
    clock.speed = 0.25;
    clock.advance(1000);
    expect(clock.tick).toBe(1062.5);
    clock.speed = 8;
    clock.advance(500);
    expect(clock.tick).toBe(1262.5);
  });

  it('ends with the last tick, and starts again from the first', () => {
    const clock = opened();
    clock.seek(1990);
    expect([clock.advance(1000), clock.tick]).toEqual([false, 2000]);
    clock.start();
    expect(clock.tick).toBe(1000);
  });

  it('repeats a range', () => {
    const clock = opened();
    clock.seek(1100);
    clock.beginRange();
    clock.seek(1150);
    clock.endRange();
    expect(clock.range).toEqual({ from: 1100, to: 1150 });
    expect([clock.advance(100), clock.tick]).toEqual([true, 1100]);
    clock.seek(1500);
    clock.start();
    expect(clock.tick).toBe(1100);
  });

  it('a range begins before it ends: the older bound is dropped', () => {
    const clock = opened();
    clock.seek(1200);
    clock.endRange();
    expect(clock.range).toEqual({ from: 1000, to: 1200 });
    clock.seek(1300);
    clock.beginRange();
    expect(clock.range).toEqual({ from: 1300, to: 2000 });
    clock.clearRange();
    expect(clock.range).toBeUndefined();
  });
});
