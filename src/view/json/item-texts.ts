import { AppendBuffer, maxDecimal, type Writable, writeBytes, writeDecimal } from '../../bytes/buffers.ts';
import type { ItemType } from '../../protocol/item.ts';
import type { ItemTypes } from '../../snapshot/item-types.ts';
import { idOf, typeOf } from '../../snapshot/key.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { jsonText } from '../text/escape.ts';
import { itemJson } from './json.ts';

const encoder = new TextEncoder();
const comma = 0x2c;
const fieldsStart = encoder.encode('],"fields":');
const itemEnd = encoder.encode('}}');

/** The keys of the fields as text, one after another, and where each ends. */
interface Keys {
  readonly text: Uint8Array;
  readonly ends: Int32Array;
}

/** The text of an item's `itemJson`, whose parts around the ints are made once, since dumps mostly consist of it. */
export class ItemText implements Writable {
  readonly #ints: Int32Array;
  readonly #json: () => object;
  /** The text before the ints; undefined unless every field is one number. */
  readonly #head: Uint8Array | undefined;
  readonly #keys: Keys | undefined;
  readonly type: ItemType | undefined;
  readonly uuid: string | undefined;
  /** The number of the last snapshot with the item, and the place of the item in its text, with the comma after it. */
  serial = 0;
  start = 0;
  end = 0;

  constructor(types: ItemTypes, type: number, id: number, ints: Int32Array) {
    this.#ints = ints;
    this.#json = () => itemJson(types, type, id, ints);
    this.type = types.of(type);
    this.uuid = types.uuidOf(type);
    this.#keys = this.type && keysOf(this.type);
    if (this.#keys && ints.length > 0) this.#head = itemHead(types, type, id);
  }

  get size(): number {
    return this.#ints.length;
  }

  /** Sets all ints to those of `data` from `start` on; returns whether any changed. */
  set(data: Int32Array, start: number): boolean {
    const ints = this.#ints;
    let changed = false;
    for (let i = 0; i < ints.length; i++) {
      const int = data[start + i]!;
      if (ints[i] === int) continue;
      ints[i] = int;
      changed = true;
    }
    return changed;
  }

  appendTo(out: AppendBuffer): void {
    if (!this.#head) out.text(jsonText(this.#json()));
    else out.write(this);
  }

  get maxLength(): number {
    const { text, ends } = this.#keys!;
    const ints = this.#ints.length + Math.min(ends.length, this.#ints.length);
    return this.#head!.length + ints * (maxDecimal + 1) + fieldsStart.length + text.length + itemEnd.length;
  }

  writeTo(bytes: Uint8Array, start: number): number {
    const ints = this.#ints;
    const { text, ends } = this.#keys!;
    let at = writeDecimal(bytes, writeBytes(bytes, start, this.#head!), ints[0]!);
    for (let i = 1; i < ints.length; i++) {
      bytes[at++] = comma;
      at = writeDecimal(bytes, at, ints[i]!);
    }
    at = writeBytes(bytes, at, fieldsStart);
    let from = 0;
    for (let i = 0; i < ends.length && i < ints.length; i++) {
      for (const end = ends[i]!; from < end; from++) bytes[at++] = text[from]!;
      at = writeDecimal(bytes, at, ints[i]!);
    }
    return writeBytes(bytes, at, itemEnd);
  }
}

function itemHead(types: ItemTypes, type: number, id: number): Uint8Array {
  const uuid = types.uuidOf(type);
  const named = `{"type":${type},"name":"${types.of(type)!.name}","id":${id}`;
  return encoder.encode(`${named}${uuid === undefined ? '' : `,"uuid":"${uuid}"`},"data":[`);
}

const cache = new WeakMap<ItemType, Keys | undefined>();

/** The text before the value of each field; undefined if there is none, one has several ints or is not a number. */
function keysOf(item: ItemType): Keys | undefined {
  if (!cache.has(item)) {
    const texts = item.fields.map(({ name }, i) => `${i === 0 ? '{' : ','}"${name}":`);
    let end = 0;
    const ends = Int32Array.from(texts, ({ length }) => (end += length));
    const isUsable = texts.length > 0 && item.fields.every((field) => field.isNumber);
    cache.set(item, isUsable ? { text: encoder.encode(texts.join('')), ends } : undefined);
  }
  return cache.get(item);
}

/** The maximum number of stored items that are no longer in the snapshot but may return. */
const maxStored = 4096;

/** Items as JSON text over successive snapshots. Most items do not change, so their text is copied from the preceding one. */
export class ItemTexts {
  readonly #known = new Map<number, ItemText>();
  #text = new AppendBuffer();
  #preceding = new AppendBuffer();
  #snapshots = 0;

  /** The items of a snapshot as UTF-8, separated by commas. The text is valid until the next call. */
  of({ count, keys, offsets, data }: Snapshot, types: ItemTypes): Uint8Array {
    const serial = ++this.#snapshots;
    [this.#text, this.#preceding] = [this.#preceding, this.#text];
    const text = this.#text;
    const preceding = this.#preceding.view();
    text.clear();
    // The unchanged items since the last changed one, which are copied at once.
    let start = 0;
    let end = 0;
    for (let i = 0; i < count; i++) {
      const key = keys[i]!;
      const number = typeOf(key);
      const type = types.of(number);
      const uuid = types.uuidOf(number);
      const offset = offsets[i]!;
      const size = offsets[i + 1]! - offset;
      let known = this.#known.get(key)!;
      // A repeated key is a second item.
      if (known?.size !== size || known.type !== type || known.uuid !== uuid || known.serial === serial) {
        known = new ItemText(types, number, idOf(key), data.slice(offset, offset + size));
        this.#known.set(key, known);
      }
      const isSame = !known.set(data, offset) && known.serial === serial - 1 && serial > 1;
      known.serial = serial;
      if (!isSame || known.start !== end) {
        text.bytes(preceding, start, end);
        start = end = known.start;
      }
      if (isSame) {
        end = known.end;
        known.start += text.length - start;
        known.end += text.length - start;
      } else {
        known.start = text.length;
        known.appendTo(text);
        text.byte(comma);
        known.end = text.length;
        start = end;
      }
    }
    text.bytes(preceding, start, end);
    if (this.#known.size > count + maxStored) {
      for (const [key, one] of this.#known) if (one.serial !== serial) this.#known.delete(key);
    }
    return text.view().subarray(0, -1);
  }
}
