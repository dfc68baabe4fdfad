import { join } from '../bytes/copy.ts';
import { DecodeError } from '../bytes/diagnostic.ts';

/** Throws what a wrong argument is, and what was expected. */
export function expects(name: string, expected: string, found: unknown): never {
  const type =
    found === null ? 'null' : typeof found === 'object' ? (found.constructor?.name ?? 'object') : typeof found;
  const shown = typeof found === 'string' || typeof found === 'number' ? `${type} ${JSON.stringify(found)}` : type;
  throw new TypeError(`${name} expects ${expected}; got ${/^undefined|^null/.test(shown) ? shown : `the ${shown}`}`);
}

/** The bytes of an argument. */
export function bytesOf(input: Uint8Array | ArrayBuffer, name: string): Uint8Array {
  if (input instanceof Uint8Array) return input;
  return input instanceof ArrayBuffer ? new Uint8Array(input) : expects(name, 'a Uint8Array or an ArrayBuffer', input);
}

/**
 * A file, or its pieces in order: a `Uint8Array`, an `ArrayBuffer`, or an array or generator of pieces. The bytes must stay as they are
 * while they are read.
 */
export type Pieces = Uint8Array | ArrayBuffer | Iterable<Uint8Array>;

/** A stream of a browser; those of Node are async iterables, too. */
export interface WebStream {
  getReader(): { read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }> };
}

/**
 * A file whose bytes arrive later: a stream of Node or of the web, a `Blob` or `File`, or any async iterable of pieces. If it is compressed
 * with gzip, it is decompressed.
 */
export type Streamed = AsyncIterable<Uint8Array> | WebStream | { stream(): WebStream };

const inputs = 'a Uint8Array, an ArrayBuffer, a Blob, a stream, or an iterable of Uint8Arrays';

export const isStreamed = (input: Pieces | Streamed): input is Streamed =>
  typeof input === 'object' &&
  input !== null &&
  (Symbol.asyncIterator in input || 'getReader' in input || 'stream' in input);

export function* piecesIn(input: Pieces, name: string): Generator<Uint8Array, void> {
  const isWhole = input instanceof Uint8Array || input instanceof ArrayBuffer;
  if (isWhole) yield bytesOf(input, name);
  else if (typeof input !== 'object' || !(Symbol.iterator in (input ?? {}))) expects(name, inputs, input);
  else for (const piece of input) yield checked(piece, name);
}

const checked = (piece: Uint8Array, name: string) =>
  piece instanceof Uint8Array ? piece : expects(name, 'pieces that are Uint8Arrays', piece);

/**
 * The pieces of a stream, decompressed if they are gzip.
 * @throws DecodeError `input_failed` where they can't be decompressed; its offset is the number of bytes before. An error of the
 * stream itself stays as it is.
 */
export async function* streamedPieces(input: Streamed, name: string): AsyncGenerator<Uint8Array, void> {
  const source = Symbol.asyncIterator in input ? input : readAll('stream' in input ? input.stream() : input);
  const iterator = source[Symbol.asyncIterator]();
  const { done, value: first } = await iterator.next();
  if (done) return;
  let hasFailed = false;
  async function* pieces(): AsyncGenerator<Uint8Array, void> {
    try {
      yield checked(first, name);
      for await (const piece of { [Symbol.asyncIterator]: () => iterator }) yield checked(piece, name);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  }
  if (!isGzip(first)) return yield* pieces();
  let bytes = 0;
  try {
    for await (const piece of decompressed(pieces(), 'gzip')) {
      bytes += piece.length;
      yield piece;
    }
  } catch (error) {
    if (hasFailed) throw error;
    const what = gzipFailure(error as Error);
    throw new DecodeError('input_failed', bytes, { what }, what);
  }
}

/** The words for what Node's zlib says; browsers have words of their own. */
function gzipFailure({ code, message }: Error & { readonly code?: string }): string {
  if (code === 'Z_BUF_ERROR') return 'the gzip data ends early';
  const known: Readonly<Record<string, string>> = {
    'incorrect header check': 'incorrect header',
    'incorrect data check': 'its checksum is wrong',
    'incorrect length check': 'its size is wrong',
  };
  return `the gzip data is damaged: ${known[message] ?? message}`;
}

export const isGzip = (first: Uint8Array): boolean => first[0] === 0x1f && first[1] === 0x8b;

type Packing = 'gzip' | 'deflate' | 'deflate-raw';

/** The pieces after decompression. What is cut or damaged is an error after what could be read. */
export async function* decompressed(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  format: Packing,
): AsyncGenerator<Uint8Array, void> {
  const { readable, writable } = new DecompressionStream(format);
  const writer = writable.getWriter();
  const write = async () => {
    for await (const piece of pieces) await writer.write(piece as Uint8Array<ArrayBuffer>);
    await writer.close();
  };
  // What fails here fails the reading, too.
  write().catch((error) => writer.abort(error).catch(() => {}));
  yield* readAll(readable);
}

/**
 * Data after decompression.
 * @throws if it is damaged, or as soon as it has more bytes than `limit`
 */
export async function unpack(data: Uint8Array, format: Packing, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of decompressed([data], format)) {
    bytes += piece.length;
    if (bytes > limit) throw new Error(`more than ${limit} bytes`);
    pieces.push(piece);
  }
  return join(pieces);
}

/** Decompresses zlib data; undefined if it is damaged or its size is not `size`. */
export const inflate = (data: Uint8Array, size: number): Promise<Uint8Array | undefined> =>
  unpack(data, 'deflate', size).then(
    (whole) => (whole.length === size ? whole : undefined),
    () => undefined,
  );

async function* readAll(stream: WebStream): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done || !value) return;
    yield value;
  }
}
