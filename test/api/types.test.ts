import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type Borrowed,
  build,
  type Decoded,
  decode,
  type Item,
  type ItemOf,
  item,
  items,
  keep,
  type MessageOf,
  messageOf,
  type RecordingEntry,
  readDemo,
  type Snapshot,
  type SnapshotEntry,
  valueNames,
} from '../../src/api/index.ts';
import { writeMessage } from '../../src/api/live.ts';
import { type Protocol, protocolOf } from '../../src/wire/protocol/registry.ts';
import type { Delta } from '../../src/wire/snapshot/delta.ts';

// `tsc` checks these types: an error that is expected and does not occur is an error.

const schema = { items: [], messages: [] };
const bytes = readFileSync(new URL('../../samples/vanilla-dm1.demo', import.meta.url));
const snapshot = [...readDemo(bytes)].flatMap((entry) =>
  entry.record === 'snapshot' ? (entry.snapshot ?? []) : [],
)[0]!;
const unknownVersion: Protocol = protocolOf('0.7');

describe('the names of the tables are types', () => {
  it('of items', () => {
    const both = [...items(snapshot, '0.7', 'obj_character', 'obj_de_client_info')];
    expect(new Set(both.map(({ name }) => name)).size).toBe(2);
    expectTypeOf(both[0]!.name).toEqualTypeOf<'obj_character' | 'obj_de_client_info'>();
    // @ts-expect-error: no item has this name
    expect(() => [...items(snapshot, '0.7', 'obj_charakter')]).toThrow(
      new TypeError('no protocol has an item "obj_charakter"'),
    );
    // @ts-expect-error: an item of 0.7
    expect(item(snapshot, '0.6', 'obj_de_client_info', 0)).toBeUndefined();
    expectTypeOf(item(snapshot, unknownVersion, 'obj_de_client_info', 0)).toEqualTypeOf<
      ItemOf<'0.7', 'obj_de_client_info'> | undefined
    >();
  });

  it('of fields', () => {
    const info = item(snapshot, '0.7', 'obj_de_client_info', 0);
    expectTypeOf(info!.fields).toEqualTypeOf<{
      readonly local: number;
      readonly team: number;
      readonly name: string;
      readonly clan: string;
      readonly country: number;
      readonly skin_part_names: readonly string[];
      readonly use_custom_colors: readonly number[];
      readonly skin_part_colors: readonly number[];
    }>();
    // @ts-expect-error: no such field
    expect(info?.fields.nonsense).toBeUndefined();
    type Ex = ItemOf<'0.6', 'ddnet_player'>['fields'];
    expectTypeOf<Ex['flags']>().toEqualTypeOf<number>();
    // Older servers leave it out.
    expectTypeOf<Ex['finish_time_seconds']>().toEqualTypeOf<number | undefined>();
  });

  it('of items whose version is known only when the program runs: the fields that all versions have', () => {
    for (const { fields } of items(snapshot, unknownVersion, 'obj_character')) {
      expect(fields.weapon).toBeLessThan(7);
      expectTypeOf(fields.x).toEqualTypeOf<number>();
      // @ts-expect-error: only 0.7 has it
      expectTypeOf(fields.triggered_events).toBeNumber();
    }
  });

  it('of all items: the name tells the fields', () => {
    for (const item of items(snapshot, '0.6')) {
      expect('name' in item && 'fields' in item).toBe(true);
      if (item.name === 'obj_client_info') expectTypeOf(item.fields.clan).toEqualTypeOf<string>();
      if (item.name === null) expectTypeOf(item.fields).toEqualTypeOf<undefined>();
    }
  });

  it('of values', () => {
    const weapons = valueNames('0.7', 'obj_character', 'weapon');
    expectTypeOf(weapons[0]!).toEqualTypeOf<'none' | 'hammer' | 'gun' | 'shotgun' | 'grenade' | 'laser' | 'ninja'>();
    expect(weapons[1]).toBe('gun');
    expect(valueNames('0.6', 'ddnet_player', 'flags')).toEqual({ 1: 'afk', 2: 'paused', 4: 'spec' });
    expect(valueNames('0.6', 'obj_character', 'x')).toEqual({});
  });

  it('but not of mods and deltas', () => {
    const mod = protocolOf('0.6', schema);
    expectTypeOf([...items(snapshot, mod, 'obj_character')]).toEqualTypeOf<Item[]>();
    expect(() => [...items(snapshot, mod, 'my_item')]).toThrow(TypeError);
    const ofDelta = (delta: Delta) => items(delta, '0.6', 'obj_character');
    expectTypeOf(ofDelta).returns.toEqualTypeOf<Generator<Item, void>>();
  });
});

