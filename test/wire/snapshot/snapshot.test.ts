import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import {
  codesOf,
  diagnosticsInFull,
  type Item,
  itemsOf,
  key,
  smallSizes,
  snapshotInts,
  snapshotOf,
} from '../../support/readers.ts';

function read(ints: readonly number[], snapshot = new Snapshot()) {
  const codes = codesOf((warn) => snapshot.read(Int32Array.from(ints), ints.length, smallSizes, warn));
  return { items: itemsOf(snapshot), codes, missing: snapshot.missing };
}

const reported = (ints: readonly number[]) =>
  diagnosticsInFull((warn) => new Snapshot().read(Int32Array.from(ints), ints.length, smallSizes, warn));

/** `data_size num_items offset[num_items] { key data… }*`: types 1 with 2 ints, 2 with 3, others with any. */
const good: readonly (readonly [name: string, ints: number[], items: Item[]])[] = [
  ['nothing', [0, 0], []],
  ['an item', [12, 1, 0, key(1, 7), -5, 6], [[1, 7, -5, 6]]],
  [
    'two items',
    [28, 2, 0, 12, key(1, 7), -5, 6, key(2, 0xffff), 1, 2, 3],
    [
      [1, 7, -5, 6],
      [2, 0xffff, 1, 2, 3],
    ],
  ],
  [
    'an item without ints',
    [8, 2, 0, 4, key(3, 0), key(3, 1)],
    [
      [3, 0],
      [3, 1],
    ],
  ],
  ['the highest type and id', [8, 1, 0, key(0x7fff, 0xffff), 9], [[0x7fff, 0xffff, 9]]],
  ['the lowest', [8, 1, 0, key(0, 0), 9], [[0, 0, 9]]],
  [
    'keys that fall',
    [24, 2, 0, 12, key(1, 7), 1, 2, key(1, 3), 3, 4],
    [
      [1, 7, 1, 2],
      [1, 3, 3, 4],
    ],
  ],
];

describe('a snapshot', () => {
  it.each(good)('with %s', (_, ints, items) => {
    expect(read(ints)).toEqual({ items, codes: [], missing: 0 });
    expect([...snapshotOf(...items).toInts()]).toEqual(ints);
    expect(snapshotOf(...items).intCount).toBe(ints.length);
  });

  it('has the position of each item, and finds each by its key', () => {
    const snapshot = snapshotOf([1, 7, 5, 6], [3, 0], [2, 7, 1, 2, 3]);
    expect([0, 1, 2].map((i) => snapshot.start(i))).toEqual([5, 8, 9]);
    expect([0, 1, 2].map((i) => snapshot.size(i))).toEqual([2, 0, 3]);
    expect([snapshot.find(1, 7), snapshot.find(3, 0), snapshot.find(2, 7), snapshot.find(2, 8)]).toEqual([0, 1, 2, -1]);
    expect([...snapshot.item(2)]).toEqual([1, 2, 3]);
  });

  it('reads no further than the stated length', () => {
    const snapshot = new Snapshot();
    const ints = Int32Array.from([12, 1, 0, key(1, 7), 1, 2, 99, 99]);
    expect(codesOf((warn) => snapshot.read(ints, 6, smallSizes, warn))).toEqual([]);
    expect(itemsOf(snapshot)).toEqual([[1, 7, 1, 2]]);
  });

  it('can be read again and again', () => {
    const snapshot = new Snapshot();
    for (const [, ints, items] of [...good, ...good.toReversed()]) {
      expect(read(ints, snapshot)).toEqual({ items, codes: [], missing: 0 });
      for (const [i, [type, id]] of items.entries()) expect(snapshot.find(type, id)).toBe(i);
    }
  });

  it('grows by new items, whose ints are set afterwards', () => {
    const snapshot = Snapshot.withRoom(2, 5);
    expect(snapshot.find(1, 7)).toBe(-1);
    expect([snapshot.append(key(1, 7), 2), snapshot.append(key(2, 0), 3)]).toEqual([0, 1]);
    snapshot.item(0).fill(5);
    snapshot.item(1).fill(6);
    expect(itemsOf(snapshot)).toEqual([
      [1, 7, 5, 5],
      [2, 0, 6, 6, 6],
    ]);
    expect([snapshot.find(1, 7), snapshot.find(2, 0)]).toEqual([0, 1]);
  });
});

describe('the checksum', () => {
  const max = 2 ** 31 - 1;
  it.each<[string, Item[], number]>([
    ['of nothing is 0', [], 0],
    [
      'has the data, not the keys',
      [
        [1, 7, 3, 4],
        [2, 9, 10, 20, 30],
      ],
      67,
    ],
    [
      'has the UUIDs',
      [
        [0, 0x7fff, 1, 2, 3, 4],
        [0x7fff, 0, 5],
      ],
      15,
    ],
    ['wraps up', [[1, 0, max, 2]], -(2 ** 31) + 1],
    ['wraps down', [[1, 0, -(2 ** 31), -1]], max],
    ['is signed', [[1, 0, -3, 1]], -2],
    ['wraps many times', [[2, 0, max, max, max]], 2 ** 31 - 3],
  ])('%s', (_, items, checksum) => {
    expect(snapshotOf(...items).checksum()).toBe(checksum);
  });
});

