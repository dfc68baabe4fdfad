import type { DiagnosticEntry, PacketEntry, RecordingEntry, SnapshotEntry } from '../../recording/replay/record.ts';
import { isConnection, type Stream } from '../../recording/replay/stream.ts';
import { brokenIn } from '../../recording/story/snapshot-story.ts';
import { join } from '../../wire/bytes/copy.ts';
import { type Args, type Code, ignore } from '../../wire/bytes/diagnostic.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { readMessageHead } from '../../wire/packet/message.ts';
import { type Packet, readPartOfPacket } from '../../wire/packet/packet.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { Cause } from './hypothesis.ts';
import {
  enoughPackets,
  enoughSound,
  leastLost,
  leastReturns,
  maxBaseAge,
  maxFrames,
  maxTicks,
  noisePerSound,
} from './limits.ts';

/*
 * Faults that no checksum shows. A server may send snapshots that are right by their sums and wrong by the rules, so
 * this looks at each snapshot that was rebuilt, and at what was lost without a loss in the network:
 *
 *   unregistered    an item of a local type, and no item of type 0 that says which UUID it is
 *   too_large       a snapshot so full that the server must have dropped items
 *   no_base         a delta on a tick that the client cannot have: never sent, dropped, too old, of another map, impossible
 *   mixed_parts     snapshots whose parts are never complete
 *   two_servers     ticks of two sequences in turn
 *   other_huffman   compressed packets without a sense: the sender has other codes
 *   senseless       compressed packets without a sense beside others: of other codes, encrypted, or damaged
 *   packed_twice    compressed packets that have a sense if they are decompressed once more
 *
 * All of these also happen a little in healthy recordings: a registration comes one snapshot late, a part is lost. Each
 * has a number from which it is a finding; limits.ts has them with reasons. A finding is told once, with the ticks from
 * the first to the last.
 */

export interface StreamFinding {
  readonly stream: Stream;
  readonly cause: Cause;
  /** The type without registration, or which form of the cause it is. */
  readonly subject: number | 'items' | 'bytes' | 'lost' | BaseFault;
  count: number;
  readonly firstTick: number;
  lastTick: number;
  readonly frame: number;
  /** Of packets: the first of those that make no sense. */
  readonly frames?: readonly number[];
  /**
   * The items or bytes of the fullest snapshot, the bytes of the part, the tick of the base, or the number of
   * compressed packets.
   */
  size: number;
}

type BaseFault = 'never_sent' | 'dropped' | 'too_old' | 'impossible' | 'other_map';

/** Finds problems of snapshots that have the announced checksum or no announced one. */
export class RecordingHealth {
  readonly #byStream = new Map<Stream, StreamHealth>();
  #areCut = false;

  add(entry: RecordingEntry): void {
    // What was recorded in part makes no sense either.
    if (entry.record === 'diagnostic' && entry.diagnostic.code === 'cut_packet') this.#areCut = true;
    if (entry.record === 'drop') this.#byStream.delete(entry.stream);
    else if (entry.record === 'snapshot') this.#of(entry.stream).add(entry);
    else if (entry.record === 'packet' && entry.stream && entry.direction === 'to_client')
      this.#of(entry.stream).packet(entry);
    else if (entry.record === 'diagnostic' && entry.stream) this.#diagnostic(entry, entry.stream);
  }

