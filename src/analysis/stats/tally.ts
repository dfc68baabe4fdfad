import type { RecordFilter } from '../../recording/replay/record.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { type MessageHead, messageName } from '../../wire/packet/message.ts';
import type { TickRange } from '../../wire/protocol/ticks.ts';
import { ItemTallies } from './item-tallies.ts';
import { maxMessages, maxSeconds } from './limits.ts';
import { PlayerTallies } from './player-tallies.ts';

/** The part of a recording that is counted. */
export interface StatsOptions {
  /** Counts only this client; datagrams outside any connection are then left out. Demos have no clients. */
  readonly client?: string | undefined;
  /**
   * Counts only these ticks. A demo is counted by its tick markers, without header and map. In a capture, a packet
   * counts if the last snapshot of its connection has one of these ticks.
   */
  readonly range?: TickRange | undefined;
  /** Counts only these items and messages by name; all others are counted as `unselected`. */
  readonly filter?: RecordFilter | undefined;
  /** Whether the items of each player are counted by their kinds as well. */
  readonly itemsOfPlayers?: boolean | undefined;
}

export type PartName =
  | 'file_header'
  | 'map'
  | 'tick_markers'
  | 'chunk_heads'
  /** Chunks of unknown type or without data, which the games skip. */
  | 'unknown_chunks'
  | 'packet_headers'
  | 'tokens'
  | 'chunk_headers'
  | 'control_packets'
  /** Packets outside any connection, such as server lists and server information. */
  | 'connless_packets'
  /** Snapshot messages without the delta in them. */
  | 'snapshot_messages'
  /** Counts, sizes and offsets of a full snapshot; counts of a delta. */
  | 'snapshot_heads'
  | 'removed_keys'
  /** Repeated data: resent vital chunks, and snapshots that were captured twice. */
  | 'resends'
  /** The end symbols of compressed streams, and the bits after them. */
  | 'end_symbols'
  | 'padding'
  /** Bytes after the readable part of a payload. */
  | 'excess'
  /** Deltas that cannot be applied because of loss or damage. */
  | 'unrebuilt'
  /** Payloads that cannot be read completely. */
  | 'unread'
  | 'unselected'
  /** Bytes of a demo that belong to no chunk. */
  | 'skipped'
  /** Datagrams that are not game traffic. */
  | 'other_datagrams';

export interface SizeCount<Name extends string = string> {
  readonly name: Name;
  times: number;
  bits: number;
}

/**
 * Counts how the bits of a recording are used. Each bit is in exactly one of `items`, `messages` and `parts`; their sum
 * is `bits`.
 */
export class Tally {
  bits = 0;
  readonly filter: RecordFilter | undefined;
  readonly items = new ItemTallies();
  /** The messages by name; the name of an unknown message contains its UUID or number. */
  readonly messages = new Map<string, SizeCount>();
  readonly parts = new Map<PartName, SizeCount<PartName>>();
  readonly players: PlayerTallies;
  /** All bits that have a time, by second. */
  readonly seconds = new SecondTallies();
  readonly peaks = new Peaks();
  /** The number of rebuilt snapshots: full ones (or based on the empty one), deltas, and messages without a change. */
  readonly snapshots = { full: 0, deltas: 0, empty: 0 };

  constructor({ filter, itemsOfPlayers }: StatsOptions = {}) {
    this.filter = filter;
    this.players = new PlayerTallies(itemsOfPlayers);
  }

  part(name: PartName, bits: number, times = 1): void {
    if (bits === 0) return;
    this.#add(this.parts, name, bits, times);
    if (ofSnapshots.has(name)) this.seconds.current.snapshotBits += bits;
    else this.seconds.current.otherBits += bits;
  }

  message(head: MessageHead, bits: number): void {
    if (this.filter && !this.filter.message(head.type?.name, head.uuid)) {
      this.part('unselected', bits);
      return;
    }
    const name = messageName(head);
    const isOne = this.messages.has(name) || this.messages.size < maxMessages;
    this.#add(this.messages, isOne ? name : 'unknown others', bits, 1);
    this.seconds.current.messages++;
    this.seconds.current.messageBits += bits;
  }

  /** Adds the bits of an item to the total; its own tally counts them separately. */
  itemBits(bits: number): void {
    this.bits += bits;
    this.seconds.current.snapshotBits += bits;
  }

  #add<Name extends string>(into: Map<Name, SizeCount<Name>>, name: Name, bits: number, times: number): void {
    this.bits += bits;
    const counted = getOr(into, name, newCount<Name>);
    counted.times += times;
    counted.bits += bits;
    if (counted.bits === 0) into.delete(name);
  }
}

const newCount = <Name extends string>(name: Name): SizeCount<Name> => ({ name, times: 0, bits: 0 });

const ofSnapshots: ReadonlySet<PartName> = new Set([
  'snapshot_messages',
  'snapshot_heads',
  'removed_keys',
  'unrebuilt',
]);

export interface Peak {
  readonly value: number;
  readonly tick: number;
  readonly client: string | undefined;
}

class Peaks {
  items: Peak | undefined;
  /** Bytes of one snapshot in the games' memory: header, offsets, keys and data, 4 bytes per int. */
  bytes: Peak | undefined;
  /** Bytes of one delta before compression. Servers split it into parts of 900 bytes. */
  deltaBytes: Peak | undefined;

  add(name: 'items' | 'bytes' | 'deltaBytes', value: number, tick: number, client: string | undefined): void {
    if (value > (this[name]?.value ?? -1)) this[name] = { value, tick, client };
  }
}

export interface SecondTally {
  /** The number of the second, counted from the first tick or packet. */
  readonly second: number;
  /** In captures, this includes empty snapshots and snapshots that cannot be rebuilt. */
  snapshots: number;
  items: number;
  messages: number;
  /** Bits of items, and of the counts, sizes and messages that contain them. */
  snapshotBits: number;
  messageBits: number;
  otherBits: number;
}

export const bitsOfSecond = ({ snapshotBits, messageBits, otherBits }: SecondTally) =>
  snapshotBits + messageBits + otherBits;

/**
 * The content of a recording by second; seconds without data are left out. Data after 100 hours is counted in the last
 * of these seconds.
 */
class SecondTallies {
  readonly #bySecond = new Map<number, SecondTally>();
  /** The second of the current data. Data without a time is counted in an object that is not listed. */
  current: SecondTally = newSecond(Number.NaN);

  /** @param seconds from the beginning; a negative number is the first second, NaN is ignored */
  at(seconds: number): void {
    const second = Math.min(maxSeconds - 1, Math.max(0, Math.floor(seconds)));
    if (second === this.current.second || Number.isNaN(second)) return;
    this.current = getOr(this.#bySecond, second, newSecond);
  }

  /** The second before the current one, if it had data. */
  get lastWhole(): SecondTally | undefined {
    return this.#bySecond.get(this.current.second - 1);
  }

  get all(): SecondTally[] {
    return [...this.#bySecond.values()].sort((a, b) => a.second - b.second);
  }
}

function newSecond(second: number): SecondTally {
  return { second, snapshots: 0, items: 0, messages: 0, snapshotBits: 0, messageBits: 0, otherBits: 0 };
}
