import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../../src/wire/bytes/diagnostic.ts';
import { openBounds, protocolOf } from '../../../src/wire/protocol/registry.ts';
import { readDeclared, readSchema } from '../../../src/wire/schema/read-schema.ts';
import { anyText } from '../../support/any-text.ts';

const readItems = (...items: readonly object[]) => readSchema(JSON.stringify({ items })).items;
const fieldsOf = (fields: object) => readItems({ name: 'obj_a', type: 25, fields })[0]!.fields;

function failure(text: string) {
  try {
    readSchema(text);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { code, offset, args } = error;
    const { path, found, expected } = args;
    return { code, offset, path, found, expected };
  }
  throw new Error('no error');
}

describe('a schema', () => {
  it('defines numbered items', () => {
    const money = { name: 'obj_city_money', type: 25, sized: false, fields: { amount: 'int', owner: 'client' } };
    expect(readItems(money, { name: 'event_boom', type: 26, sized: true, fields: {} })).toEqual([
      {
        name: 'obj_city_money',
        type: 25,
        size: 2,
        sized: false,
        event: false,
        fields: [
          { name: 'amount', at: 0, ints: 1, isNumber: true, meaning: { kind: 'int' } },
          { name: 'owner', at: 1, ints: 1, isNumber: true, meaning: { kind: 'client', min: -1 } },
        ],
      },
      { name: 'event_boom', type: 26, size: 0, sized: true, event: true, fields: [] },
    ]);
  });

  it('defines UUID items: by name, by UUID, by both', () => {
    const uuid = '76ce455b-f9eb-3a48-add7-e04b941d045c';
    const uuid_name = 'character@netobj.ddnet.tw';
    const extended = { name: 'ddnet_character', size: 0, sized: true, event: false, fields: [], uuid };
    const name = 'ddnet_character';
    expect(readItems({ name, uuid_name, fields: {} })).toEqual([{ ...extended, uuidName: uuid_name }]);
    expect(readItems({ name, uuid, uuid_name, fields: {} })).toEqual([{ ...extended, uuidName: uuid_name }]);
    expect(readItems({ name, uuid: uuid.toUpperCase(), fields: {} })).toEqual([extended]);
  });

  it('recognises events by their names', () => {
    const [byUuidName, byName] = readItems(
      { name: 'boom', uuid_name: 'boom@netevent.mod.example', fields: {} },
      { name: 'event_boom', uuid: '00000000-0000-0000-0000-000000000001', fields: {} },
    );
    expect(byUuidName!.event).toBe(true);
    expect(byName!.event).toBe(true);
  });

  it.each([
    [0, true],
    [1, false],
    [63, false],
    [64, true],
    [0x3fff, true],
  ])('type %i has its size on the wire: %s', (type, sized) => {
    expect(readItems({ name: 'obj_a', type, fields: { a: 'int' } })[0]!.sized).toBe(sized);
  });

  it('may be empty', () => {
    expect(readSchema('{"items":[]}')).toEqual({ items: [], messages: [] });
  });

  it('is laid out in the order of the fields', () => {
    const fields = fieldsOf({ title: { text: 4 }, who: 'uuid', slots: { list: 3, of: { text: 2 } }, last: 'int' });
    expect(fields.map(({ name, at, ints }) => [name, at, ints])).toEqual([
      ['title', 0, 4],
      ['who', 4, 4],
      ['slots', 8, 6],
      ['last', 14, 1],
    ]);
  });

  it.each<[unknown, object]>([
    ['int', { kind: 'int' }],
    ['boolean', { kind: 'boolean' }],
    ['tick', { kind: 'tick' }],
    ['client', { kind: 'client', min: -1 }],
    ['position', { kind: 'position', scale: 1 }],
    ['uuid', { kind: 'uuid' }],
    [{ int: [0, 10] }, { kind: 'int', min: 0, max: 10 }],
    [{ int: [null, -1] }, { kind: 'int', max: -1 }],
    [{ int: [null, null] }, { kind: 'int' }],
    [
      { int: [0, 1], names: { 0: 'off', 1: 'on' } },
      { kind: 'int', min: 0, max: 1, names: { 0: 'off', 1: 'on' } },
    ],
    [{ int: [0, 'NUM_WEAPONS-1'] }, { kind: 'int', min: 0 }],
    [{ tick: [0, null] }, { kind: 'tick', min: 0 }],
    [{ client: 0 }, { kind: 'client', min: 0 }],
    [
      { client: -2, names: { '-2': 'nowhere' } },
      { kind: 'client', min: -2, names: { [-2]: 'nowhere' } },
    ],
    [{ enum: { '-1': 'broken', 0: 'idle' } }, { kind: 'enum', names: { [-1]: 'broken', 0: 'idle' } }],
    [{ flags: { 1: 'a', 2147483648: 'b' } }, { kind: 'flags', names: { 1: 'a', 2147483648: 'b' } }],
    [
      { fixed: 256, unit: 'rad' },
      { kind: 'fixed', scale: 256, unit: 'rad' },
    ],
    [{ fixed: 100 }, { kind: 'fixed', scale: 100, unit: '' }],
    [{ text: 4 }, { kind: 'text', ints: 4 }],
    [
      { list: 4, of: 'int' },
      { kind: 'list', count: 4, of: { kind: 'int' } },
    ],
  ])('accepts the meaning %j', (json, meaning) => {
    expect(fieldsOf({ a: json })[0]!.meaning).toEqual(meaning);
    expect(fieldsOf({ a: { absent: -1, of: json } })[0]).toMatchObject({ meaning, defaultValue: -1 });
  });

  it('of the samples defines a mod that fits the protocol', () => {
    const schema = readSchema(readFileSync('samples/mod-schema.json', 'utf8'));
    const { items } = schema;
    expect(items.map(({ name, size }) => [name, size])).toEqual([
      ['obj_city_money', 4],
      ['obj_city_door', 14],
      ['event_city_payday', 3],
      ['city_player', 5],
    ]);
    const protocol = protocolOf('0.7', schema);
    expect([25, 26, 27, 10].map(protocol.sizeOf)).toEqual([4, 0, 3, 22]);
    expect(protocol.byUuid(items[3]!.uuid!)).toBe(items[3]);
  });

  it('knows that a bound is there whose constant it does not know', () => {
    const [open, closed] = fieldsOf({ a: { int: ['FLAG_A', 'NUM_B - 1'] }, b: { int: [0, null] } });
    expect(openBounds.get(open!.meaning)).toEqual({ min: true, max: true });
    expect(openBounds.get(closed!.meaning)).toBeUndefined();
  });

  it('has the version whose table it is, and the lists of its sources', () => {
    const json = { version: '0.6', lists: { SIDE: { '-1': 'left' }, BIT: { 2147483648: 'last' } }, items: [] };
    expect(readDeclared(JSON.stringify(json))).toEqual({ ...json, messages: [] });
  });

  it('says that an item is an event, also if its name does not', () => {
    const events = [{}, { event: true }].map((more) => ({ uuid_name: 'a@b', fields: {}, ...more }));
    expect(events.map((item) => readItems({ name: 'a', ...item })[0]!.event)).toEqual([false, true]);
  });

  it('accepts many items', () => {
    const many = Array.from({ length: 16_000 }, (_, i) => ({ name: `obj_${i}`, type: i, fields: { a: 'int' } }));
    expect(readItems(...many)).toHaveLength(16_000);
  });
});

