import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import * as enums from '../../../src/wire/protocol/enums.ts';
import type { ItemType } from '../../../src/wire/protocol/item.ts';
import { extendedItems, items05, items06, items07 } from '../../../src/wire/protocol/items.ts';
import type { Meaning, Names } from '../../../src/wire/protocol/meaning.ts';
import { messagesOf } from '../../../src/wire/protocol/message-registry.ts';
import type { MessageFieldType, MessageType } from '../../../src/wire/protocol/message-type.ts';
import { extendedMessages, messages05, messages06, messages07 } from '../../../src/wire/protocol/messages.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { fieldsWithValue } from '../../../src/wire/schema/find-fields.ts';

const numbered = (...names: readonly string[]): Names => Object.fromEntries(names.entries());
const bits = (...names: readonly string[]): Names => Object.fromEntries(names.map((name, i) => [2 ** i, name]));

describe('names from the source of DDNet (datasrc/network.py, state of 2026-08-22)', () => {
  it('has the subtypes of draggers, guns and plasma', () => {
    const gun = numbered('unfreeze', 'explosive', 'freeze', 'expfreeze');
    expect(enums.laserSubtypes).toEqual({
      4: numbered('weak', 'weak_nw', 'normal', 'normal_nw', 'strong', 'strong_nw'),
      5: gun,
      6: gun,
    });
    expect([4, 5, 6].map((type) => enums.laserType[type as 4 | 5 | 6])).toEqual(['dragger', 'gun', 'plasma']);
  });

  it('has the flags that are newer than the reference tables', () => {
    expect(enums.gameInfoFlags2).toEqual(
      bits(
        ...['allow_x_skins', 'gametype_city', 'gametype_fddrace', 'entities_fddrace', 'hud_health_armor', 'hud_ammo'],
        ...['hud_ddrace', 'no_weak_hook', 'no_skin_change_for_frozen', 'ddrace_team', 'predict_events'],
        'old_laser',
      ),
    );
    expect(enums.playerFlags07).toMatchObject({ 64: 'bot', 128: 'aim' });
  });

  it('has the values that mean no score or no time (src/game/teamscore.h, src/game/server/gamemodes/enums.cpp)', () => {
    expect(enums.finishScore).toEqual({ [-9999]: 'not_finished' });
    expect(enums.finishTime).toEqual({ [-2]: 'unset', [-1]: 'not_finished' });
  });
});

// Compares with the reference tables of libtw2 if they are available.

const folder = new URL('../../../../shared/protocol/', import.meta.url);

interface MemberType {
  kind: string;
  enum?: string[];
  flags?: string[];
  member_type?: MemberType;
  inner?: MemberType;
}
interface Entry {
  id: number | string;
  name: string[];
  super?: string[];
  members: { name: string[]; type: MemberType }[];
}
interface Group {
  name: string[];
  values: { value: number; name: string[] }[];
}
interface Reference {
  game_enumerations: Group[];
  game_flags: Group[];
  snapshot_objects: Entry[];
  game_messages: Entry[];
  system_messages: Entry[];
}

const readReference = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Reference;

/** The reference keeps the names of 0.5 for two weapons and their sounds. */
const oldNames: Readonly<Record<string, string>> = {
  pistol: 'gun',
  rifle: 'laser',
  rifle_fire: 'laser_fire',
  rifle_bounce: 'laser_bounce',
};

const namesOf = ({ name: group, values }: Group): Names =>
  Object.fromEntries(
    values.map(({ value, name }) => {
      const word = name.join('_');
      return [value, /weapon|sound/.test(group.join('_')) ? (oldNames[word] ?? word) : word];
    }),
  );

