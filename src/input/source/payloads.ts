import { readAll } from '../decompress/pieces.ts';
import type { PastedBytes } from '../pasted/pasted-text.ts';
import type { SourceReading, Stated } from '../stated.ts';
import { maxTextBytes, type Part, partsOf } from './byte-strings.ts';
import { readLike, readPart } from './read-part.ts';
import { betterParts } from './recognise-payload.ts';

/** The byte strings of an input that is no recording: of a pasted text, or all of its bytes as one. */
export interface Payloads {
  /** The form of the pasted text: `xxd`, `hex`. */
  readonly form: string | undefined;
  readonly parts: readonly (Part & Pick<PastedBytes, 'line'>)[];
  /**
   * Reads one, from 0, most quickly after the one before it.
   * @throws DecodeError for text in no known form, and for JSON that is neither a snapshot nor a delta
   */
  read(i: number): Promise<SourceReading>;
}

/** @throws SourceError for text that is too long, DecodeError for no bytes and text in a broken form */
export async function payloadsIn(pieces: AsyncIterable<Uint8Array>, stated: Stated): Promise<Payloads> {
  const found = await partsOf(await readAll(pieces, maxTextBytes + 1), stated);
  const { text, form } = found;
  const best = await betterParts(found.parts, found.other, ({ bytes }) => readPart({ bytes, text }, stated));
  const parts = best.map((part) => ({ text, form, ...part }));
  let last: SourceReading | undefined;
  const read = async (i: number) => {
    const part = parts[i]!;
    last = (last && (await readLike(part, last, stated))) ?? (await readPart(part, stated));
    return last;
  };
  return { form, parts, read };
}
