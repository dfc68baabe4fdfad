import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idOf, KeyIndex, keyOf, typeOf } from '../../../src/wire/snapshot/key.ts';

describe('a key', () => {
  it.each([
    [0, 0, 0],
    [1, 0, 0x10000],
    [0, 0xffff, 0xffff],
    [10, 3, 0x000a0003],
    [0x4000, 1, 0x40000001],
    [0x7fff, 0xffff, 0x7fffffff],
  ])('of type %i and id %i is %i', (type, id, key) => {
    expect(keyOf(type, id)).toBe(key);
    expect([typeOf(key), idOf(key)]).toEqual([type, id]);
  });
});

function indexOf(keys: readonly number[], capacity = keys.length): KeyIndex {
  const index = new KeyIndex().reset(capacity);
  for (const [i, key] of keys.entries()) index.add(key, i);
  return index;
}

describe('an index of keys', () => {
  it('keeps the first position of a key', () => {
    const index = indexOf([5, 6, 5]);
    expect([index.get(5), index.get(6), index.get(7)]).toEqual([0, 1, -1]);
    expect(index.add(6, 9)).toBe(false);
    expect(index.get(6)).toBe(1);
  });

  it('finds the key 0 and position 0', () => {
    const index = new KeyIndex().reset(1);
    expect(index.get(0)).toBe(-1);
    expect(index.add(0, 0)).toBe(true);
    expect(index.get(0)).toBe(0);
  });

  it('can be emptied repeatedly, and grows', () => {
    const index = new KeyIndex();
    for (const [round, count] of [3, 40, 3, 0, 1000, 5].entries()) {
      index.reset(count);
      for (let i = 0; i < 1000; i++) expect(index.get(i)).toBe(-1);
      for (let i = 0; i < count; i++) expect(index.add(i, i + round)).toBe(true);
      for (let i = 0; i < 1000; i++) expect(index.get(i)).toBe(i < count ? i + round : -1);
    }
  });

  it('behaves like a Map', () => {
    const key = fc.oneof(
      fc.integer(),
      fc.integer({ min: -3, max: 30 }),
      fc.nat(40).map((n) => n << 16),
    );
    const reused = new KeyIndex();
    fc.assert(
      fc.property(fc.array(key, { maxLength: 300 }), fc.array(key), (keys, others) => {
        const index = reused.reset(keys.length);
        const map = new Map<number, number>();
        for (const [i, key] of keys.entries()) {
          expect(index.add(key, i)).toBe(!map.has(key));
          if (!map.has(key)) map.set(key, i);
        }
        for (const value of [...keys, ...others]) expect(index.get(value)).toBe(map.get(value) ?? -1);
      }),
    );
  });

  it('accepts keys up to its capacity', () => {
    for (const count of [1, 15, 16, 17, 1023, 1024, 1025]) {
      const index = indexOf(Array.from({ length: count }, (_, i) => i << 16));
      for (let i = 0; i < count; i++) expect(index.get(i << 16)).toBe(i);
      expect(index.get(count << 16)).toBe(-1);
    }
  });
});
