import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../../src/wire/bytes/diagnostic.ts';
import { intsOf } from '../../../src/wire/protocol/meaning.ts';
import { messagesOf } from '../../../src/wire/protocol/message-registry.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { readDeclared, readSchema } from '../../../src/wire/schema/read-schema.ts';

// The inputs are written in the language of datasrc/datatypes.py; sizes and numbers follow from what its classes do
// with them.

const read = (text: string) => readSchema(text);
const item = (text: string, name: string) => read(text).items.find((item) => item.name === name);
const objects = (text: string) => `Objects = [\n${text}\n]\n`;
const meanings = (text: string, name: string) =>
  Object.fromEntries(item(text, name)!.fields.map((field) => [field.name, field.meaning]));
const notes = (text: string) => (read(text).leftOut ?? []).map(({ line, text }) => `${line}: ${text}`);

function failure(text: string): string {
  try {
    read(text);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return `${error.code} ${error.args.path}: ${error.args.found}; ${error.args.expected}`;
  }
  throw new Error('no error');
}

describe('numbers', () => {
  const file = objects(`
    NetObject("Boat", [NetIntAny("m_Speed")]),
    NetEvent("Common", [NetIntAny("m_X"), NetIntAny("m_Y")]),
    NetObjectEx("Sail", "sail@boats.example", [NetIntAny("m_Area")]),
    NetEvent("Splash:Common", [NetIntAny("m_Height")]),
    NetEventEx("Wave:Common", "wave@boats.example", []),
  `);

  it('are counted from 1, without the types that have a UUID', () => {
    expect(read(file).items.map(({ name, type, size, event, sized }) => [name, type, size, event, sized])).toEqual([
      ['obj_boat', 1, 1, false, false],
      ['event_common', 2, 2, true, false],
      ['sail', undefined, 1, false, true],
      ['event_splash', 3, 3, true, false],
      ['wave', undefined, 2, true, true],
    ]);
  });

  it('have the fields of their base first', () => {
    expect(item(file, 'event_splash')!.fields.map(({ name, at }) => [name, at])).toEqual([
      ['x', 0],
      ['y', 1],
      ['height', 2],
    ]);
  });

  it('of messages count an unused one', () => {
    const { messages } = read(`Messages = [
      NetMessage("Sv_Horn", [NetBool("m_Loud")]),
      NetMessage("Unused", []),
      NetMessageEx("Sv_Tide", "tide@boats.example", [NetIntAny("m_Level")]),
      NetMessage("Cl_Steer", [NetIntRange("m_Angle", -180, 180)]),
    ]`);
    expect(messages.map(({ name, id, uuidName }) => [name, id, uuidName])).toEqual([
      ['sv_horn', 1, undefined],
      ['sv_tide', undefined, 'tide@boats.example'],
      ['cl_steer', 3, undefined],
    ]);
  });
});

describe('names', () => {
  it('are those of the tables: without m_ and the letters of the type, in snake case', () => {
    const fields = ['m_X', 'm_aName', 'm_pText', 'm_apParts', 'm_aaSkinPartNames', 'm_ClientID', 'm_HookDx', 'm_Vel2X'];
    const text = objects(
      `NetObjectEx("DDNetBoatHTTPInfo", "a@b", [${fields.map((field) => `NetTick("${field}"),`).join('')}])`,
    );
    expect(item(text, 'ddnet_boat_http_info')!.fields.map(({ name }) => name)).toEqual(
      'x name text parts skin_part_names client_id hook_dx vel2_x'.split(' '),
    );
  });

  it('that occur twice, or that need quotes, are changed: no int is lost', () => {
    const text = objects(
      'NetObjectEx("A", "a@b", [NetTick("m_X"), NetTick("m_X"), NetTick("__proto__"), NetTick("é 1")])',
    );
    const { fields, size } = item(text, 'a')!;
    expect(size).toBe(4);
    for (const { name } of fields) expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
    expect(new Set(fields.map(({ name }) => name)).size).toBe(4);
  });

  it('with numbers from 0 on are a list', () => {
    const text = objects(
      'NetObjectEx("A", "a@b", [NetTick("m_Slot0"), NetTick("m_Slot1"), NetTick("m_Slot2"), NetTick("m_Slot4")])',
    );
    expect(item(text, 'a')!.fields.map(({ name, at, ints }) => [name, at, ints])).toEqual([
      ['slot', 0, 3],
      ['slot4', 3, 1],
    ]);
  });
});

