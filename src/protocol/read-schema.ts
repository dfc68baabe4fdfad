import { DecodeError } from '../bytes/diagnostic.ts';
import { nestingLimit, tooDeepAt } from '../bytes/nesting.ts';
import { extendedItem, type FieldShape, firstSizedType, type ItemType, item, sizedItem } from './item.ts';
import {
  boolean,
  clientOrNone,
  enumeration,
  fixed,
  flags,
  int,
  intsOf,
  list,
  type Meaning,
  type Names,
  position,
  text,
  tick,
  uuid,
} from './meaning.ts';
import {
  data,
  isInt,
  type MessageField,
  type MessageFieldType,
  type MessageType,
  rawUuid,
  repeat,
  rest,
  sha256,
  string,
} from './message.ts';
import type { Schema } from './registry.ts';
import { uuidOfName } from './texts.ts';

/** Type numbers from here on are local to a snapshot. */
const maxType = 0x3fff;
/** Far beyond the numbers of the games' messages. */
const maxId = 0xffff;
/** The maximum number of items or messages, of names of one field, and of elements of a list in a message. */
const [maxTypes, maxNames, maxCount] = [maxType + 1, 4096, 1024];
/** The ints in 64 KiB, the largest snapshot. */
const maxInts = 1 << 14;
const [minInt, maxInt] = [-(2 ** 31), 2 ** 31 - 1];
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Reads the items and messages of a mod (`--schema FILE`), which `docs/schemas.md` describes:
 *
 * ```json
 * {"items": [{"name": "obj_money", "type": 25, "fields": {"amount": "int", "since": {"absent": -1, "of": "tick"}}}],
 *  "messages": [{"name": "sv_offer", "uuid_name": "offer@mod.example", "fields": {"text": "string"}}]}
 * ```
 *
 * @throws DecodeError `bad_schema` with the character at which the syntax is wrong, or the path of a wrong value
 */
export function readSchema(text: string): Schema {
  const schema = objectAt(parseJson(text), '', ['items', 'messages']);
  if (schema.items === undefined && schema.messages === undefined)
    fail('', 'neither items nor messages', 'one of them');
  const items = listOf(schema.items ?? [], 'items', readItem);
  const messages = listOf(schema.messages ?? [], 'messages', readMessage);
  for (const what of ['name', 'type', 'uuid'] as const) refuseRepeated(items, 'items', what, (item) => item[what]);
  for (const what of ['name', 'uuid'] as const) refuseRepeated(messages, 'messages', what, (one) => one[what]);
  refuseRepeated(messages, 'messages', 'id', ({ id, system }) => (id === undefined ? id : `${id}${system}`));
  return { items, messages };
}

function listOf<Type>(json: unknown, path: string, read: (value: unknown, path: string) => Type): Type[] {
  const list = listAt(json, path);
  if (list.length > maxTypes) fail(path, `${list.length} ${path}`, `at most ${maxTypes}`);
  return list.map((value, i) => read(value, `${path}[${i}]`));
}

function refuseRepeated<Type, Key extends string & keyof Type>(
  all: readonly Type[],
  path: string,
  what: Key,
  identityOf: (one: Type) => unknown,
): void {
  const seen = new Set<unknown>();
  for (const [i, one] of all.entries()) {
    const value = identityOf(one);
    if (value !== undefined && seen.has(value)) {
      rejectValue(`${path}[${i}].${what}`, one[what], 'another one: it occurs twice');
    }
    seen.add(value);
  }
}

function readItem(value: unknown, path: string): ItemType {
  const json = objectAt(value, path, ['name', 'type', 'uuid_name', 'uuid', 'sized', 'fields']);
  const name = nameAt(json.name, `${path}.name`);
  const uuids = uuidAt(json, path);
  if ((uuids === undefined) === (json.type === undefined)) {
    fail(path, uuids ? 'both type and uuid' : 'neither type nor uuid_name', 'one of them');
  }
  const type = uuids ? undefined : integerAt(json.type, `${path}.type`, 0, maxType);
  const always = type === undefined || type === 0 || type >= firstSizedType;
  const sized = booleanAt(json.sized ?? always, `${path}.sized`);
  if (always && !sized) rejectValue(`${path}.sized`, sized, 'true: only types 1 to 63 have an agreed size');
  const shape = readItemFields(json.fields, `${path}.fields`);
  const read = uuids ? withUuid(name, uuids, shape) : (sized ? sizedItem : item)(type!, name, shape);
  if (!sized && read.size === 0) fail(`${path}.fields`, 'no fields', 'at least one, or "sized": true');
  integerAt(read.size, `${path}.fields: their ints`, 0, maxInts);
  return read;
}