describe('an invalid schema is reported with the path of the error', () => {
  const item = (change: object) => ({ items: [{ name: 'obj_a', type: 25, fields: { a: 'int' }, ...change }] });
  const field = (meaning: unknown) => item({ fields: { a: meaning } });
  const uuid = '76ce455b-f9eb-3a48-add7-e04b941d045c';

  it.each<[unknown, string, string]>([
    [1, '', '1'],
    [[], '', 'a list'],
    [{}, '', 'neither items nor messages'],
    [{ items: {} }, 'items', 'an object'],
    [{ items: [], more: 1 }, '', '"more"'],
    [{ items: [null] }, 'items[0]', 'null'],
    [item({ name: 5 }), 'items[0].name', '5'],
    [item({ name: 'Obj' }), 'items[0].name', '"Obj"'],
    [item({ name: 'a\u202e\u001b[2J' }), 'items[0].name', '"a\\u202e\\u001b[2J"'],
    [item({ name: 'a'.repeat(1e6) }), 'items[0].name', `"${'a'.repeat(40)}"`],
    [item({ sise: 4 }), 'items[0]', '"sise"'],
    [item({ type: undefined }), 'items[0]', 'neither type nor uuid_name'],
    [item({ uuid_name: 'a@b' }), 'items[0]', 'both type and uuid'],
    [item({ uuid }), 'items[0]', 'both type and uuid'],
    [item({ type: -1 }), 'items[0].type', '-1'],
    [item({ type: 0x4000 }), 'items[0].type', '16384'],
    [item({ type: 1.5 }), 'items[0].type', '1.5'],
    [item({ type: '25' }), 'items[0].type', '"25"'],
    [item({ type: undefined, uuid: 'x' }), 'items[0].uuid', '"x"'],
    [item({ type: undefined, uuid_name: 'a b' }), 'items[0].uuid_name', '"a b"'],
    [item({ type: undefined, uuid, uuid_name: 'a@b' }), 'items[0].uuid', `"${uuid}"`],
    [item({ sized: 1 }), 'items[0].sized', '1'],
    [item({ type: 64, sized: false }), 'items[0].sized', 'false'],
    [item({ type: 0, sized: false }), 'items[0].sized', 'false'],
    [item({ fields: undefined }), 'items[0].fields', 'nothing'],
    [item({ fields: [] }), 'items[0].fields', 'a list'],
    [item({ fields: {} }), 'items[0].fields', 'no fields'],
    [item({ fields: { 0: 'int' } }), 'items[0].fields', '"0"'],
    [item({ fields: { a: { text: 16000 }, b: { text: 400 } } }), 'items[0].fields: their ints', '16400'],
    [field('float'), 'items[0].fields.a', '"float"'],
    [field('constructor'), 'items[0].fields.a', '"constructor"'],
    [field({}), 'items[0].fields.a', 'an object'],
    [field(['int']), 'items[0].fields.a', 'a list'],
    [field({ int: 5 }), 'items[0].fields.a.int', '5'],
    [field({ int: [1] }), 'items[0].fields.a.int', 'a list of 1'],
    [field({ int: [5, 1] }), 'items[0].fields.a.int[0]', '5'],
    [field({ int: [0, 2 ** 31] }), 'items[0].fields.a.int[1]', '2147483648'],
    [field({ int: [0, 1], enum: {} }), 'items[0].fields.a', '"enum"'],
    [field({ int: [0, '\u001b[31m'] }), 'items[0].fields.a.int[1]', '"\\u001b[31m"'],
    [field({ int: [0, 1], names: { a: 'a' } }), 'items[0].fields.a.names', '"a"'],
    [field({ tick: [0] }), 'items[0].fields.a.tick', 'a list of 1'],
    [field({ client: 'all' }), 'items[0].fields.a.client', '"all"'],
    [item({ event: 1 }), 'items[0].event', '1'],
    [{ version: '0.8', items: [] }, 'version', '"0.8"'],
    [{ lists: [], items: [] }, 'lists', 'a list'],
    [{ lists: { A: { 4294967296: 'a' } }, items: [] }, 'lists.A', '"4294967296"'],
    [field({ enum: { one: 'a' } }), 'items[0].fields.a.enum', '"one"'],
    [field({ enum: { '01': 'a' } }), 'items[0].fields.a.enum', '"01"'],
    [field({ enum: { 2147483648: 'a' } }), 'items[0].fields.a.enum', '"2147483648"'],
    [field({ enum: { 1: 'Not a name' } }), 'items[0].fields.a.enum.1', '"Not a name"'],
    [field({ flags: { 3: 'a' } }), 'items[0].fields.a.flags', '"3"'],
    [field({ flags: { 0: 'a' } }), 'items[0].fields.a.flags', '"0"'],
    [field({ flags: { 4294967296: 'a' } }), 'items[0].fields.a.flags', '"4294967296"'],
    [field({ text: 0 }), 'items[0].fields.a.text', '0'],
    [field({ fixed: 0 }), 'items[0].fields.a.fixed', '0'],
    [field({ fixed: 1, unit: '\u001b[31m' }), 'items[0].fields.a.unit', '"\\u001b[31m"'],
    [field({ list: 0, of: 'int' }), 'items[0].fields.a.list', '0'],
    [field({ list: 4 }), 'items[0].fields.a.of', 'nothing'],
    [field({ list: 16384, of: { text: 2 } }), 'items[0].fields.a.list', '16384'],
    [field({ list: 2, of: { list: 2, of: 'int' } }), 'items[0].fields.a.of', 'a list in a list'],
    [field({ absent: 0 }), 'items[0].fields.a.of', 'nothing'],
    [field({ absent: '0', of: 'int' }), 'items[0].fields.a.absent', '"0"'],
    [field({ absent: 0, of: { absent: 0, of: 'int' } }), 'items[0].fields.a.of', 'an object'],
    [field({ list: 2, of: { absent: 0, of: 'int' } }), 'items[0].fields.a.of', 'an object'],
  ])('%#: %.60j', (json, path, found) => {
    const expected = expect.any(String);
    expect(failure(JSON.stringify(json))).toEqual({ code: 'bad_schema', offset: 0, path, found, expected });
  });

  it.each([
    ['name', { name: 'obj_a', type: 26 }],
    ['type', { name: 'obj_b', type: 25 }],
    ['uuid', { name: 'obj_b', uuid_name: 'a@b' }],
  ])('an equal %s', (what, second) => {
    const fields = { a: 'int' };
    const third = { name: 'c', uuid_name: 'a@b', fields };
    const items = [{ name: 'obj_a', type: 25, fields }, third, { ...second, fields }];
    expect(failure(JSON.stringify({ items })).path).toBe(`items[2].${what}`);
  });

  it('a prototype in disguise', () => {
    const named = (name: string) => `{"items":[{"name":"a","type":1,"fields":{"${name}":"int"}}]}`;
    expect(failure(named('__proto__')).found).toBe('"__proto__"');
    expect(failure('{"__proto__":{"items":[]}}').found).toBe('"__proto__"');
    expect(failure('{"items":[{"__proto__":{},"name":"a"}]}').found).toBe('"__proto__"');
    expect(readSchema(named('constructor')).items[0]!.fields[0]!.name).toBe('constructor');
  });
});