describe('fields', () => {
  const kinds = `
from datatypes import *
Kinds = Enum("KIND", ["SLOW", "FAST"])
Signs = Flags("SIGN", ["LIT", "HORN", "BELL"])
Enums = [Kinds, Enum("SEA", ["CALM", "ROUGH"], -2)]
Flags = [Signs]
RawHeader = '''
enum { DECK_NONE = -1, DECK_UPPER, DECK_LOWER, NUM_DECKS, }; // a comment, with commas
#define MAX_CREW (1<<4)
'''
${objects(`NetObjectEx("A", "a@b", [
    NetIntAny("m_Any"), NetIntRange("m_Range", -3, 8), NetBool("m_Bool"), NetTick("m_Tick"), NetTickStrict("m_Strict"),
    NetEnum("m_Enum", Kinds), NetFlag("m_Flags", Signs), NetArray(NetIntAny("m_aArray"), 3), NetTwIntString("m_aText", 16),
    NetArray(NetArray(NetBool("m_aaTwice"), 2), 5), NetIntRange("m_Client", -1, 'MAX_CLIENTS-1'),
    NetIntRange("m_Sea", 'SEA_CALM', 'SEA_ROUGH'), NetIntRange("m_Deck", 'DECK_NONE', 'NUM_DECKS-1'),
    NetIntRange("m_Crew", 0, 'MAX_CREW'), NetIntRange("m_Positive", 0, 'max_int'), NetIntRange("m_Weapon", 0, 'NUM_WEAPONS-1'),
])`)}`;

  it('have the ints and meanings of their classes', () => {
    expect(meanings(kinds, 'a')).toEqual({
      any: { kind: 'int' },
      range: { kind: 'int', min: -3, max: 8 },
      bool: { kind: 'boolean' },
      tick: { kind: 'tick' },
      strict: { kind: 'tick', min: 0, max: 0x6fffffff },
      enum: { kind: 'enum', names: { 0: 'slow', 1: 'fast' } },
      flags: { kind: 'flags', names: { 1: 'lit', 2: 'horn', 4: 'bell' } },
      array: { kind: 'list', count: 3, of: { kind: 'int' } },
      text: { kind: 'text', ints: 4 },
      twice: { kind: 'list', count: 10, of: { kind: 'boolean' } },
      client: { kind: 'client', min: -1 },
      sea: { kind: 'enum', names: { [-2]: 'calm', [-1]: 'rough' } },
      deck: { kind: 'enum', names: { [-1]: 'none', 0: 'upper', 1: 'lower' } },
      crew: { kind: 'int', min: 0, max: 16 },
      positive: { kind: 'int', min: 0 },
      // How many weapons a mod has is in another file.
      weapon: { kind: 'int', min: 0 },
    });
    expect(notes(kinds)).toEqual([]);
  });

  it('of messages are texts, lists and optional ones', () => {
    const { messages } = read(`Messages = [ NetMessageEx("Sv_A", "a@b", [
      NetString("m_pAny"), NetStringHalfStrict("m_pHalf"), NetStringStrict("m_pStrict"), NetArray(NetStringStrict("m_apParts"), 6),
      NetStringStrict("m_pLine0"), NetStringStrict("m_pLine1"), NetArray(NetIntAny("m_aInts"), 2), NetBool("m_New", default=False), NetIntAny("m_Last"),
    ]) ]`);
    expect(messages[0]!.fields).toEqual([
      { name: 'any', type: { kind: 'string' }, optional: false },
      { name: 'half', type: { kind: 'string', sanitised: 'controls' }, optional: false },
      { name: 'strict', type: { kind: 'string', sanitised: 'controls_and_spaces' }, optional: false },
      {
        name: 'parts',
        type: { kind: 'repeat', times: 6, of: { kind: 'string', sanitised: 'controls_and_spaces' } },
        optional: false,
      },
      {
        name: 'line',
        type: { kind: 'repeat', times: 2, of: { kind: 'string', sanitised: 'controls_and_spaces' } },
        optional: false,
      },
      { name: 'ints', type: { kind: 'repeat', times: 2, of: { kind: 'int' } }, optional: false },
      { name: 'new', type: { kind: 'boolean' }, optional: true },
      { name: 'last', type: { kind: 'int' }, optional: true },
    ]);
  });

  it('have defaults by name, by place, and as constants', () => {
    const text = objects(`NetObjectEx("A", "a@b", [
      NetIntAny("m_A", default=-1), NetIntAny("m_B", 7), NetIntRange("m_C", 0, 9, 3), NetIntRange("m_D", 0, 9, default='FinishTime::UNSET'),
      NetTick("m_E", default=0), NetBool("m_F", default=True), NetArray(NetIntAny("m_aG", default=2), 2), NetIntAny("m_H"),
    ], validate_size=False)`);
    expect(item(text, 'a')!.fields.map((field) => field.defaultValue)).toEqual([-1, 7, 3, -2, 0, 1, 2, undefined]);
  });

  it('m_X and m_Y of an item are its position, m_aName of four ints is a text', () => {
    const text = objects(`NetObjectEx("A", "a@b", [
      NetIntAny("m_X"), NetIntAny("m_Y"), NetArray(NetIntAny("m_aName"), 4), NetArray(NetIntAny("m_aClan"), 4),
    ])`);
    expect(Object.values(meanings(text, 'a')).map(({ kind }) => kind)).toEqual([
      'position',
      'position',
      'text',
      'list',
    ]);
  });
});

