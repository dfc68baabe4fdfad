import { describe, expect, it } from 'vitest';
import { protocolOf } from '../../../src/protocol/registry.ts';
import { intsOfUuid } from '../../../src/protocol/uuid.ts';
import { excessOf, type Suspect, suspectsOf } from '../../../src/recording/checksum/checksum-suspects.ts';
import { apply } from '../../../src/snapshot/apply.ts';
import { createDelta } from '../../../src/snapshot/create-delta.ts';
import { Delta } from '../../../src/snapshot/delta.ts';
import { ItemTypes } from '../../../src/snapshot/item-types.ts';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';
import { type Item, key, snapshotOf } from '../../support/readers.ts';

const protocol = protocolOf('0.7');
const [pickup, laser, playerInfo, infoRace] = [4, 3, 11, 23] as const;

/** The suspects in words: `4 17 stayed, likely`. */
function suspectsIn(before: Snapshot, delta: Delta, expected: (crc: number) => number): string[] {
  const snapshot = apply(before, delta);
  const crc = snapshot.checksum();
  const types = new ItemTypes(protocol).onSnapshot(snapshot);
  return suspectsOf({ before, delta, snapshot, crc, expected: expected(crc) | 0 }, types).map(inWords);
}

function inWords(suspect: Suspect): string {
  const { type, id, reason, likely, name: _, ...numbers } = suspect;
  const rest = Object.values(numbers).map((value) =>
    typeof value === 'object' ? Object.values(value).join('..') : value,
  );
  return `${[type, id, reason, ...rest].join(' ')}${likely ? ', likely' : ''}`;
}

const deltaOf = (...ints: number[]): Delta => {
  const delta = new Delta();
  delta.read(Int32Array.from(ints), ints.length, protocol.sizeOf);
  return delta;
};

const base = () => snapshotOf([pickup, 17, 1000, 2000, 785], [laser, 2, 10, 20, 30, 40, 50], [playerInfo, 0, 8, 0, 0]);

describe('what makes exactly the difference', () => {
  const to = (...items: Item[]) => createDelta(base(), snapshotOf(...items), protocol.sizeOf);
  const [oldPickup, oldLaser, oldInfo]: Item[] = [
    [pickup, 17, 1000, 2000, 785],
    [laser, 2, 10, 20, 30, 40, 50],
    [playerInfo, 0, 8, 0, 0],
  ];
  const newInfo: Item = [playerInfo, 0, 8, 100, 20];

  it('an item that stayed, though it was to be removed', () => {
    const delta = to(oldPickup!, oldLaser!, newInfo);
    expect(suspectsIn(base(), delta, (crc) => crc - 3785)).toEqual(['4 17 stayed, likely']);
  });

  it('an item that was removed, though it was to stay', () => {
    const delta = to(oldLaser!, newInfo);
    expect(suspectsIn(base(), delta, (crc) => crc + 3785)).toEqual(['4 17 removed, likely']);
    expect(suspectsIn(base(), delta, (crc) => crc - 3785)).toEqual([]);
  });

  it('a new item', () => {
    const delta = to(oldPickup!, oldLaser!, oldInfo!, [laser, 3, 1, 2, 3, 4, 500]);
    expect(suspectsIn(base(), delta, (crc) => crc - 510)).toEqual(['3 3 added, likely']);
    expect(suspectsIn(base(), delta, (crc) => crc - 500)).toEqual(['3 3 added start_tick 500, likely']);
  });

  it('an update, whole or a field of it, made once too often or too rarely', () => {
    const delta = to(oldPickup!, oldLaser!, newInfo);
    expect(suspectsIn(base(), delta, (crc) => crc - 120)).toEqual(['11 0 updated, likely']);
    expect(suspectsIn(base(), delta, (crc) => crc + 120)).toEqual(['11 0 updated_once, likely']);
    expect(suspectsIn(base(), delta, (crc) => crc - 100)).toEqual(['11 0 updated score 100, likely']);
    expect(suspectsIn(base(), delta, (crc) => crc + 20)).toEqual(['11 0 updated_once latency 20, likely']);
  });

  it('a small difference may be chance', () => {
    const delta = to(oldPickup!, oldLaser!, [playerInfo, 0, 9, 0, 0]);
    expect(suspectsIn(base(), delta, (crc) => crc - 1)).toEqual(['11 0 updated player_flags 1']);
  });

  it('many of one kind say little: four are listed, as possible', () => {
    const ids = [0, 1, 2, 3, 4, 5];
    const from = snapshotOf(...ids.map((id): Item => [playerInfo, id, 0, 0, 0]));
    const delta = createDelta(from, snapshotOf(...ids.map((id): Item => [playerInfo, id, 0, 0, 77])), protocol.sizeOf);
    const listed = ids.slice(0, 4).map((id) => `11 ${id} updated latency 77`);
    expect(suspectsIn(from, delta, (crc) => crc - 77)).toEqual(listed);
  });

  it('sums wrap', () => {
    expect(excessOf({ crc: 2 ** 31 - 1, expected: -(2 ** 31) })).toBe(-1);
    const from = snapshotOf([playerInfo, 0, 0, -(2 ** 31), 0]);
    const delta = createDelta(from, snapshotOf(), protocol.sizeOf);
    expect(suspectsIn(from, delta, (crc) => crc + 2 ** 31)).toEqual(['11 0 removed, likely']);
  });
});