it('network.py is refused with the command that prints it as JSON', () => {
  const text = 'from datatypes import *\n\nObjects = [\n\tNetObject("A", []),\n]\n';
  for (const network of [text, text.replaceAll('\n', '\r\n'), `#!/usr/bin/env python\n${text}`])
    expect(failure(network)).toMatchObject({
      found: 'Python',
      expected: "JSON, as 'python3 network-json.py network.py' prints it (bin/network-json.py of tw-snap)",
    });
  expect(failure('from datatypes import *\n')).toMatchObject({ found: 'other text', expected: 'JSON' });
});

describe('broken syntax is reported with its position', () => {
  it.each<[string, number, string]>([
    ['', 0, ''],
    ['{"items":[', 10, 'line 1, column 11'],
    ['{\n  "items": [],\n}', 17, 'line 3, column 1'],
    ['{"items":[] "more":1}', 12, 'line 1, column 13'],
    ['{"items":[],\n"items":[]}', 13, 'line 2, column 1'],
    ['{"items":[{"name":"a","fields":{"x":"int","\\u0078":"tick"}}]}', 42, 'line 1, column 43'],
  ])('%j', (text, offset, path) => {
    expect(failure(text)).toMatchObject({ code: 'bad_schema', offset, path });
  });

  it('a key may occur in another object, and as a value', () => {
    const json =
      '{"items":[{"name":"name","type":1,"fields":{"name":"int"}},{"name":"type","type":2,"fields":{"a":"int"}}]}';
    expect(readSchema(json).items.map(({ name }) => name)).toEqual(['name', 'type']);
    expect(fieldsOf({ a: { fixed: 1, unit: '' } })).toHaveLength(1);
  });
});

