import { formats } from '../recording/all-formats.ts';
import { CaptureReplay } from '../recording/capture/capture-replay.ts';
import { NetlogReplay } from '../recording/capture/netlog-replay.ts';
import { CheckedDemoReplay } from '../recording/demo/checked-demo.ts';
import {
  captureFormat,
  demoFormat,
  isShown,
  netlogFormat,
  type RecordingFormat,
  recordsOf,
  withReader,
} from '../recording/formats.ts';
import type * as replay from '../recording/replay/replay.ts';
import type { Replay } from '../recording/replay/replay.ts';
import { join } from '../wire/bytes/copy.ts';
import { DecodeError } from '../wire/bytes/diagnostic.ts';
import { checkOptions, expects } from '../wire/bytes/expects.ts';
import { type Protocol, protocolOf, type Version } from '../wire/protocol/registry.ts';
import {
  inputs,
  isStreamed,
  type Pieces,
  piecesIn,
  type Streamed,
  sourceOf,
  streamedPieces,
  untilAborted,
} from './input.ts';
import { type Borrowed, keep, type RecordingEntry } from './keep.ts';
import type * as record from './records.ts';

/**
 * The records of a recording, of which each is valid until the next. They can't be collected by mistake: `each` passes
 * them one by one, until it returns false.
 */
export interface BorrowedRecords {
  each(visit: (entry: Borrowed<RecordingEntry>) => unknown): void;
}

/** The same of a stream: what `visit` returns is awaited. */
export interface StreamedRecords {
  each(visit: (entry: Borrowed<RecordingEntry>) => unknown): Promise<void>;
}