function withUuid(name: string, { uuid, uuidName }: SchemaUuid, shape: FieldShape): ItemType {
  const { uuidName: _, ...unnamed } = extendedItem(name, '', uuid, shape);
  const event = name.startsWith('event_') || uuidName?.includes('@netevent.') === true;
  return { ...unnamed, event, ...(uuidName === undefined ? {} : { uuidName }) };
}

function readMessage(value: unknown, path: string): MessageType {
  const json = objectAt(value, path, ['name', 'id', 'uuid_name', 'uuid', 'system', 'fields']);
  const name = nameAt(json.name, `${path}.name`);
  const uuid = uuidAt(json, path);
  if ((uuid === undefined) === (json.id === undefined)) {
    fail(path, uuid ? 'both id and uuid' : 'neither id nor uuid_name', 'one of them');
  }
  const system = booleanAt(json.system ?? false, `${path}.system`);
  const fields = readMessageFields(json.fields, `${path}.fields`);
  const identity = uuid ?? { id: integerAt(json.id, `${path}.id`, 1, maxId) };
  return { name, ...identity, system, fields, valueCounts: [] };
}

/** The UUID of an item or message, and its name where it has one. */
interface SchemaUuid {
  readonly uuid: string;
  readonly uuidName?: string;
}

/** Reads `uuid_name` or `uuid`, which must agree; undefined if there is neither. */
function uuidAt(json: { readonly uuid?: unknown; readonly uuid_name?: unknown }, path: string): SchemaUuid | undefined {
  const optionalAt = (value: unknown, ...expected: [path: string, pattern: RegExp, expected: string]) =>
    value === undefined ? undefined : textAt(value, ...expected);
  const given = optionalAt(json.uuid, `${path}.uuid`, uuidPattern, 'a UUID')?.toLowerCase();
  const uuidName = optionalAt(json.uuid_name, `${path}.uuid_name`, /^[!-~]{1,128}$/, 'a name like my-item@mod.example');
  if (uuidName === undefined) return given === undefined ? undefined : { uuid: given };
  const uuid = uuidOfName(uuidName);
  if (given !== undefined && given !== uuid) rejectValue(`${path}.uuid`, given, `${uuid}, the UUID of its name`);
  return { uuid, uuidName };
}

/** The types that a field can have: words, and objects by the key that says their kind. */
interface Grammar<Type> {
  readonly words: Readonly<Record<string, Type>>;
  readonly kinds: Readonly<Record<string, Kind<Type>>>;
}

/** The keys that an object of a kind may have besides, and how the value of its own key is read. */
type Kind<Type> = readonly [
  keys: readonly string[],
  read: (value: unknown, path: string, json: Readonly<Record<string, unknown>>, parent: string) => Type,
];

function readType<Type>({ words, kinds }: Grammar<Type>, json: unknown, path: string): Type {
  if (typeof json === 'string' && Object.hasOwn(words, json)) return words[json]!;
  if (isObject(json)) {
    for (const [kind, [keys, read]] of Object.entries(kinds)) {
      if (!Object.hasOwn(json, kind)) continue;
      const known: Readonly<Record<string, unknown>> = objectAt(json, path, [kind, ...keys]);
      return read(known[kind], `${path}.${kind}`, known, path);
    }
  }
  const expected = `${Object.keys(words).join(', ')}, or an object with ${Object.keys(kinds).join(', ')}`;
  return rejectValue(path, json, expected);
}

/** The meanings of one int, in items and messages. */
const ofInt: Grammar<Meaning> = {
  words: { int: int(), boolean, tick, client: clientOrNone, position },
  kinds: {
    int: [[], range],
    enum: [[], (json, path) => enumeration(namesOf(json, path, number))],
    flags: [[], (json, path) => flags(namesOf(json, path, bit))],
    fixed: [
      ['unit'],
      (scale, path, { unit = '' }, parent) => {
        const known = textAt(unit, `${parent}.unit`, /^[\w%/ .-]{0,16}$/, 'a short unit, such as rad');
        return fixed(integerAt(scale, path, 1, maxInt), known);
      },
    ],
  },
};

