import type { RecordFilter } from '../recording/record-filter.ts';
import { ItemTallies } from './item-tallies.ts';
import { byFirst, type ItemTally } from './item-tally.ts';
import { Peaks } from './peaks.ts';
import { type PlayerCounts, PlayerTallies } from './player-tallies.ts';
import { SecondTallies, type SecondTally } from './second-tallies.ts';

/** The content of recordings apart from items and messages. */
const parts = [
  /** The parts of demos. */
  'file_header',
  'map',
  'tick_markers',
  'chunk_heads',
  /** Chunks of unknown type or without data, which the games skip. */
  'unknown_chunks',
  /** The parts of packets. */
  'packet_headers',
  'tokens',
  'chunk_headers',
  'control_packets',
  /** Packets outside any connection, such as server lists and server information. */
  'connless_packets',
  /** Snapshot messages without the delta in them. */
  'snapshot_messages',
  /** Counts, sizes and offsets of a full snapshot; counts of a delta. */
  'snapshot_heads',
  'removed_keys',
  /** Repeated data: resent vital chunks, and snapshots that were captured twice. */
  'resends',
  /** The end symbols of compressed streams, and the bits after them. */
  'end_symbols',
  'padding',
  /** Bytes after the readable part of a payload. */
  'excess',
  /** Deltas that cannot be applied because of loss or damage. */
  'unrebuilt',
  /** Payloads that cannot be read completely. */
  'unread',
  /** Items and messages that were not selected. */
  'unselected',
  /** Bytes of a demo that belong to no chunk. */
  'skipped',
  /** Datagrams that are not game traffic. */
  'other_datagrams',
] as const;

export type PartName = (typeof parts)[number];

/** The number of times something with a name occurred, and its total size. */
export interface SizeCount {
  readonly name: string;
  times: number;
  bits: number;
  /** The order of the first occurrence. */
  first: number;
}

/** Further kinds of messages share one count, because messages can have any UUID. */
const maxMessages = 1000;

/** The counts of a part of a recording, as plain data. */
export interface TallyCounts extends Pick<Tally, 'messages' | 'parts' | 'snapshots'> {
  readonly items: ReadonlyMap<string, ItemTally>;
  readonly players: PlayerCounts;
  readonly seconds: readonly SecondTally[];
  readonly peaks: Pick<Peaks, 'items' | 'bytes' | 'deltaBytes'>;
}

/** Counts how the bits of a recording are used. Each bit is in exactly one of `items`, `messages` and `parts`; their sum is `bits`. */
export class Tally {
  bits = 0;
  /** Undefined if all items and messages are counted. */
  readonly filter: RecordFilter | undefined;
  readonly items: ItemTallies;
  /** The messages by name; the name of an unknown message contains its UUID or number. */
  readonly messages = new Map<string, SizeCount>();
  readonly parts = new Map<PartName, SizeCount>();
  /** The same bits as in `items`, by the client they belong to. */
  readonly players = new PlayerTallies();
  /** All bits that have a time, by second. */
  readonly seconds = new SecondTallies();
  readonly peaks = new Peaks();
  /** The current position in the recording. */
  readonly position: () => number;
  /** The number of rebuilt snapshots: full ones (or based on the empty one), deltas, and messages without a change. */
  readonly snapshots = { full: 0, deltas: 0, empty: 0 };

  readonly #order: () => number;

  /** @param position of a part of a recording, by which its counts are put in order with those of the others */
  constructor(filter?: RecordFilter, position = () => 0) {
    this.filter = filter;
    this.position = position;
    let entries = 0;
    // There are fewer than 65,536 kinds of items, messages and parts.
    this.#order = () => position() + entries++ / 65_536;
    this.items = new ItemTallies(this.#order);
  }

  part(name: PartName, bits: number, times = 1): void {
    if (bits === 0) return;
    this.#add(this.parts, name, bits, times);
    if (ofSnapshots.has(name)) this.seconds.current.snapshotBits += bits;
    else this.seconds.current.otherBits += bits;
  }

  message(name: string, bits: number): void {
    if (this.filter && !this.filter.message(name)) {
      this.part('unselected', bits);
      return;
    }
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

  get counts(): TallyCounts {
    const { messages, parts, snapshots, peaks } = this;
    return {
      ...{ messages, parts, snapshots },
      items: this.items.counts,
      players: this.players.counts,
      seconds: this.seconds.all,
      peaks: { items: peaks.items, bytes: peaks.bytes, deltaBytes: peaks.deltaBytes },
    };
  }

  /** Adds the counts of another part of the recording. */
  addCounts({ messages, parts, snapshots, items, players, seconds, peaks }: TallyCounts): void {
    addTo(this.messages, messages);
    addTo(this.parts, parts);
    for (const kind of ['full', 'deltas', 'empty'] as const) this.snapshots[kind] += snapshots[kind];
    this.items.addCounts(items);
    this.players.addCounts(players);
    this.seconds.addCounts(seconds);
    for (const name of ['items', 'bytes', 'deltaBytes'] as const) {
      const peak = peaks[name];
      if (peak) this.peaks.add(name, peak);
    }
    for (const counts of [items, messages, parts]) for (const { bits } of counts.values()) this.bits += bits;
  }

  /** Whether a limit may have been reached, so that the parts together are not the whole. */
  get isFull(): boolean {
    return this.messages.size >= maxMessages || this.items.isFull || this.players.isFull;
  }

  #add<Name extends string>(into: Map<Name, SizeCount>, key: Name, bits: number, times: number): void {
    this.bits += bits;
    const counted = into.get(key);
    if (!counted) into.set(key, { name: key, times, bits, first: this.#order() });
    else {
      counted.times += times;
      counted.bits += bits;
    }
  }
}

/** Adds counts of another part of the recording. */
function addTo<Name extends string>(into: Map<Name, SizeCount>, counts: ReadonlyMap<Name, SizeCount>): void {
  for (const [name, { times, bits, first }] of counts) {
    const known = into.get(name) ?? { times: 0, bits: 0, first };
    const sums = { times: known.times + times, bits: known.bits + bits, first: Math.min(known.first, first) };
    into.set(name, { name, ...sums });
  }
  const sorted = [...into].sort(([, a], [, b]) => byFirst(a, b));
  into.clear();
  for (const [name, one] of sorted) into.set(name, one);
}

const ofSnapshots: ReadonlySet<PartName> = new Set([
  'snapshot_messages',
  'snapshot_heads',
  'removed_keys',
  'unrebuilt',
]);
