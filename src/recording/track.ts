import type { BinaryEncoding } from '../decode/encoding-layers.ts';
import type { Kind } from '../decode/payload.ts';
import type { Version } from '../protocol/registry.ts';

/** The base of a delta whose base is not known. */
export const unknownBase = -2;
/** The empty snapshot. */
export const emptyBase = -1;

/** A snapshot as recorded: its bytes and its base. */
export interface TrackSnapshot {
  readonly tick: number;
  readonly kind: Kind;
  readonly encoding: BinaryEncoding;
  /** For a delta: the index of its base, {@link emptyBase} or {@link unknownBase}. */
  readonly base: number;
  readonly payload: Uint8Array;
  /** The offset of the payload in the file, -1 if it is not one range. */
  readonly offset: number;
  /** For a capture: the checksum that the server announced. */
  readonly announced?: number | undefined;
  /** Whether an earlier snapshot could not be read, so that this one may be wrong. */
  readonly uncertain: boolean;
  /** False for a snapshot that is included only as a base. */
  readonly shown: boolean;
}

/** A message, unpacked. */
export interface TrackMessage {
  readonly tick: number;
  /** The number of snapshots before it. */
  readonly after: number;
  readonly bytes: Uint8Array;
}

/** The data sent to one player, in order: a whole demo, or one connection of a capture. */
export interface Track {
  /** The client of a connection. */
  readonly name: string;
  /** The name of the player who received it. */
  readonly player?: string | undefined;
  readonly version: Version;
  /** Whether its messages can be of the other version, too. */
  readonly mixesVersions?: boolean | undefined;
  readonly markers: readonly number[];
  readonly snapshots: readonly TrackSnapshot[];
  readonly messages: readonly TrackMessage[];
}