/**
 * Cases of docs/formats/tolerated.md: accepted data are a warning, refused data an error. Offsets are indexes of ints.
 */
const unusual: readonly (readonly [name: string, ints: number[], items: Item[], codes: string[]])[] = [
  [
    'duplicate keys are taken',
    [24, 2, 0, 12, key(1, 7), 1, 2, key(1, 7), 3, 4],
    [
      [1, 7, 1, 2],
      [1, 7, 3, 4],
    ],
    [],
  ],
  ['the first offset is not 0', [16, 1, 4, 77, key(1, 7), 1, 2], [[1, 7, 1, 2]], ['first_offset 2']],
  ['data without items', [8, 0, 1, 2], [], ['data_without_items 2']],
  ['ints after the data', [12, 1, 0, key(1, 7), 1, 2, 9, 9], [[1, 7, 1, 2]], ['error: excess_ints 6']],
  ['ints after nothing', [0, 0, 9], [], ['error: excess_ints 2']],
  ['an item larger than agreed', [16, 1, 0, key(1, 7), 1, 2, 3], [[1, 7, 1, 2, 3]], ['unusual_size 3']],
  [
    'an item smaller than agreed',
    [20, 2, 0, 8, key(1, 7), 1, key(1, 8), 2, 3],
    [
      [1, 7, 1],
      [1, 8, 2, 3],
    ],
    ['unusual_size 4'],
  ],
  ['a negative key', [8, 1, 0, -1, 5], [[-1, 0xffff, 5]], ['invalid_key 3']],
  ['a negative number of items', [0, -1], [], ['error: negative_count 1']],
  ['a negative data size', [-4, 0], [], ['error: bad_data_size 0']],
  ['a data size that is no multiple of 4', [13, 1, 0, key(1, 7), 1, 2], [[1, 7, 1, 2]], ['error: bad_data_size 0']],
  ['more than 1024 items', [4100, 1025], [], ['error: too_many_items 1']],
  ['no int', [], [], ['error: truncated_snapshot 0']],
  ['no number of items', [0], [], ['error: truncated_snapshot 1']],
  ['offsets that are cut', [24, 2, 0], [], ['error: truncated_snapshot 3']],
  ['a negative offset', [12, 1, -4, key(1, 7), 1, 2], [], ['error: bad_offset 2']],
  ['an offset that is no multiple of 4', [12, 1, 2, key(1, 7), 1, 2], [], ['error: bad_offset 2']],
  ['an offset after the data', [12, 1, 16, key(1, 7), 1, 2], [], ['error: bad_offset 2']],
  ['a later offset after the data', [24, 2, 0, 28, key(1, 7), 1, 2, key(1, 8), 3, 4], [], ['error: bad_offset 3']],
  [
    'an offset that does not rise',
    [36, 3, 0, 12, 12, key(1, 7), 1, 2, key(1, 8), 3, 4, key(1, 9), 5, 6],
    [[1, 7, 1, 2]],
    ['error: bad_offset 4'],
  ],
  [
    'an offset that falls',
    [36, 3, 0, 12, 8, key(1, 7), 1, 2, key(1, 8), 3, 4, key(1, 9), 5, 6],
    [[1, 7, 1, 2]],
    ['error: bad_offset 4'],
  ],
];

describe('odd and wrong', () => {
  it.each(unusual)('%s', (_, ints, items, codes) => {
    expect(read(ints)).toMatchObject({ items, codes });
  });

  // If the last offset is the data size, the item has no room for its key. The error is at this offset.
  it.each([
    ['no data for an item', [0, 1, 0], 2, 0],
    ['the only offset is the data size', [12, 1, 12, key(1, 7), 1, 2], 2, 12],
    ['the last offset is the data size', [12, 2, 0, 12, key(1, 7), 1, 2], 3, 12],
  ])('%s', (_, ints, at, found) => {
    expect(reported(ints)).toMatchObject([['error', 'bad_offset', at, { found }]]);
  });

  it('has a diagnostic with the numbers that disagree', () => {
    expect(reported([16, 1, 0, key(1, 7), 1, 2, 3])).toEqual([
      ['unusual_size', 3, { type: 1, id: 7, found: 3, expected: 2 }],
    ]);
    expect(reported([8, 1, 0, -1, 5])).toEqual([['invalid_key', 3, { key: -1 }]]);
    expect(reported([12, 1, 0, key(1, 7), 1, 2, 9, 9])).toEqual([['error', 'excess_ints', 6, { found: 2 }]]);
    expect(reported([12, 1, 0, key(1, 7), 1])).toEqual([['error', 'truncated_snapshot', 5, { expected: 6, found: 5 }]]);
    expect(reported([4100, 1025])).toEqual([['error', 'too_many_items', 1, { found: 1025, limit: 1024 }]]);
    expect(reported([16, 2, 8, 4, 0, 0, 0, 0])).toEqual([
      ['error', 'bad_offset', 3, { index: 1, found: 4, expected: 12 }],
    ]);
  });
});