describe('any text', () => {
  const holds = (text: string) => {
    try {
      readSchema(text);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      expect(error.code).toBe('bad_schema');
      expect(error.offset).toBeLessThanOrEqual(text.length);
      for (const reported of Object.values(error.args)) expect(reported).toMatch(/^[ -~]*$/);
    }
  };

  it('causes no other error than bad_schema', () => {
    fc.assert(fc.property(anyText, holds));
    fc.assert(fc.property(fc.json(), holds));
  });

  it('with some characters of a schema changed causes no other error than bad_schema', () => {
    const text = readFileSync('samples/mod-schema.json', 'utf8');
    const change = fc.tuple(fc.nat(text.length), fc.nat(8), fc.string({ maxLength: 4 }));
    const changed = ([at, cut, add]: [number, number, string]) => text.slice(0, at) + add + text.slice(at + cut);
    fc.assert(fc.property(change.map(changed), holds), { numRuns: 2000 });
  });

  it.each([
    ['deep lists', `${'['.repeat(1e6)}${']'.repeat(1e6)}`],
    ['deep meanings', `{"items":[{"name":"a","type":1,"fields":{"a":${'{"of":'.repeat(1e5)}1${'}'.repeat(1e5)}}}]}`],
    ['a long string', `{"items":["${'\\"'.repeat(8e6)}"]}`],
    ['a wide enum', `{"items":[{"name":"a","type":1,"fields":{"a":{"enum":{${numbers(4097)}}}}}]}`],
    ['more items than numbers', `{"items":[${'1,'.repeat(20_000)}1]}`],
  ])('is refused without exhausting time or memory: %s', (_, text) => {
    holds(text);
    expect(failure(text).code).toBe('bad_schema');
  });
});

function numbers(length: number): string {
  return Array.from({ length }, (_, i) => `"${i}":"a"`).join();
}

it('takes the text of JSON, and says so of an object', () => {
  const schema = { items: [] } as never;
  expect(() => readSchema(schema)).toThrow(new TypeError('readSchema expects the text of JSON; got the Object'));
});
