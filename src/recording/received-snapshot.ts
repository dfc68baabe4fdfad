import type { Args, Code } from '../bytes/diagnostic.ts';
import type { Delta } from '../snapshot/delta.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Why a snapshot can't be rebuilt: the first two are loss, of packets or of what was captured. */
export type Reason = 'missing_base' | 'missing_part' | 'damaged';

/** A snapshot that a server sent to a client, as it was announced and as it was rebuilt. */
export class ReceivedSnapshot {
  readonly tick: number;
  /** -1 for the empty snapshot. */
  readonly base: number;
  /** `snapshot` on the empty one, `delta` on another, `empty` the base unchanged. */
  readonly kind: 'snapshot' | 'delta' | 'empty';
  /** Announced; undefined for `empty`. */
  readonly expected: number | undefined;
  readonly parts: number;

  /** Bytes of the payload, all parts. */
  bytes = 0;
  payload: Uint8Array | undefined;
  before: Snapshot | undefined;
  delta: Delta | undefined;
  snapshot: Snapshot | undefined;
  crc: number | undefined;
  /** Whether the sum is the announced one; null where there is none. */
  ok: boolean | null = null;
  reason: Reason | undefined;
  /** Of damaged ones: what is wrong. */
  fault: { readonly code: Code; readonly args: Args } | undefined;

  constructor(tick: number, base: number, expected: number | undefined, parts: number) {
    this.tick = tick;
    this.base = base;
    this.kind = expected === undefined ? 'empty' : base === -1 ? 'snapshot' : 'delta';
    this.expected = expected;
    this.parts = parts;
  }

  failed(reason: Reason, fault?: ReceivedSnapshot['fault']): this {
    this.reason = reason;
    this.fault = fault;
    return this;
  }

  /** @param delta undefined for `empty` */
  rebuilt(snapshot: Snapshot, delta?: Delta): this {
    this.snapshot = snapshot;
    this.delta = delta;
    this.crc = snapshot.checksum();
    this.ok = this.expected === undefined || this.crc === this.expected;
    return this;
  }
}
