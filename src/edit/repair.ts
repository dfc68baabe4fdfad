import type { Code, Diagnostic } from '../bytes/diagnostic.ts';
import { protocol07WithSizesOf06, protocolOf, type SizeOf } from '../protocol/registry.ts';
import type { Schema } from '../protocol/schema.ts';
import { DemoMessage } from '../recording/demo-message.ts';
import type { RecordingEntry, Stream } from '../recording/record.ts';
import { LossFilter } from './losses.ts';
import { type RecordedPayload, recordedPayload, Segment, SegmentReader } from './segment.ts';
import { SegmentCheck } from './segment-check.ts';
import type { Cut } from './segment-markers.ts';
import type { Emit } from './slice.ts';

const ofValues: ReadonlySet<Code> = new Set<Code>(['implausible_value', 'uncertain_value']);

/** A longer segment is read in parts, without the keyframe that would confirm it. */
const maxSegmentBytes = 1 << 27;

/**
 * Repairs a demo segment by segment, each from one full snapshot to the next. Snapshots that are unreadable or show
 * signs of damage are left out up to the next full snapshot; the rest is read with the item sizes that fit. Requires
 * the records of chunks (`parts`).
 *
 * @example
 * ```ts
 * import { readDemo } from 'tw-snap';
 * import { Repairer, writeDemo } from 'tw-snap/edit';
 *
 * const repaired = writeDemo((emit) => {
 *   const repairer = new Repairer(emit);
 *   for (const entry of readDemo(bytes, { parts: true, reuse: true })) repairer.add(entry);
 *   repairer.finish();
 *   console.log(repairer.losses.losses);
 * });
 * ```
 */
export class Repairer {
  readonly losses: LossFilter;
  /** The number of snapshots that were recorded with the wrong table of sizes. */
  wrongSizes = 0;
  readonly #reader = new SegmentReader();
  #check: SegmentCheck | undefined;
  /** Whether all snapshots since the last full one were readable. */
  #isGood = false;
  /** Why the next snapshot is lost. */
  #cause: Diagnostic | undefined;
  #segment = new Segment();
  #stream: Stream | undefined;
  /** The tables of sizes; the one that fitted last is first. */
  #tables: readonly SizeOf[] = [];
  #own: SizeOf = () => 0;

  readonly #schema: Schema | undefined;

  /** @param schema the items and messages of a mod */
  constructor(emit: Emit, schema?: Schema) {
    this.losses = new LossFilter(emit);
    this.#schema = schema;
  }

  add(entry: RecordingEntry): void {
    switch (entry.record) {
      case 'header':
        this.losses.add({ ...entry, stream: this.#open(entry.stream) });
        break;
      case 'map':
        this.losses.add(entry);
        break;
      case 'chunk': {
        const { chunk } = entry;
        if (chunk.kind === 'snapshot' || chunk.kind === 'delta') {
          const recorded = recordedPayload(chunk.kind, chunk);
          if (chunk.kind === 'snapshot') this.#settle(recorded);
          else if (this.#segment.bytes > maxSegmentBytes) this.#settle();
          this.#segment.addPayload(recorded);
        } else if (chunk.kind === 'message')
          this.#segment.parts.push({ entry: { record: 'chunk', chunk: { kind: 'message' } } });
        break;
      }
      case 'tick':
        this.#segment.parts.push({ entry: { ...entry } });
        break;
      case 'message': {
        const { stream, tick = -1, offset = -1, bytes, payload } = entry;
        const copy = new DemoMessage(stream, tick, offset, {
          bytes: bytes.slice(),
          payload: payload?.slice(),
        });
        this.#segment.parts.push({ entry: copy });
        this.#segment.bytes += 2 * bytes.length;
        break;
      }
      case 'diagnostic':
        this.#segment.parts.push({ entry });
        break;
    }
  }

  /** Ends the recording. */
  finish(): void {
    this.#settle();
    this.losses.finish();
  }

  /**
   * Opens the demo. A recording of 0.7 by DDNet may have a header of 0.6 and the sizes of 0.6.
   * @returns the stream with the protocol of the result
   */
  #open({ number, client, server, mapChanges, protocol: found }: Stream): Stream {
    const is07 = found.version === '0.7';
    const protocol = is07 ? protocolOf('0.7', this.#schema) : found;
    this.#own = protocol.sizeOf;
    this.#check = new SegmentCheck(protocol);
    this.#tables = is07 ? [this.#own, protocol07WithSizesOf06(this.#schema).sizeOf] : [this.#own];
    this.#stream = { number, client, server, mapChanges, protocol };
    return this.#stream;
  }

  /**
   * Emits the completed segment.
   * @param next the full snapshot after it
   */
  #settle(next?: RecordedPayload): void {
    const segment = this.#segment;
    const first = segment.parts.find((part) => 'payload' in part);
    const cut = first?.payload.kind === 'snapshot' ? this.#cutOf(segment, next) : undefined;
    const end = cut?.part ?? Infinity;
    for (const [i, part] of segment.parts.entries()) {
      if (i === end) {
        this.#isGood = false;
        this.#cause = cut?.cause;
      }
      if ('payload' in part) this.#pass(part.payload, i < end);
      else this.losses.add(part.entry);
    }
    this.#segment = new Segment();
  }

  /**
   * The position from which a segment is lost. The table of sizes with which most of it is readable is tried first from
   * now on.
   */
  #cutOf(segment: Segment, next: RecordedPayload | undefined): Cut | undefined {
    const [usual, second] = this.#tables;
    const now = this.#check!.check(segment, usual!, next);
    // If only a value is uncertain, the sizes fit.
    if (!now || !second || ofValues.has(now.cause.code)) return now;
    const other = this.#check!.check(segment, second, next);
    if (other && other.part <= now.part) return now;
    this.#tables = this.#tables.toReversed();
    return other;
  }

  #pass(recorded: RecordedPayload, isSure: boolean): void {
    const { kind, tick, payload, offset } = recorded;
    const stream = this.#stream!;
    const [sizeOf = this.#own] = this.#tables;
    this.losses.add({ record: 'chunk', chunk: { kind } });
    if (kind === 'snapshot' && isSure) this.#isGood = true;
    if (!this.#isGood) {
      if (this.#cause) this.losses.add({ record: 'diagnostic', stream, tick, diagnostic: this.#cause });
      this.#cause = undefined;
      return;
    }
    const diagnostic = this.#reader.read(recorded, sizeOf);
    if (diagnostic) {
      this.#isGood = false;
      this.losses.add({ record: 'diagnostic', stream, tick, diagnostic });
      return;
    }
    const isOwn = kind === 'snapshot' || sizeOf === this.#own;
    if (!isOwn) this.wrongSizes++;
    const { current: snapshot, before } = this.#reader;
    this.losses.add({
      record: 'snapshot',
      stream,
      tick,
      kind,
      base: -1,
      // Payloads with the wrong sizes are encoded again.
      payload: isOwn ? payload : undefined,
      payloadKind: kind,
      encoding: 'huffman',
      offset,
      parts: 1,
      bytes: payload.length,
      snapshot,
      before,
      delta: undefined,
      announced: undefined,
      verdict: 'unchecked',
      cause: undefined,
      uncertain: false,
    });
  }
}
