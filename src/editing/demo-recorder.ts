import { type DemoHeaderFields, DemoWriter, writeDemoHeader } from '../recording/container/demo/demo-writer.ts';
import { lastVersion } from '../recording/container/demo/header.ts';
import type { HeaderEntry, MessageEntry, RecordingEntry, SnapshotEntry } from '../recording/replay/record.ts';
import { IntBuffer } from '../wire/bytes/buffers.ts';
import { attempt, DecodeError } from '../wire/bytes/diagnostic.ts';
import { type LastByte, lastByteOf } from '../wire/codec/huffman.ts';
import { decodeWhole } from '../wire/codec/huffman-blocks.ts';
import { readInts } from '../wire/codec/int32.ts';
import { ticksPerSecond } from '../wire/protocol/ticks.ts';
import { isSame } from '../wire/snapshot/compare.ts';
import { createDelta } from '../wire/snapshot/create-delta.ts';
import type { Delta } from '../wire/snapshot/delta.ts';
import { Snapshot } from '../wire/snapshot/snapshot.ts';

/**
 * Records a stream of records as a demo: the header, then the map, ticks, snapshots and messages in their order. Other
 * records are skipped.
 *
 * A snapshot or message with its recorded payload is copied, but a delta only if its base is the last written snapshot.
 * All others are encoded: snapshots as deltas, unless they are `kind: 'snapshot'` or a delta cannot express them.
 */
export class DemoRecorder {
  snapshots = 0;
  messages = 0;
  /** The bytes of the map that were written: fewer than the header states if the map is cut. */
  mapBytes = 0;
  /** The number of records that were not written because the games could not read them. */
  tooLarge = 0;
  readonly #mode: LastByteMode;
  #writer: DemoWriter | undefined;
  #header: DemoHeaderFields | undefined;
  #sizeOf: (type: number) => number = () => 0;
  /** The pending marker, written together with the record after it; -1 if there is none. */
  #tick = -1;
  #isKeyframe = false;
  #isFinished = false;
  readonly #last = new Snapshot();
  readonly #ints = new IntBuffer();

  /** @param mode how the streams encoded here end */
  constructor(mode = new LastByteMode()) {
    this.#mode = mode;
  }

  add(entry: RecordingEntry): void {
    if (entry.record === 'header') this.#open(entry);
    else if (entry.record === 'map') {
      this.#demo.map(entry.piece);
      this.mapBytes += entry.piece.length;
    } else if (entry.record === 'tick') {
      this.#mark(false);
      this.#tick = entry.tick;
      this.#isKeyframe = entry.keyframe;
    } else if (entry.record === 'snapshot' && entry.snapshot) this.#snapshot(entry, entry.snapshot);
    else if (entry.record === 'message') {
      // The first snapshot may come after it, under the same marker, and DDNet refuses a demo without a keyframe.
      this.#mark(this.snapshots === 0);
      this.#try(() => this.#demo.chunk('message', this.#messagePayload(entry)));
      this.messages++;
    }
  }

  finish(): void {
    this.#mark(false);
    this.#isFinished = true;
  }

