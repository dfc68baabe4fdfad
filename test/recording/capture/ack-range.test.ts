import { describe, expect, it } from 'vitest';
import { AckRange } from '../../../src/recording/capture/guards.ts';

const check = (acks: readonly number[], sent?: number) => {
  const range = new AckRange();
  return acks.map((ack) => range.check(ack, sent)).join(' ');
};
const many = (ack: number, count: number) => Array.from({ length: count }, () => ack);

describe('AckRange', () => {
  it('accepts acks up to the last number of the other side, also past 1023', () => {
    expect(check([1020, 1022, 1023, 0, 2], 2)).toBe('right right right right right');
  });

  it('refuses acks after the last number', () => {
    expect(check([1, 2, 4], 3)).toBe('right right wrong');
  });

  it('refuses an ack before those of the last eight packets, but accepts one of the eight, since packets may be reordered', () => {
    expect(check([5, 6, 7, 6, 5], 7)).toBe('right right right right right');
    expect(check([5, ...many(7, 9), 5], 7)).toMatch(/right wrong$/);
  });

  it('accepts the first ack of a connection after a newer one: its first packets may be reordered', () => {
    expect(check([2, 0], 2)).toBe('right wrong');
    const begun = new AckRange(0);
    expect([2, 0, 5].map((ack) => begun.check(ack, 2))).toEqual(['right', 'right', 'wrong']);
  });

  it('accepts acks up to 256 ahead where the other side was not captured', () => {
    expect(check([1, 257, 514])).toBe('right right wrong');
  });

  it('follows 16 consistent acks in a row: the other side was not captured for a while', () => {
    expect(check([1, ...many(40, 16), 41], 1)).toMatch(/^right (wrong ){15}changed wrong$/);
  });

  it('does not follow random acks', () => {
    const drawn = Array.from({ length: 64 }, (_, i) => 100 + ((i * 389) % 800));
    expect(check([1, ...drawn], 1)).toBe(`right${' wrong'.repeat(64)}`);
  });
});
