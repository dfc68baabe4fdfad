import { IntBuffer } from '../bytes/buffers.ts';
import { attempt, DecodeError, ignore } from '../bytes/diagnostic.ts';
import { unpackInts } from '../codec/varint.ts';
import type { Protocol } from '../protocol/registry.ts';
import { apply } from '../snapshot/apply.ts';
import { Delta } from '../snapshot/delta.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** A snapshot as it was sent. */
export interface PreviousSnapshot {
  readonly parts: readonly Uint8Array[];
  readonly base: number;
  /** Whether it was rebuilt with the announced checksum. */
  readonly isRight: boolean;
}

/** A delta as a client received it, with its context. */
export interface ReceivedDelta {
  readonly protocol: Protocol;
  readonly tick: number;
  /** The tick of the base, -1 for the empty snapshot. */
  readonly base: number;
  readonly before: Snapshot;
  /** Packed ints. */
  readonly payload: Uint8Array;
  /** The checksum that the server announced. */
  readonly announced: number;
  /** The end of each part in the payload, including the last. */
  readonly partEnds?: readonly number[] | undefined;
  /** The preceding snapshot. */
  readonly previous?: PreviousSnapshot | undefined;
  /** The snapshots that the client can use as a base, by tick; valid only while hypotheses are tested. */
  readonly stored?: Iterable<readonly [tick: number, snapshot: Snapshot]> | undefined;
}

/** A delta that is unreadable or results in a snapshot with another checksum than announced. */
export class Failure {
  readonly received: ReceivedDelta;
  /** The ints of the payload, with the position of each. */
  readonly ints = new IntBuffer({ positions: true });
  /** The delta as far as it is readable. */
  readonly delta = new Delta();
  /** The error that prevents reading or applying the delta. */
  readonly error: DecodeError | undefined;
  readonly snapshot: Snapshot | undefined;
  /** The announced minus the rebuilt checksum, wrapping; undefined if nothing was rebuilt. */
  readonly difference: number | undefined;
  /** The number of ints after the last update. */
  readonly excess: number;
  /** The names of the types in the rebuilt snapshot, or in the base and the readable part of the delta. */
  readonly types: ItemTypes;

  constructor(received: ReceivedDelta) {
    this.received = received;
    const { protocol, before, payload, announced } = received;
    const rebuilt = attempt(() => {
      unpackInts(payload, 0, payload.length, this.ints, ignore);
      this.delta.read(this.ints.ints, this.ints.length, protocol.sizeOf);
      return apply(before, this.delta);
    });
    if (rebuilt instanceof DecodeError) this.error = rebuilt;
    else {
      this.snapshot = rebuilt;
      this.difference = (announced - rebuilt.checksum()) | 0;
    }
    this.excess = this.error ? 0 : this.ints.length - this.delta.end;
    this.types = new ItemTypes(protocol).onSnapshot(this.snapshot ?? before);
    if (!this.snapshot) this.types.onSnapshot(this.delta);
  }
}
