import { existsSync, readFileSync } from 'node:fs';
import { v3 } from 'uuid';
import { describe, expect, it, test } from 'vitest';
import type { ItemType } from '../../../src/wire/protocol/item.ts';
import { extendedItems, items05, items06, items07 } from '../../../src/wire/protocol/items.ts';
import type { Meaning } from '../../../src/wire/protocol/meaning.ts';

const namespace = 'e05ddaaa-c4e6-4cfb-b642-5d48e80c0029';
const tables = { '0.5': items05, '0.6': items06, '0.7': items07, extended: extendedItems };

const fieldNames = (item: ItemType) => item.fields.map((field) => field.name);
const named = (items: readonly ItemType[], name: string) => items.find((item) => item.name === name)!;

describe('items whose size is on the wire', () => {
  const sized = (items: readonly ItemType[]) =>
    items.filter((item) => item.sized).map(({ type, name, size }) => [type, name, size]);

  it('include exactly the items without an agreed size', () => {
    expect(sized(items05)).toEqual([]);
    expect(sized(items06)).toEqual([[0, 'obj_ex', 4]]);
    expect(sized(items07)).toEqual([
      [0, 'obj_ex', 4],
      [23, 'obj_player_info_race', 1],
      [24, 'obj_game_data_race', 3],
    ]);
    expect(extendedItems.every((item) => item.sized)).toBe(true);
  });
});

describe.each(Object.entries(tables))('table %s', (_, items) => {
  it('has no type, UUID or name twice', () => {
    const distinct = (values: readonly unknown[]) => new Set(values).size;
    expect(distinct(items.map((item) => item.type ?? item.uuid))).toBe(items.length);
    expect(distinct(items.map((item) => item.name))).toBe(items.length);
  });

  it.each(items.map((item) => [item.name, item] as const))('%s has distinct fields side by side', (_, item) => {
    expect(new Set(fieldNames(item)).size).toBe(item.fields.length);
    let at = 0;
    for (const field of item.fields) {
      expect(field.at).toBe(at);
      at += field.ints;
    }
    expect(item.size).toBe(at);
  });
});

describe('the meanings of fields', () => {
  const meanings = Object.values(tables).flatMap((items) =>
    items.flatMap(({ fields }) => fields.map((field) => field.meaning)),
  );

  it('label every entry of a labelled list', () => {
    const counts = meanings.flatMap((meaning) =>
      meaning.kind === 'list' && meaning.labels ? [[meaning.labels.length, meaning.count]] : [],
    );
    expect(counts.length).toBeGreaterThan(0);
    for (const [labels, count] of counts) expect(labels).toBe(count);
  });

  it('name single bits in flags', () => {
    const bits = meanings.flatMap((meaning) =>
      meaning.kind === 'flags' ? Object.keys(meaning.names).map(Number) : [],
    );
    expect(bits.length).toBeGreaterThan(0);
    for (const bit of bits) expect(Math.log2(bit) % 1).toBe(0);
  });
});

describe('extended items', () => {
  it.each(extendedItems.map((item) => [item.uuidName, item.uuid]))('%s has its UUID', (name, uuid) => {
    expect(uuid).toBe(v3(name!, namespace));
  });

  it('are events if their name says so', () => {
    expect(extendedItems.filter((item) => item.event).map((item) => item.name)).toEqual([
      'birthday',
      'finish',
      'map_sound_world',
    ]);
  });

  it('have absent fields only at the end: all fields after an optional one are optional', () => {
    for (const { fields } of extendedItems) {
      const first = fields.findIndex((field) => field.defaultValue !== undefined);
      if (first >= 0) expect(fields.slice(first).every((field) => field.defaultValue !== undefined)).toBe(true);
    }
  });

  // DDNet 16.2-rc1, datasrc/network.py; the others are compared with docs/formats.
  it('have the one that only a release candidate sent', () => {
    expect(fieldNames(named(extendedItems, 'ddnet_character_display_info')).join(' ')).toBe(
      'jumped_total ninja_activation_tick freeze_tick is_in_freeze is_in_practice_mode target_x target_y ramp_value',
    );
  });
});