  /**
   * The bytes since the last call. If they are the whole demo, its header is the final one; otherwise that is to be
   * written over the first bytes: {@link finalHeader}.
   */
  flush(): Uint8Array<ArrayBuffer> {
    const bytes = this.#demo.flush();
    if (this.#isFinished && bytes.length === this.length) bytes.set(this.finalHeader());
    return bytes;
  }

  get length(): number {
    return this.#writer?.length ?? 0;
  }

  get firstTick(): number {
    return this.#writer?.firstTick ?? -1;
  }

  get lastTick(): number {
    return this.#writer?.lastTick ?? -1;
  }

  /** The games need two. */
  get hasOneTick(): boolean {
    return this.firstTick === this.lastTick;
  }

  /** The whole seconds from the first marker to the last, as in a header. */
  get seconds(): number {
    return Math.floor((this.lastTick - this.firstTick) / ticksPerSecond);
  }

  /** The markers of the header that are inside. */
  get markers(): readonly number[] {
    const { header, firstTick, lastTick } = this;
    return header.markers.filter((tick) => tick >= firstTick && tick <= lastTick);
  }

  /**
   * The bytes of the header with what is known at the end: the length, the size of the map, and the markers that are
   * inside. It is as long as the header that was written first.
   */
  finalHeader(changes: Partial<DemoHeaderFields> = {}): Uint8Array {
    const { header, markers, seconds: length, mapBytes: mapSize } = this;
    return writeDemoHeader({ ...header, length, mapSize, markers, ...changes });
  }

  get header(): DemoHeaderFields {
    if (!this.#header) throw noHeader();
    return this.#header;
  }

  get #demo(): DemoWriter {
    if (!this.#writer) throw noHeader();
    return this.#writer;
  }

  #open({ header, stream }: HeaderEntry): void {
    // The games play the map of a demo of version 6 only with its SHA-256.
    const last = header.sha256 === undefined && header.version > lastVersion ? lastVersion - 1 : lastVersion;
    this.#header = { ...header, version: Math.min(header.version, last), mapSize: Math.max(0, header.mapSize) };
    this.#writer = new DemoWriter(this.#header.version);
    this.#sizeOf = stream.protocol.sizeOf;
    this.#writer.header(this.#header);
  }
  #mark(keyframe: boolean): void {
    if (this.#tick < 0) return;
    this.#demo.tick(this.#tick, keyframe);
    this.#tick = -1;
  }

  #snapshot(entry: SnapshotEntry, snapshot: Snapshot): void {
    const isFirst = this.snapshots === 0;
    const isFull = entry.kind === 'snapshot';
    const { payload, before, stream } = entry;
    // Payloads with the wrong item sizes are encoded again, since the games misread them.
    const isCopied =
      (entry.isClean || isWhole(payload)) &&
      entry.encoding === 'huffman' &&
      (isFull || stream.protocol.sizeOf === this.#sizeOf);
    if (payload && isCopied && (isFull || (!isFirst && before && isSame(before, this.#last)))) {
      // The first one is marked in any case, as above.
      this.#mark(isFull && (this.#isKeyframe || isFirst));
      this.#keep(snapshot, () => this.#demo.chunk(isFull ? 'snapshot' : 'delta', payload));
      return;
    }
    const delta = isFull || isFirst ? undefined : deltaOf(this.#last, snapshot, this.#sizeOf);
    this.#mark(delta === undefined);
    if (delta?.removedCount === 0 && delta.count === 0) return;
    this.#keep(snapshot, () => {
      if (delta) this.#demo.chunk('delta', this.#encode(delta.ints, delta.length));
      else this.#demo.chunk('snapshot', this.#encode(snapshot.toInts()));
    });
  }

  #messagePayload({ payload, bytes, endBit }: MessageEntry): Uint8Array {
    if (payload && (endBit !== undefined || isWhole(payload))) return payload;
    const ints = this.#ints;
    readInts(padded(bytes), 0, bytes.length + ((4 - (bytes.length % 4)) % 4), ints);
    return this.#encode(ints.ints, ints.length);
  }

  #encode(ints: Int32Array, length?: number): Uint8Array {
    this.#demo.lastByte = this.#mode.lastByte;
    return this.#demo.encode(ints, length);
  }

  #keep(snapshot: Snapshot, write: () => void): void {
    if (!this.#try(write)) return;
    this.#last.copyFrom(snapshot);
    this.snapshots++;
  }

  /** Returns false for a record that is too large for a chunk. It is left out, since the games could not read it. */
  #try(write: () => void): boolean {
    const isWritten = !(attempt(write) instanceof DecodeError);
    if (!isWritten) this.tooLarge++;
    return isWritten;
  }
}

const noHeader = () => new DecodeError('not_a_demo', 0, {}, 'these records are not a demo: the header comes first');

/**
 * Whether a payload can be copied: a short one, and nothing after its end symbol that may be taken for damage. Others
 * are encoded again.
 */
const isWhole = (payload: Uint8Array | undefined): payload is Uint8Array =>
  payload !== undefined && decodeWhole(payload, 0, payload.length) !== undefined;

function padded(bytes: Uint8Array): Uint8Array {
  if (bytes.length % 4 === 0) return bytes;
  const whole = new Uint8Array(bytes.length + 4 - (bytes.length % 4));
  whole.set(bytes);
  return whole;
}

/** Undefined if a delta cannot express it: keys are repeated, or an item's size changes. */
function deltaOf(from: Snapshot, to: Snapshot, sizeOf: (type: number) => number): Delta | undefined {
  if (from.hasRepeats || to.hasRepeats) return undefined;
  const delta = attempt(() => createDelta(from, to, sizeOf));
  return delta instanceof DecodeError ? undefined : delta;
}

/** Detects how the compressed streams of a recording end, so that new ones end alike. */
export class LastByteMode {
  /** Before the first payload: the ending that all software except newer DDNet writes. */
  lastByte: LastByte = 'extra';
  /** Whether a payload has shown the ending: about one in eight does. */
  isSeen = false;

  add(payload: Uint8Array | undefined): void {
    if (this.isSeen || !payload) return;
    const seen = lastByteOf(payload, 0, payload.length);
    if (seen === undefined) return;
    this.lastByte = seen;
    this.isSeen = true;
  }
}
