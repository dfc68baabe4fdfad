import type { Transform } from 'node:stream';
import { noBytes } from '../../src/bytes/buffers.ts';
import { join } from '../../src/bytes/copy.ts';
import { crc32 } from '../../src/codec/crc32.ts';

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
  if (compression === 'deflate') return zlib.createInflateRaw();
  if (zlib.createZstdDecompress) return zlib.createZstdDecompress();
  throw new Error('zstd data needs Node 22.15 or 23.8; or unpack it first: zstd -dc FILE | tw-snap …');
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

/** The number of deflated bytes that are given to zlib at once; their result is kept in memory. */
const pieceBytes = 16 << 10;
/** The longest name or comment in a header. */
const maxHeaderText = 64 << 10;
/** A member costs about as much as a KiB of contents. So many may have less; it bounds the work on members that have none. */
const smallMembers = 1000;
const [hasCrc, hasExtra, hasName, hasComment] = [2, 4, 8, 16];

/**
 * The contents of gzip data: everything readable is yielded before an error is thrown.
 * ```
 * { 1f 8b 08  flags u8  time u32  .. u16  [size u16 extra]  [name NUL]  [comment NUL]  [crc u16]  deflated  crc u32  size u32 }*
 * ```
 * @throws Error if the data is damaged or ends early, if the checksum is wrong, or if other bytes follow
 */
export async function* gunzip(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const { createInflateRaw } = await import('node:zlib');
  const input = new Input(pieces);
  let bytes = 0;
  for (let members = 0; ; members++) {
    if (members > 0 && (await input.isZerosOnly())) return;
    if (!(await skipHeader(input))) {
      throw new Error(
        members === 0 ? 'the gzip data is damaged: incorrect header' : 'there are other bytes after the gzip data',
      );
    }
    if (members >= smallMembers + bytes / 1024)
      throw new Error(
        `the gzip data has more than ${members} members in ${bytes} bytes; expected fewer and larger ones`,
      );
    let [sum, size] = [0, 0];
    const inflate = createInflateRaw();
    let output: Uint8Array[] = [];
    let state: 'goes on' | 'ended' | Error = 'goes on';
    inflate.on('data', (chunk: Uint8Array) => output.push(chunk));
    try {
      while (state === 'goes on') {
        const piece = await input.read(pieceBytes);
        if (piece.length === 0) throw new Error('the gzip data ends early');
        const before = inflate.bytesWritten;
        state = await new Promise((resolve) => {
          inflate.once('end', () => resolve('ended'));
          inflate.once('error', resolve);
          inflate.write(piece, () => resolve('goes on'));
        });
        for (const chunk of output) {
          sum = crc32(chunk, sum);
          size = (size + chunk.length) >>> 0;
          bytes += chunk.length;
          yield chunk;
        }
        output = [];
        if (state === 'ended') input.unread(piece.length - (inflate.bytesWritten - before));
        inflate
          .removeAllListeners('end')
          .removeAllListeners('error')
          .on('error', () => {});
      }
    } finally {
      inflate.destroy();
    }
    if (state instanceof Error) throw new Error(`the gzip data is damaged: ${state.message}`);
    const tail = await input.read(8);
    if (tail.length < 8) throw new Error('the gzip data ends early');
    const view = new DataView(tail.buffer, tail.byteOffset);
    if (view.getUint32(0, true) !== sum) throw new Error('the gzip data is damaged: its checksum is wrong');
    if (view.getUint32(4, true) !== size) throw new Error('the gzip data is damaged: its size is wrong');
    if (await input.isAtEnd()) return;
  }
}

async function skipHeader(input: Input): Promise<boolean> {
  const head = await input.read(10);
  if (head.length < 10 || head[0] !== 0x1f || head[1] !== 0x8b || head[2] !== 8) return false;
  const flags = head[3]!;
  if (flags & hasExtra) {
    const [low = 0, high = 0] = await input.read(2);
    await input.read(low | (high << 8));
  }
  for (const flag of [hasName, hasComment]) {
    if (flags & flag) await input.skipText();
  }
  if (flags & hasCrc) await input.read(2);
  return true;
}

/** Reads pieces as parts of any size. */
class Input {
  readonly #pieces: AsyncIterator<Uint8Array>;
  /** The pieces that are not read completely; `#at` is the position in them. */
  #bytes: Uint8Array = noBytes;
  #at = 0;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** The next bytes, fewer only at the end. They are a copy, since zlib may still read them. */
  async read(size: number): Promise<Uint8Array> {
    while (this.#bytes.length - this.#at < size && (await this.#more()));
    const bytes = this.#bytes.slice(this.#at, this.#at + size);
    this.#at += bytes.length;
    return bytes;
  }

  /** The last bytes of what was read last are read again. */
  unread(size: number): void {
    this.#at -= size;
  }

  /** Skips a text with the NUL at its end. */
  async skipText(): Promise<void> {
    for (let length = 0; ; ) {
      const end = this.#bytes.indexOf(0, this.#at);
      const next = end < 0 ? this.#bytes.length : end + 1;
      length += next - this.#at;
      this.#at = next;
      if (length > maxHeaderText)
        throw new Error(
          `the gzip data is damaged: a name or comment of more than ${maxHeaderText >> 10} KiB in a header`,
        );
      if (end >= 0 || !(await this.#more())) return;
    }
  }

  async isAtEnd(): Promise<boolean> {
    return this.#at === this.#bytes.length && !(await this.#more());
  }

  /** Whether only zeros remain, with which some media are padded. */
  async isZerosOnly(): Promise<boolean> {
    for (;;) {
      while (this.#bytes[this.#at] === 0) this.#at++;
      if (this.#at < this.#bytes.length) return false;
      if (!(await this.#more())) return true;
    }
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#pieces.next();
    if (done) return false;
    this.#bytes = join([this.#bytes.subarray(this.#at), value]);
    this.#at = 0;
    return true;
  }
}
