import { describe, expect, it } from 'vitest';
import { ChecksumResults, type Suspect } from '../../../src/analysis/explain/checksum-results.ts';
import type { SnapshotEntry } from '../../../src/recording/replay/record.ts';
import { encode } from '../../../src/wire/payload/encoding-layers.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { intsOfUuid } from '../../../src/wire/protocol/texts.ts';
import { apply } from '../../../src/wire/snapshot/apply.ts';
import { createDelta } from '../../../src/wire/snapshot/create-delta.ts';
import { Delta } from '../../../src/wire/snapshot/delta.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { type Item, key, snapshotOf } from '../../support/readers.ts';

const protocol = protocolOf('0.7');
const [pickup, laser, playerInfo, infoRace] = [4, 3, 11, 23] as const;

/** The suspects in words: `not_removed 4/17, likely`. */
function suspectsIn(before: Snapshot, delta: Delta, announced: (crc: number) => number): string[] {
  const snapshot = apply(before, delta);
  const payload = encode(delta, 'packed');
  const stream = { number: 1, client: '', server: '', protocol, mapChanges: 0 };
  const sent = { kind: 'delta', stream, tick: 1000, base: 990, before, payload, snapshot } as const;
  const entry = { ...sent, announced: announced(snapshot.checksum()) | 0, verdict: 'mismatch' };
  return new ChecksumResults().add(entry as unknown as SnapshotEntry)!.suspects.map(inWords);
}

function inWords({ cause, items, field, numbers = {}, isLikely }: Suspect): string {
  const keys = items.map(({ type, id }) => `${type}/${id}`);
  const words = [cause, ...keys, ...(field === undefined ? [] : [field]), ...Object.values(numbers)];
  return `${words.join(' ')}${isLikely ? ', likely' : ''}`;
}

const deltaOf = (...ints: number[]): Delta => {
  const delta = new Delta();
  delta.read(Int32Array.from(ints), ints.length, protocol.sizeOf);
  return delta;
};

const base = () => snapshotOf([pickup, 17, 1000, 2000, 785], [laser, 2, 10, 20, 30, 40, 50], [playerInfo, 0, 8, 0, 0]);

describe('items that explain exactly the difference', () => {
  const to = (...items: Item[]) => createDelta(base(), snapshotOf(...items), protocol.sizeOf);
  const [oldPickup, oldLaser]: Item[] = [
    [pickup, 17, 1000, 2000, 785],
    [laser, 2, 10, 20, 30, 40, 50],
    [playerInfo, 0, 8, 0, 0],
  ];
  const newInfo: Item = [playerInfo, 0, 8, 100, 20];

  it('an item that stayed, but that the server no longer counts or counts twice', () => {
    const delta = to(oldPickup!, oldLaser!, newInfo);
    expect(suspectsIn(base(), delta, (crc) => crc - 3785)).toEqual(['not_removed 4/17, likely']);
    expect(suspectsIn(base(), delta, (crc) => crc + 3785)).toEqual(['duplicate_key 4/17, likely']);
  });

  it('an item that was removed but should have stayed', () => {
    const delta = to(oldLaser!, newInfo);
    expect(suspectsIn(base(), delta, (crc) => crc + 3785)).toEqual(['removed_unchanged 4/17, likely']);
    expect(suspectsIn(base(), delta, (crc) => crc - 3785)).toEqual([]);
  });

  it('an item that was sent in full: its base item is counted as well', () => {
    const delta = deltaOf(0, 1, 0, laser, 2, 10, 20, 30, 40, 55);
    expect(suspectsIn(base(), delta, (crc) => crc - 150)).toEqual(['sent_in_full 3/2, likely']);
  });

  it('an update that is not counted', () => {
    const delta = to(oldPickup!, oldLaser!, newInfo);
    expect(suspectsIn(base(), delta, (crc) => crc - 120)).toEqual(['old_state 11/0, likely']);
    expect(suspectsIn(base(), delta, (crc) => crc - 119)).toEqual([]);
  });

  it('a small difference may be a coincidence', () => {
    const delta = to(oldPickup!, oldLaser!, [playerInfo, 0, 9, 0, 0]);
    expect(suspectsIn(base(), delta, (crc) => crc - 1)).toEqual(['old_state 11/0']);
  });

  it('many suspects of one cause are weak evidence: four are listed, as possible', () => {
    const ids = [0, 1, 2, 3, 4, 5];
    const from = snapshotOf(...ids.map((id): Item => [playerInfo, id, 0, 0, 0]));
    const delta = createDelta(from, snapshotOf(...ids.map((id): Item => [playerInfo, id, 0, 0, 77])), protocol.sizeOf);
    const shown = ids.slice(0, 4).map((id) => `old_state 11/${id}`);
    expect(suspectsIn(from, delta, (crc) => crc - 77)).toEqual(shown);
  });

  it('sums wrap at 32 bits', () => {
    const from = snapshotOf([playerInfo, 0, 0, -(2 ** 31), 0]);
    const delta = createDelta(from, snapshotOf(), protocol.sizeOf);
    expect(suspectsIn(from, delta, (crc) => crc + 2 ** 31)).toEqual(['removed_unchanged 11/0, likely']);
  });
});

describe('items that are invalid in themselves', () => {
  const wrongSum = (crc: number) => crc + 123_456;

  it('an item with another size than usual, except extended items', () => {
    expect(suspectsIn(base(), deltaOf(0, 1, 0, infoRace, 0, 2, 50, 0), wrongSum)).toEqual([
      'other_size 23/0 2 1, likely',
    ]);
    const uuid = intsOfUuid(protocol.byName('ddnet_player')!.uuid!);
    const delta = deltaOf(0, 2, 0, 0, 0x7fff, 4, ...uuid, 0x7fff, 0, 1, 5);
    expect(suspectsIn(base(), delta, wrongSum)).toEqual([]);
  });

  it('a key that occurs twice in the delta only if the sum has both, and none that is listed twice as removed', () => {
    const twice = deltaOf(0, 2, 0, playerInfo, 0, 0, 1, 0, playerInfo, 0, 0, 2, 0);
    expect(suspectsIn(base(), twice, wrongSum)).toEqual([]);
    // The first item is the one of the base, with one more: 8 + 1.
    expect(suspectsIn(base(), twice, (crc) => crc + 8 + 1)).toEqual(['duplicate_key 11/0, likely']);
    const removed = deltaOf(2, 0, 0, key(pickup, 17), key(pickup, 17));
    expect(suspectsIn(base(), removed, wrongSum)).toEqual([]);
  });

  it('a type without registration', () => {
    expect(suspectsIn(base(), deltaOf(0, 1, 0, 0x7ffe, 3, 1, 5), wrongSum)).toEqual([`unregistered ${0x7ffe}/0`]);
  });

  it('a value that an update moves out of the accepted range, but not one that was out of range before', () => {
    const delta = deltaOf(0, 1, 0, pickup, 17, 0, 0, 1);
    expect(suspectsIn(base(), delta, wrongSum)).toEqual(['damaged 4/17 type 786, likely']);
    expect(suspectsIn(base(), deltaOf(0, 1, 0, pickup, 17, 1, 0, 0), wrongSum)).toEqual([]);
  });
});

it('the likely suspects come first', () => {
  const delta = deltaOf(0, 1, 0, 0x7ffe, 3, 1, 5);
  expect(suspectsIn(base(), delta, (crc) => crc - 3785)).toEqual([
    'not_removed 4/17, likely',
    `unregistered ${0x7ffe}/0`,
  ]);
});
