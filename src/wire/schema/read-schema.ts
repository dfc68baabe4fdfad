import { expects } from '../bytes/expects.ts';
import { JsonReader, lineAt, stringEnd } from '../bytes/json-reader.ts';
import { extendedItem, type FieldShape, firstSizedType, type ItemType, item, sizedItem } from '../protocol/item.ts';
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
} from '../protocol/meaning.ts';
import {
  data,
  isInt,
  lineString,
  type MessageField,
  type MessageFieldType,
  type MessageType,
  rawUuid,
  repeat,
  rest,
  sha256,
  strictString,
  string,
} from '../protocol/message-type.ts';
import { openBounds, type Schema, type Version, versions } from '../protocol/registry.ts';
import { uuidOfName } from '../protocol/texts.ts';
import { withMeanings } from './with-meanings.ts';

/** Type numbers from here on are local to a snapshot. */
const maxType = 0x3fff;
/** Far beyond the numbers of the games' messages. */
const maxId = 0xffff;
/** The maximum number of items or messages, of names of one field, and of elements of a list in a message. */
const maxTypes = maxType + 1;
const maxNames = 4096;
const maxCount = 1024;
/** The ints in 64 KiB, the largest snapshot. */
const maxInts = 1 << 14;
const minInt = -(2 ** 31);
const maxInt = 2 ** 31 - 1;
const reader: JsonReader = new JsonReader('bad_schema');
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Reads the items and messages of a mod (`--schema FILE`), JSON that `docs/schemas.md` describes:
 *
 * ```json
 * {"items": [{"name": "obj_money", "type": 25, "fields": {"amount": "int", "since": {"absent": -1, "of": "tick"}}}],
 *  "messages": [{"name": "sv_offer", "uuid_name": "offer@mod.example", "fields": {"text": "string"}}]}
 * ```
 *
 * A schema with a version is the whole table of that version; fields get what the tables of tw-snap know of them.
 *
 * @throws DecodeError `bad_schema` with the character at which the syntax is wrong, or the path of a wrong value
 */
export const readSchema = (text: string): Schema => withMeanings(readDeclared(text));

