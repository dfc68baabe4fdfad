import type { PacketReading, PayloadReading } from '../../../src/input/stated.ts';
import type { LastByte } from '../../../src/wire/codec/huffman.ts';
import type { Payload } from '../../../src/wire/payload/payload.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import type { Input, Source } from './inputs.ts';
import type { Uncertainty } from './moment.ts';

/** What was read from an input: a snapshot or delta (`payload`), or a packet or message (`packet`). */
export type LoadedInput = Loaded | LoadedPacket;

/** The snapshot or delta that a command shows or compares. */
export interface Loaded extends PayloadReading {
  readonly name: string;
  /** The bytes from which it was read; undefined if it belongs to a recording. */
  readonly input?: Source;
  /** For a recording, the current snapshot at the tick, or the one that the packet completes. */
  readonly rebuilt?: Payload | undefined;
  /** The uncertainty in a damaged recording, which was already reported. */
  readonly uncertainty?: Uncertainty | undefined;
  /** The checksum that a message announces for the result of its delta. */
  readonly announced?: number | undefined;
  /** How the compressed snapshots of a recording end. */
  readonly lastByte?: LastByte;
}

/** The packet or message that a command shows. */
export interface LoadedPacket extends PacketReading, Pick<Loaded, 'name' | 'rebuilt' | 'uncertainty'> {
  readonly input: Source;
  /** The sender and receiver, for a packet of a capture. */
  readonly route?: string;
}

/** A whole snapshot: one of those that are compared, or the base of a delta. */
export interface LoadedSnapshot extends Loaded {
  readonly snapshot: Snapshot;
}

/** How an input is read. The base of a delta helps to recognise it. */
export type Loading = Input & { readonly base?: LoadedSnapshot | undefined };
