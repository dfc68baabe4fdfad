import type { Protocol } from '../protocol/registry.ts';
import { intsOfText, textOfInts } from '../protocol/text.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** A text of an item: `name`, `clan`. */
interface TextField {
  readonly name: string;
  readonly at: number;
  readonly ints: number;
}

/** Returns the new text for a text of an item. */
type Replace = (text: string, field: string) => string;

/**
 * Finds and replaces texts that are packed in the ints of items, such as names. Few of them change from one snapshot to
 * the next.
 */
export class ItemTexts {
  readonly #fields = new Map<number, readonly TextField[]>();
  /** The latest ints of each text before and after the replacement. */
  readonly #last = new Map<number, { readonly from: Int32Array; readonly to: Int32Array }>();
  readonly #replace: Replace;

  /** @param names the names of the fields to be replaced */
  constructor(protocol: Protocol, names: ReadonlySet<string>, replace: Replace) {
    this.#replace = replace;
    for (const { type, fields } of protocol.items) {
      const texts = fields.flatMap(({ name, at, ints, meaning }) =>
        meaning.kind === 'text' && names.has(name) ? [{ name, at, ints }] : [],
      );
      if (type !== undefined && texts.length > 0) this.#fields.set(type, texts);
    }
  }

  /** Replaces the texts of a snapshot in place; returns whether any changed. A text that is too long is truncated. */
  apply(snapshot: Snapshot): boolean {
    let isChanged = false;
    for (let i = 0; i < snapshot.count; i++) {
      const fields = this.#fields.get(snapshot.type(i));
      if (!fields) continue;
      const start = snapshot.offsets[i]!;
      for (const [number, field] of fields.entries()) {
        if (field.at + field.ints > snapshot.size(i)) continue;
        const ints = snapshot.data.subarray(start + field.at, start + field.at + field.ints);
        const now = this.#replaced(snapshot.keys[i]! * maxFields + number, ints, field);
        if (same(ints, now)) continue;
        ints.set(now);
        isChanged = true;
      }
    }
    return isChanged;
  }

  #replaced(key: number, ints: Int32Array, { name, ints: count }: TextField): Int32Array {
    const last = this.#last.get(key);
    if (last && same(last.from, ints)) return last.to;
    const from = ints.slice();
    const text = textOfInts(from, 0, count);
    const now = text === undefined ? undefined : this.#replace(text, name);
    const to = now === undefined || now === text ? from : fitting(now, count);
    this.#last.set(key, { from, to });
    return to;
  }
}

/** The maximum number of texts in an item. */
const maxFields = 16;

function same(a: Int32Array, b: Int32Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The ints of as much of a text as fits into them. */
function fitting(text: string, count: number): Int32Array {
  const characters = [...text];
  for (;;) {
    const ints = intsOfText(characters.join(''), count);
    if (ints || characters.length === 0) return ints ?? new Int32Array(count);
    characters.pop();
  }
}

/** The size of a name in items of any version, without its NUL. */
export const maxNameBytes = 15;
