import { join } from '../bytes/copy.ts';
import type { Platform } from './decompress.ts';

/** Bytes after decompression. */
export interface Unpacked {
  /** At least as many as formats are detected by, unless there are fewer. */
  readonly first: Uint8Array;
  /** All of them. Where they can't be decompressed any more, this throws after what is readable. */
  readonly pieces: AsyncIterable<Uint8Array>;
  readonly isCompressed: boolean;
}

/** The bytes of an input, decompressed if they are compressed. */
export async function unpacked(all: AsyncIterable<Uint8Array>, platform: Platform): Promise<Unpacked> {
  const found = await peek(all);
  if (!beginsCompressed(found.first)) return { ...found, isCompressed: false };
  // Loaded here only, to keep start-up fast.
  const { unpack } = await import('./decompress.ts');
  return { ...(await peek(unpack(found, platform))), isCompressed: true };
}

/** Enough to detect any format. */
const firstBytes = 64;

/** Whether it begins as gzip, zstd or zip. */
const beginsCompressed = ([a, b, c, d]: Uint8Array): boolean =>
  (a === 0x1f && b === 0x8b && c === 8) ||
  (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd) ||
  (a === 0x50 && b === 0x4b && c === 3 && d === 4);

/** The first bytes of an input, and the whole input. */
interface Peeked {
  readonly first: Uint8Array;
  readonly pieces: AsyncIterable<Uint8Array>;
}

async function peek(all: AsyncIterable<Uint8Array>): Promise<Peeked> {
  const source = all[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let length = 0;
  while (length < firstBytes) {
    const { value, done } = await source.next();
    if (done) break;
    read.push(value);
    length += value.length;
  }
  return { first: join(read), pieces: piecesAfter(read, source) };
}

async function* piecesAfter(read: readonly Uint8Array[], source: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* read;
    yield* { [Symbol.asyncIterator]: () => source };
  } finally {
    await source.return?.();
  }
}