// Compares with the reference tables of libtw2 if they are available.

const reference = new URL('../../../../shared/protocol/', import.meta.url);

interface Layout {
  kind: string;
  count?: number;
  member_type?: Layout;
}
interface ReferenceItem {
  id: number | string;
  name: string[];
  super?: string[];
  attributes: string[];
  members: { name: string[]; type: Layout; default?: number | string }[];
}
interface Shape {
  name: string;
  fields: [name: string, ints: number][];
  ticks: string[];
  absent: Record<string, number>;
}

/** Items that are longer than in the reference, with their additional fields. */
const grown: Record<string, string[]> = {
  ddnet_player: ['finish_time_seconds', 'finish_time_millis'],
  game_info_ex: ['min_team_size', 'max_team_size', 'num_ddrace_teams'],
};
/**
 * Items that the reference lacks: the registration, a newer one, and one that only release candidates of DDNet 16.2
 * sent.
 */
const newer = ['obj_ex', 'map_best_time', 'ddnet_character_display_info'];

const intsAsSent = ({ count, member_type }: Layout): number =>
  (count ?? 1) * (member_type === undefined ? 1 : intsAsSent(member_type));

function readReference(file: string): Map<number | string, Shape> {
  const { snapshot_objects: items } = JSON.parse(readFileSync(new URL(file, reference), 'utf8')) as {
    snapshot_objects: ReferenceItem[];
  };
  const membersOf = (item: ReferenceItem): ReferenceItem['members'] => {
    const parent = item.super && items.find((other) => other.name.join() === item.super!.join());
    return [...(parent ? membersOf(parent) : []), ...item.members];
  };
  return new Map(
    items.map((item) => {
      const prefix = typeof item.id === 'string' ? '' : item.attributes.includes('event') ? 'event_' : 'obj_';
      const members = membersOf(item).map((member) => ({ ...member, name: member.name.join('_') }));
      const defaults = members.filter((member) => typeof member.default === 'number');
      return [
        item.id,
        {
          name: prefix + item.name.join('_'),
          fields: members.map((member): [string, number] => [member.name, intsAsSent(member.type)]),
          ticks: members.filter((member) => member.type.kind === 'tick').map((member) => member.name),
          absent: Object.fromEntries(defaults.map((member) => [member.name, member.default as number])),
        },
      ];
    }),
  );
}

describe.each([
  ['teeworlds-0.5.json', items05],
  ['teeworlds-0.6.json', items06],
  ['teeworlds-0.7.5.json', items07],
  ['ddnet-19.6.json', [...items06, ...extendedItems]],
] as const)('%s', (file, items) => {
  test.skipIf(!existsSync(reference))('agrees, except items that have grown since (needs ../shared)', () => {
    const theirs = readReference(file);
    for (const item of items) {
      const their = theirs.get(item.type ?? item.uuid!);
      if (their === undefined) {
        expect(newer).toContain(item.name);
        continue;
      }
      theirs.delete(item.type ?? item.uuid!);
      const isTick = (meaning: Meaning) => meaning.kind === 'tick';
      const ours = item.fields.filter((field) => !grown[item.name]?.includes(field.name));
      expect(item.name).toBe(their.name);
      expect(ours.map((field) => [field.name, field.ints])).toEqual(their.fields);
      expect(ours.filter((field) => isTick(field.meaning)).map((field) => field.name)).toEqual(
        expect.arrayContaining(their.ticks),
      );
      expect(Object.fromEntries(ours.map((field) => [field.name, field.defaultValue]))).toMatchObject(their.absent);
      expect(item.size).toBe(their.fields.reduce((sum, [, ints]) => sum + ints, 0) + (grown[item.name]?.length ?? 0));
    }
    expect([...theirs.values()].map((their) => their.name)).toEqual([]);
  });
});