/** What a schema states, without what the tables of tw-snap know of the same items: to compare schemas. */
export function readDeclared(text: string): Schema {
  if (typeof text !== 'string') expects('readSchema', 'the text of JSON', text);
  if (!/^\s*(?:[{["\d-]|(?:true|false|null)\b)/.test(text)) refuseOtherText(text);
  const json = reader.parse(text);
  refuseRepeatedKeys(text);
  const schema = objectAt(json, '', ['version', 'lists', 'items', 'messages']);
  if (schema.items === undefined && schema.messages === undefined)
    reader.fail('', 'neither items nor messages', 'one of them');
  const version = schema.version as Version | undefined;
  if (version !== undefined && !versions.includes(version)) reader.reject('version', version, versions.join(', '));
  const lists = entriesAt(schema.lists ?? {}, 'lists').map(([name, names]) => {
    return [name, namesOf(names, `lists.${name}`, listed)] as const;
  });
  const items = listOf(schema.items ?? [], 'items', readItem);
  const messages = listOf(schema.messages ?? [], 'messages', readMessage);
  for (const what of ['name', 'type', 'uuid'] as const) refuseRepeated(items, 'items', what, (item) => item[what]);
  for (const what of ['name', 'uuid'] as const) refuseRepeated(messages, 'messages', what, (type) => type[what]);
  refuseRepeated(messages, 'messages', 'id', ({ id, system }) => (id === undefined ? id : `${id}${system}`));
  return {
    items,
    messages,
    ...(version && { version }),
    ...(schema.lists !== undefined && { lists: Object.fromEntries(lists) }),
  };
}

/** Whether a text is a game's `network.py`, which people have: it is refused with what prints it as JSON. */
export const isNetworkPy = (text: string): boolean =>
  !/^\s*[{[]/.test(text) && /^(?:Objects|Messages)\b[^\n]*=/m.test(text.replace(/\r/g, '\n'));

function refuseOtherText(text: string): never {
  if (isNetworkPy(text))
    return reader.fail(
      '',
      'Python',
      "JSON, as 'python3 network-json.py network.py' prints it (bin/network-json.py of tw-snap)",
    );
  return reader.fail('', text.trim() === '' ? 'nothing' : 'other text', 'JSON');
}

function listOf<Type>(json: unknown, path: string, read: (value: unknown, path: string) => Type): Type[] {
  const list = reader.list(json, path);
  if (list.length > maxTypes) reader.fail(path, `${list.length} ${path}`, `at most ${maxTypes}`);
  return list.map((value, i) => read(value, `${path}[${i}]`));
}

function refuseRepeated<Type, Key extends string & keyof Type>(
  all: readonly Type[],
  path: string,
  what: Key,
  identityOf: (type: Type) => unknown,
): void {
  const seen = new Set<unknown>();
  for (const [i, type] of all.entries()) {
    const value = identityOf(type);
    if (value !== undefined && seen.has(value)) {
      reader.reject(`${path}[${i}].${what}`, type[what], 'another one: it occurs twice');
    }
    seen.add(value);
  }
}

function readItem(value: unknown, path: string): ItemType {
  const json = objectAt(value, path, ['name', 'type', 'uuid_name', 'uuid', 'sized', 'event', 'fields']);
  const name = nameAt(json.name, `${path}.name`);
  const uuids = uuidAt(json, path);
  if ((uuids === undefined) === (json.type === undefined)) {
    reader.fail(path, uuids ? 'both type and uuid' : 'neither type nor uuid_name', 'one of them');
  }
  const type = uuids ? undefined : reader.integer(json.type, `${path}.type`, 0, maxType);
  const always = type === undefined || type === 0 || type >= firstSizedType;
  const sized = booleanAt(json.sized ?? always, `${path}.sized`);
  if (always && !sized) reader.reject(`${path}.sized`, sized, 'true: only types 1 to 63 have an agreed size');
  const shape = readItemFields(json.fields, `${path}.fields`);
  const made = uuids ? withUuid(name, uuids, shape) : (sized ? sizedItem : item)(type!, name, shape);
  const read = { ...made, event: booleanAt(json.event ?? made.event, `${path}.event`) };
  if (!sized && read.size === 0) reader.fail(`${path}.fields`, 'no fields', 'at least one, or "sized": true');
  reader.integer(read.size, `${path}.fields: their ints`, 0, maxInts);
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
    reader.fail(path, uuid ? 'both id and uuid' : 'neither id nor uuid_name', 'one of them');
  }
  const system = booleanAt(json.system ?? false, `${path}.system`);
  const fields = readMessageFields(json.fields, `${path}.fields`);
  const identity = uuid ?? { id: reader.integer(json.id, `${path}.id`, 1, maxId) };
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
  const given = optionalAt(json.uuid, `${path}.uuid`, uuidPattern, 'a UUID; a name is `uuid_name`')?.toLowerCase();
  const uuidName = optionalAt(json.uuid_name, `${path}.uuid_name`, /^[!-~]{1,128}$/, 'a name like my-item@mod.example');
  if (uuidName === undefined) return given === undefined ? undefined : { uuid: given };
  const uuid = uuidOfName(uuidName);
  if (given !== undefined && given !== uuid) reader.reject(`${path}.uuid`, given, `${uuid}, the UUID of its name`);
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
  return reader.reject(path, json, expected);
}

/** The meanings of one int, in items and messages. */
const ofInt: Grammar<Meaning> = {
  words: { int: int(), boolean, tick, client: clientOrNone, position },
  kinds: {
    int: [['names'], range],
    tick: [
      [],
      (json, path) => {
        const [min, max] = boundsAt(json, path);
        return { ...tick, ...(typeof min === 'number' && { min }), ...(typeof max === 'number' && { max }) };
      },
    ],
    client: [
      ['names'],
      (min, path, { names }, parent) => {
        const known = { kind: 'client', min: reader.integer(min, path, minInt, maxInt) } as const;
        return names === undefined ? known : { ...known, names: namesOf(names, `${parent}.names`, number) };
      },
    ],
    enum: [[], (json, path) => enumeration(namesOf(json, path, number))],
    flags: [[], (json, path) => flags(namesOf(json, path, bit))],
    fixed: [
      ['unit'],
      (scale, path, { unit = '' }, parent) => {
        const known = textAt(unit, `${parent}.unit`, /^[\w%/ .-]{0,16}$/, 'a short unit, such as rad');
        return fixed(reader.integer(scale, path, 1, maxInt), known);
      },
    ],
  },
};

const ofItem: Grammar<Meaning> = {
  words: { ...ofInt.words, uuid },
  kinds: {
    ...ofInt.kinds,
    text: [[], (ints, path) => text(reader.integer(ints, path, 1, maxInts))],
    list: [
      ['of'],
      (length, path, { of }, parent) => {
        if (isObject(of) && Object.hasOwn(of, 'list'))
          reader.fail(`${parent}.of`, 'a list in a list', 'another meaning');
        const each = readType(ofItem, of, `${parent}.of`);
        return list(reader.integer(length, path, 1, Math.floor(maxInts / intsOf(each))), each);
      },
    ],
  },
};

/** The fields of a record, of which a list in a message consists. */
const ofRecord: Grammar<MessageFieldType> = {
  words: { ...ofInt.words, string, uuid: rawUuid, sha256 },
  kinds: {
    ...ofInt.kinds,
    string: [
      [],
      (json, path) => {
        if (json === 'controls') return lineString;
        return json === 'controls_and_spaces'
          ? strictString
          : reader.reject(path, json, 'controls, controls_and_spaces');
      },
    ],
  },
};

/** Each element has at least a byte, so that the bytes of a message bound their number. */
const ofElement: Grammar<MessageFieldType> = {
  words: ofRecord.words,
  kinds: {
    ...ofRecord.kinds,
    record: [
      [],
      (json, path) => {
        const fields = entriesAt(json, path).map(([key, value]) => {
          const name = nameAt(key, path);
          return { name, type: readType(ofRecord, value, `${path}.${name}`), optional: false };
        });
        if (fields.length === 0) reader.fail(path, 'no fields', 'at least one');
        return { kind: 'record', fields };
      },
    ],
  },
};

const ofMessage: Grammar<MessageFieldType> = {
  words: { ...ofRecord.words, data, rest },
  kinds: {
    ...ofRecord.kinds,
    list: [
      ['of'],
      (length, path, { of }, parent) => {
        const times = length === 'counted' || length === 'to_end' ? length : reader.integer(length, path, 1, maxCount);
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
    return [name, [meaning, reader.integer(absent, `${at}.absent`, minInt, maxInt)]] as const;
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
    if (before?.optional && !optional) reader.fail(at, 'a field after an optional one', 'an optional one, too');
    const isCounted = type.kind === 'data' || (type.kind === 'repeat' && type.times === 'counted');
    if (isCounted && !(before && isInt(before.type))) reader.fail(at, 'no int before it', 'its count there');
    fields.push({ name, type, optional });
  }
  return fields;
}

/** A number, null for none, or an expression of constants that are not known, such as `NUM_WEAPONS-1`. */
type Bound = number | string | undefined;

function boundsAt(json: unknown, path: string): readonly [min: Bound, max: Bound] {
  const bounds = reader.list(json, path);
  if (bounds.length !== 2) reader.fail(path, `a list of ${bounds.length}`, 'two bounds, null for none');
  const [min, max] = bounds.map((bound, i): Bound => {
    if (bound === null) return undefined;
    const isOpen = typeof bound === 'string' && /^[\w:+*/()<>| -]{1,128}$/.test(bound);
    return isOpen ? bound : reader.integer(bound, `${path}[${i}]`, minInt, maxInt);
  });
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    reader.reject(`${path}[0]`, min, `at most ${max}`);
  return [min, max];
}

function range(json: unknown, path: string, { names }: Readonly<Record<string, unknown>>, parent: string): Meaning {
  const [min, max] = boundsAt(json, path);
  const numberOf = (bound: Bound) => (typeof bound === 'number' ? bound : undefined);
  const named = names === undefined ? undefined : namesOf(names, `${parent}.names`, number);
  const made = int(numberOf(min), numberOf(max), named);
  const open = { min: typeof min === 'string', max: typeof max === 'string' };
  if (open.min || open.max) openBounds.set(made, open);
  return made;
}

/** `{"0": "idle", …}`; `numberOf` reads the number in a key. */
function namesOf(json: unknown, path: string, numberOf: (key: string, path: string) => number): Names {
  const names: Record<number, string> = {};
  const entries = entriesAt(json, path);
  if (entries.length > maxNames) reader.fail(path, `${entries.length} names`, `at most ${maxNames}`);
  for (const [key, name] of entries) {
    const value = numberOf(key, path);
    names[value] = nameAt(name, `${path}.${value}`);
  }
  return names;
}

function number(key: string, path: string, most = maxInt): number {
  const value = /^(0|-?[1-9]\d{0,9})$/.test(key) ? Number(key) : Number.NaN;
  return value >= minInt && value <= most ? value : reader.reject(path, key, 'whole numbers of 32 bits in quotes');
}

/** A number of an enumeration, or a bit of flags. */
const listed = (key: string, path: string) => number(key, path, 2 ** 31);

function bit(key: string, path: string): number {
  const value = /^[1-9]\d{0,9}$/.test(key) ? Number(key) : Number.NaN;
  return Number.isInteger(Math.log2(value)) && value <= 2 ** 31
    ? value
    : reader.reject(path, key, 'powers of 2 in quotes');
}

/** A name in a schema: it needs no quotes in a table, in JSON or in `name=value`. */
const namePattern = /^[a-z][a-z0-9_]{0,63}$/;

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function entriesAt(value: unknown, path: string): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : reader.reject(path, value, 'an object');
}

/** An object with some of these keys and no others. */
function objectAt<Key extends string>(value: unknown, path: string, keys: readonly Key[]) {
  const unknown = entriesAt(value, path).find(([key]) => !keys.includes(key as Key));
  if (unknown) reader.reject(path, unknown[0], `nothing but ${keys.join(', ')}`);
  return value as Readonly<Partial<Record<Key, unknown>>>;
}

function booleanAt(value: unknown, path: string): boolean {
  return typeof value === 'boolean' ? value : reader.reject(path, value, 'true or false');
}

function nameAt(value: unknown, path: string): string {
  return textAt(value, path, namePattern, 'a name of a-z, 0-9 and _, a letter first');
}

function textAt(value: unknown, path: string, pattern: RegExp, expected: string): string {
  return typeof value === 'string' && pattern.test(value) ? value : reader.reject(path, value, expected);
}

/**
 * JSON.parse keeps only the last of equal keys: a field would be lost, and the offsets of those after it would be
 * wrong.
 */
function refuseRepeatedKeys(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '{') open.push(new Set());
    else if (char === '[') open.push(undefined);
    else if (char === '}' || char === ']') open.pop();
    if (char !== '"') continue;
    const start = at;
    at = stringEnd(text, start);
    let next = at + 1;
    while (' \t\r\n'.includes(text[next] ?? '.')) next++;
    if (text[next] !== ':') continue;
    const key: string = JSON.parse(text.slice(start, at + 1));
    const keys = open.at(-1);
    if (keys?.has(key)) reader.reject(lineAt(text, start), key, 'each key once', start);
    keys?.add(key);
  }
}
