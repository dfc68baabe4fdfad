import type { BinaryEncoding } from '../decode/encoding-layers.ts';
import type { Kind } from '../decode/payload.ts';
import type { Version } from '../protocol/registry.ts';

/** Of a delta: that nobody knows what it is a difference to. */
export const unknownBase = -2;
/** The empty snapshot. */
export const emptyBase = -1;

/** A snapshot as it was recorded: its bytes, and what they build on. */
export interface TrackSnapshot {
  readonly tick: number;
  readonly kind: Kind;
  readonly encoding: BinaryEncoding;
  /** Of a delta: the index of the snapshot it is a difference to, {@link emptyBase} or {@link unknownBase}. */
  readonly base: number;
  readonly payload: Uint8Array;
  /** Where the payload stands in the file, -1 where that is no one place. */
  readonly offset: number;
  /** Of a capture: the checksum that the server announced. */
  readonly announced?: number | undefined;
  /** Whether one before it could not be read, so that it may be wrong. */
  readonly uncertain: boolean;
  /** False for one that is there only because others build on it. */
  readonly shown: boolean;
}

/** A message, unpacked. */
export interface TrackMessage {
  readonly tick: number;
  /** How many of the snapshots came before it. */
  readonly after: number;
  readonly bytes: Uint8Array;
}

/** What one player was sent, in order: all of a demo, or one connection of a capture. */
export interface Track {
  /** Of a connection: the client. */
  readonly name: string;
  readonly version: Version;
  readonly markers: readonly number[];
  readonly snapshots: readonly TrackSnapshot[];
  readonly messages: readonly TrackMessage[];
}
