import { existsSync, readFileSync } from 'node:fs';
import { v3 } from 'uuid';
import { describe, expect, it, test } from 'vitest';
import { tuneParams } from '../../../src/wire/protocol/enums.ts';
import type { ItemType } from '../../../src/wire/protocol/item.ts';
import { items05, items06 } from '../../../src/wire/protocol/items.ts';
import { messagesOf } from '../../../src/wire/protocol/message-registry.ts';
import type { MessageField, MessageFieldType, MessageType } from '../../../src/wire/protocol/message-type.ts';
import {
  extendedMessages,
  introductions,
  messages05,
  messages06,
  messages07,
} from '../../../src/wire/protocol/messages.ts';

const namespace = 'e05ddaaa-c4e6-4cfb-b642-5d48e80c0029';
const tables = {
  '0.5': messages05(),
  '0.6': messages06(),
  '0.7': messages07(),
  extended: extendedMessages(),
  mods: introductions(),
};

const distinct = (values: readonly unknown[]) => new Set(values).size;

/** All fields of a message, including nested ones. */
function within(type: MessageFieldType): MessageFieldType[] {
  if (type.kind === 'repeat') return [type, ...within(type.of)];
  if (type.kind === 'record') return [type, ...type.fields.flatMap((field) => within(field.type))];
  return [type];
}

const isInt = ({ type }: MessageField) => {
  const others = ['string', 'data', 'rest', 'sha256', 'raw_uuid', 'repeat', 'record'];
  return !others.includes(type.kind);
};

describe.each(Object.entries(tables))('table %s', (_, types) => {
  it('has no number, UUID or name twice', () => {
    expect(distinct(types.map((type) => type.uuid ?? `${type.system} ${type.id}`))).toBe(types.length);
    expect(distinct(types.map((type) => type.name))).toBe(types.length);
  });

  it.each(types.map((type) => [type.name, type] as const))('%s has fields that can be read', (_, { fields }) => {
    expect(distinct(fields.map((field) => field.name))).toBe(fields.length);
    const firstOptional = fields.findIndex((field) => field.optional);
    if (firstOptional >= 0) expect(fields.slice(firstOptional).every((field) => field.optional)).toBe(true);
    fields.forEach(({ type }, i) => {
      // A size or count precedes the field; a field of all remaining bytes is the last one.
      const counted = type.kind === 'repeat' && typeof type.times !== 'number' && type.times !== 'to_end';
      if (type.kind === 'data' || counted) expect(isInt(fields[i - 1]!)).toBe(true);
      if (type.kind === 'rest' || (type.kind === 'repeat' && type.times === 'to_end')) {
        expect(i).toBe(fields.length - 1);
      }
      if (type.kind === 'repeat' && type.labels) expect(type.labels).toHaveLength(Number(type.times));
    });
    for (const { kind } of fields.flatMap((field) => within(field.type))) {
      expect(['text', 'uuid', 'list'], 'an item packs these in ints, a message does not').not.toContain(kind);
    }
  });
});

describe('extended messages', () => {
  it.each([...extendedMessages(), ...introductions()].map((type) => [type.uuidName, type.uuid]))(
    '%s has its UUID',
    (name, uuid) => {
      expect(uuid).toBe(v3(name!, namespace));
    },
  );
});

describe('names', () => {
  const called = (system: boolean) =>
    [...messages05(), ...messages06(), ...messages07(), ...extendedMessages(), ...introductions()]
      .filter((type) => type.system === system)
      .map(({ name }) => name);

  it('of game messages are those of NETMSGTYPE_…: the sender, and one word', () => {
    for (const name of called(false)) expect(name).toMatch(/^(sv|cl|de)_[a-z]+$/);
    expect(called(false)).toEqual(
      expect.arrayContaining(['sv_chat', 'sv_killmsg', 'sv_tuneparams', 'cl_isddnetlegacy']),
    );
  });

  it('of system messages are words', () => {
    expect(called(true)).toEqual(expect.arrayContaining(['snap_single', 'map_change', 'enter_game', 'input_timing']));
  });
});

describe('lookup', () => {
  it('is by number, separately for game and system messages', () => {
    expect(messagesOf('0.6').byId(false, 4)?.name).toBe('sv_killmsg');
    expect(messagesOf('0.6').byId(true, 4)?.name).toBe('con_ready');
    expect(messagesOf('0.7').byId(false, 5)?.name).toBe('sv_killmsg');
    expect(messagesOf('0.7').byId(true, 8)?.name).toBe('snap_single');
    expect(messagesOf('0.6').byId(false, 0)).toBeUndefined();
    expect(messagesOf('0.6').byId(true, -1)).toBeUndefined();
  });

  it('is by UUID in both versions, and depends on the system flag', () => {
    const uuid = v3('capabilities@ddnet.tw', namespace);
    expect(messagesOf('0.6').byUuid(true, uuid)?.name).toBe('capabilities');
    expect(messagesOf('0.7').byUuid(true, uuid)?.name).toBe('capabilities');
    expect(messagesOf('0.7').byUuid(false, uuid)).toBeUndefined();
  });

  it('of 0.5 is by its own numbers, and by no UUID', () => {
    expect(messagesOf('0.5').byId(true, 6)?.name).toBe('snap_single');
    expect(messagesOf('0.5').byId(false, 19)?.name).toBe('cl_kill');
    expect(messagesOf('0.5').byUuid(true, v3('capabilities@ddnet.tw', namespace))).toBeUndefined();
  });
});

