import type { RecordFilter } from '../recording/record-filter.ts';
import { ItemTallies } from './item-tallies.ts';
import { Peaks } from './peaks.ts';
import { PlayerTallies } from './player-tallies.ts';
import { SecondTallies } from './second-tallies.ts';

/** What recordings contain besides items and messages. */
export const parts = [
  /** The parts of demos. */
  'file_header',
  'map',
  'tick_markers',
  'chunk_heads',
  /** Chunks of no known type, or without data: the games skip them. */
  'unknown_chunks',
  /** The parts of packets. */
  'packet_headers',
  'tokens',
  'chunk_headers',
  'control_packets',
  /** Packets outside any connection: server list, server information. */
  'connless_packets',
  /** Snapshot messages without the delta in them. */
  'snapshot_messages',
  /** Counts, sizes and offsets of a full snapshot; counts of a delta. */
  'snapshot_heads',
  'removed_keys',
  /** Repeated data: vital chunks, and snapshots that were captured twice. */
  'resends',
  /** The end symbols of compressed streams, and the bits after them. */
  'end_symbols',
  'padding',
  /** Bytes after the readable part of a payload. */
  'excess',
  /** Deltas that cannot be applied, because of loss or damage. */
  'unrebuilt',
  /** Payloads that cannot be read, or not to their end. */
  'unread',
  /** Items and messages that were not selected. */
  'unselected',
  /** In demos, bytes that belong to no chunk. */
  'skipped',
  /** Datagrams that are not game traffic. */
  'other_datagrams',
] as const;

export type PartName = (typeof parts)[number];

/** How often something with a name occurred, and its size. */
export interface SizeCount {
  readonly name: string;
  times: number;
  bits: number;
}

/** Beyond this number, kinds of messages share a count: some can have any UUID. */
const maxMessages = 1000;

/**
 * Where the bits of a recording go: each of them is in exactly one of `items`, `messages` and `parts`, so that they add up to
 * `bits`.
 */
export class Tally {
  bits = 0;
  /** Undefined where all items and messages are counted. */
  readonly filter: RecordFilter | undefined;
  readonly items = new ItemTallies();
  /** By name; an unknown message by its UUID or number. */
  readonly messages = new Map<string, SizeCount>();
  readonly parts = new Map<PartName, SizeCount>();
  /** The bits of `items` again, by the client they belong to. */
  readonly players = new PlayerTallies();
  /** All bits that have a time again. */
  readonly seconds = new SecondTallies();
  readonly peaks = new Peaks();
  /** Rebuilt snapshots: full ones or those on the empty one, deltas, and messages without a change. */
  readonly snapshots = { full: 0, deltas: 0, empty: 0 };

  constructor(filter?: RecordFilter) {
    this.filter = filter;
  }

  part(name: PartName, bits: number, times = 1): void {
    if (bits === 0) return;
    this.#add(this.parts, name, name, bits, times);
    if (ofSnapshots.has(name)) this.seconds.current.snapshotBits += bits;
    else this.seconds.current.otherBits += bits;
  }

  message(name: string, bits: number): void {
    if (this.filter && !this.filter.message(name)) {
      this.part('unselected', bits);
      return;
    }
    const isOne = this.messages.has(name) || this.messages.size < maxMessages;
    const key = isOne ? name : 'unknown others';
    this.#add(this.messages, key, key, bits, 1);
    this.seconds.current.messages++;
    this.seconds.current.messageBits += bits;
  }

  /** Adds the bits of an item to the total; its own tally counts them separately. */
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
