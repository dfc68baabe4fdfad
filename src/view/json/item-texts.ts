import type { ItemType } from '../../protocol/item.ts';
import type { ItemTypes } from '../../snapshot/item-types.ts';
import { idOf, typeOf } from '../../snapshot/key.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { ItemText } from './item-text.ts';

interface Known {
  readonly type: ItemType | undefined;
  readonly uuid: string | undefined;
  readonly item: ItemText;
  /** The last snapshot it was in. */
  seen: number;
}

/** Of items that are gone so many are kept: they may come again. */
const kept = 4096;

/** Items as JSON text, from snapshot to snapshot: most of them are as they were, and so is their text. */
export class ItemTexts {
  readonly #known = new Map<number, Known>();
  #snapshots = 0;

  /** The items of a snapshot, with commas between. */
  of({ count, keys, offsets, data }: Snapshot, types: ItemTypes): string {
    const seen = ++this.#snapshots;
    const texts: string[] = [];
    for (let i = 0; i < count; i++) {
      const key = keys[i]!;
      const number = typeOf(key);
      const type = types.of(number);
      const uuid = types.uuidOf(number);
      const [start, end] = [offsets[i]!, offsets[i + 1]!];
      let one = this.#known.get(key);
      // A key that stands twice is a second item.
      const isOther = one === undefined || one.type !== type || one.uuid !== uuid || one.seen === seen;
      if (isOther || !one!.item.update(data, start, end)) {
        one = { type, uuid, item: new ItemText(types, number, idOf(key), data.slice(start, end)), seen };
        this.#known.set(key, one);
      }
      one!.seen = seen;
      texts.push(one!.item.text);
    }
    if (this.#known.size > count + kept) {
      for (const [key, one] of this.#known) if (one.seen !== seen) this.#known.delete(key);
    }
    return texts.join(',');
  }
}