// Compares with the reference tables of libtw2 if they are available.

const reference = new URL('../../../../shared/protocol/', import.meta.url);

interface Layout {
  kind: string;
  inner?: Layout;
  name?: string[];
}
interface ReferenceMessage {
  id: number | string;
  name: string[];
  members: { name: string[]; type: Layout }[];
}
interface Reference {
  game_messages: ReferenceMessage[];
  system_messages: ReferenceMessage[];
}

/** DDNet no longer sends messages with these numbers. */
const unused = ['unused', 'unused2'];

/** The reference has older messages for signing in. Vanilla 0.6 and DDNet agree on these. */
const otherIds: Record<string, number> = { ping: 22, ping_reply: 23 };

/** Fields after those of the reference, which lacks them. */
const more: Record<string, Record<string, string[]>> = {
  'teeworlds-0.6.json': { sv_tuneparams: tuneParams.slice(33) },
  'teeworlds-0.7.5.json': {
    sv_tuneparams: tuneParams.slice(33),
    sv_voteoptionlistadd: ['num_options', 'description'],
    sv_gamemsg: ['game_msg_id', 'parameters'],
    input: ['ping_correction'],
  },
  'ddnet-19.6.json': { map_details: ['size', 'url'], maplist_add: ['names'] },
};

/** The reference has `projectile` without the count, and no name for the user name, which vanilla ignores. */
const otherFields: Record<string, string[]> = {
  sv_extraprojectile: ['num_projectiles int', 'projectile repeat'],
};

const kinds: Record<string, string> = { array: 'repeat', uuid: 'raw_uuid' };
const plainKinds = ['string', 'data', 'rest', 'sha256'];

/** The names of these fields of snapshot messages in docs/formats/messages.md. */
const otherNames: Record<string, string> = { delta_tick: 'delta' };

function theirFields({ name: message, members }: ReferenceMessage, file: string): string[] {
  return members.flatMap(({ name, type }) => {
    const { kind } = type.inner ?? type;
    if (kind === 'data') return ['size int', `${message[0] === 'snap' ? 'bytes' : 'data'} data`];
    if (kind === 'snapshot_object') {
      const items: readonly ItemType[] = file === 'teeworlds-0.5.json' ? items05 : items06;
      const item = items.find((entry) => entry.name === `obj_${type.name!.join('_')}`)!;
      return item.fields.map((field) => `${field.name} int`);
    }
    const word = name.join('_').replace(/^_unused$/, 'name');
    return [`${otherNames[word] ?? word} ${kinds[kind] ?? (plainKinds.includes(kind) ? kind : 'int')}`];
  });
}

const ourFields = ({ fields }: MessageType) =>
  fields.map((field) => `${field.name} ${isInt(field) ? 'int' : field.type.kind}`);

const nameOf = ({ name }: ReferenceMessage, system: boolean) =>
  system || name.length === 1 ? name.join('_') : `${name[0]}_${name.slice(1).join('')}`;

describe.each([
  ['teeworlds-0.5.json', messages05()],
  ['teeworlds-0.6.json', messages06()],
  ['teeworlds-0.7.5.json', messages07()],
  ['ddnet-19.6.json', [...messages06(), ...extendedMessages()]],
] as readonly [string, readonly MessageType[]][])('%s', (file, ours) => {
  test.skipIf(!existsSync(reference))('agrees, but for entries that it lacks (needs ../shared)', () => {
    const theirs = JSON.parse(readFileSync(new URL(file, reference), 'utf8')) as Reference;
    const left = new Set(ours);
    for (const system of [false, true]) {
      for (const their of system ? theirs.system_messages : theirs.game_messages) {
        const name = nameOf(their, system);
        if (unused.includes(name)) continue;
        const hasOwnIds = file === 'teeworlds-0.5.json' || file === 'teeworlds-0.7.5.json';
        const id = hasOwnIds ? their.id : (otherIds[name] ?? their.id);
        const our = ours.find((type) => type.system === system && (type.id ?? type.uuid) === id);
        expect(our?.name).toBe(name);
        left.delete(our!);
        const extra = more[file]?.[name] ?? [];
        const fields = ourFields(our!);
        expect(our!.fields.slice(fields.length - extra.length).map((field) => field.name)).toEqual(extra);
        expect(fields.slice(0, fields.length - extra.length)).toEqual(otherFields[name] ?? theirFields(their, file));
        const mayLack = their.members
          .filter(({ type }) => type.kind === 'optional')
          .map((member) => member.name.join('_'));
        for (const word of mayLack) expect(our!.fields.find((field) => field.name === word)?.optional).toBe(true);
      }
    }
    const legacy = /legacy$/;
    const newer = [...left]
      .map((type) => type.name)
      .filter((name) => file !== 'teeworlds-0.6.json' || !legacy.test(name));
    expect(newer).toEqual(
      {
        'teeworlds-0.5.json': ['snap_small'],
        'teeworlds-0.6.json': ['snap_small'],
        'teeworlds-0.7.5.json': ['snap_small'],
        'ddnet-19.6.json': ['sv_extraprojectile', 'snap_small', 'sv_mapinfo'],
      }[file],
    );
  });
});
