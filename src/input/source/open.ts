import { detectionBytes, isShown, type KnownFormat, knownFormats } from '../../recording/formats.ts';
import type { Platform } from '../decompress/decompress.ts';
import { type Inflated, inflated } from '../decompress/inflated.ts';
import type { Stated } from '../stated.ts';

/** Bytes after decompression, as far as their first ones show what they are. */
export interface OpenedSource extends Inflated {
  /** Undefined if it is a single payload, text or anything else. */
  readonly format: KnownFormat | undefined;
  /** What it is that is not read, with advice: `a PNG image; …`. */
  readonly other: string | undefined;
}

/** The table is a file of its own: recordings need none of it. */
const otherKind = async (first: Uint8Array) => (await import('./file-kinds.ts')).otherFileKind(first);

/**
 * Decompresses bytes, and detects which recording they are.
 * @param isGrowing whether more bytes may come much later: then few show the format
 * @throws SourceError for a zip file that is too large, DecodeError for one that has not one file
 */
export async function openSource(
  all: AsyncIterable<Uint8Array>,
  { format }: Pick<Stated, 'format'>,
  platform: Platform,
  isGrowing = false,
): Promise<OpenedSource> {
  const isEnough = (first: Uint8Array) => (isGrowing ? first.length >= detectionBytes : isShown(first, knownFormats));
  const { first, pieces, isCompressed, change } = await inflated(all, platform, isEnough);
  const known = knownFormats.find(({ name, detect }) => (format === undefined ? detect(first) : name === format));
  const other = format === undefined && !known ? await otherKind(first) : undefined;
  return { first, pieces, isCompressed, change, format: known, other };
}
