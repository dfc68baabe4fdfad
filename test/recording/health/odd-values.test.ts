import { describe, expect, it } from 'vitest';
import { ItemCheck, ItemValues } from '../../../src/recording/health/odd-values.ts';
import type { SnapshotEntry } from '../../../src/recording/replay/record.ts';
import type { Stream } from '../../../src/recording/replay/stream.ts';
import { protocolOf, type Version } from '../../../src/wire/protocol/registry.ts';
import { createDelta } from '../../../src/wire/snapshot/create-delta.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { type MadeItem, Recording } from '../../support/recording.ts';

/** A snapshot for each list of items: the first one is a keyframe, the others are deltas of the one before. */
function found(version: Version, snapshots: readonly (readonly MadeItem[])[], about: Partial<SnapshotEntry> = {}) {
  const recording = new Recording(version);
  for (const [i, items] of snapshots.entries()) recording.tick(10 * (i + 1)).snapshot(...items);
  const protocol = protocolOf(version);
  const stream = { protocol, client: '' };
  const check = new ItemCheck();
  let before: Snapshot | undefined;
  for (const record of recording.records) {
    if (record.record !== 'snapshot') continue;
    const snapshot = record.snapshot as Snapshot;
    const delta = before && createDelta(before, snapshot, protocol.sizeOf);
    check.add({
      ...record,
      stream,
      snapshot,
      delta,
      verdict: 'unchecked',
      uncertain: false,
      ...about,
    } as SnapshotEntry);
    before = snapshot;
  }
  return check.findings.map(({ code, count, severity, place, args }) => {
    const { name, field, found: value, rules } = args;
    return `${code} ${severity} ${name}.${field} ${value} at ${place.tick}, ${count} ×, ${rules}`;
  });
}

const character = (id: number, fields = {}): MadeItem => ['obj_character', id, { weapon: 1, ...fields }];

describe('values that clients do not take', () => {
  it('are a warning; values at the bounds are not', () => {
    // NetIntRange m_Weapon -1 to 5 in DDNet.
    for (const weapon of [-1, 0, 5]) expect(found('0.6', [[character(0, { weapon })]])).toEqual([]);
    for (const weapon of [-2, 6]) {
      const expected = `out_of_bounds warning obj_character.weapon ${weapon} at 10, 1 ×, 0.6`;
      expect(found('0.6', [[character(0, { weapon })]])).toEqual([expected]);
    }
  });

  it('are those of the client, if it says its version: DDNet has 128 clients from 19.0 on', () => {
    const items: MadeItem[] = [['obj_player_info', 70, { client_id: 70 }]];
    const of = (ddnetVersion: number | undefined) => {
      const values = new ItemValues();
      const { snapshot } = new Recording('0.6')
        .tick(10)
        .snapshot(...items)
        .records.at(-1) as SnapshotEntry;
      const stream = { protocol: protocolOf('0.6'), client: '127.0.0.1:5001', ddnetVersion } as Stream;
      values.onSnapshot(snapshot!, undefined, 10, stream);
      return { odd: values.odd.map(({ field, value, bounds }) => [field, value, bounds!.max]), high: values.high };
    };
    expect(of(18_060)).toEqual({ odd: [['client_id', 70, 63]], high: [] });
    for (const version of [19_000, 20_010]) expect(of(version)).toEqual({ odd: [], high: [] });
    const high = [{ item: 'obj_player_info', field: 'client_id', isMessage: false, value: 70, count: 1 }];
    expect(of(undefined)).toEqual({ odd: [], high });
  });

  it('of 0.7 are those of Teeworlds: no weapon of -1, no client 64', () => {
    expect(found('0.7', [[character(0, { weapon: -1 })]])).toEqual([
      'out_of_bounds warning obj_character.weapon -1 at 10, 1 ×, 0.7',
    ]);
    expect(found('0.7', [[['event_death', 0, { client_id: 64 }]]])).toEqual([
      'out_of_bounds warning event_death.client_id 64 at 10, 1 ×, 0.7',
    ]);
    expect(found('0.6', [[['event_death', 0, { client_id: 64 }]]])).toEqual([]);
  });

  it("of an extended item are DDNet's own", () => {
    expect(found('0.6', [[['ddnet_laser', 0, { owner: 128 }]]])).toEqual([
      'out_of_bounds warning ddnet_laser.owner 128 at 10, 1 ×, ddnet',
    ]);
    expect(found('0.6', [[['ddnet_laser', 0, { type: -7 }]]])).toEqual([]);
  });

  it('are counted where they are updated, not in each snapshot that has them', () => {
    const odd = character(0, { weapon: 99 });
    const snapshots = [
      [odd, character(1)],
      [odd, character(1, { x: 5 })],
      [odd, character(1)],
    ];
    expect(found('0.6', snapshots)).toEqual(['out_of_bounds warning obj_character.weapon 99 at 10, 1 ×, 0.6']);
    const again = [...snapshots, [character(0), character(1)], [character(0), character(1, { weapon: 98 })]];
    expect(found('0.6', again)).toEqual(['out_of_bounds warning obj_character.weapon 99 at 10, 2 ×, 0.6']);
  });

  it('are not looked for after damage, where every value may be wrong', () => {
    const odd = [[character(0, { weapon: 99 })]];
    expect(found('0.6', odd, { uncertain: true })).toEqual([]);
    expect(found('0.6', odd, { verdict: 'mismatch' })).toEqual([]);
  });

  it('a type that no game puts into a snapshot', () => {
    expect(found('0.6', [[['obj_player_input', 0]]])).toEqual([
      'never_sent warning obj_player_input.undefined undefined at 10, 1 ×, undefined',
    ]);
  });
});

describe('clients whom only DDNet from 19.0 on knows', () => {
  const info = (client: number): MadeItem => ['obj_player_info', client, { client_id: client }];

  function high(version: Version, ...clients: readonly number[]) {
    const recording = new Recording(version).tick(10).snapshot(...clients.map(info));
    const values = new ItemValues();
    for (const record of recording.records)
      if (record.record === 'snapshot')
        values.onSnapshot(record.snapshot as Snapshot, undefined, 10, {
          protocol: protocolOf(version),
          client: '',
        } as Stream);
    return values;
  }

  it('are counted by item, and are no fault', () => {
    const values = high('0.6', 63, 64, 70, 66);
    const found = { item: 'obj_player_info', field: 'client_id', isMessage: false, value: 70, count: 3 };
    expect([values.high, values.odd]).toEqual([[found], []]);
  });

  it('are outside the bounds beyond 127, and there are none up to 63', () => {
    expect(high('0.6', 0, 63).high).toEqual([]);
    const { high: none, odd } = high('0.6', 128);
    expect([none, odd.map(({ field, value }) => [field, value])]).toEqual([[], [['client_id', 128]]]);
  });
});
