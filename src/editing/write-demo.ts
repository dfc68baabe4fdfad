import type { MessageEntry, RecordingEntry, SnapshotEntry } from '../recording/replay/record.ts';
import { areSameBytes } from '../wire/bytes/copy.ts';
import { DecodeError, ignore } from '../wire/bytes/diagnostic.ts';
import { bytesOfInts } from '../wire/codec/int32.ts';
import { unpackInt } from '../wire/codec/varint.ts';
import { type MessageValue, messageFields } from '../wire/packet/message.ts';
import { bytesOfType } from '../wire/packet/write.ts';
import { PayloadReader } from '../wire/payload/payload-reader.ts';
import { isSame } from '../wire/snapshot/compare.ts';
import { maxDraftSnapshotBytes } from '../wire/snapshot/key.ts';
import { Snapshot } from '../wire/snapshot/snapshot.ts';
import { DemoRecorder, LastByteMode } from './demo-recorder.ts';
import type { Emit } from './slice.ts';

/**
 * Writes records as a whole demo in memory. For larger demos use a `DemoRecorder`, which returns the bytes piece by
 * piece.
 *
 * What is written is what a record says: its snapshot, its message. The bytes as recorded are copied where they say the
 * same. A snapshot whose tick has no record gets a marker.
 *
 * @param records the records, the header first, or a function that emits them. Of those that arrive later, the result
 *   is a promise
 * @returns the bytes of the demo; its header has the length that was recorded
 * @throws DecodeError with the code of the damage if the header could not be read, `not_a_demo` without a header
 * @throws RangeError if records are out of order, or if the games could not read one that is too large
 *
 * @example
 * ```ts
 * import { readDemo, writeDemo } from 'tw-snap';
 *
 * const same = writeDemo((emit) => readDemo(bytes, { reuse: true }).each(emit));
 * const quiet = writeDemo([...readDemo(bytes)].filter(({ record }) => record !== 'message'));
 * ```
 */
export function writeDemo(records: Iterable<RecordingEntry> | ((emit: Emit) => void)): Uint8Array<ArrayBuffer>;
export function writeDemo(records: AsyncIterable<RecordingEntry>): Promise<Uint8Array<ArrayBuffer>>;
export function writeDemo(
  records: Iterable<RecordingEntry> | AsyncIterable<RecordingEntry> | ((emit: Emit) => void),
): Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>> {
  const writing = new DemoWriting();
  if (typeof records === 'function') records((entry) => writing.add(entry));
  else if (typeof records === 'object' && records !== null && Symbol.asyncIterator in records) {
    return written(records, writing);
  } else if (typeof records === 'object' && records !== null && Symbol.iterator in records) {
    for (const entry of records) writing.add(entry);
  } else throw new TypeError('writeDemo expects records as readDemo returns them, or a function that emits them');
  return writing.finish();
}

async function written(records: AsyncIterable<RecordingEntry>, writing: DemoWriting) {
  for await (const entry of records) writing.add(entry);
  return writing.finish();
}

/** Records that a program may have changed, made consistent for the recorder, which trusts them. */
class DemoWriting {
  readonly #mode = new LastByteMode();
  readonly #recorder = new DemoRecorder(this.#mode);
  readonly #payload = new PayloadReader(() => 0);
  readonly #recorded = new Snapshot();
  #count = 0;
  #hasHeader = false;
  /** The tick of the last marker; -1 before the first. */
  #tick = -1;
  /** Whether the demo that was read has ticks that go back, of which its reader says so before. */
  #mayGoBack = false;

  constructor() {
    this.#payload.maxSnapshotBytes = maxDraftSnapshotBytes;
  }

