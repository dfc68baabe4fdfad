import type { ChunkEntry, MessageEntry, RecordingEntry, SnapshotEntry } from '../recording/record.ts';
import type { Replay } from '../recording/replay.ts';
import { type ChunkCounts, ChunkStats } from './chunk-stats.ts';
import { countGhost, countSnapshot } from './count-snapshot.ts';
import { type ModeTally, PacketStats } from './packet-stats.ts';
import type { PayloadInts } from './payload-ints.ts';
import { nameOf, type StatsOptions, Tally, type TallyCounts } from './tally.ts';

/** The counts of a part of a recording, as plain data. */
export interface StatsCounts {
  readonly chunks: ChunkCounts;
  readonly tally: TallyCounts;
}

/**
 * Counts how the bytes of a recording are used: all bytes of a demo file, or the payloads of all UDP datagrams of a capture. Sizes in
 * bits refer to the file: in a compressed stream, the size of a byte is the length of its Huffman code.
 *
 * `tally.bits` is exactly `8 * bytes` and is the sum over
 * - `tally.items.all`: an `ItemTally` for each kind of item, with the times it was sent (`full`, `new`, `updated`), `changed`
 *   and `removed`, the compressed size in `bits`, the `estimate` of the games' debug screen, and the sizes of `fields`;
 * - `tally.messages`: times and bits by name;
 * - `tally.parts`: everything else in the file, by `PartName`.
 *
 * The same bits are in other groups: `tally.players.all` (items by client) and `tally.seconds.all` (everything over time).
 * `tally.peaks` are the largest snapshots and their ticks, `modes` the rates at which servers sent snapshots in a capture.
 */
export class RecordingStats {
  readonly tally: Tally;
  /** Whether the recording consists of packets, which have no tick markers. */
  readonly hasPackets: boolean;
  readonly #chunks: ChunkStats;
  readonly #packets: PacketStats;

  /** @param replay the replay whose records will be added */
  constructor(replay: Pick<Replay, 'datagrams'>, options: StatsOptions = {}) {
    const { filter, range, start } = options;
    this.tally = new Tally(filter);
    this.hasPackets = replay.datagrams !== undefined;
    this.#chunks = new ChunkStats(this.tally, range, start);
    this.#packets = new PacketStats(this.tally, options, replay.datagrams);
  }

  /** The bytes counted so far. */
  get bytes(): number {
    return this.#chunks.bytes + this.#packets.bytes;
  }

  /** Seconds from the first tick marker or packet to the last. */
  get seconds(): number {
    return Math.max(this.#chunks.seconds, this.#packets.seconds);
  }

  /** The tick of the first marker; -1 if there are no tick markers. */
  get firstTick(): number {
    return this.#chunks.firstTick;
  }

  get lastTick(): number {
    return this.#chunks.lastTick;
  }

  /** The number of packets and their bytes by direction; `other` counts datagrams outside any connection. */
  get packets(): PacketStats['counts'] {
    return this.#packets.counts;
  }

  /** The modes in which the servers sent snapshots. */
  get modes(): ModeTally[] {
    return this.#packets.modes;
  }

  /** Adds the next record of a replay that was opened with `parts`. */
  add(record: RecordingEntry): void {
    switch (record.record) {
      case 'chunk':
        this.#chunks.add(record.chunk);
        if (record.chunk.kind === 'ghost') this.#ghostChunk(record);
        break;
      case 'packet':
        this.#packets.add(record);
        break;
      case 'message':
        this.#message(record);
        break;
      case 'drop':
        this.#packets.drop(record.stream);
        break;
      case 'snapshot':
        this.#snapshot(record);
        break;
    }
  }

  /** Ends the counting; the file has this many bytes. */
  finish(fileBytes: number): void {
    if (this.hasPackets) this.#packets.finish();
    else this.#chunks.finish(fileBytes);
  }

  /** The counts of a part of a recording. */
  get counts(): StatsCounts {
    return { chunks: this.#chunks.counts, tally: this.tally.counts };
  }

  /** Adds the counts of the next part of a demo. */
  addCounts({ chunks, tally }: StatsCounts): void {
    this.#chunks.addCounts(chunks);
    this.tally.addCounts(tally);
  }

  /** Counts a message in a chunk. Messages in packets are counted with the packet. */
  #message(entry: MessageEntry): void {
    const name = nameOf(entry.head);
    this.#chunks.data(entry.endBit, (_, streamBits) => {
      if (name === 'sv_clientinfo') this.#chunks.names.onMessage(entry.message);
      this.tally.message(name, streamBits);
    });
  }

  #ghostChunk({ chunk: { bytes, start }, stream }: ChunkEntry): void {
    const [type, count] = [bytes[start - 4]!, bytes[start - 3]!];
    this.#chunks.data(undefined, (payload) => countGhost(this.tally, payload, type, count, stream));
  }

  #snapshot(entry: SnapshotEntry): void {
    const { stream, snapshot } = entry;
    const connection = this.#packets.connection(stream);
    const { names } = connection ?? this.#chunks;
    if (snapshot) names.onSnapshot(snapshot, stream.protocol);
    const count = (payload: PayloadInts) => snapshot && countSnapshot(this.tally, payload, entry, snapshot, names);
    if (connection) this.#packets.snapshot(entry, connection, count);
    else if (snapshot) this.#chunks.data(undefined, count);
  }
}
