import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../src/protocol/registry.ts';
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
  it('lists the versions side by side', async () => {
    const table = await shown('');
    expect(row(table, 'item')).toEqual(['item', '0.5', '0.6', '0.7', 'ints', 'fields']);
    expect(row(table, 'obj_pickup')?.slice(1, 5)).toEqual(['4', '4', '4', '4, 4, 3']);
    expect(row(table, 'obj_character')?.slice(1, 5)).toEqual(['8', '9', '10', '22']);
    expect(row(table, 'obj_game_data')?.slice(1, 4)).toEqual(['7', '6', '4, 3']);
    expect(row(table, 'event_damage')?.slice(1, 3)).toEqual(['22', '7']);
    expect(row(table, 'obj_game_data_race')?.slice(1, 3)).toEqual(['24', '3*']);
    expect(table).toContain('* a delta carries the size');
    expect(row(table, 'ddnet_character')?.slice(1, 4)).toEqual(['UUID', 'UUID', '11*']);
  });

  it('keeps the order of the newest version, the older ones between', async () => {
    const names = [...(await shown('')).matchAll(/^ {2}((?:obj|event)_\w+)/gm)].map(([, name]) => name);
    const order = ['obj_flag', 'obj_game', 'obj_game_info', 'obj_game_data', 'obj_character', 'obj_client_info'];
    const events = ['event_death', 'event_sound_global', 'event_sound_world', 'event_damage_ind', 'event_damage'];
    expect(names.filter((name) => [...order, ...events].includes(name!))).toEqual([...order, ...events]);
  });

  it('lists one version', async () => {
    const table = await shown('-p 0.7');
    expect(table.split('\n')[0]).toBe('0.7   44 items');
    expect(row(table, 'obj_ex')).toEqual(['obj_ex', '0', '4*', 'uuid']);
    expect(row(table, 'event_damage')?.slice(1, 3)).toEqual(['22', '7']);
    expect(row(table, 'obj_game_info')).toBeUndefined();
  });

  it('leaves stdout fields that a version lacks', async () => {
    const table = await shown('-p 0.5');
    expect(table).not.toContain('UUID');
    expect(table).not.toContain('*');
  });

  it.each([
    ['', 80],
    ['', 100],
    ['-v', 80],
    ['-p 0.6', 100],
    ['-v -p 0.7', 160],
    ['obj_character', 80],
    ['event_sound_world', 80],
    ['game_info_ex', 100],
    ['obj_de_client_info', 100],
  ])('%s keeps to %i columns, without gaps or a blank at the end', async (args, width) => {
    const lines = (await shown(`${args} --width ${width}`)).split('\n');
    expect(lines.filter((line) => line.length > width || line !== line.trimEnd())).toEqual([]);
    expect(lines.join('\n')).not.toMatch(/\n\n\n\n/);
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
  it('shows fields with their meanings', async () => {
    expect(await shown('obj_character -p 0.7')).toMatchInlineSnapshot(`
      "obj_character   type 10 in 0.7   22 ints

        int   field              meaning
          0   tick               tick       50 a second
          1   x                  position   32 units a tile
          2   y                  position   32 units a tile
          3   vel_x              fixed      ×256 units/tick
          4   vel_y              fixed      ×256 units/tick
          5   angle              fixed      ×256 rad
          6   direction          int        -1 to 1
          7   jumped             flags      1 jump, 2 air_jump
          8   hooked_player      client     -1 nobody
          9   hook_state         enum       -1 retracted, 0 idle, 1 retract_start, 3 retract_end,
                                            4 flying, 5 grabbed
         10   hook_tick          tick       50 a second
         11   hook_x             position   32 units a tile
         12   hook_y             position   32 units a tile
         13   hook_dx            fixed      ×256
         14   hook_dy            fixed      ×256
         15   health             int        0 to 10
         16   armor              int        0 to 10
         17   ammo_count         int
         18   weapon             enum       -1 none, 0 hammer, 1 gun, 2 shotgun, 3 grenade, 4 laser,
                                            5 ninja
         19   emote              enum       0 normal, 1 pain, 2 happy, 3 surprise, 4 angry, 5 blink
         20   attack_tick        tick       50 a second
         21   triggered_events   flags      1 ground_jump, 2 air_jump, 4 hook_attach_player,
                                            8 hook_attach_ground, 16 hook_hit_nohook
      "
    `);
  });

  it('shows the default of an absent field, and a line for each of many names', async () => {
    expect(await shown('ddnet_character')).toMatchInlineSnapshot(`
      "ddnet_character   type by UUID in 0.6, 0.7   11 ints, a delta carries the size
      character@netobj.ddnet.tw   76ce455b-f9eb-3a48-add7-e04b941d045c

        int   field                   if absent   meaning
          0   flags                           0   flags     0x1 solo
                                                            0x2 jetpack
                                                            0x4 collision_disabled
                                                            0x8 endless_hook
                                                            0x10 endless_jump
                                                            0x20 super
                                                            0x40 hammer_hit_disabled
                                                            0x80 shotgun_hit_disabled
                                                            0x100 grenade_hit_disabled
                                                            0x200 laser_hit_disabled
                                                            0x400 hook_hit_disabled
                                                            0x800 telegun_gun
                                                            0x1000 telegun_grenade
                                                            0x2000 telegun_laser
                                                            0x4000 weapon_hammer
                                                            0x8000 weapon_gun
                                                            0x10000 weapon_shotgun
                                                            0x20000 weapon_grenade
                                                            0x40000 weapon_laser
                                                            0x80000 weapon_ninja
                                                            0x100000 movements_disabled
                                                            0x200000 in_freeze
                                                            0x400000 practice_mode
                                                            0x800000 lock_mode
                                                            0x1000000 team0_mode
                                                            0x2000000 invincible
          1   freeze_end                      0   tick      50 a second
          2   jumps                           2   int       -1 to 255
          3   tele_checkpoint                -1   int
          4   strong_weak_id                  0   int       0 to 127
          5   jumped_total                   -1   int       -1 to 255
          6   ninja_activation_tick          -1   tick      50 a second
          7   freeze_start                   -1   tick      50 a second
          8   target_x                        0   int
          9   target_y                        0   int
         10   tune_zone_override             -1   int       -1 to 255
      "
    `);
  });

  it('shows the elements of lists with -v', async () => {
    const table = await shown('obj_de_client_info -v');
    expect(table).toMatch(/^ +22 +skin_part_names\[decoration\] +text +at most 23 bytes, 6 ints$/m);
    expect(table).toMatch(/^ +57 +skin_part_colors\[eyes\] +int$/m);
  });

  it('shows an item once where the versions agree', async () => {
    const heads = async (item: string) => (await shown(item)).match(/^\S.*$/gm);
    expect(await heads('obj_projectile')).toEqual(['obj_projectile   type 2 in 0.5, 0.6, 0.7   6 ints']);
    expect(await heads('event_explosion')).toEqual([
      'event_explosion   type 12 in 0.5, 14 in 0.6, 17 in 0.7   2 ints, an event',
    ]);
    expect(await heads('obj_flag')).toEqual([
      'obj_flag   type 5 in 0.5   4 ints',
      'obj_flag   type 5 in 0.6, 0.7   3 ints',
    ]);
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
    ['obj_charcter', "no item or message 'obj_charcter'; did you mean obj_character?"],
    ['game -p 0.7', "no item or message 'game' in 0.7, but in 0.5"],
    ['xyzzy', "no item or message 'xyzzy'; 'tw-snap schema' lists them all"],
    ['99 -p 0.6', "no item or message '99' in 0.6; 'tw-snap schema' lists them all"],
    ['a\u001b[31m', "no item or message 'a\\u{1b}[31m'; 'tw-snap schema' lists them all"],
  ])('%j: %s', async (args, message) => {
    const { status, stdout, stderr } = await schema(args);
    expect([status, stdout, stderr]).toEqual([2, '', `tw-snap: ${message}\n`]);
  });
});