describe('the language', () => {
  const fieldsOf = (before: string, fields: string) =>
    item(`${before}\n${objects(`NetObjectEx("A", "a@b", ${fields})`)}`, 'a')!.fields.map(({ name }) => name);
  const value = (expression: string, before = '') =>
    item(`${before}\n${objects(`NetObjectEx("A", "a@b", [NetIntRange("m_A", ${expression}, 'max_int')])`)}`, 'a')!
      .fields[0]!.meaning;

  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['2 ** 3 ** 1', 8],
    ['-2 ** 2', -4],
    ['7 // 2', 3],
    ['-7 // 2', -4],
    ['-7 % 3', 2],
    ['1 << 4 | 1', 17],
    ['0xff & ~0xf', 240],
    ['0b101 ^ 0o7', 2],
    ['len(["a", "b"])', 2],
    ['len("abc")', 3],
    ['max(1, 5, 3) - min(2, 1)', 4],
    ['5 if 1 > 2 else 6', 6],
    ['not 0', 1],
    ['1 == 1 and 3', 3],
    ['[4, 5, 6][-1]', 6],
    ['len([1, 2, 3, 4][1:])', 3],
    ['int("12")', 12],
    ['1_000', 1000],
    ['sum', undefined],
    ['1.5', undefined],
  ])('%s is %s', (expression, expected) => {
    if (expected === undefined)
      expect(item(`${objects(`NetObjectEx("A", "a@b", [NetIntRange("m_A", ${expression}, 9)])`)}`, 'a')!.size).toBe(0);
    else expect(value(expression)).toEqual({ kind: 'int', min: expected });
  });

  it.each([
    ['["m_A", "m_B"]', '[NetTick(name) for name in Names]'],
    ['"A B".split()', '[NetTick("m_" + name) for name in Names if name != "C"]'],
    ['["A", "B"]', '[NetTick("m_%s" % name) for name in Names]'],
    ['["A", "B"]', '[NetTick(f"m_{name}") for name in Names]'],
    ['["A", "B"]', '[NetTick("m_{}".format(name)) for name in Names]'],
    ['["a", "b"]', '[NetTick("m_" + name.upper()) for i, name in enumerate(Names)]'],
    ['("A",) + ("B",)', '[NetTick("m_" + Names[i]) for i in range(len(Names))]'],
    ['["B"]', '[NetTick("m_A")] + [NetTick("m_" + name) for name in Names]'],
    ['["B"]', '[NetTick("m_A"), *[NetTick("m_" + name) for name in Names]]'],
    ['["B"]', '[NetTick("m" "_" \'A\'), NetTick(name="m_B")]'],
  ])('Names = %s: %s', (names, fields) => {
    expect(fieldsOf(`Names = ${names}`, fields)).toEqual(['a', 'b']);
  });

  it('has lists that grow', () => {
    const text = `
Base = [NetTick("m_A")]
Objects = []
Objects += [NetObject("One", Base)]
Objects.append(NetObject("Two", Base + [NetTick("m_B")]))
Objects.extend([NetObject("Three", [])])
Objects.insert(0, NetObject("Zero", Base * 2))
`;
    expect(read(text).items.map(({ name, type, size }) => [name, type, size])).toEqual([
      ['obj_zero', 1, 2],
      ['obj_one', 2, 1],
      ['obj_two', 3, 2],
      ['obj_three', 4, 0],
    ]);
    expect(notes(text)).toEqual([]);
  });

  it('is the same with other line ends, tabs, comments, a byte order mark and Python 2', () => {
    const text = `#!/usr/bin/env python
"""Boats"""
from datatypes import *
import os, sys
print "boats"
if True: pass
class Unused(object):
    def a(self):
        return 'Objects = [3]'
Objects = [ # all of them
    NetObject("Boat", [ # "quoted" [
        NetIntAny('m_A'), # )
\t\tNetIntRange("m_B", 0, \\
010),
    ]),
]; Messages = []
`;
    const expected = read(text).items;
    expect(expected.map(({ name, size }) => [name, size])).toEqual([['obj_boat', 2]]);
    expect(meanings(text, 'obj_boat').b).toEqual({ kind: 'int', min: 0, max: 8 });
    for (const other of [text.replaceAll('\n', '\r\n'), text.replaceAll('\n', '\r'), `\ufeff${text}`, text.trimEnd()]) {
      expect(read(other).items).toEqual(expected);
    }
  });
});

