import { AppendBuffer } from '../../bytes/append-buffer.ts';
import type { ItemType } from '../../protocol/item.ts';
import type { ItemTypes } from '../../snapshot/item-types.ts';
import { idOf, typeOf } from '../../snapshot/key.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { ItemText } from './item-text.ts';

interface Known {
  readonly type: ItemType | undefined;
  readonly uuid: string | undefined;
  readonly item: ItemText;
  /** The number of the last snapshot with the item, and the place of the item in its text, with the comma after it. */
  serial: number;
  start: number;
  end: number;
}

/** The maximum number of stored items that are no longer in the snapshot but may return. */
const maxStored = 4096;

const comma = 0x2c;

/** Items as JSON text over successive snapshots. Most items do not change, so their text is copied from the preceding one. */
export class ItemTexts {
  readonly #known = new Map<number, Known>();
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
      let one = this.#known.get(key);
      // A repeated key is a second item.
      const isKnown = one !== undefined && one.type === type && one.uuid === uuid && one.serial !== serial;
      if (!isKnown || one!.item.size !== size) {
        const item = new ItemText(types, number, idOf(key), data.slice(offset, offset + size));
        one = { type, uuid, item, serial: 0, start: 0, end: 0 };
        this.#known.set(key, one);
      }
      const known = one!;
      const isSame = !known.item.set(data, offset) && known.serial === serial - 1 && serial > 1;
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
        known.item.appendTo(text);
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
