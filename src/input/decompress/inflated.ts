import { noBytes } from '../../wire/bytes/buffers.ts';
import { join } from '../../wire/bytes/copy.ts';
import type { Platform } from './decompress.ts';
import type { Change } from './on-the-way.ts';

/** Bytes after decompression. */
export interface Inflated {
  /** As many as show what they are, unless there are fewer. */
  readonly first: Uint8Array;
  /** All of them. Where they can't be decompressed any more, this throws after what is readable. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Whether they are other bytes than those of the input: decompressed, or as they were before a change on the way. */
  readonly isCompressed: boolean;
  /** How the bytes were changed on their way here. They are undone, but `replaced` ones, which can't be. */
  readonly change: Change | undefined;
}

/**
 * The bytes of an input, decompressed if they are compressed.
 * @param isEnough whether the first bytes show what the input is
 */
export async function inflated(
  all: AsyncIterable<Uint8Array>,
  platform: Platform,
  isEnough = (first: Uint8Array) => first.length >= compressionBytes,
): Promise<Inflated> {
  const { change, ...found } = await asSent(await peek(all, isEnough), isEnough);
  if (!beginsCompressed(found.first)) return { ...found, isCompressed: change !== undefined, change };
  // Loaded here only, to keep start-up fast.
  const { unpack } = await import('./decompress.ts');
  return { ...(await peek(unpack(found, platform), isEnough)), isCompressed: true, change };
}

/** The bytes before they were changed on their way here, and how. */
async function asSent(
  found: Peeked,
  isEnough: (first: Uint8Array) => boolean,
): Promise<Peeked & { readonly change: Change | undefined }> {
  // In the file of the table of kinds, which is small.
  const { changeOf } = await import('./on-the-way.ts');
  const { change, undone } = changeOf(found.first) ?? {};
  return { ...(undone ? await peek(undone(found.pieces), isEnough) : found), change };
}

/** Enough to see a compression. */
export const compressionBytes = 4;

export const beginsGzip = ([a, b, c]: Uint8Array): boolean => a === 0x1f && b === 0x8b && c === 8;

/** Whether it begins as gzip, zstd or zip. */
const beginsCompressed = (first: Uint8Array): boolean => {
  const [a, b, c, d] = first;
  return (
    beginsGzip(first) ||
    (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) ||
    (a === 0x50 && b === 0x4b && c === 3 && d === 4)
  );
};

/** The first bytes of an input, and the whole input. */
interface Peeked {
  readonly first: Uint8Array;
  readonly pieces: AsyncIterable<Uint8Array>;
}

async function peek(all: AsyncIterable<Uint8Array>, isEnough: (first: Uint8Array) => boolean): Promise<Peeked> {
  const source = all[Symbol.asyncIterator]();
  let first: Uint8Array = noBytes;
  while (!isEnough(first)) {
    const { value, done } = await source.next();
    if (done) break;
    first = first.length === 0 ? value : join([first, value]);
  }
  return { first, pieces: piecesAfter(first, source) };
}

async function* piecesAfter(first: Uint8Array, source: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    if (first.length > 0) yield first;
    yield* { [Symbol.asyncIterator]: () => source };
  } finally {
    await source.return?.();
  }
}