describe('tw-snap schema -t json', () => {
  it.each([
    ['0.5', [10, 6, 5, 4, 4, 12, 15, 22, 6, 15, 2, 2, 2, 2, 3, 3, 3, 3]],
    ['0.6', [10, 6, 5, 4, 3, 8, 4, 15, 22, 5, 17, 3, 2, 2, 2, 2, 3, 3, 3, 3]],
    ['0.7', [10, 6, 5, 3, 3, 3, 2, 4, 15, 22, 3, 4, 58, 5, 32, 2, 2, 2, 2, 3, 3, 7]],
  ])('has the agreed sizes of %s', async (version, sizes) => {
    const { items } = await listed(`-p ${version}`);
    const agreed = items.filter(({ sized }) => !sized);
    expect(agreed.map(({ type, size }) => [type, size])).toEqual(sizes.map((size, i) => [i + 1, size]));
  });

  it('merges items that are the same in several versions', async () => {
    const { protocol, items } = await listed('');
    expect(protocol).toBe('auto');
    const find = (name: string) => items.filter((item) => item.name === name).map(({ protocols }) => protocols);
    expect(find('obj_projectile')).toEqual([['0.5', '0.6', '0.7']]);
    expect(find('ddnet_player')).toEqual([['0.6', '0.7']]);
    expect(find('obj_character')).toEqual([['0.5'], ['0.6'], ['0.7']]);
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

  it('shows a single item of a mod', async () => {
    expect(await shown('city_door -p 0.7 --schema mod.json')).toMatchInlineSnapshot(`
      "obj_city_door   type 26 in 0.7   14 ints, a delta carries the size

        int   field   meaning
          0   x       position     32 units a tile
          1   y       position     32 units a tile
          2   angle   fixed        ×256 rad
          3   state   enum         -1 broken, 0 closed, 1 open
          4   locks   flags        1 key, 2 level, 4 owner_only
          5   level   int          0 to 10
          6   title   text         at most 15 bytes, 4 ints
         10   keys    4 × client   -1 nobody
      "
    `);
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
    ['cut.json', /^tw-snap: cut\.json: bad_schema at 0x000a: line 1, column 11: found Unexpected end/],
  ])('reports the error in %s', async (name, message) => {
    const files = { 'bad.json': '{"items":[{"name":"a","type":99999}]}', 'cut.json': '{"items":[' };
    const { status, stdout, stderr } = await schema(`--schema ${name}`, { files });
    expect([status, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(message);
  });
});

describe('tw-snap schema MESSAGE', () => {
  it('has the fields of a message in each version that differs', async () => {
    const text = await shown('sv_chat');
    expect(text).toMatch(/^sv_chat {3}game message 3 in 0\.6 {3}3 fields\n/);
    expect(text).toMatch(/sv_chat {3}game message 3 in 0\.7 {3}4 fields\n/);
  });

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
