import { describe, expect, it } from 'vitest';
import { isInRange, parseMoment, parseMomentRange } from '../../src/protocol/ticks.ts';

const zero = (ticks: number) => ({ from: 'zero', ticks });
const first = (ticks: number) => ({ from: 'first', ticks });
const last = (ticks: number) => ({ from: 'last', ticks });

// There are 50 ticks in a second.
it.each([
  ['9938', zero(9938)],
  ['9938+50', zero(9988)],
  ['9938-2s', zero(9838)],
  ['0:30', first(1500)],
  ['1:02.5', first(3125)],
  ['1:02:03', first(186_150)],
  ['90s', first(4500)],
  ['0:30+5', first(1505)],
  ['first', first(0)],
  ['first+0:10', first(500)],
  ['last', last(0)],
  ['last-10s', last(-500)],
  ['last-25', last(-25)],
])('the moment %s', (text, moment) => {
  expect(parseMoment(text)).toEqual(moment);
});

it.each(['', 'a', '-5', '5-', '1.5', 'last10', '10+', '+5', '1:2', ':30', '9938 '])("'%s' is no moment", (text) => {
  expect(parseMoment(text)).toBeUndefined();
});

describe('a range', () => {
  it.each([
    ['9072..9472', zero(9072), zero(9472)],
    ['9072..', zero(9072), undefined],
    ['..9472', undefined, zero(9472)],
    ['9072', zero(9072), zero(9072)],
    ['1:02.5..2:00', first(3125), first(6000)],
    ['0:30..last-10s', first(1500), last(-500)],
    ['9000..0:30', zero(9000), first(1500)],
  ])('is read from %s', (text, from, to) => {
    expect(parseMomentRange(text)).toEqual({ from, to });
  });

  it.each(['', '..', 'a', '1...2', '-1..2', '1.5..2', '1..2..3', '9472..9072', '0:20..0:10', 'last..last-1s'])(
    "is not read from '%s'",
    (text) => {
      expect(parseMomentRange(text)).toBeUndefined();
    },
  );

  it('includes both of its ends', () => {
    expect([4, 5, 6, 7, 8].filter((tick) => isInRange(tick, { from: 5, to: 7 }))).toEqual([5, 6, 7]);
  });
});
