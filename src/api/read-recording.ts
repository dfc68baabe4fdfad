import { join } from '../bytes/copy.ts';
import { DecodeError } from '../bytes/diagnostic.ts';
import { readMessage } from '../packet/message.ts';
import { formats } from '../recording/all-formats.ts';
import { detectionBytes, type Format, recordsOf } from '../recording/formats.ts';
import type { MessageEntry, RecordingEntry, SnapshotEntry } from '../recording/record.ts';
import type { ReadOptions, Replay } from '../recording/replay.ts';
import { copyOf } from '../snapshot/builder.ts';

/** A copy of a record that stays valid when the reader fills its buffers again. Its stream is shared, and goes on counting. */
export function keepRecord(entry: RecordingEntry): RecordingEntry {
  switch (entry.record) {
    case 'snapshot':
      return keepSnapshot(entry);
    case 'message':
      return keepMessage(entry);
    case 'map':
      return { ...entry, piece: entry.piece.slice() };
    case 'chunk': {
      const { bytes, start, end } = entry.chunk;
      return { ...entry, chunk: { ...entry.chunk, bytes: bytes.slice(start, end), start: 0, end: end - start } };
    }
    case 'packet': {
      const { bytes, packet } = entry;
      return { ...entry, bytes: bytes.slice(), packet: packet && { ...packet, payload: packet.payload.slice() } };
    }
    default:
      return entry;
  }
}

function keepSnapshot(entry: SnapshotEntry): SnapshotEntry {
  const { snapshot, before, delta, payload } = entry;
  return {
    ...entry,
    payload: payload?.slice(),
    snapshot: snapshot && copyOf(snapshot),
    before: before && copyOf(before),
    delta: delta?.copy(),
  };
}

/**
 * The message is read again in the version in which it was read, since its values may be views of the bytes. Only in
 * demos messages are padded.
 */
function keepMessage(entry: MessageEntry): MessageEntry {
  const { stream, head, certainty, payload } = entry;
  const bytes = entry.bytes.slice();
  const protocol = { ...stream.protocol, version: head.version ?? stream.protocol.version };
  const read = readMessage(bytes, 0, bytes.length, protocol, { padded: entry.tick !== undefined });
  const message = head.version === undefined ? read : { ...read, version: head.version };
  return { ...entry, bytes, message, head: message, certainty, ...(payload ? { payload: payload.slice() } : {}) };
}

/**
 * A file, or its pieces in order: a `Uint8Array`, or an array or generator of them. The bytes must stay as they are while they are
 * read.
 *
 * @example
 * ```ts
 * import type { Pieces } from 'tw-snap';
 *
 * const pieces: Pieces = [bytes.subarray(0, 1000), bytes.subarray(1000)];
 * ```
 */
export type Pieces = Uint8Array | Iterable<Uint8Array>;

/**
 * How {@link readDemo} and {@link readCapture} read a recording.
 *
 * @example
 * ```ts
 * import { readDemo, type RecordingOptions } from 'tw-snap';
 *
 * const options: RecordingOptions = { messages: false, reuse: true };
 * let items = 0;
 * for (const entry of readDemo(bytes, options)) if (entry.record === 'snapshot') items += entry.snapshot?.count ?? 0;
 * ```
 */
export interface RecordingOptions extends ReadOptions {
  /**
   * Fills the same buffers for each record, which is faster. A record is then valid only until the next one is asked for: copy
   * what is to be kept (`snapshot.copyFrom`, `bytes.slice`). A copy `{ ...entry }` lacks what is read on demand, such as `payload` and
   * `message`. By default every record may be kept.
   */
  readonly reuse?: boolean;
}

/**
 * Reads a demo of the versions 3 to 6 and rebuilds its snapshots.
 *
 * @param input the file: a `Uint8Array`, an iterable of its pieces, or an async iterable of them, such as a stream of Node or of a
 * browser. A compressed file has to be decompressed first.
 * @returns the records in the order of the file: `header`, `map`, then `tick`, `snapshot` and `message`. Damage is a record
 * `diagnostic`, whose offset counts bytes of the file, and reading continues after it.
 * @throws DecodeError `not_a_demo` if the file does not begin as a demo
 * @example
 * ```ts
 * import { readDemo } from 'tw-snap';
 *
 * for (const entry of readDemo(bytes)) {
 *   if (entry.record === 'snapshot') console.log(entry.tick, entry.snapshot?.count, entry.snapshot?.checksum());
 * }
 * ```
 */
