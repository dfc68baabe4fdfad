import { extendedItem, type FieldShape, type ItemType, item, sizedItem } from './item.ts';
import { entriesAt, fail, integerAt, listAt, nameAt, objectAt, rejectValue, textAt } from './schema-check.ts';
import { parseJson } from './schema-json.ts';
import { maxInts, readField } from './schema-meaning.ts';
import { uuidOfName } from './uuid.ts';

/** Type numbers from here on are local to a snapshot. */
const maxType = 0x3fff;
const maxItems = maxType + 1;
/** Type numbers from here on have no agreed size. */
const firstSizedType = 64;

/**
 * Reads the item types of a mod (`--schema FILE`):
 *
 * ```json
 * {"items": [
 *   {"name": "obj_city_money", "type": 25, "sized": false, "fields": {"amount": "int", "owner": "client"}},
 *   {"name": "my_item", "uuid_name": "my-item@mod.example", "fields": {"since": {"absent": -1, "of": "tick"}}}
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
 * @throws DecodeError `bad_schema` with the character at which the syntax is wrong, or the path of a wrong value
 * @example
 * ```ts
 * import { decode } from 'tw-snap';
 * import { readSchema } from 'tw-snap/protocol';
 *
 * const extraItems = readSchema('{"items": [{"name": "obj_money", "type": 25, "fields": {"amount": "int"}}]}');
 * console.log(decode(bytes, { extraItems }).kind);
 * ```
 */
export function readSchema(text: string): readonly ItemType[] {
  const schema = objectAt(parseJson(text), '', ['items']);
  const list = listAt(schema.items, 'items');
  if (list.length > maxItems) fail('items', `${list.length} items`, `at most ${maxItems}`);
  const items = list.map((json, i) => readItem(json, `items[${i}]`));
  refuseRepeated(items, 'name', (item) => item.name);
  refuseRepeated(items, 'type', (item) => item.type);
  refuseRepeated(items, 'uuid', (item) => item.uuid);
  return items;
}

function readItem(value: unknown, path: string): ItemType {
  const json = objectAt(value, path, ['name', 'type', 'uuid_name', 'uuid', 'sized', 'fields']);
  const name = nameAt(json.name, `${path}.name`);
  const uuids = uuidOf(json, path);
  if ((uuids === undefined) === (json.type === undefined)) {
    fail(path, uuids ? 'both type and uuid' : 'neither type nor uuid_name', 'one of them');
  }
  const type = uuids ? undefined : integerAt(json.type, `${path}.type`, 0, maxType);
  const always = type === undefined || type === 0 || type >= firstSizedType;
  const sized = json.sized ?? always;
  if (typeof sized !== 'boolean') rejectValue(`${path}.sized`, sized, 'true or false');
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

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Uuid = Pick<ItemType, 'uuidName'> & { readonly uuid: string };

function uuidOf(json: { readonly uuid?: unknown; readonly uuid_name?: unknown }, path: string): Uuid | undefined {
  const given = optional(json.uuid, `${path}.uuid`, uuidPattern, 'a UUID')?.toLowerCase();
  const uuidName = optional(json.uuid_name, `${path}.uuid_name`, /^[!-~]{1,128}$/, 'a name like my-item@mod.example');
  if (uuidName === undefined) return given === undefined ? undefined : { uuid: given };
  const uuid = uuidOfName(uuidName);
  if (given !== undefined && given !== uuid) rejectValue(`${path}.uuid`, given, `${uuid}, the UUID of its name`);
  return { uuid, uuidName };
}

function optional(value: unknown, path: string, pattern: RegExp, expected: string): string | undefined {
  return value === undefined ? undefined : textAt(value, path, pattern, expected);
}

function withUuid(name: string, { uuid, uuidName }: Uuid, shape: FieldShape): ItemType {
  const { uuidName: _, ...unnamed } = extendedItem(name, '', uuid, shape);
  const event = name.startsWith('event_') || uuidName?.includes('@netevent.') === true;
  return { ...unnamed, event, ...(uuidName === undefined ? {} : { uuidName }) };
}

function refuseRepeated(items: readonly ItemType[], what: string, of: (item: ItemType) => unknown): void {
  const seen = new Set<unknown>();
  for (const [i, item] of items.entries()) {
    const value = of(item);
    if (value !== undefined && seen.has(value))
      rejectValue(`items[${i}].${what}`, value, 'another one: it occurs twice');
    seen.add(value);
  }
}