const ofItem: Grammar<Meaning> = {
  words: { ...ofInt.words, uuid },
  kinds: {
    ...ofInt.kinds,
    text: [[], (ints, path) => text(integerAt(ints, path, 1, maxInts))],
    list: [
      ['of'],
      (length, path, { of }, parent) => {
        if (isObject(of) && Object.hasOwn(of, 'list')) fail(`${parent}.of`, 'a list in a list', 'another meaning');
        const each = readType(ofItem, of, `${parent}.of`);
        return list(integerAt(length, path, 1, Math.floor(maxInts / intsOf(each))), each);
      },
    ],
  },
};

/** The fields of a record, of which a list in a message consists. */
const ofRecord: Grammar<MessageFieldType> = {
  words: { ...ofInt.words, string, uuid: rawUuid, sha256 },
  kinds: ofInt.kinds,
};

/** Each element has at least a byte, so that the bytes of a message bound their number. */
const ofElement: Grammar<MessageFieldType> = {
  words: ofRecord.words,
  kinds: {
    ...ofInt.kinds,
    record: [
      [],
      (json, path) => {
        const fields = entriesAt(json, path).map(([key, value]) => {
          const name = nameAt(key, path);
          return { name, type: readType(ofRecord, value, `${path}.${name}`), optional: false };
        });
        if (fields.length === 0) fail(path, 'no fields', 'at least one');
        return { kind: 'record', fields };
      },
    ],
  },
};

const ofMessage: Grammar<MessageFieldType> = {
  words: { ...ofRecord.words, data, rest },
  kinds: {
    ...ofInt.kinds,
    list: [
      ['of'],
      (length, path, { of }, parent) => {
        const times = length === 'counted' || length === 'to_end' ? length : integerAt(length, path, 1, maxCount);
        return repeat(times, readType(ofElement, of, `${parent}.of`));
      },
    ],
  },
};

/** Each field has a meaning, or a pair of it and the default where an older sender leaves the field out. */
function readItemFields(json: unknown, path: string): FieldShape {
  const fields = entriesAt(json, path).map(([key, value]) => {
    const name = nameAt(key, path);
    const at = `${path}.${name}`;
    if (!isObject(value) || !Object.hasOwn(value, 'absent')) return [name, readType(ofItem, value, at)] as const;
    const { absent, of } = objectAt(value, at, ['absent', 'of']);
    const meaning = readType(ofItem, of, `${at}.of`);
    return [name, [meaning, integerAt(absent, `${at}.absent`, minInt, maxInt)]] as const;
  });
  return Object.fromEntries(fields);
}

/** The fields in their order; one that counts bytes or elements needs an int before it. */
function readMessageFields(json: unknown, path: string): MessageField[] {
  const fields: MessageField[] = [];
  for (const [key, value] of entriesAt(json, path)) {
    const name = nameAt(key, path);
    const at = `${path}.${name}`;
    const optional = isObject(value) && Object.hasOwn(value, 'optional');
    const type = readType(ofMessage, optional ? objectAt(value, at, ['optional']).optional : value, at);
    const before = fields.at(-1);
    if (before?.optional && !optional) fail(at, 'a field after an optional one', 'an optional one, too');
    const isCounted = type.kind === 'data' || (type.kind === 'repeat' && type.times === 'counted');
    if (isCounted && !(before && isInt(before.type))) fail(at, 'no int before it', 'its count there');
    fields.push({ name, type, optional });
  }
  return fields;
}

function range(json: unknown, path: string): Meaning {
  const bounds = listAt(json, path);
  if (bounds.length !== 2) fail(path, `a list of ${bounds.length}`, 'two bounds, null for none');
  const [min, max] = bounds.map((bound, i) => {
    return bound === null ? undefined : integerAt(bound, `${path}[${i}]`, minInt, maxInt);
  });
  if (min !== undefined && max !== undefined && min > max) rejectValue(`${path}[0]`, min, `at most ${max}`);
  return int(min, max);
}

