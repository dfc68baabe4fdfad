import type { Field, ItemType } from '../../protocol/item.ts';
import type { ItemTypes } from '../../snapshot/item-types.ts';
import { jsonText } from '../text/escape.ts';
import { itemJson } from './json.ts';

/** The text of an item's `itemJson`, updated only where ints changed, since dumps mostly consist of it. */
export class ItemText {
  text: string;
  readonly #ints: Int32Array;
  readonly #of: () => object;
  /**
   * The text in pieces; undefined unless every field is one number:
   * ```
   * head  int  ,  int … ,  int  ],"fields":  key  int  key  int …  }}
   * ```
   */
  readonly #pieces: string[] | undefined;
  readonly #fields: number;

  constructor(types: ItemTypes, type: number, id: number, ints: Int32Array) {
    this.#ints = ints;
    this.#of = () => itemJson(types, type, id, ints);
    const known = types.of(type);
    const keys = known && keysOf(known);
    this.#fields = Math.min(keys?.length ?? 0, ints.length);
    this.#pieces = keys && this.#fields > 0 ? piecesOf(ints, keys, itemHead(types, type, id)) : undefined;
    this.text = this.#join();
  }

  /**
   * Updates the text to the ints `data[start, end)`; returns false if their number changed or the text has no pieces.
   */
  update(data: Int32Array, start: number, end: number): boolean {
    const ints = this.#ints;
    const pieces = this.#pieces;
    const size = ints.length;
    if (size !== end - start) return false;
    let changed = false;
    for (let i = 0; i < size; i++) {
      const int = data[start + i]!;
      if (ints[i] === int) continue;
      ints[i] = int;
      changed = true;
      if (!pieces) continue;
      const digits = String(int);
      pieces[1 + 2 * i] = digits;
      if (i < this.#fields) pieces[2 * size + 2 + 2 * i] = digits;
    }
    if (changed) this.text = this.#join();
    return true;
  }

  #join(): string {
    return this.#pieces ? this.#pieces.join('') : jsonText(this.#of());
  }
}

function itemHead(types: ItemTypes, type: number, id: number): string {
  const uuid = types.uuidOf(type);
  const named = `{"type":${type},"name":"${types.of(type)!.name}","id":${id}`;
  return `${named}${uuid === undefined ? '' : `,"uuid":"${uuid}"`},"data":[`;
}

function piecesOf(ints: Int32Array, keys: readonly string[], head: string): string[] {
  const pieces = [head];
  for (const int of ints) pieces.push(String(int), ',');
  pieces[2 * ints.length] = '],"fields":';
  for (let i = 0; i < keys.length && i < ints.length; i++) pieces.push(keys[i]!, String(ints[i]!));
  pieces.push('}}');
  return pieces;
}

const cache = new WeakMap<ItemType, readonly string[] | undefined>();

/** The text before the value of each field; undefined if a field has several ints or is not a number. */
function keysOf(item: ItemType): readonly string[] | undefined {
  if (!cache.has(item)) {
    const keys = item.fields.map(({ name }, i) => `${i === 0 ? '{' : ','}"${name}":`);
    cache.set(item, item.fields.every(isNumber) ? keys : undefined);
  }
  return cache.get(item);
}

/** Whether a field is one number. */
export const isNumber = ({ meaning, ints }: Field): boolean =>
  ints === 1 && meaning.kind !== 'text' && meaning.kind !== 'uuid' && meaning.kind !== 'list';