describe('what is written is right for each version that a program may have', () => {
  const later = '0.6' as '0.6' | '0.7';

  it('of messages', () => {
    expect(writeMessage(later, 'rcon_cmd', { cmd: 'status' }).length).toBeGreaterThan(5);
    // @ts-expect-error: 0.7 takes more fields, which 0.6 does not have
    expect(writeMessage(later, 'map_change', { name: 'dm1', crc: 0, size: 0 }).length).toBeGreaterThan(5);
    // @ts-expect-error: only 0.7 has it
    expect(() => writeMessage(later, 'sv_clientdrop', { client_id: 0, reason: '', silent: true })).toThrow(TypeError);
  });

  it('of items', () => {
    const both = build(later).add('obj_character', 0, { x: 32 }).build();
    expect(item(both, later, 'obj_character', 0)?.fields.x).toBe(32);
    // @ts-expect-error: 0.6 does not have the field
    expect(() => build(later).add('obj_character', 0, { triggered_events: 1 })).toThrow(TypeError);
    // @ts-expect-error: only 0.7 has it
    expect(() => build(later).add('obj_de_client_info', 0)).toThrow(TypeError);
  });

  it('yes and no are true and false, or numbers', () => {
    const of = (local: boolean | number) =>
      item(build('0.6').add('obj_player_info', 0, { local }).build(), '0.6', 'obj_player_info', 0)!.fields.local;
    expect([of(true), of(false), of(1)]).toEqual([1, 0, 1]);
    const say = (team: boolean | number) => writeMessage('0.6', 'cl_say', { team, message: 'hi' });
    expect(say(true)).toEqual(say(1));
    // @ts-expect-error: the number of a client is not a yes
    expect(() => writeMessage('0.6', 'cl_setteam', { team: true })).toThrow(TypeError);
  });
});

describe('what is read narrows', () => {
  it('by the kind that decode is asked for', () => {
    const file = readFileSync(new URL('../../samples/ddnet-race-tick958.delta.packed', import.meta.url));
    expect(decode(file, { kind: 'delta' }).delta.count).toBe(5);
    expectTypeOf(decode(file, { kind: 'message', partial: true }).kind).toEqualTypeOf<'message'>();
    expectTypeOf(decode(file)).toEqualTypeOf<Decoded>();
    // @ts-expect-error: a delta or something else
    expect(decode(file).delta).toBeDefined();
  });

  it('by the verdict of a snapshot', () => {
    for (const entry of readDemo(bytes)) {
      if (entry.record !== 'snapshot') continue;
      if (entry.verdict === 'ok') expectTypeOf(entry.snapshot).toEqualTypeOf<Snapshot>();
      if (entry.verdict === 'missing_base') expectTypeOf(entry.snapshot).toEqualTypeOf<undefined>();
      else if (entry.verdict === 'unchecked') expect(entry.snapshot.count).toBeGreaterThan(0);
    }
  });

  it('by the name of a message', () => {
    const names = new Set<string | null>();
    for (const entry of readDemo(bytes)) {
      if (entry.record !== 'message') continue;
      const { name, fields } = messageOf(entry.message);
      names.add(name);
      if (name === 'sv_chat') expectTypeOf(fields.message).toEqualTypeOf<string>();
      if (name === 'sv_killmsg') expect(typeof fields.killer).toBe('number');
      // @ts-expect-error: no message has this name
      if (name === 'sv_chatt') continue;
    }
    expect(names).toContain('sv_chat');
    type Skin = MessageOf<'0.7', 'sv_skinchange'>['fields'];
    expectTypeOf<Skin['skin_part_names']>().toEqualTypeOf<readonly string[]>();
    type Finish = MessageOf<'0.7', 'sv_racefinish'>['fields'];
    expectTypeOf<Finish['record_server']>().toEqualTypeOf<number | undefined>();
    type Shot = MessageOf<'0.6', 'sv_extraprojectile'>['fields'];
    expectTypeOf<Shot['projectile'][number]['vel_x']>().toEqualTypeOf<number>();
  });
});

describe('records that expire', () => {
  it('cannot be collected', () => {
    const borrowed = readDemo(bytes, { reuse: true });
    // @ts-expect-error: each would be the last one
    expect(() => [...borrowed]).toThrow('pass a function to each(), or leave out reuse');
    const all: RecordingEntry[] = [];
    // @ts-expect-error: it has to be kept
    borrowed.each((entry) => all.push(entry));
    readDemo(bytes, { reuse: true }).each((entry) => all.push(keep(entry)));
    expect(all.at(-1)).toEqual([...readDemo(bytes)].at(-1));
  });

  it('can be read like those that stay', () => {
    const tickOf = (entry: Borrowed<SnapshotEntry>) => entry.tick;
    expectTypeOf(tickOf).toBeCallableWith({} as SnapshotEntry);
    expectTypeOf<Borrowed<RecordingEntry>>().not.toExtend<RecordingEntry>();
    expectTypeOf<RecordingEntry>().toExtend<Borrowed<RecordingEntry>>();
    expect(tickOf).toBeDefined();
  });
});

it('the values of an item are those of its JSON', () => {
  const names = new Set<string | null>();
  for (const entry of readDemo(bytes)) {
    if (entry.record !== 'snapshot' || !entry.snapshot || entry.tick % 96 !== 0) continue;
    for (const value of items(entry.snapshot, entry.stream.protocol)) {
      names.add(value.name);
      const json = JSON.parse(JSON.stringify(value));
      expect(json).toEqual({
        type: value.type,
        name: value.name,
        id: value.id,
        data: [...entry.snapshot.item(entry.snapshot.find(value.type, value.id))],
        fields: value.fields,
      });
      if (value.name !== null) expect(item(entry.snapshot, entry.stream.protocol, value.name, value.id)).toEqual(value);
    }
  }
  expect(names.size).toBeGreaterThan(5);
});