describe('the limits', () => {
  const of = (items: number, ints: number): Item[] =>
    Array.from({ length: items }, (_, i): Item => [3, i, ...new Array(i === 0 ? ints : 0).fill(1)]);

  it('accept 1024 items', () => {
    const { items, codes } = read([...snapshotInts(...of(1024, 0))]);
    expect([items.length, codes]).toEqual([1024, []]);
    expect(read([...snapshotInts(...of(1025, 0))]).codes).toEqual(['error: too_many_items 1']);
  });

  // Header, offset, key: 16 bytes, and the data.
  it('accept 64 KiB', () => {
    expect(read([...snapshotInts(...of(1, 0x4000 - 4))])).toMatchObject({ codes: [] });
    expect(reported([...snapshotInts(...of(1, 0x4000 - 3))])).toEqual([
      ['error', 'snapshot_too_large', 0, { found: 0x10004, limit: 0x10000 }],
    ]);
  });
});

describe('cut', () => {
  const whole = [28, 2, 0, 12, key(1, 7), 1, 2, key(2, 8), 3, 4, 5];
  it.each<[number, number[][], number]>([
    [2, [], 0],
    [3, [], 0],
    [4, [], 0],
    [5, [[1, 7]], 2],
    [6, [[1, 7, 1]], 1],
    [7, [[1, 7, 1, 2]], 0],
    [
      8,
      [
        [1, 7, 1, 2],
        [2, 8],
      ],
      3,
    ],
    [
      9,
      [
        [1, 7, 1, 2],
        [2, 8, 3],
      ],
      2,
    ],
    [
      10,
      [
        [1, 7, 1, 2],
        [2, 8, 3, 4],
      ],
      1,
    ],
  ])('to %i ints keeps the readable part', (length, items, missing) => {
    expect(read(whole.slice(0, length))).toEqual({ items, missing, codes: [`error: truncated_snapshot ${length}`] });
  });
});

/** Items of random size with distinct keys. */
const anyItems = fc
  .uniqueArray(fc.tuple(fc.nat(0x7fff), fc.nat(0xffff), fc.array(fc.integer(), { maxLength: 8 })), {
    selector: ([type, id]) => key(type, id),
    maxLength: 40,
  })
  .map((items) => items.map(([type, id, data]): Item => [type, id, ...data]));

describe('any snapshot', () => {
  it('is equal after writing and reading its ints', () => {
    fc.assert(
      fc.property(anyItems, (items) => {
        const ints = snapshotInts(...items);
        const snapshot = new Snapshot();
        expect(codesOf((warn) => snapshot.read(ints, ints.length, () => 0, warn))).toEqual([]);
        expect(itemsOf(snapshot)).toEqual(items);
        expect(snapshot.toInts()).toEqual(ints);
        const sum = items.flatMap(([, , ...data]) => data).reduce((a, b) => a + BigInt(b), 0n);
        expect(snapshot.checksum()).toBe(Number(BigInt.asIntN(32, sum)));
        for (const [i, [type, id]] of items.entries()) expect(snapshot.find(type, id)).toBe(i);
      }),
    );
  });
});

describe('random ints', () => {
  const small = fc.oneof(
    fc.integer(),
    fc.integer({ min: -2, max: 40 }),
    fc.integer({ min: 0, max: 12 }).map((n) => 4 * n),
  );
  /** A snapshot in which some ints are others. */
  const changed = fc.tuple(anyItems, fc.array(fc.tuple(fc.nat(), small), { maxLength: 2 })).map(([items, changes]) => {
    const ints = [...snapshotInts(...items)];
    for (const [at, int] of changes) ints[at % ints.length] = int;
    return ints;
  });

  it('are read, or refused', () => {
    fc.assert(
      fc.property(fc.oneof(changed, fc.array(small, { maxLength: 60 })), (ints) => {
        const snapshot = new Snapshot();
        codesOf((warn) => snapshot.read(Int32Array.from(ints), ints.length, smallSizes, warn));
        for (let i = 0; i < snapshot.count; i++) {
          expect(ints[snapshot.start(i)]).toBe(snapshot.keys[i]);
          expect([...snapshot.item(i)]).toEqual(
            ints.slice(snapshot.start(i) + 1, snapshot.start(i) + 1 + snapshot.size(i)),
          );
        }
      }),
      { numRuns: 500 },
    );
  });
});
