import { noBytes } from '../../wire/bytes/buffers.ts';
import { join } from '../../wire/bytes/copy.ts';
import { crc32 } from '../../wire/codec/crc32.ts';
import { SourceError } from '../stated.ts';
import { type Inflater, PlainInflater } from './inflate.ts';
import { onlyEntry } from './only-entry.ts';
import { readAll } from './pieces.ts';

/** What a platform has to read compressed data. */
export interface Platform {
  readonly inflater: () => Inflater | Promise<Inflater>;
  /** The contents of zstd data; a platform without it refuses them with advice. */
  readonly unzstd: (pieces: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
}

/** What every platform has. */
export const anyPlatform: Platform = {
  inflater: () => new PlainInflater(),
  // biome-ignore lint/correctness/useYield: it only refuses
  unzstd: async function* () {
    throw new Error('zstd data is read only by the command line with Node 22.15 or later; or unpack it first: zstd -d');
  },
};

/** A zip is read from its end, so all of it is kept in memory. */
const maxZipBytes = 1 << 28;

/** The contents of compressed data that begins with `first`. */
export async function* unpack(
  { first, pieces }: { readonly first: Uint8Array; readonly pieces: AsyncIterable<Uint8Array> },
  platform: Platform,
): AsyncIterable<Uint8Array> {
  if (first[0] === 0x28) yield* platform.unzstd(pieces);
  else if (first[0] === 0x1f) yield* gunzip(pieces, platform);
  else {
    const zip = await readAll(pieces, maxZipBytes + 1);
    if (zip.length > maxZipBytes)
      throw new SourceError(`a zip file of more than ${maxZipBytes >> 20} MiB; unpack it first`);
    const { data, isDeflated } = onlyEntry(zip);
    if (isDeflated) yield* later(inflated('deflate', new Pieces(withOneMore(data)), await platform.inflater()));
    else yield data;
  }
}

/**
 * The number of deflated bytes that are inflated at once; their result is kept in memory, up to a thousand times as
 * much. A guess.
 */
const pieceBytes = 16 << 10;
/** The longest name or comment in a header. */
const maxHeaderText = 64 << 10;
/**
 * A member costs about as much as a KiB of contents. So many may have less; it bounds the work on members that have
 * none.
 */
const smallMembers = 1000;
const [hasCrc, hasExtra, hasName, hasComment] = [2, 4, 8, 16];

/**
 * The steps of reading: what was read, or a promise whose result the next step needs. Where neither the pieces nor the
 * inflater make one wait, there are no promises.
 */
type Steps<Result = void> = Generator<Uint8Array | PromiseLike<unknown>, Result, unknown>;

/** What a step needs, now or later. */
function* needed<Value>(value: Value | PromiseLike<Value>): Steps<Value> {
  const isLater = typeof value === 'object' && value !== null && 'then' in value;
  return isLater ? ((yield value) as Value) : (value as Value);
}

/** What is read, where some of it must be waited for. */
async function* later(steps: Steps): AsyncGenerator<Uint8Array, void> {
  try {
    let step = steps.next();
    while (!step.done) {
      const { value } = step;
      if (value instanceof Uint8Array) {
        yield value;
        step = steps.next();
      } else {
        step = await value.then(
          (result) => steps.next(result),
          (error) => steps.throw(error),
        );
      }
    }
  } finally {
    steps.return();
  }
}

/** The contents of gzip data, with the inflater of a platform. */
export const gunzip = (
  pieces: AsyncIterable<Uint8Array>,
  { inflater }: Pick<Platform, 'inflater'> = anyPlatform,
): AsyncGenerator<Uint8Array, void> => later(gzipContents(new Pieces(pieces), inflater));

/** The same of pieces that are there, on every platform and at once. */
export const gunzipNow = (pieces: Iterable<Uint8Array>): Generator<Uint8Array, void> =>
  // Without promises all steps are contents.
  gzipContents(new Pieces(pieces), () => new PlainInflater()) as Generator<Uint8Array, void>;

/**
 * The contents of gzip data: everything readable is yielded before an error is thrown.
 * ```
 * { 1f 8b 08  flags u8  time u32  .. u16  [size u16 extra]  [name NUL]  [comment NUL]  [crc u16]  deflated  crc u32  size u32 }*
 * ```
 * @throws Error if the data is damaged or ends early, if the checksum is wrong, or if other bytes follow
 */
function* gzipContents(input: Pieces, inflater: Platform['inflater']): Steps {
  let bytes = 0;
  for (let members = 0; ; members++) {
    if (members > 0 && (yield* input.isZerosOnly())) return;
    if (!(yield* skipHeader(input))) {
      throw new Error(
        members === 0 ? 'the gzip data is damaged: incorrect header' : 'there are other bytes after the gzip data',
      );
    }
    if (members >= smallMembers + bytes / 1024) {
      throw new Error(
        `the gzip data has more than ${members} members in ${bytes} bytes; expected fewer and larger ones`,
      );
    }
    let [sum, size] = [0, 0];
    yield* inflated('gzip', input, yield* needed(inflater()), (piece) => {
      sum = crc32(piece, sum);
      size = (size + piece.length) >>> 0;
      bytes += piece.length;
    });
    const tail = yield* input.read(8);
    if (tail.length < 8) throw new Error('the gzip data ends early');
    const view = new DataView(tail.buffer, tail.byteOffset);
    if (view.getUint32(0, true) !== sum) throw new Error('the gzip data is damaged: its checksum is wrong');
    if (view.getUint32(4, true) !== size) throw new Error('the gzip data is damaged: its size is wrong');
    if (yield* input.isAtEnd()) return;
  }
}

/** With a byte after the data, since zlib says only then that they end. */
function* withOneMore(data: Uint8Array): Generator<Uint8Array, void> {
  yield data;
  yield new Uint8Array(1);
}

/** Decompresses zlib data; undefined if it is damaged or its size is not `size`. */
export async function unpackZlib(
  data: Uint8Array,
  size: number,
  { inflater }: Pick<Platform, 'inflater'> = anyPlatform,
): Promise<Uint8Array | undefined> {
  const [first = 0, second = 0] = data;
  if ((first & 15) !== 8 || ((first << 8) | second) % 31 !== 0 || (second & 32) !== 0) return undefined;
  const input = new Pieces(withOneMore(data.subarray(2)));
  const read: Uint8Array[] = [];
  let length = 0;
  let sum: Uint8Array = noBytes;
  function* contentsAndSum(opened: Inflater): Steps {
    yield* inflated('zlib', input, opened);
    sum = yield* input.read(4);
  }
  try {
    for await (const piece of later(contentsAndSum(await inflater()))) {
      read.push(piece);
      length += piece.length;
      if (length > size) return undefined;
    }
  } catch {
    return undefined;
  }
  const contents = join(read);
  const [a = 0, b = 0, c = 0, d = 0] = sum;
  const isWhole = length === size && adler32(contents) === ((a << 24) | (b << 16) | (c << 8) | d);
  return isWhole ? contents : undefined;
}

/** The checksum of zlib data (RFC 1950). */
function adler32(bytes: Uint8Array): number {
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return (high << 16) | low;
}

function* inflated(name: string, input: Pieces, inflater: Inflater, seen = (_: Uint8Array) => {}): Steps {
  try {
    for (;;) {
      const piece = yield* input.read(pieceBytes);
      if (piece.length === 0) throw new Error(`the ${name} data ends early`);
      const { contents, used, damage } = yield* needed(inflater.add(piece));
      for (const content of contents) {
        seen(content);
        yield content;
      }
      if (damage !== undefined) throw new Error(`the ${name} data is damaged: ${damage}`);
      if (used === undefined) continue;
      input.unread(piece.length - used);
      return;
    }
  } finally {
    inflater.close();
  }
}

function* skipHeader(input: Pieces): Steps<boolean> {
  const head = yield* input.read(10);
  if (head.length < 10 || head[0] !== 0x1f || head[1] !== 0x8b || head[2] !== 8) return false;
  const flags = head[3]!;
  if (flags & hasExtra) {
    const [low = 0, high = 0] = yield* input.read(2);
    yield* input.read(low | (high << 8));
  }
  for (const flag of [hasName, hasComment]) {
    if (flags & flag) yield* input.skipText();
  }
  if (flags & hasCrc) yield* input.read(2);
  return true;
}

/** Reads pieces as parts of any size. */
class Pieces {
  readonly #pieces: Iterator<Uint8Array> | AsyncIterator<Uint8Array>;
  /** The pieces that are not read completely; `#at` is the position in them. */
  #bytes: Uint8Array = noBytes;
  #at = 0;