describe('what is not understood', () => {
  it('is named with its line and left out', () => {
    const text = `Objects = [
  NetObject("A", [NetIntAny("m_A")]),
  Helper("B"),
  NetObject("C", [NetIntAny("m_A"), Vec("m_B")]),
  NetObjectEx("D", "d@e", [NetIntAny("m_A"), Vec("m_B"), NetIntAny("m_C")]),
  NetObject("E:Missing", []),
  NetObject(lambda x: x, []),
  NetObject("F", [NetIntRange("m_A", 0, 'NUM_FROGS-1')]),
]
Messages = [NetMessage("Sv_A", [NetIntAny("m_A"), Vec("m_B"), NetIntAny("m_C")])]
for one in Objects:
  one.name = 3
`;
    expect(notes(text)).toEqual([
      '3: Helper is not known: left out of Objects, as number 2',
      '4: Vec is not known: the fields of obj_c end before it',
      '4: C is left out',
      '5: Vec is not known: the fields of d end before it',
      '6: the base Missing of E is not known: E is left out',
      '7: the name of NetObject is not known: left out of Objects, as number 5',
      '8: NUM_FROGS is not in this file: bounds and defaults of it are left out',
      '10: Vec is not known: the fields of Sv_A end before it',
      "11: what 'for' decides is not read",
    ]);
    const { items, messages } = read(text);
    expect(items.map(({ name, type, size }) => [name, type, size])).toEqual([
      ['obj_a', 1, 1],
      ['d', undefined, 1],
      ['obj_f', 6, 1],
    ]);
    // What follows is shown as bytes.
    expect(messages[0]!.fields.map(({ name, type }) => [name, type.kind])).toEqual([
      ['a', 'int'],
      ['rest', 'rest'],
    ]);
  });

  it.each([
    ['Objects = [\n NetObject("A", [\n', "bad_schema line 1: '[' that is never closed; ']'"],
    ['Objects = [\n)\n', "bad_schema line 2: ')'; ']' for the '[' of line 1"],
    ['Objects = ["A\n]', 'bad_schema line 1: a text without its end; "'],
    ["Objects = []\nRawHeader = '''\n\n", "bad_schema line 2: a text without its end; '''"],
    ['Objects = []\n)', "bad_schema line 2: ')'; a bracket that it closes"],
    ['Objects = [`]', 'bad_schema line 1: "`"; a name, number, text or sign'],
  ])('%j cannot be read: %s', (text, expected) => expect(failure(text)).toBe(expected));

  it('is no network.py without Objects and Messages', () => {
    expect(failure('from datatypes import *\n')).toBe(
      'bad_schema : other text; JSON, or a network.py with Objects or Messages',
    );
  });

  it.each([
    ['brackets', (n: number) => `Objects = ${'['.repeat(n)}${']'.repeat(n)}`],
    ['calls', (n: number) => `Objects = [${'A('.repeat(n)}${')'.repeat(n)}]`],
    ['additions', (n: number) => `A = 1${' + 1'.repeat(n)}\nObjects = []`],
    ['signs', (n: number) => `A = ${'- '.repeat(n)}1\nObjects = []`],
    ['powers', (n: number) => `A = 1${' ** 1'.repeat(n)}\nObjects = []`],
    ['negations', (n: number) => `A = ${'not '.repeat(n)}1\nObjects = []`],
    ['conditions', (n: number) => `A = 1${' if 1 else 1'.repeat(n)}\nObjects = []`],
    ['loops', (n: number) => `A = [1${' for a in [1, 2]'.repeat(n)}]\nObjects = []`],
    ['attributes', (n: number) => `A = a${'.b'.repeat(n)}\nObjects = []`],
    ['templates', (n: number) => `A = f"${'{f'.repeat(n)}"\nObjects = []`],
    [
      'bases',
      (n: number) =>
        `Objects = [${Array.from({ length: n }, (_, i) => `NetObject("A${i}:A${(i + 1) % n}", []),`).join('')}]`,
    ],
  ])('many %s end soon, and no stack overflows', (_, make) => {
    for (const count of [100, 2_000]) {
      const begin = performance.now();
      try {
        read(make(count));
      } catch (error) {
        expect(error).toBeInstanceOf(DecodeError);
      }
      expect(performance.now() - begin).toBeLessThan(5_000);
    }
  });

  it.each([
    'range(10**9)',
    '[1] * 10**9',
    '"x" * 10**9',
    '1 << 10**9',
    '9**9**9',
    '[x for x in range(9999) for y in range(9999)]',
  ])('%s needs no memory', (expression) => {
    const text = `A = ${expression}\n${objects('NetObject("B", [NetArray(NetIntAny("m_A"), A)])')}`;
    expect(read(text).items).toEqual([]);
  });

  it('whatever is left of a file, the result is a schema or an error with a line', () => {
    const whole = objects(`
      NetObject("Boat", [NetIntAny("m_A", default=-1), NetArray(NetBool("m_B"), 2 + 1)]),
      NetEventEx("Wave", "wave@boats.example", [NetIntRange("m_C", 0, 'max_int') for i in range(3)]),
    `);
    const damaged = fc.tuple(fc.nat(whole.length), fc.nat(whole.length), fc.string({ unit: 'grapheme', maxLength: 3 }));
    fc.assert(
      fc.property(damaged, ([from, to, put]) => {
        const text = `Objects = [] + ${whole.slice(0, from)}${put}${whole.slice(to)}`;
        try {
          for (const { fields, size } of read(text).items)
            expect(fields.reduce((sum, { meaning }) => sum + intsOf(meaning), 0)).toBe(size);
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('the version', () => {
  const vanilla = (last = '') => `Objects = [
    NetObject("PlayerInput", [NetIntAny("m_A")]), NetObject("Projectile", []), NetObject("Laser", []),
    NetObject("Pickup", [NetIntAny("m_X"), NetIntAny("m_Y"), NetIntRange("m_Type", 0, 20), NetIntAny("m_Subtype"), NetIntAny("m_New")]),
    NetObject("Flag", []), NetObject("GameInfo", []), ${last}
  ]
  Messages = [NetMessage("Sv_Motd", [NetString("m_pMessage")])]`;

  it('is the one whose numbered items these are', () => {
    expect(read(vanilla()).version).toBe('0.6');
    expect(read(vanilla('NetObject("GameDataTeam", []),').replace('GameInfo', 'GameData')).version).toBe('0.7');
    expect(read(objects('NetObjectEx("A", "a@b", [])')).version).toBeUndefined();
  });

  it('bounds what the numbers replace; UUIDs are of all versions', () => {
    const schema = read(vanilla('NetObjectEx("Boat", "boat@mod.example", [NetIntAny("m_A")]),'));
    expect(protocolOf('0.6', schema).byType(4)!.size).toBe(5);
    expect(protocolOf('0.7', schema).byType(4)).toBe(protocolOf('0.7').byType(4));
    for (const version of ['0.5', '0.6', '0.7'] as const)
      expect(protocolOf(version, schema).byName('boat')?.size).toBe(1);
  });

  it('gives fields of the same name and size their meanings, not their bounds', () => {
    const fields = protocolOf('0.6', read(vanilla())).byType(4)!.fields;
    expect(fields.map(({ name, meaning }) => [name, meaning.kind])).toEqual([
      ['x', 'position'],
      ['y', 'position'],
      ['type', 'int'],
      ['subtype', 'enum_by'],
      ['new', 'int'],
    ]);
    expect(fields[2]!.meaning).toMatchObject({ max: 20, names: { 0: 'health' } });
  });

  it('a type that moved leaves its number, and its old number is that of another', () => {
    const schema = read(
      `Objects = [NetObject("PlayerInput", []), NetObject("Boat", [NetTick("m_A")]), NetObject("Projectile", [NetTick("m_A")])]`,
    );
    const protocol = protocolOf('0.6', schema);
    expect([protocol.byType(2)!.name, protocol.byType(3)!.name]).toEqual(['obj_boat', 'obj_projectile']);
    expect(protocol.items.filter(({ name }) => name === 'obj_projectile')).toHaveLength(1);
  });

  it('keeps messages whose fields the games write by hand', () => {
    const schema = read(
      `${vanilla()} + [NetMessage("A", []), NetMessage("B", []), NetMessage("C", []), NetMessage("D", []), NetMessage("Sv_TuneParams", [])]`,
    );
    expect(messagesOf('0.6', schema).byId(false, 6)!.fields.length).toBeGreaterThan(30);
    expect(messagesOf('0.6', schema).byId(true, 5)!.name).toBe('snap');
  });

  it('of what is declared is kept as it is', () => {
    const fields = readDeclared(vanilla()).items.find(({ type }) => type === 4)!.fields;
    expect(fields.map(({ meaning }) => meaning.kind)).toEqual(['int', 'int', 'int', 'int', 'int']);
  });

  it('0.7 carries sizes from type 23 on, if the file has the items of races', () => {
    const many = (last: string) =>
      `Objects = [NetObject("GameDataTeam", []), ${Array.from({ length: 21 }, (_, i) => `NetObject("A${i}", [NetTick("m_A")]),`).join('')}
        NetObject("${last}", [NetTick("m_A")]), NetObject("Boat", [NetTick("m_A")])]`;
    expect(item(many('PlayerInfoRace'), 'obj_boat')).toMatchObject({ type: 24, sized: true });
    expect(item(many('Other'), 'obj_boat')).toMatchObject({ type: 24, sized: false });
  });
});
