import { describe, expect, it } from 'vitest';
import { footOf, recoilOf, swingOf } from '../../../src/page/plane/animations.ts';

// Source: `datasrc/content.py` and `src/game/client/components/players.cpp` of the games.
describe('the animations of a tee', () => {
  it('swing a hammer for a fifth of a second, and a sword for half of one', () => {
    expect(swingOf('hammer', 0)).toBe(-0.1);
    expect(swingOf('hammer', 0.08)).toBeCloseTo(0.3);
    expect(swingOf('hammer', 0.15)).toBeCloseTo((0.25 - 0.1) / 2);
    expect(swingOf('hammer', 1000)).toBeCloseTo(-0.1);
    expect(swingOf('ninja', 0.21)).toBeCloseTo(0.4);
    expect(swingOf('gun', 0)).toBeUndefined();
  });

  it('throw a gun back by ten units, for five ticks', () => {
    expect(recoilOf(0.05)).toBeCloseTo(10);
    expect(recoilOf(0)).toBe(0);
    expect(recoilOf(0.1)).toBe(0);
    expect(recoilOf(-1)).toBe(0);
  });

  it('move the feet of who walks by the way, and keep those of others', () => {
    const walk = (x: number, isWalking = true, isInAir = false) => footOf({ x, isWalking, isInAir }, 'near');
    expect(walk(0)).toEqual([-10, -4, 0.2]);
    expect(walk(1330)).toEqual([expect.closeTo(-2), -6, expect.closeTo(0.05)]);
    expect(walk(99, false)).toEqual([7, 0, 0]);
    expect(walk(99, true, true)).toEqual([3, 0, -0.1]);
  });
});