  constructor(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
    this.#pieces = Symbol.iterator in pieces ? pieces[Symbol.iterator]() : pieces[Symbol.asyncIterator]();
  }

  /** The next bytes, fewer only at the end. They are a copy, since an inflater may still read them. */
  *read(size: number): Steps<Uint8Array> {
    while (this.#bytes.length - this.#at < size && (yield* this.#more()));
    const bytes = this.#bytes.slice(this.#at, this.#at + size);
    this.#at += bytes.length;
    return bytes;
  }

  /** The last bytes of what was read last are read again. */
  unread(size: number): void {
    this.#at -= size;
  }

  /** Skips a text with the NUL at its end. */
  *skipText(): Steps {
    for (let length = 0; ; ) {
      const end = this.#bytes.indexOf(0, this.#at);
      const next = end < 0 ? this.#bytes.length : end + 1;
      length += next - this.#at;
      this.#at = next;
      if (length > maxHeaderText) {
        const limit = `${maxHeaderText >> 10} KiB`;
        throw new Error(`the gzip data is damaged: a name or comment of more than ${limit} in a header`);
      }
      if (end >= 0 || !(yield* this.#more())) return;
    }
  }

  *isAtEnd(): Steps<boolean> {
    return this.#at === this.#bytes.length && !(yield* this.#more());
  }

  /** Whether only zeros remain, with which some media are padded. */
  *isZerosOnly(): Steps<boolean> {
    for (;;) {
      while (this.#bytes[this.#at] === 0) this.#at++;
      if (this.#at < this.#bytes.length) return false;
      if (!(yield* this.#more())) return true;
    }
  }

  *#more(): Steps<boolean> {
    const { done, value } = yield* needed(this.#pieces.next());
    if (done) return false;
    this.#bytes = join([this.#bytes.subarray(this.#at), value]);
    this.#at = 0;
    return true;
  }
}
