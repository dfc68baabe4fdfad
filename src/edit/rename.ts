import type { MessageEntry, SnapshotEntry } from '../recording/record.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Edit } from './editor.ts';
import { ItemTexts } from './item-texts.ts';
import { rewriteMessage } from './rewrite-message.ts';

/**
 * Renames players: in items, and in the texts of messages if their name is a whole word.
 *
 * @example
 * ```ts
 * import { readDemo } from 'tw-snap';
 * import { Editor, Rename, writeDemo } from 'tw-snap/edit';
 *
 * const rename = new Rename(new Map([['stress2', 'rival']]));
 * const renamed = writeDemo((emit) => {
 *   const editor = new Editor([rename], emit);
 *   for (const entry of readDemo(bytes, { reuse: true })) editor.add(entry);
 * });
 * console.log(rename.found);
 * ```
 */
export class Rename implements Edit {
  /** The number of changed texts in messages. */
  texts = 0;
  /** The names that were found. */
  readonly found = new Set<string>();
  /** New names by old ones. */
  readonly names: ReadonlyMap<string, string>;
  readonly #inText: RegExp;
  #items: ItemTexts | undefined;

  constructor(names: ReadonlyMap<string, string>) {
    this.names = names;
    this.#inText = new RegExp(
      [...names.keys()]
        .sort((a, b) => b.length - a.length)
        .map(wholeWord)
        .join('|'),
      'gu',
    );
  }

  snapshot(snapshot: Snapshot, { stream }: SnapshotEntry): boolean {
    this.#items ??= new ItemTexts(stream.protocol, new Set(['name']), (text) => {
      const now = this.names.get(text);
      if (now !== undefined) this.found.add(text);
      return now ?? text;
    });
    return this.#items.apply(snapshot);
  }

  message({ message, bytes }: MessageEntry): Uint8Array | 'drop' | undefined {
    return rewriteMessage(message, bytes, ({ type, value }) => {
      if (type.kind !== 'string' || typeof value !== 'string') return undefined;
      const now = value.replace(this.#inText, (name) => {
        this.found.add(name);
        return this.names.get(name) ?? name;
      });
      if (now !== value) this.texts++;
      return now;
    });
  }
}

/** A pattern for a name that is not part of a longer word. */
export const wholeWord = (name: string): string => `(?<![\\p{L}\\p{N}_])${anywhere(name)}(?![\\p{L}\\p{N}_])`;

/** A pattern for a name anywhere. */
export const anywhere = (name: string): string => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
