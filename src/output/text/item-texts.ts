import { ItemNode } from '../../wire/annotate/item-node.ts';
import { type AppendBuffer, maxDecimal, noBytes } from '../../wire/bytes/buffers.ts';
import { hasIntsAt } from '../../wire/bytes/copy.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import type { ItemType } from '../../wire/protocol/item.ts';
import type { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { idOf, typeOf } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';

/**
 * How an output writes an item. Those whose fields are all numbers, nearly all, are their ints between texts that are
 * made once.
 */
export interface ItemForm {
  head(types: ItemTypes, type: number, id: number): string;
  /** The text before the value of a field. */
  label(name: string, i: number): string;
  /** Writes what follows the head from `start` on and returns the end. */
  write(into: Uint8Array, start: number, labels: readonly Uint8Array[], ints: Int32Array): number;
  text(item: ItemNode): string;
}

interface KnownItem {
  readonly item: ItemType | undefined;
  readonly uuid: string | undefined;
  readonly ints: Int32Array;
  readonly labels: readonly Uint8Array[] | undefined;
  /** Room for the text with any ints, which begins with the head. */
  readonly bytes: Uint8Array;
  readonly headLength: number;
  text: Uint8Array;
}

const maxKnown = 4096;
/** The most bytes that a form has beside its head, labels and numbers. */
const maxTail = 16;
const encoder = new TextEncoder();

/** The text of items over successive snapshots. Most items do not change, so their text is kept. */
export class ItemTexts {
  readonly #form: ItemForm;
  readonly #known = new Map<number, KnownItem>();
  readonly #labels = new Map<ItemType, readonly Uint8Array[] | undefined>();

  constructor(form: ItemForm) {
    this.#form = form;
  }

  append(out: AppendBuffer, { keys, offsets, data }: Snapshot, i: number, types: ItemTypes): void {
    const key = keys[i]!;
    const type = typeOf(key);
    const item = types.of(type);
    const uuid = types.uuidOf(type);
    const start = offsets[i]!;
    const size = offsets[i + 1]! - start;
    let known = this.#known.get(key);
    if (known && known.item === item && known.uuid === uuid && known.ints.length === size) {
      if (hasIntsAt(data, start, known.ints)) {
        out.bytes(known.text);
        return;
      }
      for (let at = 0; at < size; at++) known.ints[at] = data[start + at]!;
    } else {
      const labels = item && this.#labelsOf(item);
      const head = encoder.encode(this.#form.head(types, type, idOf(key)));
      const labelBytes = labels?.reduce((sum, { length }) => sum + length, 0) ?? 0;
      const bytes = new Uint8Array(head.length + labelBytes + 2 * (maxDecimal + 1) * size + maxTail);
      bytes.set(head);
      const ints = data.slice(start, start + size);
      known = { item, uuid, labels, bytes, text: noBytes, headLength: head.length, ints };
      if (this.#known.size >= maxKnown) this.#known.clear();
      this.#known.set(key, known);
    }
    const { labels, ints, bytes, headLength } = known;
    if (!labels) known.text = encoder.encode(this.#form.text(new ItemNode(types, key, { ints })));
    else {
      const end = this.#form.write(bytes, headLength, labels, ints);
      // Making a view takes longer than writing a short text.
      if (known.text.length !== end) known.text = bytes.subarray(0, end);
    }
    out.bytes(known.text);
  }

  #labelsOf(item: ItemType): readonly Uint8Array[] | undefined {
    return getOr(this.#labels, item, () => {
      const isUsable = item.fields.length > 0 && item.fields.every((field) => field.isNumber);
      return isUsable ? item.fields.map(({ name }, i) => encoder.encode(this.#form.label(name, i))) : undefined;
    });
  }
}
