import { describe, expect, it } from 'vitest';
import { isInRange, parseTickRange } from '../../src/protocol/ticks.ts';

describe('a range of ticks', () => {
  it.each([
    ['9072..9472', { from: 9072, to: 9472 }],
    ['9072..', { from: 9072, to: Infinity }],
    ['..9472', { from: 0, to: 9472 }],
    ['9072', { from: 9072, to: 9072 }],
  ])('is read from %s', (text, range) => {
    expect(parseTickRange(text)).toEqual(range);
  });

  it.each(['', '..', 'a', '1...2', '-1..2', '1.5..2', '1..2..3'])("is not read from '%s'", (text) => {
    expect(parseTickRange(text)).toBeUndefined();
  });

  it('includes both of its ends', () => {
    expect([4, 5, 6, 7, 8].filter((tick) => isInRange(tick, { from: 5, to: 7 }))).toEqual([5, 6, 7]);
  });
});