/** How a recording is read. */
export interface ReadOptions extends record.RecordOptions {
  /**
   * The protocol of a demo, if its header is wrong; in captures that of connections whose handshake was not captured.
   * It may be the protocol of a mod.
   */
  readonly protocol?: Version | Protocol | undefined;
  /** Ends the reading of a stream, which is closed; the reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

const readOptionNames = Object.keys({
  messages: 0,
  ticks: 0,
  parts: 0,
  blocks: 0,
  protocol: 0,
  schema: 0,
  hidesSecrets: 0,
  signal: 0,
  reuse: 0,
} satisfies Record<keyof AnyOptions, 0>);

/** How what arrives later is read. */
export type LaterOptions = Pick<ReadOptions, 'signal'>;

/** How a recording is read whose records may be kept. */
export type Keeping = ReadOptions & { readonly reuse?: false };
/** The same buffers are filled for each record, which is more than twice as fast: see {@link Borrowed}. */
export type Reusing = ReadOptions & { readonly reuse: true };
type AnyOptions = ReadOptions & { readonly reuse?: boolean };
/** The records of a file, in its order. */
export type Records = Generator<RecordingEntry, void>;
/** The records of what arrives later. */
export type AsyncRecords = AsyncGenerator<RecordingEntry, void>;

/**
 * Reads a demo of the versions 3 to 6 and rebuilds its snapshots.
 *
 * @param input the file, its pieces, or a stream of them
 * @returns the records in the order of the file: `header`, `map`, then `tick`, `snapshot` and `message`. Damage is a
 *   record
 * `diagnostic`, whose offset counts bytes of the file, and reading continues after it. Where a file can't be
 * decompressed any more, the last record is the diagnostic `input_failed`.
 * @throws DecodeError `not_a_demo` if the file does not begin as a demo; `input_failed` if nothing can be decompressed
 * @example
 * ```ts
 * import { readDemo } from 'tw-snap';
 *
 * for (const entry of readDemo(bytes)) {
 *   if (entry.record === 'snapshot') console.log(entry.tick, entry.snapshot?.count, entry.snapshot?.checksum());
 * }
 * ```
 */
export function readDemo(input: Pieces, options?: Keeping): Records;
export function readDemo(input: Streamed, options?: Keeping): AsyncRecords;
export function readDemo(input: Pieces, options: Reusing): BorrowedRecords;
export function readDemo(input: Streamed, options: Reusing): StreamedRecords;
// The compiler reports a wrong option against the last of them.
export function readDemo(input: Pieces | Streamed, options?: Keeping): Records | AsyncRecords;
export function readDemo(input: Pieces | Streamed, options?: AnyOptions): unknown {
  return recordsOfInput(input, 'readDemo', [withReader(demoFormat, CheckedDemoReplay)], 'not_a_demo', options);
}

/**
 * A protocol is accepted wherever a version is.
 * @param name that of the function whose options they are
 */
export function readOptions(name: string, given: ReadOptions = {}, known = readOptionNames): replay.ReadOptions {
  checkOptions(name, given, known);
  const { protocol: of, ...options } = given;
  if (of === undefined) return options;
  const { version, schema } = typeof of === 'object' ? of : protocolOf(of);
  return { ...options, version: protocolOf(version).version, schema: options.schema ?? schema };
}

/** What the records that a reader returned are read with. */
interface OwnOptions {
  messages?: boolean;
  ticks?: boolean;
  parts?: boolean;
  /** Whether nobody keeps a record, so that none is copied. */
  borrows?: boolean;
}
const ownOptions = new WeakMap<object, OwnOptions>();

/** Changes how the records are read that a reader returned and nobody has read: for a function that takes them all. */
export function withOptions<Read>(records: Read, changes: OwnOptions): Read {
  if (typeof records === 'object' && records) Object.assign(ownOptions.get(records) ?? {}, changes);
  return records;
}

/**
 * Reads a capture (pcap or pcapng) or a network log of the games, follows its connections, and rebuilds the snapshots
 * of every client.
 *
 * @param input the file, its pieces, or a stream of them
 * @returns the records in the order of the file, each with the `stream` it belongs to: `connection`, `snapshot`,
 *   `message`,
 * `close`. The `verdict` of a snapshot says whether its checksum is the announced one. Damage is a record `diagnostic`.
 * Where a file can't be decompressed any more, the last one is `input_failed`.
 * @throws DecodeError `not_a_capture` if the file does not begin as one; `input_failed` if nothing can be decompressed
 * @example
 * ```ts
 * import { readCapture } from 'tw-snap';
 *
 * for (const entry of readCapture(bytes, { messages: false })) {
 *   if (entry.record === 'snapshot' && entry.verdict !== 'ok') console.log(entry.stream.client, entry.tick, entry.verdict);
 * }
 * ```
 */
export function readCapture(input: Pieces, options?: Keeping): Records;
export function readCapture(input: Streamed, options?: Keeping): AsyncRecords;
export function readCapture(input: Pieces, options: Reusing): BorrowedRecords;
export function readCapture(input: Streamed, options: Reusing): StreamedRecords;
export function readCapture(input: Pieces | Streamed, options?: Keeping): Records | AsyncRecords;
export function readCapture(input: Pieces | Streamed, options?: AnyOptions): unknown {
  const known = [withReader(captureFormat, CaptureReplay), withReader(netlogFormat, NetlogReplay)];
  return recordsOfInput(input, 'readCapture', known, 'not_a_capture', options);
}

/**
 * Reads a recording of any format: a demo, a ghost, a capture or a network log, as its first bytes show.
 *
 * @param input the file, its pieces, or a stream of them
 * @returns the records in the order of the file, as `readDemo` and `readCapture` return them
 * @throws DecodeError `not_a_recording` if the file does not begin as one; `input_failed` if nothing can be
 *   decompressed
 * @example
 * ```ts
 * import { read } from 'tw-snap';
 *
 * for (const entry of read(bytes)) {
 *   if (entry.record === 'snapshot') console.log(entry.stream.client, entry.tick, entry.verdict);
 * }
 * ```
 */
export function read(input: Pieces, options?: Keeping): Records;
export function read(input: Streamed, options?: Keeping): AsyncRecords;
export function read(input: Pieces, options: Reusing): BorrowedRecords;
export function read(input: Streamed, options: Reusing): StreamedRecords;
export function read(input: Pieces | Streamed, options?: Keeping): Records | AsyncRecords;
export function read(input: Pieces | Streamed, options?: AnyOptions): unknown {
  return recordsOfInput(input, 'read', formats, 'not_a_recording', options);
}

/** What {@link read} accepts, or the records that it returned. */
export type Recording = Pieces | Iterable<record.RecordingEntry>;
/** The same of what arrives later. */
export type LaterRecording = Streamed | AsyncIterable<record.RecordingEntry>;

export const isLater = (input: Recording | LaterRecording): input is LaterRecording => isStreamed(input as Pieces);

/** The records of what {@link read} accepts, each valid until the next, or records that were kept. */
export function* recordsFrom(
  input: Recording,
  name: string,
  open: () => Pick<Replay, 'feed' | 'finish'>,
): Generator<record.RecordingEntry, void> {
  if (input instanceof Uint8Array || input instanceof ArrayBuffer || typeof input !== 'object' || !input) {
    yield* recordsIn(input, open(), name);
    return;
  }
  if (!(Symbol.iterator in input)) expects(name, `${inputs}, or records`, input);
  const source = (withOptions(input, { borrows: true }) as Iterable<unknown>)[Symbol.iterator]();
  const first = source.next();
  if (first.done) return;
  const all = startingWith(first.value, source);
  if (first.value instanceof Uint8Array) yield* recordsIn(all as Iterable<Uint8Array>, open(), name);
  else for (const value of all) yield asRecord(value, name);
}

function* startingWith<T>(first: T, rest: Iterator<T>): Generator<T, void> {
  try {
    yield first;
    yield* { [Symbol.iterator]: () => rest };
  } finally {
    rest.return?.();
  }
}

/** The same of what arrives later. */
export async function* recordsFromLater(
  input: LaterRecording,
  name: string,
  open: () => Pick<Replay, 'feed' | 'finish'>,
  signal?: AbortSignal,
): AsyncGenerator<record.RecordingEntry, void> {
  const source = untilAborted<unknown>(sourceOf(withOptions(input, { borrows: true }) as Streamed), signal);
  try {
    const first = await source.next();
    const all = { [Symbol.asyncIterator]: () => withFirst(first, source) };
    if (first.done || first.value instanceof Uint8Array) {
      yield* recordsUntilFailure(streamedPieces(all as AsyncIterable<Uint8Array>, name), open());
    } else for await (const value of all) yield asRecord(value, name);
  } finally {
    source.return?.().catch(() => {});
  }
}

/** An iterator of which one result was asked for already. */
function withFirst<T>(first: IteratorResult<T>, rest: AsyncIterator<T>): AsyncIterator<T> {
  let isFirst = true;
  return {
    next: async () => {
      if (!isFirst) return rest.next();
      isFirst = false;
      return first;
    },
    return: async () => (await rest.return?.()) ?? { done: true, value: undefined },
  };
}

/** @param expected what the function `name` takes */
export function asRecord(
  value: unknown,
  name: string,
  expected = 'Uint8Arrays, or records as `read` returns them',
): record.RecordingEntry {
  return typeof value === 'object' && value && 'record' in value
    ? (value as record.RecordingEntry)
    : expects(name, expected, value);
}

function recordsOfInput(
  input: Pieces | Streamed,
  name: string,
  of: readonly RecordingFormat[],
  code: NotThis,
  options: AnyOptions = {},
) {
  const { reuse, signal } = options;
  const own = readOptions(name, options);
  const replay = new DetectedReplay(of, code, own);
  const remembered = <Read extends object>(records: Read) => {
    ownOptions.set(records, own);
    return records;
  };
  if (isStreamed(input)) {
    const records = recordsUntilFailure(streamedPieces(input, name, signal), replay);
    const each = async (visit: Visit) => {
      for await (const entry of records) if ((await visit(entry)) === false) return;
    };
    return reuse ? { each, [Symbol.asyncIterator]: refuse } : remembered(keepStreamed(records, own));
  }
  const records = recordsIn(input, replay, name);
  const each = (visit: Visit) => {
    for (const entry of records) if (visit(entry) === false) return;
  };
  return reuse ? { each, [Symbol.iterator]: refuse } : remembered(keepAll(records, own));
}

/** The records of a stream. If it can't be decompressed to its end, a last record says so. */
async function* recordsUntilFailure(
  pieces: AsyncIterable<Uint8Array>,
  replay: Pick<Replay, 'feed' | 'finish'>,
): AsyncGenerator<record.RecordingEntry, void> {
  let failure: record.RecordingEntry | undefined;
  async function* readable() {
    try {
      yield* pieces;
    } catch (error) {
      failure = failureOf(error);
    }
  }
  yield* recordsOf(readable(), replay);
  if (failure) yield failure;
}

/** The record of input that could be decompressed to some place; what else was thrown is thrown again. */
function failureOf(error: unknown): record.RecordingEntry {
  if (!(error instanceof DecodeError && error.offset > 0)) throw error;
  const { code, offset, args } = error;
  return { record: 'diagnostic', stream: undefined, diagnostic: { severity: 'error', code, offset, args } };
}

function refuse(): never {
  throw new TypeError(
    'records with reuse: true are valid one at a time: pass a function to each(), or leave out reuse',
  );
}

type Visit = (entry: record.RecordingEntry) => unknown;

/** The records of a file, as those of a stream. */
export function* recordsIn(
  input: Pieces,
  replay: Pick<Replay, 'feed' | 'finish'>,
  name: string,
): Generator<record.RecordingEntry, void> {
  let failure: record.RecordingEntry | undefined;
  function* readable() {
    try {
      yield* piecesIn(input, name);
    } catch (error) {
      failure = failureOf(error);
    }
  }
  for (const piece of readable()) yield* replay.feed(piece);
  yield* replay.finish();
  if (failure) yield failure;
}

function* keepAll(records: Iterable<record.RecordingEntry>, own: OwnOptions): Records {
  for (const entry of records) yield own.borrows ? (entry as RecordingEntry) : keep(entry);
}

async function* keepStreamed(records: AsyncIterable<record.RecordingEntry>, own: OwnOptions): AsyncRecords {
  for await (const entry of records) yield own.borrows ? (entry as RecordingEntry) : keep(entry);
}

type NotThis = 'not_a_demo' | 'not_a_capture' | 'not_a_recording';

/** Reads with the first of some formats that the first bytes of a file have. */
export class DetectedReplay implements Replay {
  readonly #formats: readonly RecordingFormat[];
  readonly #code: NotThis;
  readonly #options: replay.ReadOptions;
  /** Those of the file so far. */
  bytes = 0;
  #first: Uint8Array = new Uint8Array(0);
  #replay: Replay | undefined;

