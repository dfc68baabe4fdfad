import type { ItemTypes } from '../model/item-types.ts';
import { keyOf } from '../model/key.ts';
import type { Snapshot } from '../model/snapshot.ts';
import type { ItemType } from '../protocol/item.ts';
import { jsonText } from './escape.ts';
import { itemJson } from './json.ts';

interface Known {
  readonly type: ItemType | undefined;
  readonly ints: Int32Array;
  readonly text: string;
}

/** Items as JSON text, from snapshot to snapshot: most of them are as they were, and so is their text. */
export class ItemTexts {
  #last = new Map<number, Known>();

  /** The items of a snapshot, with commas between. */
  of(snapshot: Snapshot, types: ItemTypes): string {
    const now = new Map<number, Known>();
    const texts: string[] = [];
    for (const { type, id, data } of snapshot) {
      const key = keyOf(type, id);
      const known = this.#last.get(key);
      const item = types.of(type);
      const one =
        known && known.type === item && equal(known.ints, data)
          ? known
          : { type: item, ints: data.slice(), text: jsonText(itemJson(types, type, id, data)) };
      now.set(key, one);
      texts.push(one.text);
    }
    this.#last = now;
    return texts.join(',');
  }
}

function equal(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
