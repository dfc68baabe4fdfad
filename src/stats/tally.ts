import { ItemTallies } from './item-tallies.ts';
import { Peaks } from './peaks.ts';
import { PlayerTallies } from './player-tallies.ts';
import { SecondTallies } from './second-tallies.ts';

/** What recordings hold beside items and messages. */
export const parts = [
  /** Of demos. */
  'file_header',
  'map',
  'tick_markers',
  'chunk_heads',
  /** Chunks of no known type, or without data: the games skip them. */
  'unknown_chunks',
  /** Of packets. */
  'packet_headers',
  'tokens',
  'chunk_headers',
  'control_packets',
  /** Packets without a connection: server list, information. */
  'connless_packets',
  /** Of messages that carry snapshots: all but the delta. */
  'snapshot_messages',
  /** Counts, sizes and offsets of a full snapshot; counts of a delta. */
  'snapshot_heads',
  'removed_keys',
  /** Sent again: vital chunks, and snapshots that came twice. */
  'resends',
  /** The end symbols of compressed streams, and the bits behind them. */
  'end_symbols',
  'padding',
  /** Behind what was read of a payload. */
  'excess',
  /** Deltas that can't be rebuilt, by loss or damage. */
  'unrebuilt',
  /** Payloads that can't be read, or not to their end. */
  'unread',
  /** Of demos: bytes that belong to no chunk. */
  'skipped',
  /** Datagrams of no game. */
  'other_datagrams',
] as const;

export type PartName = (typeof parts)[number];

/** What has a name: how often it occurred, and what it took. */
export interface SizeCount {
  readonly name: string;
  times: number;
  bits: number;
}

/** Kinds of messages that are told apart: some can have any UUID. */
const maxMessages = 1000;

/**
 * Where the bits of a recording go: each of them is in exactly one of `items`, `messages` and `parts`, so that they add up to
 * `bits`.
 */
export class Tally {
  bits = 0;
  readonly items = new ItemTallies();
  /** By name; one that no table knows by its UUID or number. */
  readonly messages = new Map<string, SizeCount>();
  readonly parts = new Map<PartName, SizeCount>();
  /** Of `items` once more, by the client they belong to. */
  readonly players = new PlayerTallies();
  /** Of all bits that have a time once more. */
  readonly seconds = new SecondTallies();
  readonly most = new Peaks();
  /** Rebuilt: full snapshots of demos, or those on the empty one; deltas, and messages that say that nothing changed. */
  readonly snapshots = { full: 0, deltas: 0, empty: 0 };

  part(name: PartName, bits: number, times = 1): void {
    if (bits === 0) return;
    this.#add(this.parts, name, name, bits, times);
    if (ofSnapshots.has(name)) this.seconds.current.snapshotBits += bits;
    else this.seconds.current.otherBits += bits;
  }

  message(name: string, bits: number): void {
    const isOne = this.messages.has(name) || this.messages.size < maxMessages;
    const key = isOne ? name : 'unknown others';
    this.#add(this.messages, key, key, bits, 1);
    this.seconds.current.messages++;
    this.seconds.current.messageBits += bits;
  }

  /** Bits of an item, which its own tally has. */
  itemBits(bits: number): void {
    this.bits += bits;
    this.seconds.current.snapshotBits += bits;
  }

  #add<Name extends string>(into: Map<Name, SizeCount>, key: Name, name: string, bits: number, times: number): void {
    this.bits += bits;
    const counted = into.get(key);
    if (!counted) into.set(key, { name, times, bits });
    else {
      counted.times += times;
      counted.bits += bits;
    }
  }
}

const ofSnapshots: ReadonlySet<PartName> = new Set([
  'snapshot_messages',
  'snapshot_heads',
  'removed_keys',
  'unrebuilt',
]);