/** `{"0": "idle", …}`; `numberOf` reads the number in a key. */
function namesOf(json: unknown, path: string, numberOf: (key: string, path: string) => number): Names {
  const names: Record<number, string> = {};
  const entries = entriesAt(json, path);
  if (entries.length > maxNames) fail(path, `${entries.length} names`, `at most ${maxNames}`);
  for (const [key, name] of entries) {
    const value = numberOf(key, path);
    names[value] = nameAt(name, `${path}.${value}`);
  }
  return names;
}

function number(key: string, path: string): number {
  const value = /^(0|-?[1-9]\d{0,9})$/.test(key) ? Number(key) : Number.NaN;
  return value >= minInt && value <= maxInt ? value : rejectValue(path, key, 'whole numbers of 32 bits in quotes');
}

function bit(key: string, path: string): number {
  const value = /^[1-9]\d{0,9}$/.test(key) ? Number(key) : Number.NaN;
  return Number.isInteger(Math.log2(value)) && value <= 2 ** 31
    ? value
    : rejectValue(path, key, 'powers of 2 in quotes');
}

// The values of the JSON, checked.

/** A name in a schema: it needs no quotes in a table, in JSON or in `name=value`. */
const namePattern = /^[a-z][a-z0-9_]{0,63}$/;

/** Throws an error with the value found at `path` and the expected one, as text. */
function fail(path: string, found: string, expected: string, offset = 0): never {
  throw new DecodeError('bad_schema', offset, { path, found: escaped(found), expected });
}

/** Throws an error for a value at `path` that is not what was expected. */
function rejectValue(path: string, value: unknown, expected: string, offset = 0): never {
  return fail(path, shortText(value), expected, offset);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function entriesAt(value: unknown, path: string): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : rejectValue(path, value, 'an object');
}

/** An object with some of these keys and no others. */
function objectAt<Key extends string>(value: unknown, path: string, keys: readonly Key[]) {
  const unknown = entriesAt(value, path).find(([key]) => !keys.includes(key as Key));
  if (unknown) rejectValue(path, unknown[0], `nothing but ${keys.join(', ')}`);
  return value as Readonly<Partial<Record<Key, unknown>>>;
}

function listAt(value: unknown, path: string): readonly unknown[] {
  return Array.isArray(value) ? value : rejectValue(path, value, 'a list');
}

function integerAt(value: unknown, path: string, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  return rejectValue(path, value, `a whole number from ${min} to ${max}`);
}

function booleanAt(value: unknown, path: string): boolean {
  return typeof value === 'boolean' ? value : rejectValue(path, value, 'true or false');
}

function nameAt(value: unknown, path: string): string {
  return textAt(value, path, namePattern, 'a name of a-z, 0-9 and _, a letter first');
}

function textAt(value: unknown, path: string, pattern: RegExp, expected: string): string {
  return typeof value === 'string' && pattern.test(value) ? value : rejectValue(path, value, expected);
}

/** A value in a few characters, however long or deeply nested it is. */
function shortText(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value);
}

/** Escapes what a terminal would obey or hide. */
function escaped(text: string): string {
  return text.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Parses JSON written by people: an error names the line, and a repeated key is an error. */
function parseJson(text: string): unknown {
  const tooDeep = tooDeepAt(text);
  if (tooDeep !== undefined) fail(lineAt(text, tooDeep), 'a list in a list in a list…', nestingLimit, tooDeep);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const known = /position (\d+)/.exec(message)?.[1];
    const offset = known === undefined ? (message.includes('end of JSON') ? text.length : 0) : Number(known);
    fail(
      offset > 0 ? lineAt(text, offset) : '',
      message.replace(/ in JSON at.*| is not valid JSON/, ''),
      'JSON',
      offset,
    );
  }
  refuseRepeatedKeys(text);
  return json;
}

/** JSON.parse keeps only the last of equal keys: a field would be lost, and the offsets of those after it would be wrong. */
function refuseRepeatedKeys(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '{') open.push(new Set());
    else if (char === '[') open.push(undefined);
    else if (char === '}' || char === ']') open.pop();
    if (char !== '"') continue;
    const start = at++;
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    let next = at + 1;
    while (' \t\r\n'.includes(text[next] ?? '.')) next++;
    if (text[next] !== ':') continue;
    const key: string = JSON.parse(text.slice(start, at + 1));
    const keys = open.at(-1);
    if (keys?.has(key)) rejectValue(lineAt(text, start), key, 'each key once', start);
    keys?.add(key);
  }
}

function lineAt(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${before.at(-1)!.length + 1}`;
}
