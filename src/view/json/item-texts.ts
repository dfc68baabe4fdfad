import type { ItemType } from '../../protocol/item.ts';
import type { ItemTypes } from '../../snapshot/item-types.ts';
import { idOf, typeOf } from '../../snapshot/key.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { ItemText } from './item-text.ts';

interface Known {
  readonly type: ItemType | undefined;
  readonly uuid: string | undefined;
  readonly item: ItemText;
  /** The number of the last snapshot with the item. */
  serial: number;
}

/** The maximum number of stored items that are no longer in the snapshot but may return. */
const maxStored = 4096;

/** Items as JSON text over successive snapshots. Most items do not change, so their text is reused. */
export class ItemTexts {
  readonly #known = new Map<number, Known>();
  #snapshots = 0;

  /** The items of a snapshot, separated by commas. */
  of({ count, keys, offsets, data }: Snapshot, types: ItemTypes): string {
    const serial = ++this.#snapshots;
    const texts: string[] = [];
    for (let i = 0; i < count; i++) {
      const key = keys[i]!;
      const number = typeOf(key);
      const type = types.of(number);
      const uuid = types.uuidOf(number);
      const [start, end] = [offsets[i]!, offsets[i + 1]!];
      let one = this.#known.get(key);
      // A repeated key is a second item.
      const isOther = one === undefined || one.type !== type || one.uuid !== uuid || one.serial === serial;
      if (isOther || !one!.item.update(data, start, end)) {
        one = { type, uuid, item: new ItemText(types, number, idOf(key), data.slice(start, end)), serial };
        this.#known.set(key, one);
      }
      one!.serial = serial;
      texts.push(one!.item.text);
    }
    if (this.#known.size > count + maxStored) {
      for (const [key, one] of this.#known) if (one.serial !== serial) this.#known.delete(key);
    }
    return texts.join(',');
  }
}
