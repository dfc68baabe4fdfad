import { noBytes } from '../../wire/bytes/buffers.ts';
import { join } from '../../wire/bytes/copy.ts';
import { DecodeError } from '../../wire/bytes/diagnostic.ts';
import { u16, u32 } from '../../wire/bytes/fixed-int.ts';
import { crc32 } from '../../wire/codec/crc32.ts';
import { SourceError } from '../stated.ts';
import { type Inflater, PlainInflater } from './inflate.ts';
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
const hasCrc = 2;
const hasExtra = 4;
const hasName = 8;
const hasComment = 16;

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
const gunzip = (
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
    let sum = 0;
    let size = 0;
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
  let low = 1;
  let high = 0;
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

const signature = { directory: 0x02014b50, end: 0x06054b50 } as const;
const endSize = 22;
const maxComment = 0xffff;
/** The number of files that are named if there are several. */
const maxNames = 3;
const method = { stored: 0, deflated: 8 } as const;

/**
 * The only file in a zip; folders and the files that macOS adds are ignored.
 * ```
 * end of central directory      PK\5\6  disk u16  disk u16  entries u16  entries u16  size u32  offset u32  comment_size u16  comment
 * entry of the directory (46)   PK\1\2  …  method u16 at 10  …  crc u32 at 16  size u32  size u32  name_size u16 at 28  extra u16  comment u16  …  offset u32 at 42  name
 * before the data (30)          PK\3\4  …  name_size u16 at 26  extra u16  name  extra
 * ```
 * @throws DecodeError `truncated_zip`, `zip_files`, `bad_zip`, `encrypted_zip`, `zip_method`
 */
function onlyEntry(zip: Uint8Array) {
  const end = endOfDirectory(zip);
  if (end < 0) throw new DecodeError('truncated_zip', zip.length);
  const entries = entriesOf(zip, u32(zip, end + 16, true), u16(zip, end + 10, true)).filter(isFile);
  const [entry] = entries;
  if (!entry) throw new DecodeError('zip_files', end, { found: 0, names: '' });
  if (entries.length > 1) {
    const names = entries.slice(0, maxNames).map((entry) => entry.name);
    if (entries.length > maxNames) names.push('…');
    throw new DecodeError('zip_files', end, { found: entries.length, names: names.join(', ') });
  }
  const { name, offset, size } = entry;
  const start = offset + 30 + u16(zip, offset + 26, true) + u16(zip, offset + 28, true);
  if (!(offset + 30 <= zip.length && start + size <= zip.length)) throw new DecodeError('bad_zip', offset, { name });
  if (entry.isEncrypted) throw new DecodeError('encrypted_zip', offset, { name });
  if (entry.method !== method.stored && entry.method !== method.deflated)
    throw new DecodeError('zip_method', offset, { name, method: entry.method });
  return { name, data: zip.subarray(start, start + size), isDeflated: entry.method !== method.stored };
}

/** Only a comment may follow the end record. */
function endOfDirectory(zip: Uint8Array): number {
  const least = Math.max(0, zip.length - endSize - maxComment);
  for (let at = zip.length - endSize; at >= least; at--) if (u32(zip, at, true) === signature.end) return at;
  return -1;
}

/** The entry of the directory that begins at an index, and the index after it. */
function entryAt(zip: Uint8Array, at: number) {
  const nameEnd = at + 46 + u16(zip, at + 28, true);
  return {
    name: new TextDecoder().decode(zip.subarray(at + 46, nameEnd)),
    method: u16(zip, at + 10, true),
    isEncrypted: (u16(zip, at + 8, true) & 1) !== 0,
    size: u32(zip, at + 20, true),
    offset: u32(zip, at + 42, true),
    end: nameEnd + u16(zip, at + 30, true) + u16(zip, at + 32, true),
  };
}

function entriesOf(zip: Uint8Array, start: number, count: number) {
  const entries: ReturnType<typeof entryAt>[] = [];
  for (let at = start; entries.length < count && at + 46 <= zip.length; at = entries.at(-1)!.end) {
    if (u32(zip, at, true) !== signature.directory) break;
    entries.push(entryAt(zip, at));
  }
  return entries;
}

const isFile = ({ name }: { readonly name: string }) => !name.endsWith('/') && !name.startsWith('__MACOSX/');