describe('what is wrong in itself', () => {
  const odd = (crc: number) => crc + 123_456;

  it('an item with another size than usual, but of extended items', () => {
    expect(suspectsIn(base(), deltaOf(0, 1, 0, infoRace, 0, 2, 50, 0), odd)).toEqual(['23 0 size 2 1, likely']);
    const uuid = intsOfUuid(protocol.byName('ddnet_player')!.uuid!);
    const delta = deltaOf(0, 2, 0, 0, 0x7fff, 4, ...uuid, 0x7fff, 0, 1, 5);
    expect(suspectsIn(base(), delta, odd)).toEqual([]);
  });

  it('keys that occur twice', () => {
    const twice = deltaOf(0, 2, 0, playerInfo, 0, 0, 1, 0, playerInfo, 0, 0, 2, 0);
    expect(suspectsIn(base(), twice, odd)).toEqual(['11 0 twice_in_delta, likely']);
    const removed = deltaOf(2, 0, 0, key(pickup, 17), key(pickup, 17));
    expect(suspectsIn(base(), removed, odd)).toEqual(['4 17 twice_in_delta, likely']);
    const twiceInBase = snapshotOf([laser, 2, 1, 1, 1, 1, 1], [laser, 2, 2, 2, 2, 2, 2]);
    expect(suspectsIn(twiceInBase, deltaOf(0, 0, 0), odd)).toEqual(['3 2 twice_in_base']);
  });

  it('a type without registration', () => {
    expect(suspectsIn(base(), deltaOf(0, 1, 0, 0x7ffe, 3, 1, 5), odd)).toEqual([`${0x7ffe} 0 unregistered`]);
  });

  it('a value that an update takes out of what the games accept, not one that was there before', () => {
    const delta = deltaOf(0, 1, 0, pickup, 17, 0, 0, 1);
    expect(suspectsIn(base(), delta, odd)).toEqual(['4 17 value type 786 0..7, likely']);
    expect(suspectsIn(base(), deltaOf(0, 1, 0, pickup, 17, 1, 0, 0), odd)).toEqual([]);
  });
});

it('the likely ones come first', () => {
  const from = snapshotOf([laser, 2, 1, 1, 1, 1, 1], [laser, 2, 2, 2, 2, 2, 2], [pickup, 17, 1000, 2000, 785]);
  expect(suspectsIn(from, deltaOf(0, 0, 0), (crc) => crc - 3785)).toEqual(['4 17 stayed, likely', '3 2 twice_in_base']);
});
