import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { readSchema } from '../../../src/wire/schema/read-schema.ts';
import { hasTool, spawnSync, tool } from '../../support/host.ts';
import { read } from '../../support/samples.ts';

// What is expected of each declaration follows from what datasrc/datatypes.py and compile.py of the games do with it.

const script = fileURLToPath(new URL('../../../bin/network-json.py', import.meta.url));
const datatypes = fileURLToPath(new URL('datatypes.py', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'network-json-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the script prints of a network.py with this text, beside the classes of DDNet. */
function print(text: string, more: Readonly<Record<string, string>> = {}, path = 'network.py') {
  for (const [name, content] of Object.entries({ [path]: `from datatypes import *\n${text}`, ...more })) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  copyFileSync(datatypes, join(folder, 'datatypes.py'));
  return spawnSync(tool('python3'), ['-B', script, join(folder, path)], { encoding: 'utf8' });
}

function jsonOf(...given: Parameters<typeof print>) {
  const { stdout, stderr } = print(...given);
  expect(stderr).toBe('');
  expect(readSchema(stdout).items.length).toBeGreaterThanOrEqual(0);
  return JSON.parse(stdout);
}

const fieldsOf = (fields: string, before = '') =>
  jsonOf(`${before}\nObjects = [NetObjectEx("A", "a@b", [${fields}])]\nMessages = []`).items[0].fields;

describe.skipIf(!hasTool('python3'))('network-json.py (needs python3)', () => {
  it.each(['mod-network', 'mod-network-next'])('prints samples/%s.py as the sample is', (name) => {
    const { stdout, stderr, status } = print(Buffer.from(read(`${name}.py`)).toString());
    expect([stderr, status, stdout]).toEqual(['', 0, Buffer.from(read(`${name}.json`)).toString()]);
  });

  it('counts the types without a UUID from 1, and puts the fields of a base first', () => {
    const { items, messages } = jsonOf(`
Objects = [
  NetObject("Boat", [NetIntAny("m_Speed")]),
  NetEvent("Common", [NetIntAny("m_A"), NetIntAny("m_B")]),
  NetObjectEx("DDNetSail", "sail@boats.example", [NetIntAny("m_Area")]),
  NetEvent("Splash:Common", [NetIntAny("m_Height")]),
  NetEventEx("Wave:Common", "wave@boats.example", []),
  NetObject("Empty", []),
]
Messages = [
  NetMessage("Sv_Horn", [NetBool("m_Loud")]),
  NetMessage("Unused", []),
  NetMessageEx("Sv_Tide", "tide@boats.example", []),
  NetMessage("Cl_Steer", [NetIntRange("m_Angle", -180, 180)]),
]`);
    expect(items).toEqual([
      { name: 'obj_boat', type: 1, fields: { speed: 'int' } },
      { name: 'event_common', type: 2, fields: { a: 'int', b: 'int' } },
      { name: 'ddnet_sail', uuid_name: 'sail@boats.example', fields: { area: 'int' } },
      { name: 'event_splash', type: 3, fields: { a: 'int', b: 'int', height: 'int' } },
      { name: 'wave', uuid_name: 'wave@boats.example', event: true, fields: { a: 'int', b: 'int' } },
      { name: 'obj_empty', type: 4, sized: true, fields: {} },
    ]);
    expect(messages).toEqual([
      { name: 'sv_horn', id: 1, fields: { loud: 'boolean' } },
      { name: 'sv_tide', uuid_name: 'tide@boats.example', fields: {} },
      { name: 'cl_steer', id: 3, fields: { angle: { int: [-180, 180] } } },
    ]);
  });

  it('names fields as the tables do, and loses none whose name is taken', () => {
    const names = [
      'm_X',
      'm_aName',
      'm_pText',
      'm_apParts',
      'm_aaSkinPartNames',
      'm_ClientID',
      'm_Vel2X',
      'm_X',
      'é 1',
    ];
    expect(Object.keys(fieldsOf(names.map((name) => `NetTick("${name}")`).join()))).toEqual(
      'x name text parts skin_part_names client_id vel2_x x_2 n_1'.split(' '),
    );
  });

  it('prints ints by their classes, with bounds and names of values', () => {
    const before = `
Kinds = Enum("KIND", ["SLOW", "FAST"])
Signs = Flags("SIGN", ["LIT", "HORN", "BELL"])
Enums = [Kinds, Enum("SEA", ["CALM", "ROUGH"], -2)]
Flags = [Signs]
RawHeader = '''
enum { DECK_NONE = -1, DECK_UPPER, DECK_LOWER, NUM_DECKS, }; // a comment, with commas
enum {
  MAX_CREW = 1<<4,
  MAX_MASK=0x3f
};
'''`;
    const fields = fieldsOf(
      `NetIntAny("m_Any"), NetIntRange("m_Range", -3, 8), NetBool("m_Bool"), NetTick("m_Tick"), NetTickStrict("m_Strict"),
       NetEnum("m_Enum", Kinds), NetFlag("m_Flags", Signs), NetArray(NetIntAny("m_aArray"), 3), NetTwIntString("m_aText", 16),
       NetArray(NetArray(NetBool("m_aaTwice"), 2), 5), NetIntRange("m_Client", -1, 'MAX_CLIENTS-1'),
       NetIntRange("m_Sea", 'SEA_CALM', 'SEA_ROUGH'), NetIntRange("m_Deck", 'DECK_NONE', 'NUM_DECKS-1'),
       NetIntRange("m_Crew", 0, 'MAX_CREW'), NetIntRange("m_Mask", 0, 'MAX_MASK'), NetIntRange("m_Positive", 0, 'max_int'),
       NetIntRange("m_Weapon", 0, 'NUM_WEAPONS-1'), NetTick("m_Slot0"), NetTick("m_Slot1"), NetTick("m_Slot2"), NetTick("m_Slot4")`,
      before,
    );
    expect(fields).toEqual({
      any: 'int',
      range: { int: [-3, 8] },
      bool: 'boolean',
      tick: 'tick',
      strict: { tick: [0, 0x6fffffff] },
      enum: { enum: { 0: 'slow', 1: 'fast' } },
      flags: { flags: { 1: 'lit', 2: 'horn', 4: 'bell' } },
      array: { list: 3, of: 'int' },
      text: { text: 4 },
      twice: { list: 10, of: 'boolean' },
      client: { client: -1 },
      sea: { int: [-2, -1], names: { '-2': 'calm', '-1': 'rough' } },
      deck: { int: [-1, 1], names: { '-1': 'none', 0: 'upper', 1: 'lower' } },
      crew: { int: [0, 16] },
      mask: { int: [0, 63] },
      positive: { int: [0, null] },
      // How many weapons a mod has is in another file.
      weapon: { int: [0, 'NUM_WEAPONS-1'] },
      slot: { list: 3, of: 'tick' },
      slot4: 'tick',
    });
  });

  it('prints defaults, also of arrays and constants; after an optional field of a message all are', () => {
    const { items, messages } = jsonOf(`
Objects = [NetObjectEx("A", "a@b", [
  NetIntAny("m_A", default=-1), NetIntRange("m_B", 0, 9, default='FinishTime::UNSET'), NetBool("m_C", default=True),
  NetArray(NetIntAny("m_aD", default=2), 2), NetIntAny("m_E"),
])]
Messages = [NetMessageEx("Sv_A", "c@d", [
  NetString("m_pAny"), NetStringHalfStrict("m_pHalf"), NetArray(NetStringStrict("m_apParts"), 6),
  NetBool("m_New", default=False), NetIntAny("m_Last"),
])]`);
    expect(items[0].fields).toEqual({
      a: { absent: -1, of: 'int' },
      b: { absent: -2, of: { int: [0, 9] } },
      c: { absent: 1, of: 'boolean' },
      d: { absent: 2, of: { list: 2, of: 'int' } },
      e: 'int',
    });
    expect(messages[0].fields).toEqual({
      any: 'string',
      half: { string: 'controls' },
      parts: { list: 6, of: { string: 'controls_and_spaces' } },
      new: { optional: 'boolean' },
      last: { optional: 'int' },
    });
  });

  it('m_X and m_Y of an item are its position, m_aName of four ints is a text', () => {
    const fields =
      'NetIntAny("m_X"), NetIntAny("m_Y"), NetArray(NetIntAny("m_aName"), 4), NetArray(NetIntAny("m_aClan"), 4)';
    expect(fieldsOf(fields)).toEqual({
      x: 'position',
      y: 'position',
      name: { text: 4 },
      clan: { list: 4, of: 'int' },
    });
  });

  it('says which version has these items', () => {
    const of = (...names: readonly string[]) => {
      const objects = names.map((name) => `NetObject("${name}", [NetTick("m_A")])`);
      return jsonOf(`Objects = [${objects.join()}]\nMessages = []`).version;
    };
    expect([of('Game'), of('GameInfo', 'GameData'), of('GameData', 'GameDataTeam'), of('Boat')]).toEqual([
      '0.5',
      '0.6',
      '0.7',
      undefined,
    ]);
  });

  it('0.7 carries sizes from type 23 on, if the file has the items of races', () => {
    const sized = (last: string) => {
      const names = ['GameDataTeam', ...Array.from({ length: 21 }, (_, i) => `A${i}`), last, 'Boat'];
      const objects = names.map((name) => `NetObject("${name}", [NetTick("m_A")])`);
      const { items } = jsonOf(`Objects = [${objects.join()}]\nMessages = []`);
      return items.flatMap(({ type, sized }: { type: number; sized?: boolean }) => (sized ? [type] : []));
    };
    expect([sized('PlayerInfoRace'), sized('Other')]).toEqual([[23, 24], []]);
  });

  it('takes the classes beside a file in a folder, under both names', () => {
    const text = 'Objects = [NetObject("Boat", [NetEnum("m_A", Enum("A", ["B"]))])]\nMessages = []';
    const { items } = jsonOf(
      text,
      {
        'seven/network.py': `from .datatypes import *\n${text}`,
        'seven/datatypes.py': readFileSync(datatypes, 'utf8'),
      },
      'seven/network.py',
    );
    expect(items[0].fields).toEqual({ a: { enum: { 0: 'b' } } });
  });

  it('prints a class of a mod as the one that it extends, or as the ints that it has in C++', () => {
    const classes = `
class NetHeight(NetIntRange):
  def __init__(self, name): NetIntRange.__init__(self, name, 0, 9)
class NetVec(NetVariable):
  def __init__(self, members, name):
    NetVariable.__init__(self, name)
    self.members = members
  def emit_declaration(self): return self.members
`;
    const objects = (field: string) =>
      `${classes}Objects = [NetObject("A", [NetHeight("m_A"), ${field}])]\nMessages = []`;
    const vec = print(objects(`NetVec(["int m_X;", "int m_aY[2];"], "m_B")`));
    expect(JSON.parse(vec.stdout).items[0].fields).toEqual({ a: { int: [0, 9] }, b: { list: 3, of: 'int' } });
    expect(vec.stderr).toBe('network-json.py: m_B: NetVec is not known: printed as ints\n');
    const other = print(objects(`NetVec(["float m_X;"], "m_B")`));
    expect([other.status, other.stdout, other.stderr]).toEqual([
      1,
      '',
      'network-json.py: m_B: what is a NetVec? Add it to `kinds`\n',
    ]);
  });
});
