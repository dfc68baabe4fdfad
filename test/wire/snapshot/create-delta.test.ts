import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { apply } from '../../../src/wire/snapshot/apply.ts';
import { SnapshotBuilder } from '../../../src/wire/snapshot/builder.ts';
import { createDelta } from '../../../src/wire/snapshot/create-delta.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';

const { sizeOf } = protocolOf('0.7');

type Item = readonly [type: number, id: number, data: readonly number[]];
const snapshot = (...items: readonly Item[]): Snapshot => {
  const builder = new SnapshotBuilder();
  for (const [type, id, data] of items) builder.add(type, id, data);
  return builder.build();
};
const itemsOf = (from: Snapshot): Item[] => [...from].map(({ type, id, data }) => [type, id, [...data]]);

describe('a delta', () => {
  // By docs/formats/snapshots.md: removed keys in the old order, then new or changed items in the new order; race items
  // carry their size.
  it('is created as the games do', () => {
    const old = snapshot([4, 9, [1, 2, 3]], [4, 3, [5, 5, 5]], [6, 0, [0, 1, 0]], [23, 1, [7]]);
    const now = snapshot([23, 1, [9]], [6, 0, [0, 1, 0]], [17, 0, [8, 8]]);
    const { ints, length } = createDelta(old, now, sizeOf);
    expect([...ints.subarray(0, length)]).toEqual([2, 2, 0, (4 << 16) | 9, (4 << 16) | 3, 23, 1, 1, 2, 17, 0, 8, 8]);
  });

  it('of equal snapshots is empty', () => {
    const entry = snapshot([4, 9, [1, 2, 3]], [6, 0, [0, 1, 0]]);
    const { ints, length } = createDelta(entry, entry, sizeOf);
    expect([...ints.subarray(0, length)]).toEqual([0, 0, 0]);
  });

  it('has differences that wrap at 32 bits', () => {
    const delta = createDelta(
      snapshot([4, 0, [2147483647, -2147483648, 0]]),
      snapshot([4, 0, [-2147483648, 2147483647, -1]]),
      sizeOf,
    );
    expect([...delta.item(0)]).toEqual([1, -1, -1]);
  });

  it('can not change the size of an item', () => {
    expect(() => createDelta(snapshot([23, 0, [1]]), snapshot([23, 0, [1, 2]]), sizeOf)).toThrow('size differs');
  });
});

describe('the two consecutive characters of the documentation', () => {
  // Fields of obj_character: tick x y vel_x vel_y angle direction jumped hooked_player hook_state hook_tick hook_x
  // hook_y hook_dx hook_dy health armor ammo_count weapon emote attack_tick triggered_events.
  const first = [8168, 3199920, 1105, 0, 128, 0, 0, 0, -1, 0, 0, 3199920, 1104, 0, 0, 10, 0, 10, 1, 0, 0, 0];
  const difference = [50, -2, 0, -512, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];

  it('result in x 3199918, and the weapon is still the gun', () => {
    const base = snapshot([10, 0, first]);
    const now = snapshot([10, 0, first.map((int, i) => int + difference[i]!)]);
    const delta = createDelta(base, now, sizeOf);
    expect([...delta.item(0)]).toEqual(difference);
    const [tick, x, , velX, , , direction] = apply(base, delta).item(0);
    expect([tick, x, velX, direction]).toEqual([8218, 3199918, -512, -1]);
    expect(apply(base, delta).item(0)[18]).toBe(1);
    expect(apply(base, delta).item(0)[12]).toBe(1105);
  });
});

describe('any two snapshots', () => {
  const int = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  // Agreed sizes, a size on the wire, an extended item: all items with the same key have the same size.
  const sizes: Record<number, number> = { 4: 3, 6: 3, 23: 1, 100: 2, 32767: 0 };
  const items = fc
    .uniqueArray(fc.record({ type: fc.constantFrom(...Object.keys(sizes).map(Number)), id: fc.nat(6) }), {
      selector: ({ type, id }) => `${type} ${id}`,
      maxLength: 20,
    })
    .chain((keys) =>
      fc.tuple(
        ...keys.map(({ type, id }) =>
          fc.tuple(
            fc.constant(type),
            fc.constant(id),
            fc.array(fc.oneof(fc.constant(0), int), { minLength: sizes[type]!, maxLength: sizes[type]! }),
          ),
        ),
      ),
    );
  const key = ([type, id]: Item) => `${type} ${id}`;

  it('make a delta that results in the items of the second', () => {
    fc.assert(
      fc.property(items, items, (a, b) => {
        const result = itemsOf(apply(snapshot(...a), createDelta(snapshot(...a), snapshot(...b), sizeOf)));
        const byKey = (all: readonly Item[]) => [...all].sort((x, y) => key(x).localeCompare(key(y)));
        expect(byKey(result)).toEqual(byKey(b));
        // Kept items have the order of the first snapshot, new items that of the second.
        const inA = new Set(a.map(key));
        const inB = new Set(b.map(key));
        expect(result.map(key)).toEqual([
          ...a.map(key).filter((text) => inB.has(text)),
          ...b.map(key).filter((text) => !inA.has(text)),
        ]);
      }),
    );
  });

  it('result in the second with its order, if it lists the kept items first, in the order of the first', () => {
    fc.assert(
      fc.property(items, items, (a, b) => {
        const inA = new Set(a.map(key));
        const kept = a.filter((item) => b.some((other) => key(other) === key(item)));
        const ordered = [
          ...kept.map((item) => b.find((other) => key(other) === key(item))!),
          ...b.filter((item) => !inA.has(key(item))),
        ];
        const from = snapshot(...a);
        expect(itemsOf(apply(from, createDelta(from, snapshot(...ordered), sizeOf)))).toEqual(ordered);
        expect(itemsOf(from)).toEqual(a);
      }),
    );
  });
});
