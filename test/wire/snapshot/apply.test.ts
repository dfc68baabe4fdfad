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

const a: Item = [1, 7, 10, 20];
const b: Item = [2, 7, 1, 2, 3];
const c: Item = [1, 3, 5, 6];
const [keyA, keyB] = [key(1, 7), key(2, 7)];

/** Offsets are indexes of ints: removed keys from 3 on, then the type of an update. */
describe('a diagnostic', () => {
  it('names the item', () => {
    const codes = (removed: number[], updates: Item[]) =>
      diagnosticsInFull((warn) => void apply(snapshotOf(a), deltaOf(removed, updates), warn));
    expect(codes([keyB], [])).toEqual([['unknown_removed', 3, { type: 2, id: 7 }]]);
    expect(codes([keyA], [a])).toEqual([['removed_and_updated', 4, { type: 1, id: 7 }]]);
  });

  it('names the sizes', () => {
    expect(diagnosticsInFull(() => void apply(snapshotOf(a), deltaOf([], [[1, 7, 1]])))).toEqual([
      ['error', 'size_differs', 3, { type: 1, id: 7, found: 1, expected: 2 }],
    ]);
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