  #diagnostic({ diagnostic: { code, args }, frame = 0 }: DiagnosticEntry, stream: Stream): void {
    // Ticks that are out of line are no snapshots of this connection; they may be those of another server.
    if (code === 'implausible_tick') this.#of(stream).followTicks(Number(args.found), frame);
    const said = ofStory[code]?.(args);
    if (said) this.#of(stream).told(said, args, frame);
  }

  #of(stream: Stream): StreamHealth {
    return getOr(this.#byStream, stream, newHealth);
  }

  /** Whether the compressed packets of a stream make no sense. */
  isNoise(stream: Stream): boolean {
    return this.#byStream.get(stream)?.isNoise ?? false;
  }

  get findings(): StreamFinding[] {
    const all = [...this.#byStream.values()].flatMap(({ findings }) => findings);
    return this.#areCut ? all.filter(isOfWhole) : all;
  }

  /** Whether the packet of a record makes no sense: neither does what was read from it. */
  isSenseless({ stream, frame }: RecordingEntry): boolean {
    if (this.#areCut || stream === undefined || frame === undefined) return false;
    return this.#byStream.get(stream)?.lastSenseless === frame;
  }
}

/** Whether a finding is not what a recording makes by itself that cuts packets: noise, and bases that it has not read. */
const isOfWhole = ({ cause, subject }: StreamFinding) =>
  cause !== 'senseless' && cause !== 'other_huffman' && subject !== 'never_sent';

const newHealth = (stream: Stream) => new StreamHealth(stream);

/** The rows of the story (`docs/formats/expected.md`) that have a cause here, and what of them is the subject. */
const ofStory: Partial<Record<Code, (args: Args) => Pick<StreamFinding, 'cause' | 'subject' | 'size'>>> = {
  unregistered_items: ({ type }) => ({ cause: 'unregistered', subject: Number(type), size: 0 }),
  items_dropped: ({ items, bytes }) =>
    bytes === undefined
      ? { cause: 'too_large', subject: 'items', size: Number(items) }
      : { cause: 'too_large', subject: 'bytes', size: Number(bytes) },
};

/** What is wrong with one snapshot by itself, without the ones around it and without its checksum. */
export function snapshotFindings(snapshot: Snapshot, protocol: Protocol): StreamFinding[] {
  const stream = { number: 0, client: '', server: '', mapChanges: 0, protocol };
  const place = { stream, count: 1, firstTick: -1, lastTick: -1, frame: 0 };
  return brokenIn(snapshot, protocol).flatMap(({ code, args }) => {
    const said = ofStory[code]?.(args);
    return said ? [{ ...place, ...said }] : [];
  });
}

/** Whether a tick may follow another one in a sequence; -1 has none. */
const isNext = (tick: number, from: number) => from >= 0 && tick >= from && tick - from <= maxBaseAge;

class StreamHealth {
  readonly #stream: Stream;
  readonly #findings = new Map<string, StreamFinding>();
  #mapChanges = 0;
  /** The ticks of the map before. */
  #ticksBefore: ReadonlySet<number> = new Set();
  /** The snapshots without one of their parts, and those of several parts that were complete. */
  readonly #parts = { lost: 0, complete: 0, tick: 0, frame: 0 };
  readonly #sequences = { now: -1, other: -1, returns: 0 };
  #ticks = new Map<number, SnapshotEntry['verdict']>();
  /** Those before: forgotten all at once, since a map that grows and shrinks keeps its old tables alive. */
  #olderTicks = new Map<number, SnapshotEntry['verdict']>();
  /** The compressed packets, those with messages alone, and the frame of the first other one. */
  readonly #packets = { compressed: 0, sound: 0, frame: 0 };
  /** The packets that can't be read to their end, those that can if they are decompressed again, and the first. */
  readonly #senseless = { count: 0, twice: 0, frames: [] as number[] };
  /** The frame of the last packet that can't be read to its end, and whether it came after the last snapshot. */
  lastSenseless: number | undefined;
  #isNoiseSince = false;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  get findings(): readonly StreamFinding[] {
    const { frame, compressed, sound } = this.#packets;
    const { count, twice, frames } = this.#senseless;
    const place = { stream: this.#stream, subject: 0, firstTick: -1, lastTick: -1, size: compressed };
    // One may be a coincidence.
    const isTwice = twice > 1 && twice * 2 > count;
    if (this.isNoise)
      return [
        { ...place, cause: isTwice ? 'packed_twice' : 'other_huffman', count: compressed - sound, frame, frames },
      ];
    // A few packets of which none makes sense may be noise as well.
    const certain = compressed > 0 && sound === 0 ? [] : this.#certain;
    if (count === 0) return certain;
    const some = { ...place, count: isTwice ? twice : count, frame: frames[0]!, frames };
    return [...certain, { ...some, cause: isTwice ? 'packed_twice' : 'senseless' }];
  }

  /** A part that is lost now and then is lost in the network. */
  get #certain(): StreamFinding[] {
    const isCertain = ({ cause, subject }: StreamFinding) =>
      cause !== 'mixed_parts' || subject !== 'lost' || this.#parts.complete === 0;
    return [...this.#findings.values()].filter(isCertain);
  }

  get isNoise(): boolean {
    const { compressed, sound } = this.#packets;
    return compressed >= enoughPackets && sound * noisePerSound <= compressed;
  }

  packet({ packet, code, bytes, frame = 0 }: PacketEntry): void {
    if (!packet?.compressed || packet.kind !== 'chunks') return;
    const packets = this.#packets;
    const isWhole = this.#isWhole({ packet, code });
    if (isWhole && (packets.sound >= enoughSound || this.#areMessages(packet))) packets.sound++;
    else if (packets.compressed === packets.sound) packets.frame = frame;
    packets.compressed++;
    if (isWhole) return;
    this.lastSenseless = frame;
    this.#isNoiseSince = true;
    const senseless = this.#senseless;
    senseless.count++;
    if (senseless.frames.length < maxFrames) senseless.frames.push(frame);
    const again = readPartOfPacket(join([bytes.subarray(0, packet.headSize), packet.payload]), packet.version, ignore);
    if (
      again.packet &&
      this.#isWhole({ packet: again.packet, code: again.error?.code }) &&
      this.#areMessages(again.packet)
    )
      senseless.twice++;
  }

  /** Whether a packet can be read to its end; a token of four bytes may follow the chunks. */
  #isWhole({ packet, code }: { readonly packet: Packet; readonly code: Code | undefined }): boolean {
    const { payload, chunks, numChunks, contentEnd } = packet;
    return !code && chunks.length === numChunks && payload.length - contentEnd <= 4;
  }

  #areMessages({ payload, chunks }: Packet): boolean {
    const { protocol } = this.#stream;
    for (const { start, end } of chunks) if (!readMessageHead(payload, protocol, start, end).type) return false;
    return true;
  }

  add(entry: SnapshotEntry): void {
    const { tick, base, verdict, frame = 0, stream } = entry;
    // What was read from noise is none of this connection, nor is its change of the map.
    const isAfterNoise = this.#isNoiseSince;
    if (frame === this.lastSenseless) return;
    this.#isNoiseSince = false;
    if (stream.mapChanges !== this.#mapChanges && !isAfterNoise) {
      this.#ticksBefore = new Set(this.#knownTicks());
      this.#ticks.clear();
      this.#olderTicks.clear();
    }
    this.#mapChanges = stream.mapChanges;
    if (verdict === 'missing_base') {
      const fault = this.#faultOfBase(tick, base);
      if (fault) this.#note('no_base', fault, base, tick, frame);
    }
    this.followTicks(tick, frame);
    this.#countParts(entry);
    // A delta of a demo has the snapshot before it as its base.
    if (isConnection(stream)) this.#remember(tick, verdict);
  }

  #remember(tick: number, verdict: SnapshotEntry['verdict']): void {
    this.#ticks.set(tick, verdict);
    if (this.#ticks.size < maxTicks) return;
    this.#olderTicks = this.#ticks;
    this.#ticks = new Map();
  }

  #knownTicks(): number[] {
    return [...this.#olderTicks.keys(), ...this.#ticks.keys()];
  }

  /** Whether ticks come from two sequences in turn, each of which goes on where it was left. */
  followTicks(tick: number, frame: number): void {
    const { now, other } = this.#sequences;
    if (now < 0 || isNext(tick, now)) this.#sequences.now = tick;
    // What comes late is of the same sequence.
    else if (tick >= now || now - tick > maxBaseAge) {
      this.#sequences.returns = isNext(tick, other) ? this.#sequences.returns + 1 : 0;
      Object.assign(this.#sequences, { now: tick, other: now });
      if (this.#sequences.returns >= leastReturns) this.#note('two_servers', 0, now, tick, frame);
    }
  }

  /** Whether no snapshot of several parts is ever complete. */
  #countParts({ verdict, partEnds, tick, frame = 0 }: SnapshotEntry): void {
    const parts = this.#parts;
    if (partEnds && partEnds.length > 1) parts.complete++;
    if (verdict !== 'missing_part' || parts.complete > 0) return;
    if (parts.lost++ === 0) Object.assign(parts, { tick, frame });
    if (parts.lost === leastLost) this.#note('mixed_parts', 'lost', 0, parts.tick, parts.frame, leastLost - 1);
    if (parts.lost >= leastLost) this.#note('mixed_parts', 'lost', 0, tick, frame);
  }

  /**
   * Undefined if the base may have been lost before it was captured: there is a gap around its tick that is longer than
   * usual.
   */
  #faultOfBase(tick: number, base: number): BaseFault | undefined {
    if (base >= tick || base < -1) return 'impossible';
    if (base >= 0 && tick - base > maxBaseAge) return 'too_old';
    const known = this.#ticks.get(base) ?? this.#olderTicks.get(base);
    if (known) return known === 'mismatch' ? 'dropped' : undefined;
    if (this.#ticksBefore.has(base)) return 'other_map';
    const ticks = [...this.#knownTicks(), tick].sort((a, b) => a - b);
    const next = ticks.findIndex((tick) => tick > base);
    if (next < 1) return undefined;
    const gaps = ticks.slice(1).map((tick, i) => tick - ticks[i]!);
    const usual = gaps.toSorted((a, b) => a - b)[gaps.length >> 1]!;
    return gaps[next - 1]! <= usual ? 'never_sent' : undefined;
  }

  /** A row of the story that is broken. */
  told({ cause, subject, size }: Pick<StreamFinding, 'cause' | 'subject' | 'size'>, args: Args, frame: number): void {
    this.#note(cause, subject, size, Number(args.first_tick), frame, Number(args.snapshots));
    this.#note(cause, subject, size, Number(args.last_tick), frame, 0);
  }

  #note(cause: Cause, subject: StreamFinding['subject'], size: number, tick: number, frame: number, count = 1): void {
    const key = `${cause} ${subject}`;
    const known = this.#findings.get(key);
    if (known) {
      known.count += count;
      known.lastTick = tick;
      known.size = Math.max(known.size, size);
      return;
    }
    const place = { firstTick: tick, lastTick: tick, frame, size };
    this.#findings.set(key, { stream: this.#stream, cause, subject, count, ...place });
  }
}
