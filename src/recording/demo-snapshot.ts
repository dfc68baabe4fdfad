import { noBytes } from '../bytes/buffers.ts';
import type { DemoFrame } from '../container/demo/frame.ts';
import type { Kind } from '../decode/payload.ts';
import type { Delta } from '../snapshot/delta.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { SnapshotEntry, Stream } from './record.ts';

/**
 * The record of a snapshot of a demo. There is one for all of them, since a new one each time would push other data out of the cache.
 * The view of the payload, which most outputs do not need, is made on demand.
 */
export class DemoSnapshot implements SnapshotEntry {
  readonly record = 'snapshot';
  readonly stream: Stream;
  tick = -1;
  kind: Kind = 'snapshot';
  base = -1;
  payloadKind: Kind = 'snapshot';
  readonly encoding = 'huffman';
  offset = 0;
  readonly parts = 1;
  bytes = 0;
  snapshot: Snapshot | undefined;
  before: Snapshot | undefined;
  delta: Delta | undefined;
  readonly announced = undefined;
  readonly verdict = 'unchecked';
  readonly cause = undefined;
  uncertain = false;
  #bytes: Uint8Array = noBytes;
  #start = 0;

  constructor(stream: Stream) {
    this.stream = stream;
  }

  /** Sets what the frame says. */
  setFrame(frame: DemoFrame, kind: Kind): void {
    this.tick = frame.tick;
    this.kind = kind;
    this.payloadKind = kind;
    this.offset = frame.dataOffset;
    this.bytes = frame.end - frame.start;
    this.#bytes = frame.bytes;
    this.#start = frame.start;
  }

  get payload(): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#start + this.bytes);
  }
}