export function readDemo(input: Pieces, options?: RecordingOptions): Generator<RecordingEntry, void>;
export function readDemo(
  input: AsyncIterable<Uint8Array>,
  options?: RecordingOptions,
): AsyncGenerator<RecordingEntry, void>;
export function readDemo(input: Pieces | AsyncIterable<Uint8Array>, options?: RecordingOptions) {
  return read(input, new DetectedReplay(({ hasTicks }) => hasTicks, 'not_a_demo', options), options);
}

/**
 * Reads a capture (pcap or pcapng) or a network log of the games, follows its connections, and rebuilds the snapshots of every
 * client.
 *
 * @param input the file: a `Uint8Array`, an iterable of its pieces, or an async iterable of them
 * @returns the records in the order of the file, each with the `stream` it belongs to: `connection`, `snapshot`, `message`,
 * `close`. The `verdict` of a snapshot says whether its checksum is the announced one. Damage is a record `diagnostic`.
 * @throws DecodeError `not_a_capture` if the file does not begin as one
 * @example
 * ```ts
 * import { readCapture } from 'tw-snap';
 *
 * for (const entry of readCapture(bytes, { messages: false })) {
 *   if (entry.record === 'snapshot' && entry.verdict !== 'ok') console.log(entry.stream.client, entry.tick, entry.verdict);
 * }
 * ```
 */
export function readCapture(input: Pieces, options?: RecordingOptions): Generator<RecordingEntry, void>;
export function readCapture(
  input: AsyncIterable<Uint8Array>,
  options?: RecordingOptions,
): AsyncGenerator<RecordingEntry, void>;
export function readCapture(input: Pieces | AsyncIterable<Uint8Array>, options?: RecordingOptions) {
  return read(input, new DetectedReplay(({ hasPackets }) => hasPackets, 'not_a_capture', options), options);
}

function read(
  input: Pieces | AsyncIterable<Uint8Array>,
  replay: DetectedReplay,
  { reuse = false }: RecordingOptions = {},
) {
  const keep = reuse ? (entry: RecordingEntry) => entry : keepRecord;
  if (Symbol.asyncIterator in input) return readAsync(input, replay, keep);
  return readSync(input, replay, keep);
}

type Keep = (entry: RecordingEntry) => RecordingEntry;

function* readSync(input: Pieces, replay: DetectedReplay, keep: Keep): Generator<RecordingEntry, void> {
  for (const entry of recordsIn(input, replay)) yield keep(entry);
}

export function* recordsIn(input: Pieces, replay: Pick<Replay, 'feed' | 'finish'>): Generator<RecordingEntry, void> {
  for (const piece of input instanceof Uint8Array ? [input] : input) yield* replay.feed(piece);
  yield* replay.finish();
}

async function* readAsync(
  pieces: AsyncIterable<Uint8Array>,
  replay: DetectedReplay,
  keep: Keep,
): AsyncGenerator<RecordingEntry, void> {
  for await (const entry of recordsOf(pieces, replay)) yield keep(entry);
}

/** Reads with the first of the wanted formats that the first bytes of a file have. */
export class DetectedReplay implements Pick<Replay, 'feed' | 'finish'> {
  readonly #isWanted: (format: Format) => boolean;
  readonly #code: 'not_a_demo' | 'not_a_capture';
  readonly #options: ReadOptions;
  #first: Uint8Array = new Uint8Array(0);
  #replay: Replay | undefined;

  constructor(isWanted: (format: Format) => boolean, code: 'not_a_demo' | 'not_a_capture', options: ReadOptions = {}) {
    this.#isWanted = isWanted;
    this.#code = code;
    this.#options = options;
  }

  feed(piece: Uint8Array): Iterable<RecordingEntry> {
    if (this.#replay) return this.#replay.feed(piece);
    const first = this.#first.length === 0 ? piece : join([this.#first, piece]);
    const isEnough = first.length >= detectionBytes;
    this.#first = isEnough ? first : first.slice();
    return isEnough ? this.#open().feed(first) : [];
  }

  *finish(): Iterable<RecordingEntry> {
    if (!this.#replay) yield* this.#open().feed(this.#first);
    yield* this.#replay!.finish();
  }

  #open(): Replay {
    const format = formats.find((one) => this.#isWanted(one) && one.detect(this.#first));
    if (!format) throw new DecodeError(this.#code, 0);
    this.#replay = format.open(this.#options);
    return this.#replay;
  }
}
