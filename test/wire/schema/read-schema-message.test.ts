import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../../src/wire/bytes/diagnostic.ts';
import { messageJson, readMessage } from '../../../src/wire/packet/message.ts';
import { messagesOf } from '../../../src/wire/protocol/message-registry.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { uuidOfName } from '../../../src/wire/protocol/texts.ts';
import { readSchema } from '../../../src/wire/schema/read-schema.ts';

const readMessages = (...messages: readonly unknown[]) => readSchema(JSON.stringify({ messages })).messages;
const typeOf = (field: unknown) => readMessages({ name: 'a', id: 60, fields: { n: 'int', a: field } })[0]!.fields[1]!;

const uuid_name = 'offer@city-mod.example';

function read(definition: object, bytes: readonly number[], version: '0.5' | '0.6' | '0.7' = '0.6') {
  const schema = readSchema(JSON.stringify({ messages: [definition] }));
  const message = readMessage(Uint8Array.from(bytes), 0, bytes.length, protocolOf(version, schema));
  return { ...messageJson(message), codes: message.diagnostics.all.map(({ code }) => code) };
}

describe('a message of a schema', () => {
  it('has a number, or a UUID by its name', () => {
    const fields = { amount: 'int' };
    const typed = [{ name: 'amount', type: { kind: 'int' }, optional: false }];
    expect(readMessages({ name: 'a', id: 60, fields }, { name: 'b', uuid_name, system: true, fields })).toEqual([
      { name: 'a', id: 60, system: false, fields: typed, valueCounts: [] },
      { name: 'b', uuid: uuidOfName(uuid_name), uuidName: uuid_name, system: true, fields: typed, valueCounts: [] },
    ]);
  });

  it.each<[unknown, object]>([
    ['string', { kind: 'string' }],
    [{ string: 'controls' }, { kind: 'string', sanitised: 'controls' }],
    [{ string: 'controls_and_spaces' }, { kind: 'string', sanitised: 'controls_and_spaces' }],
    ['data', { kind: 'data' }],
    ['rest', { kind: 'rest' }],
    ['sha256', { kind: 'sha256' }],
    ['uuid', { kind: 'raw_uuid' }],
    [{ int: [0, null] }, { kind: 'int', min: 0 }],
    [
      { list: 4, of: 'string' },
      { kind: 'repeat', times: 4, of: { kind: 'string' } },
    ],
    [
      { list: 'to_end', of: 'boolean' },
      { kind: 'repeat', times: 'to_end', of: { kind: 'boolean' } },
    ],
  ])('has fields of the type %j', (field, type) => {
    expect(typeOf(field)).toEqual({ name: 'a', type, optional: false });
    expect(typeOf({ optional: field })).toEqual({ name: 'a', type, optional: true });
  });

  it('is read by its number: 60 << 1 is b8 01', () => {
    const fields = { count: 'int', all: { list: 'counted', of: { record: { id: 'client', name: 'string' } } } };
    // count 2; client 3, "ab"; client -1, ""
    expect(read({ name: 'sv_a', id: 60, fields }, [0xb8, 1, 2, 3, 0x61, 0x62, 0, 0x40, 0])).toEqual({
      name: 'sv_a',
      system: false,
      id: 60,
      fields: {
        count: 2,
        all: [
          { id: 3, name: 'ab' },
          { id: -1, name: '' },
        ],
      },
      codes: [],
    });
  });

  it.each(['0.5', '0.6', '0.7'] as const)('is read by its UUID in %s', (version) => {
    const uuid = uuidOfName(uuid_name).replaceAll('-', '').match(/../g)!;
    const fields = { price: 'int', until: { optional: 'tick' } };
    const bytes = [0, ...uuid.map((pair) => Number.parseInt(pair, 16)), 7];
    const definition = { name: 'sv_offer', uuid_name, fields };
    expect(read(definition, bytes, version)).toMatchObject({ name: 'sv_offer', fields: { price: 7 }, codes: [] });
    expect(read(definition, [...bytes, 9], version)).toMatchObject({ fields: { price: 7, until: 9 }, codes: [] });
  });

  it('replaces the one of the games with its number, not the system message', () => {
    const schema = readSchema('{"messages":[{"name":"sv_other","id":4,"fields":{}}]}');
    const messages = messagesOf('0.6', schema);
    expect(messages.byId(false, 4)?.name).toBe('sv_other');
    expect(messages.byId(true, 4)?.name).toBe('con_ready');
    expect(messages.all.map(({ name }) => name)).not.toContain('sv_killmsg');
    expect(messagesOf('0.6').byId(false, 4)?.name).toBe('sv_killmsg');
  });
});

describe('a wrong message of a schema is refused with its path', () => {
  const message = (change: object) => ({ name: 'a', id: 60, fields: {}, ...change });
  const field = (type: unknown) => message({ fields: { a: type } });

  it.each<[unknown, string, string]>([
    [message({ id: 0 }), '.id', '0'],
    [message({ id: undefined }), '', 'neither id nor uuid_name'],
    [message({ uuid_name }), '', 'both id and uuid'],
    [message({ system: 1 }), '.system', '1'],
    [message({ type: 4 }), '', '"type"'],
    [field('text'), '.fields.a', '"text"'],
    [field({ string: 'spaces' }), '.fields.a.string', '"spaces"'],
    [field({ text: 4 }), '.fields.a', 'an object'],
    [field({ absent: 1, of: 'int' }), '.fields.a', 'an object'],
    [field({ list: 0, of: 'int' }), '.fields.a.list', '0'],
    [field({ list: 'counted', of: 'int' }), '.fields.a', 'no int before it'],
    [field('data'), '.fields.a', 'no int before it'],
    [field({ list: 2, of: 'data' }), '.fields.a.of', '"data"'],
    [field({ list: 2, of: { list: 2, of: 'int' } }), '.fields.a.of', 'an object'],
    [field({ list: 2, of: { record: {} } }), '.fields.a.of.record', 'no fields'],
    [field({ list: 2, of: { record: { b: 'rest' } } }), '.fields.a.of.record.b', '"rest"'],
    [message({ fields: { a: { optional: 'int' }, b: 'int' } }), '.fields.b', 'a field after an optional one'],
  ])('%#: %.60j', (json, path, found) => {
    const error = refusal({ messages: [json] });
    expect(error).toMatchObject({ code: 'bad_schema', args: { path: `messages[0]${path}`, found } });
  });

  it('a number that occurs twice is refused, except for a system message', () => {
    const [first, second] = [message({}), message({ name: 'b' })];
    expect(refusal({ messages: [first, second] }).args).toMatchObject({ path: 'messages[1].id', found: '60' });
    expect(readMessages(first, { ...second, system: true })).toHaveLength(2);
  });
});

function refusal(schema: object): DecodeError {
  try {
    readSchema(JSON.stringify(schema));
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
  throw new Error('no error');
}
