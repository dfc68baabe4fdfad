import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { protocolOf, type SizeOf } from '../../../src/wire/protocol/registry.ts';
import { Delta } from '../../../src/wire/snapshot/delta.ts';
import { codesOf, diagnosticsInFull, itemsOf, key, smallSizes } from '../../support/readers.ts';

function read(ints: readonly number[], sizeOf: SizeOf = smallSizes) {
  const delta = new Delta();
  const codes = codesOf((warn) => delta.read(Int32Array.from(ints), ints.length, sizeOf, warn));
  const removed = Array.from({ length: delta.removedCount }, (_, i) => delta.removedKey(i));
  const starts = Array.from({ length: delta.count }, (_, i) => delta.start(i));
  return { removed, items: itemsOf(delta), codes, starts, end: delta.end, missing: delta.missing };
}

const reported = (ints: readonly number[]) =>
  diagnosticsInFull((warn) => new Delta().read(Int32Array.from(ints), ints.length, smallSizes, warn));

/** `num_removed num_item_deltas _zero  removed_key… { type id [size] data… }*`: types 1 and 2 have 2 and 3 ints. */
describe('a delta', () => {
  it.each<[string, number[], number[], number[][], number[]]>([
    ['of nothing', [0, 0, 0], [], [], []],
    ['that removes', [2, 0, 0, key(1, 7), key(0x7fff, 0xffff)], [key(1, 7), key(0x7fff, 0xffff)], [], []],
    ['with an update', [0, 1, 0, 1, 7, -1, 5], [], [[1, 7, -1, 5]], [3]],
    ['whose type has no agreed size', [0, 1, 0, 9, 7, 1, 5], [], [[9, 7, 5]], [3]],
    ['whose type is 0', [0, 1, 0, 0, 0x7fff, 4, 1, 2, 3, 4], [], [[0, 0x7fff, 1, 2, 3, 4]], [3]],
    [
      'with an empty item',
      [0, 2, 0, 9, 7, 0, 1, 8, 5, 6],
      [],
      [
        [9, 7],
        [1, 8, 5, 6],
      ],
      [3, 6],
    ],
    ['with the highest type and id', [0, 1, 0, 0x7fff, 0xffff, 1, 5], [], [[0x7fff, 0xffff, 5]], [3]],
    [
      'with all of it',
      [1, 2, 0, 8, 2, 1, 4, 5, 6, 9, 2, 2, 7, 8],
      [8],
      [
        [2, 1, 4, 5, 6],
        [9, 2, 7, 8],
      ],
      [4, 9],
    ],
  ])('%s', (_, ints, removed, items, starts) => {
    expect(read(ints)).toEqual({ removed, items, starts, codes: [], end: ints.length, missing: 0 });
  });

  it('reads no further than the stated length', () => {
    const delta = new Delta();
    const ints = Int32Array.from([0, 1, 0, 1, 7, 1, 2, 99]);
    expect(codesOf((warn) => delta.read(ints, 7, smallSizes, warn))).toEqual([]);
    expect(codesOf((warn) => delta.read(ints, 6, smallSizes, warn))).toEqual(['error: truncated_delta 6']);
  });

  it('can be read again and again', () => {
    const delta = new Delta();
    for (const ints of [
      [0, 2, 0, 1, 7, 1, 2, 1, 8, 3, 4],
      [1, 0, 0, 5],
      [0, 1, 0, 2, 7, 1, 2, 3],
      [0, 0, 0],
    ]) {
      delta.read(Int32Array.from(ints), ints.length, smallSizes);
      expect(itemsOf(delta)).toEqual(read(ints).items);
      expect(delta.removedCount).toBe(ints[0]);
    }
  });
});

describe('sizes by protocol', () => {
  it("has a mod's size in the delta from type 64 on, whatever the mod's table says", () => {
    const mod = (type: number) => ({
      items: [{ name: 'mod', type, size: 2, sized: false, event: false, fields: [] }],
      messages: [],
    });
    expect(protocolOf('0.6', mod(63)).sizeOf(63)).toBe(2);
    expect(protocolOf('0.6', mod(64)).sizeOf(64)).toBe(0);
    expect(protocolOf('0.6', mod(0x4000)).sizeOf(0x4000)).toBe(0);
  });
});

describe('odd and wrong', () => {
  it('has a diagnostic with the numbers that disagree', () => {
    expect(reported([0, 0, 7])).toEqual([['nonzero_zero', 2, { found: 7 }]]);
    expect(reported([0, 0, 0, 1, 2])).toEqual([['excess_ints', 3, { found: 2 }]]);
    expect(reported([0, -3, 0])).toEqual([['negative_count', 1, { found: -3 }]]);
    expect(reported([-3, 0, 0])).toEqual([['error', 'negative_count', 0, { found: -3 }]]);
    expect(reported([0, 1, 0, 0x8000, 0])).toEqual([['error', 'bad_type', 3, { found: 0x8000, limit: 0x7fff }]]);
    expect(reported([0, 1, 0, 1, 0x10000])).toEqual([['error', 'bad_id', 4, { found: 0x10000, limit: 0xffff }]]);
    expect(reported([0, 1, 0, 9, 0, -9])).toEqual([['error', 'bad_size', 5, { found: -9 }]]);
    expect(reported([0, 3])).toEqual([['error', 'truncated_delta', 2, { expected: 3, found: 2 }]]);
  });
});

describe('cut', () => {
  const whole = [2, 2, 0, 11, 12, 1, 7, 1, 2, 9, 8, 2, 5, 6];
  it.each<[number, number[], number[][], number]>([
    [0, [], [], 0],
    [2, [], [], 0],
    [3, [], [], 0],
    [4, [11], [], 0],
    [5, [11, 12], [], 0],
    [6, [11, 12], [], 0],
    [7, [11, 12], [[1, 7]], 2],
    [8, [11, 12], [[1, 7, 1]], 1],
    [9, [11, 12], [[1, 7, 1, 2]], 0],
    [10, [11, 12], [[1, 7, 1, 2]], 0],
    [11, [11, 12], [[1, 7, 1, 2]], 0],
    [
      12,
      [11, 12],
      [
        [1, 7, 1, 2],
        [9, 8],
      ],
      2,
    ],
    [
      13,
      [11, 12],
      [
        [1, 7, 1, 2],
        [9, 8, 5],
      ],
      1,
    ],
  ])('to %i ints keeps the readable part', (length, removed, items, missing) => {
    const cut = read(whole.slice(0, length));
    expect(cut).toMatchObject({ removed, items, missing, codes: [`error: truncated_delta ${length}`] });
  });
});

describe('random ints', () => {
  const small = fc.oneof(fc.integer(), fc.integer({ min: -2, max: 12 }), fc.nat(4));

  it('are read, or refused', () => {
    fc.assert(
      fc.property(fc.array(small, { maxLength: 60 }), (ints) => {
        const { removed, items, starts } = read(ints);
        expect(removed).toEqual(ints.slice(3, 3 + removed.length));
        for (const [i, [type, id, ...data]] of items.entries()) {
          const at = starts[i]!;
          expect(ints.slice(at, at + 2)).toEqual([type, id]);
          const first = at + (smallSizes(type!) ? 2 : 3);
          expect(data).toEqual(ints.slice(first, first + data.length));
        }
      }),
      { numRuns: 500 },
    );
  });
});
