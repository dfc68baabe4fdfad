import { describe, expect, it } from 'vitest';
import { ItemTallies } from '../../../src/analysis/stats/item-tallies.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { uuidOfInts } from '../../../src/wire/protocol/texts.ts';
import { firstLocalType, maxItems } from '../../../src/wire/snapshot/key.ts';
import { type Item, snapshotOf } from '../../support/readers.ts';

const protocol = protocolOf('0.6');

function talliesOf(...items: Item[]) {
  const tallies = new ItemTallies();
  const snapshot = snapshotOf(...items);
  tallies.onSnapshot(snapshot, protocol);
  return { tallies, snapshot };
}

describe('local types', () => {
  it('are counted by the UUID of their first registration in the snapshot', () => {
    const [first, second, three] = [0, 1, 2].map((i) => firstLocalType + i) as [number, number, number];
    const { tallies } = talliesOf([0, first, 1, 2, 3, 4], [0, second, 5, 6, 7], [0, first, 8, 8, 8, 8]);
    for (const type of [first, second, three]) tallies.of(type).removed++;
    expect(tallies.all).toMatchObject([{ uuid: uuidOfInts([1, 2, 3, 4]) }, { type: second }, { type: three }]);
    tallies.onSnapshot(snapshotOf([0, first, 8, 8, 8, 8]), protocol);
    tallies.of(first).removed++;
    expect(tallies.all[3]).toMatchObject({ uuid: uuidOfInts([8, 8, 8, 8]), removed: 1 });
  });

  it('are found in a snapshot that consists of registrations with work in proportion to its items', () => {
    const types = Array.from({ length: maxItems }, (_, i) => firstLocalType + i);
    const { tallies, snapshot } = talliesOf(...types.map((type): Item => [0, type, type, 2, 3, 4]));
    let reads = 0;
    // An array like that of the snapshot, which counts the reads of its elements, also by its methods.
    const get = (keys: number[], name: string | symbol) => {
      if (typeof name === 'string' && /^\d/.test(name)) reads++;
      return Reflect.get(keys, name);
    };
    snapshot.keys = new Proxy([...snapshot.keys], { get }) as unknown as Int32Array<ArrayBuffer>;
    for (const type of types) tallies.of(type).removed++;
    const uuids = types.map((type) => uuidOfInts([type, 2, 3, 4]));
    expect(tallies.all.map(({ uuid, removed }) => [uuid, removed])).toEqual(uuids.map((uuid) => [uuid, 1]));
    expect(reads).toBeLessThanOrEqual(2 * maxItems);
  });
});
