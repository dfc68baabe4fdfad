import type { DemoFrame } from '../container/demo/frame.ts';
import type { Kind } from '../decode/payload.ts';
import type { Delta } from '../snapshot/delta.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { SnapshotEntry, Stream } from './record.ts';

/** A snapshot of a demo. The view of its payload, which most outputs do not need, is made on demand. */
export class DemoSnapshot implements SnapshotEntry {
  readonly record = 'snapshot';
  readonly stream: Stream;
  readonly tick: number;
  readonly kind: Kind;
  readonly base: number;
  readonly payloadKind: Kind;
  readonly encoding = 'huffman';
  readonly offset: number;
  readonly parts = 1;
  readonly bytes: number;
  readonly snapshot: Snapshot;
  readonly before: Snapshot | undefined;
  readonly delta: Delta | undefined;
  readonly announced = undefined;
  readonly verdict = 'unchecked';
  readonly cause = undefined;
  readonly uncertain: boolean;
  readonly #bytes: Uint8Array;
  readonly #start: number;

  constructor(
    stream: Stream,
    frame: DemoFrame,
    base: number,
    snapshot: Snapshot,
    before: Snapshot | undefined,
    delta: Delta | undefined,
    uncertain: boolean,
  ) {
    this.stream = stream;
    this.tick = frame.tick;
    this.kind = delta ? 'delta' : 'snapshot';
    this.base = base;
    this.payloadKind = this.kind;
    this.offset = frame.dataOffset;
    this.bytes = frame.end - frame.start;
    this.snapshot = snapshot;
    this.before = before;
    this.delta = delta;
    this.uncertain = uncertain;
    this.#bytes = frame.bytes;
    this.#start = frame.start;
  }

  get payload(): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#start + this.bytes);
  }
}
