import type { Transform } from 'node:stream';
import { gunzip } from './gunzip.ts';

/** The compressions that Node reads piece by piece; the entries of a zip use deflate. */
export type Compression = 'gzip' | 'zstd' | 'deflate';

/** The contents of compressed pieces as far as they are readable; rejects at the first error. */
export async function* decompress(
  compression: Compression,
  pieces: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  if (compression === 'gzip') {
    yield* gunzip(pieces);
    return;
  }
  // Loaded here only, to keep start-up fast.
  const { Readable } = await import('node:stream');
  const unpack = await streamOf(compression);
  const source = Readable.from(pieces, { objectMode: false });
  source.on('error', (error) => unpack.destroy(error));
  try {
    yield* source.pipe(unpack);
  } catch (error) {
    // The data before the damage is still buffered.
    const left = unpack.read();
    if (left) yield left;
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') throw new Error(`the ${compression} data ends early`);
    throw /^Z_|^ZSTD_/.test(code) ? new Error(`the ${compression} data is damaged: ${message}`) : error;
  } finally {
    unpack.destroy();
    source.destroy();
  }
}

async function streamOf(compression: Exclude<Compression, 'gzip'>): Promise<Transform> {
  const zlib: typeof import('node:zlib') & { createZstdDecompress?: () => Transform } = await import('node:zlib');
  switch (compression) {
    case 'deflate':
      return zlib.createInflateRaw();
    case 'zstd':
      if (zlib.createZstdDecompress) return zlib.createZstdDecompress();
      throw new Error('zstd data needs Node 22.15 or 23.8; or unpack it first: zstd -dc FILE | tw-snap …');
  }
}

/** Decompresses zlib data; undefined if it is damaged or its size is not `size`. */
export async function inflate(data: Uint8Array, size: number): Promise<Uint8Array | undefined> {
  const zlib = await import('node:zlib');
  try {
    const whole = zlib.inflateSync(data, { maxOutputLength: Math.max(1, size) });
    return whole.length === size ? whole : undefined;
  } catch {
    return undefined;
  }
}