/** `VALUE: ours NAME, theirs NAME` for each value with different names. */
function differences(ours: Names, theirs: Names): string[] {
  const values = new Set([...Object.keys(ours), ...Object.keys(theirs)].map(Number));
  return [...values]
    .sort((a, b) => a - b)
    .flatMap((value) => {
      const [our, their] = [ours[value] ?? '(none)', theirs[value] ?? '(none)'];
      return our === their ? [] : [`${value}: ours ${our}, theirs ${their}`];
    });
}

describe('ddnet-19.6.json', () => {
  const groups = {
    ...{ emote: enums.emote, powerup: enums.powerup, emoticon: enums.emoticon, authed: enums.authLevel },
    ...{ entityclass: enums.entityClass, lasertype: enums.laserType, weapon: enums.weapon, sound: enums.sound },
    ...{ laserdraggertype: enums.laserSubtypes[4], laserguntype: enums.laserSubtypes[5] },
    ...{ playerflag: enums.playerFlags06, gameflag: enums.gameFlags06, gamestateflag: enums.gameStateFlags06 },
    ...{ characterflag: enums.characterFlags, explayerflag: enums.exPlayerFlags, gameinfoflag: enums.gameInfoFlags },
    ...{ gameinfoflag2: enums.gameInfoFlags2, legacyprojectileflag: enums.legacyProjectileFlags },
    ...{ projectileflag: enums.projectileFlags, laserflag: enums.laserFlags, pickupflag: enums.pickupFlags },
  };

  test.skipIf(!existsSync(folder))(
    'has our enumerations and flags, but for those newer than 19.6 (needs ../shared)',
    () => {
      const { game_enumerations, game_flags } = readReference('ddnet-19.6.json');
      const found = [...game_enumerations, ...game_flags].flatMap((group) => {
        const name = group.name.join('');
        const ours = groups[name as keyof typeof groups];
        return ours ? differences(ours, namesOf(group)).map((line) => `${name} ${line}`) : [`${name}: not compared`];
      });
      // The reference has one enumeration for teams and for the receivers of chat; save states are compared with the
      // messages.
      expect(found.sort()).toEqual([
        'gameinfoflag2 1024: ours predict_events, theirs (none)',
        'gameinfoflag2 2048: ours old_laser, theirs (none)',
        'powerup 8: ours freeze, theirs (none)',
        'savestate: not compared',
        'team: not compared',
      ]);
    },
  );
});

/** Lists that no field of ours has, and those whose values our tables call otherwise. */
const notFound = /^(SAVESTATE_|EMOTICON_V|WEAPON_PISTOL|WEAPON_RIFLE|SOUND_RIFLE|TEAM_(ALL|WHISPER))/;

describe.each([
  ['teeworlds-0.5.json', '0.5'],
  ['teeworlds-0.6.json', '0.6'],
  ['teeworlds-0.7.5.json', '0.7'],
  ['ddnet-19.6.json', '0.6'],
] as const)('%s', (file, version) => {
  test.skipIf(!existsSync(folder))('has no value that cannot be found by its name (needs ../shared)', () => {
    const { game_enumerations, game_flags } = readReference(file);
    const types = [...protocolOf(version).items, ...messagesOf(version).all];
    const names = [...game_enumerations, ...game_flags].flatMap(({ name: list, values }) =>
      values.map(({ name }) => `${list.join('')}_${name.join('_')}`.toUpperCase()),
    );
    const isFound = (name: string) => types.some((type) => fieldsWithValue(type, name, version).length > 0);
    expect(names.length).toBeGreaterThan(60);
    expect(names.filter((name) => !isFound(name) && !notFound.test(name))).toEqual([]);
  });
});

const fieldsOfItem = ({ name, fields }: ItemType) =>
  fields.map((field) => ({ name: `${name}.${field.name}`, names: namesIn(field.meaning) }));
const fieldsOfMessage = ({ name, fields }: MessageType) =>
  fields.map((field) => ({ name: `${name}.${field.name}`, names: namesIn(field.type) }));

