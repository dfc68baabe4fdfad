import { IntBuffer } from '../bytes/buffers.ts';
import { DecodeError, ignore } from '../bytes/diagnostic.ts';
import { unpackInts } from '../codec/varint.ts';
import type { Protocol } from '../protocol/registry.ts';
import { apply } from '../snapshot/apply.ts';
import { Delta } from '../snapshot/delta.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** A delta as a client received it, with what is known of its surroundings. */
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
  /** Where each part of the payload ends, the last included. */
  readonly partEnds?: readonly number[] | undefined;
  /** The parts of the snapshot that the client was sent before. */
  readonly previousParts?: readonly Uint8Array[] | undefined;
  /** The snapshots that the client can use as a base, by tick; valid only while hypotheses are tested. */
  readonly stored?: Iterable<readonly [tick: number, snapshot: Snapshot]> | undefined;
}

/** A delta that can't be read to its end, or that makes a snapshot with another checksum than announced. */
export class Failure {
  readonly received: ReceivedDelta;
  /** With the byte of the payload at which each int begins. */
  readonly ints = new IntBuffer({ positions: true });
  /** As far as it can be read. */
  readonly delta = new Delta();
  /** What keeps the delta from being read or applied. */
  readonly error: DecodeError | undefined;
  readonly snapshot: Snapshot | undefined;
  /** Announced checksum minus the rebuilt one, wrapping; undefined where nothing was rebuilt. */
  readonly difference: number | undefined;
  /** Ints after the last update. */
  readonly excess: number;
  /** The names of the types in the rebuilt snapshot, or else in the base and what can be read of the delta. */
  readonly types: ItemTypes;

  constructor(received: ReceivedDelta) {
    this.received = received;
    const { protocol, before, payload, announced } = received;
    try {
      unpackInts(payload, 0, payload.length, this.ints, ignore);
      this.delta.read(this.ints.ints, this.ints.length, protocol.sizeOf);
      this.snapshot = apply(before, this.delta);
      this.difference = (announced - this.snapshot.checksum()) | 0;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      this.error = error;
    }
    this.excess = this.error ? 0 : this.ints.length - this.delta.end;
    this.types = new ItemTypes(protocol).onSnapshot(this.snapshot ?? before);
    if (!this.snapshot) this.types.onSnapshot(this.delta);
  }
}