  constructor(formats: readonly RecordingFormat[], code: NotThis, options: replay.ReadOptions = {}) {
    this.#formats = formats;
    this.#code = code;
    this.#options = options;
  }

  get container(): string | undefined {
    return this.#replay?.container;
  }

  get streams(): Replay['streams'] {
    return this.#replay?.streams ?? [];
  }

  get datagrams(): Replay['datagrams'] {
    return this.#replay?.datagrams;
  }

  feed(piece: Uint8Array): Iterable<record.RecordingEntry> {
    this.bytes += piece.length;
    if (this.#replay) return this.#replay.feed(piece);
    const first = this.#first.length === 0 ? piece : join([this.#first, piece]);
    const isEnough = isShown(first, this.#formats);
    this.#first = isEnough ? first : first.slice();
    return isEnough ? this.#open().feed(first) : [];
  }

  *finish(): Iterable<record.RecordingEntry> {
    if (!this.#replay) yield* this.#open().feed(this.#first);
    yield* this.#replay!.finish();
  }

  #open(): Replay {
    const format = this.#formats.find(({ detect }) => detect(this.#first));
    if (!format) throw new DecodeError(this.#code, 0, {}, `this is ${this.#code.replaceAll('_', ' ')}`);
    this.#replay = format.open(this.#options);
    return this.#replay;
  }
}
