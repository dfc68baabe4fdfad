import { type Args, type Code, DecodeError, type Diagnostic } from '../bytes/diagnostic.ts';
import type { DemoFrame } from '../container/demo/frame.ts';
import type { Kind } from '../decode/payload.ts';
import { PayloadReader } from '../decode/payload-reader.ts';
import type { SizeOf } from '../protocol/registry.ts';
import type { Delta } from '../snapshot/delta.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import type { LossInput } from './losses.ts';

/** A copy of a recorded snapshot of a demo. */
export interface RecordedPayload {
  readonly kind: Kind;
  readonly tick: number;
  readonly payload: Uint8Array;
  /** Its offset in the file. */
  readonly offset: number;
}

/** An element of a segment: the payload of a snapshot, or another record. */
export type SegmentPart = { readonly payload: RecordedPayload } | { readonly entry: LossInput };

/** A demo's data from one full snapshot to the next. Its snapshots depend only on each other. */
export class Segment {
  readonly parts: SegmentPart[] = [];
  /** The number of stored bytes. */
  bytes = 0;

  addPayload(payload: RecordedPayload): void {
    this.parts.push({ payload });
    this.bytes += payload.payload.length;
  }
}

/** A copy of the payload of a chunk. */
export const recordedPayload = (kind: Kind, { tick, dataOffset, bytes, start, end }: DemoFrame): RecordedPayload => ({
  kind,
  tick,
  payload: bytes.slice(start, end),
  offset: dataOffset,
});

/** Diagnostics of data that recorders never write, although the games may accept it: signs of damage. */
const neverWritten: ReadonlySet<Code> = new Set<Code>([
  'huffman_after_eof',
  'huffman_padding',
  'huffman_past_end',
  'overlong_varint',
  'varint_padding',
  'nonzero_zero',
  'excess_ints',
  'removed_twice',
  'removed_and_updated',
  'updated_twice',
  'unknown_removed',
  'first_offset',
  'data_without_items',
]);

interface Flaw {
  readonly code: Code;
  readonly args: Args;
}

/** Reads the snapshots of a segment with a given table of sizes, up to the first damaged one. */
export class SegmentReader {
  /** The latest snapshot and the one before it. */
  current = new Snapshot();
  before = new Snapshot();
  readonly #reader: PayloadReader;
  /** The first sign of damage in the current payload. */
  #flaw: Flaw | undefined;

  constructor() {
    this.#reader = new PayloadReader(() => 0, {
      warn: (code, _, args = {}) => {
        if (neverWritten.has(code)) this.#flaw ??= { code, args };
      },
    });
  }

  /** The delta that was read last. */
  get delta(): Delta {
    return this.#reader.delta;
  }

  /**
   * Reads the next payload into {@link current}.
   * @returns the damage; undefined if there is none
   */
  read({ kind, payload, offset }: RecordedPayload, sizeOf: SizeOf): Diagnostic | undefined {
    this.#reader.sizeOf = sizeOf;
    this.#flaw = undefined;
    const next = this.before;
    try {
      if (kind === 'snapshot') this.#reader.readSnapshot(payload, 'huffman', next);
      else {
        this.#reader.readDelta(payload, 'huffman');
        this.#reader.applyTo(this.current, next);
      }
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return { severity: 'error', code: error.code, offset, args: error.args };
    }
    const flaw = this.#flaw as Flaw | undefined;
    if (flaw) return { severity: 'error', offset, ...flaw };
    this.before = this.current;
    this.current = next;
    return undefined;
  }
}
