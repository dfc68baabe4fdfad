import { readFileSync } from 'node:fs';
import { v3 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../src/wire/protocol/message-registry.ts';
import type { World } from '../support/fake-io.ts';
import { runWriting } from '../support/run.ts';

const mod = readFileSync('samples/mod-schema.json', 'utf8');

const schema = (args: string, world: World = {}) => runWriting(`schema ${args}`, { 'mod.json': mod }, world);

async function shown(args: string, world?: World) {
  const { status, stdout, stderr } = await schema(args, world);
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

interface Listed {
  name: string;
  type?: number;
  uuid?: string;
  uuid_name?: string;
  size: number;
  sized: boolean;
  event: boolean;
  protocols: string[];
  fields: { name: string; at: number; ints: number; meaning: { kind: string }; absent?: number }[];
}

async function listed(args: string): Promise<{ protocol: string; items: Listed[] }> {
  return JSON.parse(await shown(`-t json ${args}`));
}

/** The row of an item in a table, its cells. */
const row = (table: string, name: string) =>
  table
    .split('\n')
    .find((line) => line.startsWith(`  ${name} `))
    ?.trim()
    .split(/ {2,}/);

describe('tw-snap schema', () => {
  it('keeps the order of the newest version, the older ones between', async () => {
    const names = [...(await shown('')).matchAll(/^ {2}((?:obj|event)_\w+)/gm)].map(([, name]) => name);
    const order = ['obj_flag', 'obj_game', 'obj_game_info', 'obj_game_data', 'obj_character', 'obj_client_info'];
    const events = ['event_death', 'event_sound_global', 'event_sound_world', 'event_damage_ind', 'event_damage'];
    expect(names.filter((name) => [...order, ...events].includes(name!))).toEqual([...order, ...events]);
  });

  it('lists the 22 messages of the game and the 18 numbers of the system that 0.5 has', async () => {
    const { messages } = JSON.parse(await shown('-p 0.5 -t json'));
    const count = (isOfSystem: boolean) => messages.filter(({ system }: { system: boolean }) => system === isOfSystem);
    expect([count(false).length, count(true).length]).toEqual([22, 18]);
  });

  it('leaves stdout fields that a version lacks', async () => {
    const table = await shown('-p 0.5');
    expect(table).not.toContain('UUID');
    expect(table).not.toContain('*');
  });

  it('names every field with -v', async () => {
    const words = (await shown('-v -p 0.7')).split(/[\s,]+/);
    expect(words).toEqual(expect.arrayContaining(['triggered_events', 'use_custom_colors', 'tune_zone_override']));
    expect(words).not.toContain('…');
  });

  it('is coloured in a terminal, and has the same text', async () => {
    const coloured = await shown('obj_flag', { terminal: true, columns: 100 });
    expect(coloured).toContain('\u001b[');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape codes begin with one
    expect(coloured.replace(/\u001b\[[\d;]*m/g, '')).toBe(await shown('obj_flag'));
  });

  it('writes to a file', async () => {
    const { stdout, files } = await schema('obj_flag -p 0.7 -o flag.txt');
    expect(stdout).toBe('');
    expect(new TextDecoder().decode(files.get('flag.txt'))).toBe(await shown('obj_flag -p 0.7'));
  });
});

describe('tw-snap schema ITEM', () => {
  it('shows the elements of lists with -v', async () => {
    const table = await shown('obj_de_client_info -v');
    expect(table).toMatch(/^ +22 +skin_part_names\[decoration\] +text +at most 23 bytes, 6 ints$/m);
    expect(table).toMatch(/^ +57 +skin_part_colors\[eyes\] +int$/m);
  });

  it.each([
    ['obj_character', 'obj_character'],
    ['character', 'obj_character'],
    ['Character', 'obj_character'],
    ['PlayerInfo', 'obj_player_info'],
    ['CNetObj_Character', 'obj_character'],
    ['NETOBJTYPE_DE_CLIENTINFO', 'obj_de_client_info'],
    ['NETEVENTTYPE_SOUNDWORLD', 'event_sound_world'],
    ['10', 'obj_character'],
    ['0', 'obj_ex'],
    ['finish', 'finish'],
    ['DDNet-Character', 'ddnet_character'],
    ['character@netobj.ddnet.tw', 'ddnet_character'],
    ['76CE455B-F9EB-3A48-ADD7-E04B941D045C', 'ddnet_character'],
    ['obj_client_info', 'obj_de_client_info'],
    ['obj_game_info', 'obj_de_game_info'],
  ])('finds %s', async (word, name) => {
    const { items } = await listed(`${word} -p 0.7`);
    expect(items.map((item) => item.name)).toEqual([name]);
  });

  it('shows what a number is in each version', async () => {
    const { items } = await listed('10');
    expect(items.map(({ name, protocols }) => [name, ...protocols])).toEqual([
      ['obj_client_info', '0.5'],
      ['obj_player_info', '0.6'],
      ['obj_character', '0.7'],
    ]);
  });

  it.each([
    ['obj_charcter', "no item, message, field or value 'obj_charcter'; did you mean obj_character?"],
    ['game -p 0.7', "nothing is called 'game' in 0.7; 0.5 has it"],
    ['damage_ind -p 0.7', "nothing is called 'damage_ind' in 0.7; 0.5 and 0.6 have it"],
    ['trigered_events', "no item, message, field or value 'trigered_events'; did you mean triggered_events?"],
    ['HOOK_HAMMER', "no item, message, field or value 'HOOK_HAMMER'; 'tw-snap schema' lists them all"],
    ['xyzzy', "no item, message, field or value 'xyzzy'; 'tw-snap schema' lists them all"],
    ['99 -p 0.6', "no item, message, field or value '99' in 0.6; 'tw-snap schema' lists them all"],
    ['a\u001b[31m', "no item, message, field or value 'a\\u{1b}[31m'; 'tw-snap schema' lists them all"],
  ])('%j: %s', async (args, message) => {
    const { status, stdout, stderr } = await schema(args);
    expect([status, stdout, stderr]).toEqual([2, '', `tw-snap: ${message}\n`]);
  });
});

describe('tw-snap schema of a message that the sources call otherwise', () => {
  it.each([
    ['NETMSG_CLIENTVER', 'client_version'],
    ['NETMSG_RCON_CMD_REM -p 0.6', 'rcon_cmd_remove'],
    ['NETMSGTYPE_CL_ISDDNET', 'cl_isddnetlegacy'],
  ])('%s', async (args, name) => {
    const { messages } = JSON.parse(await shown(`${args} -t json`));
    expect(messages.map((message: Listed) => message.name)).toEqual([name]);
  });
});

describe('tw-snap schema FIELD or VALUE', () => {
  /** `obj_character.triggered_events 21`: the fields in the table, with their first int. */
  const fieldsIn = (table: string) => {
    const found: string[] = [];
    let type = '';
    for (const line of table.split('\n')) {
      type = /^(\w+) {3}(?:type|game|system) /.exec(line)?.[1] ?? type;
      const [, at, field] = /^ +(\d+) {3}(\w+) {3}/.exec(line) ?? [];
      if (field) found.push(`${type}.${field} ${at}`);
    }
    return found;
  };

  it.each([
    ['m_TriggeredEvents -p 0.7', ['obj_character.triggered_events 21']],
    ['triggered_events', ['obj_character.triggered_events 21']],
    ['PLAYERFLAG_AIM -p 0.7', ['obj_player_input.player_flags 6', 'obj_player_info.player_flags 0']],
    ['HOOK_FLYING', ['obj_character_core.hook_state 9', 'obj_character.hook_state 9']],
    ['SPEC_FREEVIEW -p 0.6', ['obj_spectator_info.spectator_id 0']],
    ['SPEC_FLAGRED -p 0.7', ['obj_spectator_info.spec_mode 0']],
    ['CHARACTERFLAG_SOLO -p 0.7', ['ddnet_character.flags 0']],
    ['SKINPART_BODY -p 0.7', ['skin_part_names 10', 'use_custom_colors 46', 'skin_part_colors 52']],
  ])('%s', async (args, fields) => {
    const found = fieldsIn(await shown(args));
    expect(found).toEqual(fields.map((field) => (field.includes('.') ? field : `obj_de_client_info.${field}`)));
  });

  it('shows where versions have another number of the same value', async () => {
    const table = await shown('PLAYERFLAG_AIM');
    expect(table).toMatch(/obj_character {3}type 9 in 0\.6 {3}22 ints, 1 of 22 fields\n[\s\S]*16 aim/);
    expect(table).toMatch(/obj_player_info {3}type 11 in 0\.7 {3}3 ints, 1 of 3 fields\n[\s\S]*128 aim/);
  });

  it('shows the fields of messages, and the values of records in them', async () => {
    expect(await shown('vel_x -p 0.7')).toMatch(/^sv_extraprojectile .*1 of 2 fields\n[\s\S]*vel_x/m);
    expect(await shown('GAMEMSG_CTF_GRAB')).toMatch(/^sv_gamemsg {3}game message 21 in 0\.7 {3}1 of 2 fields$/m);
  });

  it("finds the lists of a mod's sources", async () => {
    const files = { 'network.json': readFileSync('samples/mod-network.json', 'utf8') };
    expect(fieldsIn(await shown('DOOR_BROKEN --schema network.json', { files }))[0]).toBe('city_door.state 2');
  });

  it('prefers items and messages: game is also a value', async () => {
    expect((await listed('game')).items.map(({ name }) => name)).toEqual(['obj_game']);
  });

  it('prints whole items as JSON', async () => {
    const { items } = await listed('triggered_events');
    expect(items.map(({ name, fields }) => [name, fields.length])).toEqual([['obj_character', 22]]);
  });
});

describe('tw-snap schema NAME@HOST', () => {
  // The UUID is that of the package uuid, in the namespace of docs/formats/extended-items.md.
  const uuid = v3('player@city-mod.example', 'e05ddaaa-c4e6-4cfb-b642-5d48e80c0029');

  it('computes a UUID that no table has', async () => {
    expect(await shown('player@city-mod.example')).toContain(`player@city-mod.example   ${uuid}\n`);
    expect(JSON.parse(await shown('player@city-mod.example -t json'))).toMatchObject({ items: [], uuid });
  });

  it('shows the item of a mod that has it', async () => {
    const { items } = await listed('player@city-mod.example --schema mod.json');
    expect(items.map(({ name, uuid }) => [name, uuid])).toEqual([['city_player', uuid]]);
  });
});

describe('tw-snap schema --schema FILE', () => {
  it("shows a mod's items among the others", async () => {
    const table = await shown('-p 0.7 --schema mod.json');
    expect(row(table, 'obj_city_money')).toEqual(['obj_city_money', '25', '4', 'x, y, amount, owner']);
    expect(row(table, 'obj_city_door')?.slice(1, 3)).toEqual(['26', '14*']);
    expect(row(table, 'city_player')?.slice(1, 3)).toEqual(['UUID', '5*']);
    expect(await shown('-v --schema mod.json')).toContain('      player@city-mod.example, ');
    expect(row(table, 'obj_character')?.slice(1, 3)).toEqual(['10', '22']);
  });

  it("shows a mod's item in place of the game's item with the same number", async () => {
    const files = { 'own.json': '{"items":[{"name":"obj_own","type":10,"fields":{"a":"int"}}]}' };
    const { items } = JSON.parse(await shown('10 -p 0.7 -t json --schema own.json', { files }));
    expect(items.map(({ name, size }: Listed) => [name, size])).toEqual([['obj_own', 1]]);
  });

  it("shows items that share a name with the mod's items separately", async () => {
    const files = { 'own.json': '{"items":[{"name":"obj_flag","type":40,"fields":{"a":"int"}}]}' };
    const flags = (await shown('-p 0.7 --schema own.json', { files })).match(/^ {2}obj_flag .*$/gm);
    expect(flags?.map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['obj_flag', '5', '3', 'x, y, team'],
      ['obj_flag', '40', '1', 'a'],
    ]);
  });

  it.each([
    ['missing.json', /^tw-snap: missing\.json: can't be read: no such file\n$/],
    ['bad.json', /^tw-snap: bad\.json: bad_schema .*items\[0\]\.type: found 99999, expected a whole number/],
    ['cut.json', /^tw-snap: cut\.json: bad_schema at 0x000a: line 1, column 11: found broken syntax, expected JSON/],
  ])('reports the error in %s', async (name, message) => {
    const files = { 'bad.json': '{"items":[{"name":"a","type":99999}]}', 'cut.json': '{"items":[' };
    const { status, stdout, stderr } = await schema(`--schema ${name}`, { files });
    expect([status, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(message);
  });
});

describe('tw-snap schema MESSAGE', () => {
  it('is found without its prefix, by its UUID, and by the name of its UUID', async () => {
    const { stdout } = await schema('capabilities');
    const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(stdout)![0];
    expect((await schema(uuid)).stdout).toBe(stdout);
    expect((await schema('capabilities@ddnet.tw')).stdout).toBe(stdout);
    expect((await schema('killmsg')).stdout).toBe((await schema('sv_killmsg')).stdout);
  });

  it('is in the list and in the JSON of all', async () => {
    expect(await shown('-p 0.6')).toMatch(/^ {2}sv_killmsg +4 +game +killer, victim/m);
    const { messages } = JSON.parse(await shown('-t json'));
    const names = messages.map(({ name }: { name: string }) => name);
    for (const version of ['0.6', '0.7'] as const) {
      for (const { name } of messagesOf(version).all) expect(names).toContain(name);
    }
  });

  it('has suggestions only where names are near', async () => {
    expect((await schema('killmgs')).stderr).toContain('did you mean sv_killmsg?');
    expect((await schema('qqqqqqqq')).stderr).not.toContain('did you mean');
  });
});

it.each([
  ['infclass-schema.json', 'infclass_player', 'player@infclass'],
  ['kaizo-schema.json', 'kaizo_network_turret', 'kaizoturret@m0rekz.github.io'],
])('samples/%s defines %s', async (name, item, uuidName) => {
  const files = { [name]: readFileSync(`samples/${name}`, 'utf8') };
  const { status, stdout } = await schema(`${item} --schema ${name}`, { files });
  expect(status).toBe(0);
  expect(stdout).toContain(uuidName);
});
