import { crc32 } from '../../codec/crc32.ts';
import type { Field, ItemType } from '../../protocol/item.ts';
import type { Protocol } from '../../protocol/registry.ts';
import type { ItemTypes } from '../../snapshot/item-types.ts';
import { idOf, typeOf } from '../../snapshot/key.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { isNumber } from '../json/item-texts.ts';
import { fieldsJson } from '../json/json.ts';
import { valueText } from './comment-lines.ts';

/** The last written item of a key. */
interface WrittenItem {
  readonly type: ItemType | undefined;
  readonly name: string;
  readonly ints: Int32Array;
  readonly line: string;
}

/** More items than any server has at one time. Beyond this number all stored lines are discarded. */
const maxStored = 1 << 15;

/**
 * Writes items as lines: `obj_character/0 1243 784 305 …`, with the values of the fields in the order of the schema, and surplus ints
 * after ` + `. Lines are stored, since most items do not change from one snapshot to the next.
 */
export class ItemValues {
  readonly #written = new Map<number, WrittenItem>();

  line({ keys, offsets, data }: Snapshot, i: number, types: ItemTypes): string {
    const key = keys[i]!;
    const type = types.of(typeOf(key));
    const name = type?.name ?? unknownName(types, typeOf(key));
    const [start, end] = [offsets[i]!, offsets[i + 1]!];
    const written = this.#written.get(key);
    if (written && written.type === type && written.name === name && isEqual(written.ints, data, start, end)) {
      return written.line;
    }
    const ints = data.slice(start, end);
    const line = `${name}/${idOf(key)}${valuesOf(type, ints)}`;
    if (this.#written.size >= maxStored) this.#written.clear();
    this.#written.set(key, { type, name, ints, line });
    return line;
  }
}

/** The name of an item in comments and filters. An unknown item is named by its UUID or its number. */
export const itemName = (types: ItemTypes, type: number): string => types.of(type)?.name ?? unknownName(types, type);

const unknownName = (types: ItemTypes, type: number): string => types.uuidOf(type) ?? `type_${type}`;

function valuesOf(type: ItemType | undefined, ints: Int32Array): string {
  if (!type) return surplus(ints, 0);
  let text = '';
  let known = 0;
  for (const field of type.fields) {
    if (field.at + field.ints > ints.length) break;
    text += ` ${fieldText(field, ints)}`;
    known = field.at + field.ints;
  }
  return text + surplus(ints, known);
}

/** A field's value; `-` if the item is too short for it. */
export function fieldText(field: Field, ints: Int32Array): string {
  const { name, at, ints: count } = field;
  if (at + count > ints.length) return '-';
  return isNumber(field) ? String(ints[at]) : valueText(fieldsJson([field], ints)[name]!);
}

const surplus = (ints: Int32Array, from: number) => (from < ints.length ? ` + ${ints.subarray(from).join(' ')}` : '');

function isEqual(ints: Int32Array, data: Int32Array, start: number, end: number): boolean {
  if (ints.length !== end - start) return false;
  for (let i = 0; i < ints.length; i++) if (ints[i] !== data[start + i]) return false;
  return true;
}

const marks = new WeakMap<Protocol, string>();

/** Eight digits that identify the fields of all items of a protocol, since values without names require the same schema. */
export function schemaMark(protocol: Protocol): string {
  let mark = marks.get(protocol);
  if (mark === undefined) {
    const text = protocol.items.map(({ name, fields }) => [name, ...fields.map((one) => one.name)].join(' '));
    mark = crc32(new TextEncoder().encode(text.join('\n')))
      .toString(16)
      .padStart(8, '0');
    marks.set(protocol, mark);
  }
  return mark;
}
