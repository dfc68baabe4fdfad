import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apply, applyInto } from '../../../src/wire/snapshot/apply.ts';
import { Delta } from '../../../src/wire/snapshot/delta.ts';
import { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { codesOf, diagnosticsInFull, type Item, itemsOf, key, snapshotOf } from '../../support/readers.ts';

/** The ints of a delta in which every type carries its size. */
const intsOf = (removed: readonly number[], updates: readonly Item[]): number[] => [
  ...[removed.length, updates.length, 0, ...removed],
  ...updates.flatMap(([type, id, ...data]) => [type, id, data.length, ...data]),
];

function deltaOf(removed: readonly number[], updates: readonly Item[]): Delta {
  const ints = intsOf(removed, updates);
  const delta = new Delta();
  delta.read(Int32Array.from(ints), ints.length, () => 0);
  return delta;
}

function applied(base: readonly Item[], removed: readonly number[], updates: readonly Item[]) {
  const old = snapshotOf(...base);
  const before = old.toInts();
  let items: number[][] | undefined;
  const codes = codesOf((warn) => {
    items = itemsOf(apply(old, deltaOf(removed, updates), warn));
  });
  expect(old.toInts()).toEqual(before);
  return { items, codes };
}

const max = 2 ** 31 - 1;
const min = -(2 ** 31);
const a: Item = [1, 7, 10, 20];
const b: Item = [2, 7, 1, 2, 3];
const c: Item = [1, 3, 5, 6];
const [keyA, keyB, keyC] = [key(1, 7), key(2, 7), key(1, 3)];

type Case = [name: string, base: Item[], removed: number[], updates: Item[], result: Item[]];

describe('applying', () => {
  it.each<Case>([
    ['nothing to nothing', [], [], [], []],
    ['nothing', [a, b], [], [], [a, b]],
    ['a difference', [a, b], [], [[1, 7, -3, 4]], [[1, 7, 7, 24], b]],
    ['a new item, at the end', [b, a], [], [c], [b, a, c]],
    ['a new item to nothing', [], [], [a], [a]],
    ['what is removed', [a, b, c], [keyB], [], [a, c]],
    ['all removed', [a, b], [keyA, keyB], [], []],
    [
      'everything at once',
      [a, b, c],
      [keyB],
      [
        [1, 3, 1, 1],
        [2, 9, 4, 4, 4],
        [1, 7, 0, 1],
      ],
      [
        [1, 7, 10, 21],
        [1, 3, 6, 7],
        [2, 9, 4, 4, 4],
      ],
    ],
    [
      'an empty item',
      [[5, 1]],
      [],
      [
        [5, 1],
        [5, 2],
      ],
      [
        [5, 1],
        [5, 2],
      ],
    ],
    ['the highest key', [[0x7fff, 0xffff, 1]], [], [[0x7fff, 0xffff, 1]], [[0x7fff, 0xffff, 2]]],
    ['a sum that wraps up', [[1, 0, max, -1]], [], [[1, 0, 1, min]], [[1, 0, min, max]]],
    ['a sum that wraps down', [[1, 0, min, min]], [], [[1, 0, -1, min]], [[1, 0, max, 0]]],
  ])('%s', (_, base, removed, updates, result) => {
    expect(applied(base, removed, updates)).toEqual({ items: result, codes: [] });
  });
});

/**
 * Cases of docs/formats/tolerated.md. Offsets are indexes of ints: removed keys from 3 on, then the type of an update.
 */
describe('accepted with a warning', () => {
  it.each<[...Case, string[]]>([
    ['a removed key that the base lacks', [a], [keyC], [], [a], ['unknown_removed 3']],
    ['a key removed twice', [a, b], [keyA, keyA], [], [b], ['removed_twice 4']],
    [
      'a removed item updated: against its old value, at the end',
      [a, b],
      [keyA],
      [[1, 7, 1, 1]],
      [b, [1, 7, 11, 21]],
      ['removed_and_updated 4'],
    ],
    [
      'a removed item updated twice: the last counts',
      [a, b],
      [keyA],
      [
        [1, 7, 1, 1],
        [1, 7, 2, 2],
      ],
      [b, [1, 7, 12, 22]],
      ['removed_and_updated 4', 'updated_twice 9'],
    ],
    [
      'an item updated twice: the last counts, against the old snapshot',
      [a, b],
      [],
      [
        [1, 7, 100, 100],
        [1, 7, 1, 2],
      ],
      [[1, 7, 11, 22], b],
      ['updated_twice 8'],
    ],
    ['a new item twice: the last counts', [b], [], [a, [1, 7, 1, 2]], [b, [1, 7, 1, 2]], ['updated_twice 8']],
  ])('%s', (_, base, removed, updates, result, codes) => {
    expect(applied(base, removed, updates)).toEqual({ items: result, codes });
  });

  it('names the item', () => {
    const codes = (removed: number[], updates: Item[]) =>
      diagnosticsInFull((warn) => void apply(snapshotOf(a), deltaOf(removed, updates), warn));
    expect(codes([keyB], [])).toEqual([['unknown_removed', 3, { type: 2, id: 7 }]]);
    expect(codes([keyA], [a])).toEqual([['removed_and_updated', 4, { type: 1, id: 7 }]]);
  });
});

describe('refused', () => {
  it.each<[string, Item[], number[], Item[], string[]]>([
    ['an update of another size than the item', [a], [], [[1, 7, 1]], ['error: size_differs 3']],
    ['a larger one', [b, a], [keyB], [[1, 7, 1, 2, 3]], ['error: size_differs 4']],
    [
      'a removed item updated with another size',
      [a],
      [keyA],
      [[1, 7, 1]],
      ['removed_and_updated 4', 'error: size_differs 4'],
    ],
    ['the same new item twice with different sizes', [], [], [a, [1, 7, 1]], ['error: size_differs 8']],
  ])('%s', (_, base, removed, updates, codes) => {
    expect(applied(base, removed, updates)).toEqual({ items: undefined, codes });
  });

  it('names the sizes', () => {
    expect(diagnosticsInFull(() => void apply(snapshotOf(a), deltaOf([], [[1, 7, 1]])))).toEqual([
      ['error', 'size_differs', 3, { type: 1, id: 7, found: 1, expected: 2 }],
    ]);
  });
});

describe('the limits', () => {
  const many = (count: number): Item[] => Array.from({ length: count }, (_, id): Item => [5, id]);
  const wide = (ints: number): Item => [6, 0, ...new Array(ints).fill(1)];

  it('accept 1024 items', () => {
    expect(applied(many(1023), [], [[7, 0]]).items).toHaveLength(1024);
    expect(applied(many(1024), [], [[7, 0]]).codes).toEqual(['error: too_many_items 3']);
    expect(applied(many(1024), [key(5, 0)], [[7, 0]]).items).toHaveLength(1024);
    expect(applied(many(1024), [], [[5, 1023]]).items).toHaveLength(1024);
  });

  // Header 8 bytes, an offset and a key for each of two items, 16 bytes, and the data.
  it('accept 64 KiB', () => {
    expect(applied([wide(0x4000 - 7)], [], [[7, 0, 1]]).items).toHaveLength(2);
    expect(applied([wide(0x4000 - 7)], [], [[7, 0, 1, 1]]).codes).toEqual(['error: snapshot_too_large 3']);
  });
});

describe('one base', () => {
  it('can be used for many deltas', () => {
    const base = snapshotOf(a, b);
    for (let i = 0; i < 3; i++) {
      expect(itemsOf(apply(base, deltaOf([keyB], [[1, 7, 1, 1], c])))).toEqual([[1, 7, 11, 21], c]);
      expect(itemsOf(apply(base, deltaOf([keyA], [])))).toEqual([b]);
    }
  });

  it('can be used after a refused delta, which has changed nothing', () => {
    const base = apply(snapshotOf(a, b), deltaOf([], []));
    expect(() => apply(base, deltaOf([], [a, [2, 7, 1]]))).toThrow(expect.objectContaining({ code: 'size_differs' }));
    expect(itemsOf(apply(base, deltaOf([], [c])))).toEqual([a, b, c]);
  });

  it('is not changed through its result', () => {
    const base = snapshotOf(a);
    const result = apply(base, deltaOf([], []));
    result.data.fill(99);
    result.keys.fill(99);
    expect(itemsOf(base)).toEqual([a]);
  });
});

/** Applies a delta with a Map, by the rules of docs/formats/snapshots.md. */
function referenceOf(base: Item[], removed: number[], updates: Item[]): Item[] {
  const keyed = (item: Item) => key(item[0], item[1]);
  const old = new Map(base.map((item) => [keyed(item), item]));
  const result = new Map(base.filter((item) => !removed.includes(keyed(item))).map((item) => [keyed(item), item]));
  for (const update of updates) {
    const [type, id, ...data] = update;
    const from = old.get(keyed(update));
    result.set(keyed(update), from ? [type, id, ...data.map((int, i) => (int + from[2 + i]!) | 0)] : update);
  }
  return [...result.values()];
}

describe('any delta', () => {
  // There are few keys, so that all cases occur together; each type has one size.
  const item = fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.nat(4), fc.array(fc.integer(), { minLength: 3, maxLength: 3 }))
    .map(([type, id, data]): Item => [type, id, ...data.slice(0, type)]);
  const base = fc.uniqueArray(item, { selector: ([type, id]) => key(type, id) });
  const removed = fc.array(
    item.map(([type, id]) => key(type, id)),
    { maxLength: 4 },
  );

  it('is applied like by a reference implementation', () => {
    fc.assert(
      fc.property(base, removed, fc.array(item), (old, gone, updates) => {
        expect(applied(old, gone, updates).items).toEqual(referenceOf(old, gone, updates));
      }),
      { numRuns: 300 },
    );
  });

  it('is applied the same into a reused result, also after a refused delta', () => {
    const result = new Snapshot();
    fc.assert(
      fc.property(base, removed, fc.array(item), (old, gone, updates) => {
        codesOf((warn) => applyInto(snapshotOf([4, 1, 1]), deltaOf([7], [[4, 1, 1, 2]]), result, warn));
        const reported = codesOf((warn) => applyInto(snapshotOf(...old), deltaOf(gone, updates), result, warn));
        expect({ items: itemsOf(result), codes: reported }).toEqual(applied(old, gone, updates));
        for (const [i, [type, id]] of itemsOf(result).entries()) expect(result.find(type!, id!)).toBe(i);
      }),
    );
  });

  it('leaves a checksum that is the sum of all ints', () => {
    fc.assert(
      fc.property(base, removed, fc.array(item), fc.array(item), (old, gone, updates, more) => {
        let snapshot = snapshotOf(...old);
        codesOf(() => {
          for (const delta of [deltaOf(gone, updates), deltaOf([], more), deltaOf(gone, more)]) {
            snapshot = apply(snapshot, delta);
          }
        });
        const { data, offsets, count } = snapshot;
        expect(snapshot.checksum()).toBe(data.subarray(0, offsets[count]).reduce((sum, int) => (sum + int) | 0, 0));
      }),
    );
  });

  it("to the empty snapshot results in the delta's items", () => {
    fc.assert(
      fc.property(base, (items) => {
        expect(itemsOf(apply(new Snapshot(), deltaOf([], items)))).toEqual(items);
      }),
    );
  });

  it('with some changed ints is applied, or refused', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.oneof(fc.integer(), fc.nat(4))), { maxLength: 2 });
    fc.assert(
      fc.property(base, removed, fc.array(item), changes, (old, gone, updates, changed) => {
        const ints = Int32Array.from(intsOf(gone, updates));
        for (const [at, int] of changed) ints[at % ints.length] = int;
        const result = new Snapshot();
        codesOf((warn) => {
          const delta = new Delta();
          delta.read(ints, ints.length, () => 0, warn);
          applyInto(snapshotOf(...old), delta, result, warn);
        });
        for (const [i, [type, id]] of itemsOf(result).entries()) expect(result.find(type!, id!)).toBe(i);
      }),
    );
  });
});