/** The names of a field's values; for a list, those of its elements. */
function namesIn(meaning: Meaning | MessageFieldType): Names {
  if (meaning.kind === 'list' || meaning.kind === 'repeat') return namesIn(meaning.of);
  return meaning.kind === 'enum' || meaning.kind === 'flags' ? meaning.names : {};
}

/** In the reference, a kind of chat message is a team, and vanilla 0.7 has no `aim`. */
const chatTeams = (field: string) =>
  ['-2: ours (none), theirs all', '2: ours (none), theirs whisper_send', '3: ours (none), theirs whisper_recv'].map(
    (line) => `${field} ${line}`,
  );
const heldNone = 'obj_character.weapon -1: ours none, theirs (none)';
const known: Readonly<Record<string, readonly string[]>> = {
  // The emoticons of 0.5 are numbered, not named.
  'teeworlds-0.5.json': ['cl_emoticon', 'sv_emoticon'].flatMap((name) =>
    Array.from({ length: 15 }, (_, i) => `${name}.emoticon ${i}: ours (none), theirs v${i + 1}`),
  ),
  'teeworlds-0.7.5.json': [
    ...['obj_player_input', 'obj_player_info'].map((item) => `${item}.player_flags 128: ours aim, theirs (none)`),
    ...['obj_spectator_info', 'cl_setspectatormode'].flatMap((name) => [
      `${name}.spec_mode 2: ours flag_red, theirs flagred`,
      `${name}.spec_mode 3: ours flag_blue, theirs flagblue`,
    ]),
  ],
  'ddnet-19.6.json': ['obj_player_info.team', 'cl_setteam.team'].flatMap(chatTeams),
};

describe.each([
  ['teeworlds-0.5.json', items05, messages05()],
  ['teeworlds-0.6.json', items06, messages06()],
  ['teeworlds-0.7.5.json', items07, messages07()],
  ['ddnet-19.6.json', [...items06, ...extendedItems], [...messages06(), ...extendedMessages()]],
] as readonly [string, readonly ItemType[], readonly MessageType[]][])('%s', (file, items, messages) => {
  test.skipIf(!existsSync(folder))('gives the enumerations of fields the same names (needs ../shared)', () => {
    const theirs = readReference(file);
    const groupOf = ({ enum: words, flags }: MemberType) =>
      (words ? theirs.game_enumerations : theirs.game_flags).find(
        ({ name }) => name.join() === (words ?? flags)!.join(),
      )!;
    const membersOf = (entry: Entry, all: readonly Entry[]): Entry['members'] => {
      const parent = entry.super && all.find((other) => other.name.join() === entry.super!.join());
      return [...(parent ? membersOf(parent, all) : []), ...entry.members];
    };
    const found: string[] = [];
    let compared = 0;
    const compare = (ours: ReturnType<typeof fieldsOfItem> | undefined, members: Entry['members']) => {
      for (const [i, { type }] of ours ? members.entries() : []) {
        const leaf = type.member_type ?? type.inner ?? type;
        if (leaf.kind !== 'enum' && leaf.kind !== 'flags') continue;
        const { name, names } = ours![i]!;
        found.push(...differences(names, namesOf(groupOf(leaf))).map((line) => `${name} ${line}`));
        compared++;
      }
    };
    for (const entry of theirs.snapshot_objects) {
      const item = items.find((item) => (item.uuid ?? item.type) === entry.id);
      compare(item && fieldsOfItem(item), membersOf(entry, theirs.snapshot_objects));
    }
    for (const system of [false, true]) {
      const all = system ? theirs.system_messages : theirs.game_messages;
      for (const entry of all) {
        const message = messages.find(
          (message) => message.system === system && (message.uuid ?? message.id) === entry.id,
        );
        compare(message && fieldsOfMessage(message), membersOf(entry, all));
      }
    }
    expect(compared).toBeGreaterThan(5);
    expect(found.filter((line) => line !== heldNone).sort()).toEqual([...(known[file] ?? [])].sort());
  });
});
