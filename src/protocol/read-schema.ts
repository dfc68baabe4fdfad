import { extendedItem, type FieldShape, type ItemType, item, sizedItem } from './item.ts';
import type { Schema } from './schema.ts';
import { booleanAt, entriesAt, fail, integerAt, listAt, nameAt, objectAt, rejectValue } from './schema-check.ts';
import { parseJson } from './schema-json.ts';
import { maxInts, readField } from './schema-meaning.ts';
import { readSchemaMessage } from './schema-message.ts';
import { type SchemaUuid, uuidAt } from './schema-uuid.ts';

/** Type numbers from here on are local to a snapshot. */
const maxType = 0x3fff;
const maxTypes = maxType + 1;
/** Type numbers from here on have no agreed size. */
const firstSizedType = 64;

/**
 * Reads the items and messages of a mod (`--schema FILE`):
 *
 * ```json
 * {"items": [
 *   {"name": "obj_city_money", "type": 25, "sized": false, "fields": {"amount": "int", "owner": "client"}},
 *   {"name": "my_item", "uuid_name": "my-item@mod.example", "fields": {"since": {"absent": -1, "of": "tick"}}}
 * ], "messages": [
 *   {"name": "sv_offer", "uuid_name": "offer@mod.example", "fields": {"client_id": "client", "text": "string"}},
 *   {"name": "cl_buy", "id": 30, "fields": {"price": {"int": [0, null]}, "count": {"optional": "int"}}}
 * ]}
 * ```
 *
 * An item has a `type`, or a `uuid_name` (or `uuid`) that is registered in each snapshot. A delta carries the size of a `sized`
 * item, as of all UUID items, of type 0 and of the types from 64 up. `fields` are in the order of their ints. A field is
 *
 * - a word: `"int"`, `"boolean"`, `"tick"`, `"client"`, `"position"` (32 units a tile), `"uuid"` (4 ints);
 * - `{"int": [0, 10]}` with bounds, null for none;
 * - `{"enum": {"0": "idle", "1": "open"}}`, `{"flags": {"1": "a", "2": "b"}}`;
 * - `{"fixed": 256, "unit": "rad"}`: the value is multiplied by 256, the unit is optional;
 * - `{"text": 4}`: text packed in 4 ints;
 * - `{"list": 4, "of": …}`: 4 values of one meaning, which is not a list;
 * - `{"absent": -1, "of": …}`: the value is -1 where an older sender leaves it out.
 *
 * A message has an `id`, the number that is sent, or a `uuid_name` (or `uuid`); `"system": true` says that it belongs to the engine.
 * Its fields are those above without `text` and `absent`, and
 *
 * - `"string"` up to a NUL, `"uuid"` of 16 bytes, `"sha256"` of 32, `"data"` with its size in the int before, `"rest"` of the bytes;
 * - `{"list": 4, "of": …}`, where instead of 4 `"counted"` says that the int before is the count, `"to_end"` that all the rest are
 *   elements; an element may also be `{"record": {"x": "position", "name": "string"}}`;
 * - `{"optional": …}`: older senders end the message before it.
 *
 * @throws DecodeError `bad_schema` with the character at which the syntax is wrong, or the path of a wrong value
 */
export function readSchema(text: string): Schema {
  const schema = objectAt(parseJson(text), '', ['items', 'messages']);
  if (schema.items === undefined && schema.messages === undefined)
    fail('', 'neither items nor messages', 'one of them');
  const items = listOf(schema.items ?? [], 'items', readItem);
  const messages = listOf(schema.messages ?? [], 'messages', readSchemaMessage);
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
  const shape = readFields(json.fields, `${path}.fields`);
  const read = uuids ? withUuid(name, uuids, shape) : (sized ? sizedItem : item)(type!, name, shape);
  if (!sized && read.size === 0) fail(`${path}.fields`, 'no fields', 'at least one, or "sized": true');
  integerAt(read.size, `${path}.fields: their ints`, 0, maxInts);
  return read;
}

function readFields(json: unknown, path: string): FieldShape {
  const fields = entriesAt(json, path).map(([name, field]) => {
    return [nameAt(name, path), readField(field, `${path}.${name}`)] as const;
  });
  return Object.fromEntries(fields);
}

function withUuid(name: string, { uuid, uuidName }: SchemaUuid, shape: FieldShape): ItemType {
  const { uuidName: _, ...unnamed } = extendedItem(name, '', uuid, shape);
  const event = name.startsWith('event_') || uuidName?.includes('@netevent.') === true;
  return { ...unnamed, event, ...(uuidName === undefined ? {} : { uuidName }) };
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