  add(entry: RecordingEntry): void {
    this.#count++;
    if (entry.record === 'diagnostic') this.#onDiagnostic(entry);
    else if (entry.record === 'header') {
      if (this.#hasHeader) throw this.#disorder('a second header', 'one demo has one: `joined` joins several');
      this.#hasHeader = true;
      this.#recorder.add(entry);
    } else if (entry.record === 'map') {
      if (this.#tick >= 0) throw this.#disorder('a piece of the map', 'the map comes before the first tick');
      this.#recorder.add(entry);
    } else if (entry.record === 'tick') {
      this.#mark(entry);
      this.#recorder.add(entry);
    } else if (entry.record === 'snapshot') {
      this.#markMissing(entry);
      this.#mode.add(entry.payload);
      this.#recorder.add(entry.snapshot && !this.#saysPayload(entry) ? { ...entry, payload: undefined } : entry);
    } else if (entry.record === 'message') {
      if ((entry.tick ?? -1) > this.#tick) this.#markMissing(entry);
      this.#mode.add(entry.payload);
      this.#recorder.add(this.#faithful(entry));
    }
    if (this.#recorder.tooLarge > 0) {
      throw new RangeError(`record ${this.#count}, a ${entry.record}, is larger than a chunk of a demo can be`);
    }
  }

  finish(): Uint8Array<ArrayBuffer> {
    this.#recorder.finish();
    return this.#recorder.flush();
  }

  #onDiagnostic({ diagnostic }: RecordingEntry & { readonly record: 'diagnostic' }): void {
    const { code, offset, args, severity } = diagnostic;
    if (!this.#hasHeader && severity === 'error') throw new DecodeError(code, offset, args);
    if (code === 'tick_backwards') this.#mayGoBack = true;
  }

  #mark({ tick }: { readonly tick: number }): void {
    if (tick < this.#tick && !this.#mayGoBack) {
      throw this.#disorder(`of tick ${tick}`, `the one before is of tick ${this.#tick}`);
    }
    this.#mayGoBack = false;
    this.#tick = tick;
  }

  /** The records of ticks may be left out: the others have their tick, too. */
  #markMissing({ tick = -1, stream }: SnapshotEntry | MessageEntry): void {
    if (tick < 0 || tick === this.#tick) return;
    this.#mark({ tick });
    this.#recorder.add({ record: 'tick', stream, tick, keyframe: true });
  }

  #disorder(what: string, why: string): RangeError {
    return new RangeError(`record ${this.#count}, ${what}, is out of order: ${why}`);
  }

  /** Whether the payload of a snapshot makes this snapshot: a program may have changed one of them. */
  #saysPayload({ payload, payloadKind, encoding, before, snapshot, stream }: SnapshotEntry): boolean {
    if (!payload || (payloadKind === 'delta' && !before)) return false;
    this.#payload.sizeOf = stream.protocol.sizeOf;
    const error = this.#payload.rebuild(payloadKind, payload, encoding, before ?? this.#recorded, this.#recorded);
    return !error && isSame(this.#recorded, snapshot!);
  }

  /**
   * The message with the bytes that say what it says: a program may have changed the bytes, or the message that was
   * read from them.
   */
  #faithful(entry: MessageEntry): MessageEntry {
    const isRecorded = this.#saysBytes(entry);
    const bytes = Object.hasOwn(entry, 'message') ? bytesOfMessage(entry) : entry.bytes;
    if (bytes === entry.bytes && isRecorded) return entry;
    if (bytes !== entry.bytes && !entry.payload) {
      throw new TypeError(`record ${this.#count}, a message, has other values than its bytes`);
    }
    const { record, stream, direction, message, head, tick = -1 } = entry;
    return { record, stream, direction, message, head, tick, bytes: isRecorded ? bytes : entry.bytes };
  }

  #saysBytes({ payload, bytes, endBit }: MessageEntry): boolean {
    if (!payload) return true;
    try {
      this.#payload.unpack(payload, 'huffman');
    } catch (error) {
      if (error instanceof DecodeError) return false;
      throw error;
    }
    if (endBit !== undefined && endBit !== this.#payload.endBit) return false;
    const recorded = bytesOfInts(this.#payload.ints);
    return recorded.length >= bytes.length && recorded.every((byte, i) => byte === (bytes[i] ?? 0));
  }
}

/** The bytes of a message, written anew if its values are not those that the bytes have. */
function bytesOfMessage({ message, bytes, stream }: MessageEntry): Uint8Array {
  const { type, values } = message;
  if (stream.hidesSecrets || !type || values.every((value) => isIn(bytes, value))) return bytes;
  return bytesOfType(
    type,
    messageFields(message, (bytes) => bytes),
  );
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Whether a value is what the bytes have at its place. One that is there in part can't be changed. */
function isIn(bytes: Uint8Array, { value, start, end }: MessageValue): boolean {
  if (typeof value === 'number') return unpackInt(bytes, start, end, ignore) === value;
  const own = bytes.subarray(start, end);
  if (value instanceof Uint8Array) return areSameBytes(own, value);
  // A UUID has no NUL.
  return typeof value !== 'string' || own.at(-1) !== 0 || utf8.decode(own.subarray(0, -1)) === value;
}
