import type { PacketEntry, RecordingEntry, SnapshotEntry } from '../recording/replay/record.ts';
import { matchesClient } from '../recording/replay/stream.ts';
import { isSnapshotMessage, readMessage, snapshotMessage } from '../wire/packet/message.ts';
import { isInRange, type TickRange, ticksPerSecond } from '../wire/protocol/ticks.ts';

/*
 * A capture has no ticks but those of its snapshots, so a range of ticks is one of packets: from the first with a part
 * of such a snapshot to the last. What lies between belongs to it: inputs, acknowledgements, chat.
 *
 *   packets    C S · C S C · S S C S · C S        S with a snapshot, C of the client, · of others
 *   ticks        5     6     7 7   8     9
 *   6..7               └─────────┘                all of it, or the packets of one connection
 */

/** Numbers of packets, from 1. */
class FrameSet {
  size = 0;
  #bits = new Uint32Array(1024);

  has(frame: number): boolean {
    return ((this.#bits[frame >>> 5] ?? 0) & (1 << (frame & 31))) !== 0;
  }

  add(frame: number): void {
    if (this.has(frame)) return;
    this.size++;
    const word = frame >>> 5;
    if (word >= this.#bits.length) {
      const grown = new Uint32Array(Math.max(word + 1, 2 * this.#bits.length));
      grown.set(this.#bits);
      this.#bits = grown;
    }
    this.#bits[word]! |= 1 << (frame & 31);
  }
}

/** A range of packets; both ends are included. */
export interface FrameRange {
  first: number;
  last: number;
}

/** Ticks beyond a range end it only with this distance: packets overtake each other. */
const overtaking = ticksPerSecond;

/** The packets of ranges of ticks. A server begins its ticks again with each map, so one range may be there twice. */
class TickFrames {
  readonly found: FrameRange[] = [];
  readonly #range: TickRange;
  /** By server, since each has ticks of its own. */
  readonly #open = new Map<string, FrameRange>();

  constructor(range: TickRange) {
    this.#range = range;
  }

  /** @param begin the first packet of a datagram that is complete with `frame` */
  add(server: string, tick: number, frame: number, begin: number): void {
    const { from, to } = this.#range;
    const open = this.#open.get(server);
    if (isInRange(tick, this.#range)) {
      if (open) open.last = Math.max(open.last, frame);
      else {
        // A range from the beginning has what comes before the first snapshot: the handshake, the map.
        const range = { first: from <= 0 && this.found.length === 0 ? 1 : begin, last: frame };
        this.#open.set(server, range);
        this.found.push(range);
      }
    } else if (open && (tick < from - overtaking || tick > to + overtaking)) this.#open.delete(server);
  }

  /** A range to the end has what comes after the last snapshot. */
  finish(): void {
    if (this.#range.to === Infinity) for (const range of this.#open.values()) range.last = Infinity;
  }
}

/** What is cut out of a capture: ranges of ticks or of packets; all without either. */
export interface FramesWanted {
  readonly ticks?: readonly TickRange[] | undefined;
  readonly frames?: FrameRange | undefined;
}

/**
 * Finds the packets of cuts in the records of a whole capture, read with the options `blocks` and `parts`: those of one
 * client if it is given, with all fragments.
 */
export class FrameChoice {
  packets = 0;
  /** The packets that complete a snapshot which can't be rebuilt in the whole capture, either. */
  readonly lost = new FrameSet();
  /** The fragments of datagrams but those that complete them. */
  readonly early = new FrameSet();
  readonly ticks = { first: Infinity, last: -1 };
  readonly #client: string | undefined;
  readonly #ofClient = new FrameSet();
  /** All fragments of a datagram, by the packet that completes it. */
  readonly #fragments = new Map<number, readonly number[]>();
  readonly #cuts: readonly { readonly wanted: FramesWanted; readonly found: readonly TickFrames[] }[];

  constructor(cuts: readonly FramesWanted[], client: string | undefined) {
    this.#client = client;
    this.#cuts = cuts.map((wanted) => ({ wanted, found: wanted.ticks?.map((range) => new TickFrames(range)) ?? [] }));
  }

  add(entry: RecordingEntry): void {
    if (entry.record === 'block') {
      const { frame = 0, fragments } = entry;
      this.packets = Math.max(this.packets, frame);
      if (!fragments) return;
      this.#fragments.set(frame, fragments);
      for (const fragment of fragments) if (fragment !== frame) this.early.add(fragment);
    } else if (this.#client !== undefined && !(entry.stream && matchesClient(entry.stream, this.#client))) return;
    else if (entry.record === 'packet') this.#packet(entry);
    else if (entry.record === 'snapshot') this.#snapshot(entry);
  }

  finish(): void {
    for (const { found } of this.#cuts) for (const ticks of found) ticks.finish();
  }

  has(cut: number, frame: number): boolean {
    if (this.#client !== undefined && !this.#ofClient.has(frame)) return false;
    const { wanted, found } = this.#cuts[cut]!;
    if (wanted.frames) return isBetween(frame, wanted.frames);
    return !wanted.ticks || found.some((ticks) => ticks.found.some((range) => isBetween(frame, range)));
  }

  #packet({ frame = 0, stream, direction, packet }: PacketEntry): void {
    const fragments = this.#fragments.get(frame) ?? [frame];
    if (this.#client !== undefined) for (const fragment of fragments) this.#ofClient.add(fragment);
    const begin = Math.min(...fragments);
    if (!stream || direction !== 'to_client' || !packet) return;
    for (const { start, end } of packet.chunks) {
      const tick = snapshotTick(packet.payload.subarray(start, end), stream);
      if (tick === undefined) continue;
      for (const { found } of this.#cuts) for (const ticks of found) ticks.add(stream.server, tick, frame, begin);
    }
  }

  #snapshot({ tick, verdict, frame = 0 }: SnapshotEntry): void {
    const { ticks } = this;
    ticks.first = Math.min(ticks.first, tick);
    ticks.last = Math.max(ticks.last, tick);
    if (verdict === 'missing_base' || verdict === 'missing_part') this.lost.add(frame);
  }
}

function snapshotTick(bytes: Uint8Array, { protocol }: NonNullable<PacketEntry['stream']>): number | undefined {
  // System messages have bit 0 set.
  if (!((bytes[0] ?? 0) & 1)) return undefined;
  const message = readMessage(bytes, 0, bytes.length, protocol);
  return isSnapshotMessage(message) ? snapshotMessage(message)?.tick : undefined;
}

const isBetween = (frame: number, { first, last }: FrameRange) => frame >= first && frame <= last;
