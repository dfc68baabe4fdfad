import { describe, expect, it } from 'vitest';
import { bar, sparkline } from '../../../src/output/text/number.ts';

const points = (...values: number[]) => values.map((value, second) => ({ second, value }));

describe('sparkline', () => {
  it('goes from 0 to the highest', () => {
    expect(sparkline(points(1, 2, 3, 4, 5, 6, 7), 20)).toBe('▂▃▄▅▆▇▇');
    expect(sparkline(points(0, 1, 70), 20)).toBe(' ▁▇');
    expect(sparkline([], 20)).toBe('');
  });

  it('leaves a space for a second without data', () => {
    expect(sparkline([points(5)[0]!, { second: 3, value: 5 }], 20)).toBe('▇  ▇');
  });

  it('shows several seconds in a block, on average or their highest', () => {
    expect(sparkline(points(1, 7, 4, 4), 2)).toBe('▇▇');
    expect(sparkline(points(1, 7, 1, 1), 2, 'highest')).toBe('▇▂');
    // Three seconds, then two, with the same rate.
    expect(sparkline(points(6, 6, 6, 6, 6), 2)).toBe('▇▇');
  });
});

describe('bar', () => {
  it('is exact to an eighth of a column', () => {
    expect(bar(1, 4)).toBe('████');
    expect(bar(0.5, 3)).toBe('█▌');
    expect(bar(3 / 32, 4)).toBe('▍');
  });

  it('is visible for any value above zero, and empty for zero', () => {
    expect(bar(0.0001, 4)).toBe('▏');
    expect(bar(0, 4)).toBe('');
  });
});
