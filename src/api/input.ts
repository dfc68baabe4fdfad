import { anyPlatform, gunzipNow } from '../input/decompress/decompress.ts';
import { beginsGzip, compressionBytes, inflated } from '../input/decompress/inflated.ts';
import { noBytes } from '../wire/bytes/buffers.ts';
import { join } from '../wire/bytes/copy.ts';
import { DecodeError } from '../wire/bytes/diagnostic.ts';
import { expects } from '../wire/bytes/expects.ts';

/** The bytes of an argument. */
export function bytesOf(input: Uint8Array | ArrayBuffer, name: string): Uint8Array {
  if (input instanceof Uint8Array) return input;
  return input instanceof ArrayBuffer ? new Uint8Array(input) : expects(name, 'a Uint8Array or an ArrayBuffer', input);
}

/**
 * A file, or its pieces in order: a `Uint8Array`, an `ArrayBuffer`, or an array or generator of pieces. The bytes must
 * stay as they are while they are read. They are decompressed if they are compressed with gzip.
 */
export type Pieces = Uint8Array | ArrayBuffer | Iterable<Uint8Array>;

/** A stream of a browser; those of Node are async iterables, too. */
export interface WebStream {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
    cancel?(): Promise<unknown>;
  };
}

/**
 * A file whose bytes arrive later: a stream of Node or of the web, a `Blob` or `File`, or any async iterable of pieces.
 * It is decompressed if it is compressed with gzip, or the only file of a zip.
 */
export type Streamed = AsyncIterable<Uint8Array> | WebStream | { stream(): WebStream };

export const inputs = 'a Uint8Array, an ArrayBuffer, a Blob, a stream, or an iterable of Uint8Arrays';

export const isStreamed = (input: Pieces | Streamed): input is Streamed =>
  typeof input === 'object' &&
  input !== null &&
  (Symbol.asyncIterator in input || 'getReader' in input || 'stream' in input);

/**
 * The pieces of a file, decompressed if it is gzip.
 * @throws DecodeError `input_failed` as {@link streamedPieces} does
 */
export function* piecesIn(input: Pieces, name: string): Generator<Uint8Array, void> {
  const all = givenPieces(input, name);
  let first: Uint8Array = noBytes;
  for (let next = all.next(); !next.done; next = all.next()) {
    first = first.length === 0 ? next.value : join([first, next.value]);
    if (first.length >= compressionBytes) break;
  }
  let hasFailed = false;
  function* pieces() {
    try {
      if (first.length > 0) yield first;
      yield* all;
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  }
  if (!beginsGzip(first)) {
    yield* pieces();
    return;
  }
  let bytes = 0;
  try {
    for (const piece of gunzipNow(pieces())) {
      bytes += piece.length;
      yield piece;
    }
  } catch (error) {
    throw hasFailed ? error : inputFailed(error, bytes);
  } finally {
    all.return();
  }
}

function inputFailed(error: unknown, bytes: number): DecodeError {
  const what = (error as Error).message;
  return new DecodeError('input_failed', bytes, { what }, what);
}

function* givenPieces(input: Pieces, name: string): Generator<Uint8Array, void> {
  const isWhole = input instanceof Uint8Array || input instanceof ArrayBuffer;
  if (isWhole) yield bytesOf(input, name);
  else if (typeof input !== 'object' || !(Symbol.iterator in (input ?? {}))) expects(name, inputs, input);
  else for (const piece of input) yield checked(piece, name);
}

const checked = (piece: Uint8Array, name: string) =>
  piece instanceof Uint8Array ? piece : expects(name, 'pieces that are Uint8Arrays', piece);

/**
 * The pieces of a stream, decompressed as the command line does.
 * @throws DecodeError `input_failed` where they can't be decompressed; its offset is the number of bytes before. An
 *   error of the
 * stream itself stays as it is.
 */
export async function* streamedPieces(
  input: Streamed,
  name: string,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const iterator = untilAborted(sourceOf(input), signal);
  let hasFailed = false;
  async function* pieces(): AsyncGenerator<Uint8Array, void> {
    try {
      for await (const piece of { [Symbol.asyncIterator]: () => iterator }) yield checked(piece, name);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  }
  let bytes = 0;
  try {
    const opened = await inflated(pieces(), anyPlatform);
    for await (const piece of opened.pieces) {
      bytes += piece.length;
      yield piece;
    }
  } catch (error) {
    throw hasFailed ? error : inputFailed(error, bytes);
  } finally {
    // Whoever needs only the first records leaves an open file otherwise. A read that waits for more need not end.
    iterator.return?.().catch(() => {});
  }
}

/** Something that can be closed while a read of it waits for more. */
type Source<T> = AsyncIterable<T> & { destroy?(): void };

export function sourceOf(input: Streamed): Source<Uint8Array> {
  if ('getReader' in input) return readAll(input);
  return Symbol.asyncIterator in input ? input : readAll(input.stream());
}

/** Reads until a signal is aborted; a read that waits for more fails then, too, and closes what it reads. */
export function untilAborted<T>(source: Source<T>, signal: AbortSignal | undefined): AsyncIterator<T> {
  const iterator = source[Symbol.asyncIterator]();
  if (!signal) return iterator;
  return {
    next: async () => {
      if (signal.aborted) {
        source.destroy?.();
        throw signal.reason;
      }
      let stop = () => {};
      const aborted = new Promise<never>((_, reject) => {
        stop = () => {
          reject(signal.reason);
          source.destroy?.();
        };
        signal.addEventListener('abort', stop);
      });
      try {
        return await Promise.race([iterator.next(), aborted]);
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  };
}

function readAll(stream: WebStream): Source<Uint8Array> {
  let cancel = async () => {};
  async function* pieces() {
    const reader = stream.getReader();
    cancel = async () => void (await reader.cancel?.().catch(() => {}));
    let isWhole = false;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        isWhole = done || !value;
        if (done || !value) return;
        yield value;
      }
    } finally {
      if (!isWhole) await cancel();
    }
  }
  return { [Symbol.asyncIterator]: pieces, destroy: () => void cancel() };
}
