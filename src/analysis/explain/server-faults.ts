import type { PacketEntry, RecordingEntry, SnapshotEntry } from '../../recording/replay/record.ts';
import { isConnection, type Stream } from '../../recording/replay/stream.ts';
import { join } from '../../wire/bytes/copy.ts';
import { type Code, ignore } from '../../wire/bytes/diagnostic.ts';
import { readMessageHead } from '../../wire/packet/message.ts';
import { type Packet, readPartOfPacket } from '../../wire/packet/packet.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import type { Delta } from '../../wire/snapshot/delta.ts';
import {
  firstLocalType,
  fullItems,
  idOf,
  maxId,
  maxItems,
  maxSnapshotBytes,
  partBytes,
  typeOf,
  uuidInts,
} from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { Cause } from './hypothesis.ts';
import {
  enoughPackets,
  enoughSound,
  largestItemBytes,
  leastLost,
  leastReturns,
  leastUnregistered,
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
 *   mixed_parts     parts that are shorter than the games make them, or snapshots whose parts are never complete
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
  /**
   * The type without registration, the number of the part, the limit that a full snapshot has reached, or the fault of
   * a base.
   */
  readonly subject: number;
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

/** The limits that a full snapshot can reach. */
export const fullOf = { items: 0, bytes: 1 } as const;

export const baseFaults = ['never_sent', 'dropped', 'too_old', 'impossible', 'other_map'] as const;
type BaseFault = (typeof baseFaults)[number];
/** The part of a finding of `mixed_parts` that is about one that never comes. */
export const lostPart = -1;
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
    // Ticks that are out of line are no snapshots of this connection; they may be those of another server.
    else if (entry.record === 'diagnostic' && entry.stream && entry.diagnostic.code === 'implausible_tick')
      this.#of(entry.stream).followTicks(Number(entry.diagnostic.args.found), entry.frame ?? 0);
  }

  #of(stream: Stream): StreamHealth {
    return this.#byStream.get(stream) ?? this.#begin(stream);
  }

  #begin(stream: Stream): StreamHealth {
    const begun = new StreamHealth(stream);
    this.#byStream.set(stream, begun);
    return begun;
  }

  /** Whether the compressed packets of a stream make no sense. */
  isNoise(stream: Stream): boolean {
    return this.#byStream.get(stream)?.isNoise ?? false;
  }

  get findings(): StreamFinding[] {
    const all = [...this.#byStream.values()].flatMap(({ findings }) => findings);
    return this.#areCut ? all.filter(({ cause }) => cause !== 'senseless') : all;
  }

  /** Whether the packet of a record makes no sense: neither does what was read from it. */
  isSenseless({ stream, frame }: RecordingEntry): boolean {
    if (this.#areCut || stream === undefined || frame === undefined) return false;
    return this.#byStream.get(stream)?.lastSenseless === frame;
  }
}

/** How often in a row a type was without registration, and where first. */
interface Unregistered {
  readonly count: number;
  readonly tick: number;
  readonly frame: number;
}

/** What is wrong with one snapshot by itself, without the ones around it and without its checksum. */
export function snapshotFindings(snapshot: Snapshot, protocol: Protocol): StreamFinding[] {
  const stream = { number: 0, client: '', server: '', mapChanges: 0, protocol };
  const found = (cause: Cause, subject: number, size = 0): StreamFinding => {
    return { stream, cause, subject, size, count: 1, firstTick: -1, lastTick: -1, frame: 0 };
  };
  const full = limitReached(snapshot, protocol);
  return [
    ...unregisteredTypes(snapshot, new Set()).map((type) => found('unregistered', type)),
    ...(full ? [found('too_large', full.limit, full.size)] : []),
  ];
}

/** The limit that a snapshot has reached, and the items or bytes that it has. */
function limitReached({ count, intCount }: Snapshot, { version }: Protocol) {
  if (count >= fullItems) return { limit: fullOf.items, size: count };
  // Key and offset of each item, and the header; 0.7 stores the keys a second time.
  const bytes = 8 + count * (version === '0.7' ? 12 : 8) + 4 * intCount;
  return bytes > maxSnapshotBytes - largestItemBytes ? { limit: fullOf.bytes, size: bytes } : undefined;
}

class StreamHealth {
  readonly #stream: Stream;
  readonly #findings = new Map<string, StreamFinding>();
  #unregistered: ReadonlyMap<number, Unregistered> = new Map();
  #hasSnapshot = false;
  /** The local types of the last snapshot that was searched. */
  readonly #registered = new Set<number>();
  #mapChanges = 0;
  /** The ticks of the map before. */
  #ticksBefore: ReadonlySet<number> = new Set();
  /** The snapshots without one of their parts, and those of several parts that were complete. */
  readonly #parts = { lost: 0, complete: 0, tick: 0, frame: 0 };
  readonly #sequences = { now: -1, other: -1, returns: 0 };
  #ticks = new Map<number, SnapshotEntry['verdict']>();
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
      cause !== 'mixed_parts' || subject !== lostPart || this.#parts.complete === 0;
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
    return chunks.every(({ start, end }) => readMessageHead(payload.subarray(start, end), protocol).type !== undefined);
  }

  add(entry: SnapshotEntry): void {
    const { tick, base, verdict, frame = 0, stream } = entry;
    // What was read from noise is none of this connection, nor is its change of the map.
    const isAfterNoise = this.#isNoiseSince;
    if (frame === this.lastSenseless) return;
    this.#isNoiseSince = false;
    if (stream.mapChanges !== this.#mapChanges && !isAfterNoise) {
      this.#ticksBefore = new Set(this.#ticks.keys());
      this.#ticks.clear();
    }
    this.#mapChanges = stream.mapChanges;
    if (verdict === 'missing_base') {
      const fault = this.#faultOfBase(tick, base);
      if (fault) this.#note('no_base', baseFaults.indexOf(fault), base, tick, frame);
    }
    this.followTicks(tick, frame);
    this.#countParts(entry);
    // A delta of a demo has the snapshot before it as its base.
    if (isConnection(stream)) this.#remember(tick, verdict);
    if (entry.kind !== 'empty' && verdict !== 'mismatch') this.#snapshot(entry);
  }

  /** A new map now and then: one that grows and shrinks keeps its old tables alive in the same way. */
  #remember(tick: number, verdict: SnapshotEntry['verdict']): void {
    this.#ticks.set(tick, verdict);
    if (this.#ticks.size > 2 * maxTicks) this.#ticks = new Map([...this.#ticks].slice(-maxTicks));
  }

  /** Whether ticks come from two sequences in turn, each of which goes on where it was left. */
  followTicks(tick: number, frame: number): void {
    const { now, other } = this.#sequences;
    const isNext = (from: number) => from >= 0 && tick >= from && tick - from <= maxBaseAge;
    if (now < 0 || isNext(now)) this.#sequences.now = tick;
    // What comes late is of the same sequence.
    else if (tick >= now || now - tick > maxBaseAge) {
      this.#sequences.returns = isNext(other) ? this.#sequences.returns + 1 : 0;
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
    if (parts.lost === leastLost) this.#note('mixed_parts', lostPart, 0, parts.tick, parts.frame, leastLost - 1);
    if (parts.lost >= leastLost) this.#note('mixed_parts', lostPart, 0, tick, frame);
  }

  /**
   * Undefined if the base may have been lost before it was captured: there is a gap around its tick that is longer than
   * usual.
   */
  #faultOfBase(tick: number, base: number): BaseFault | undefined {
    if (base >= tick || base < -1) return 'impossible';
    if (base >= 0 && tick - base > maxBaseAge) return 'too_old';
    const known = this.#ticks.get(base);
    if (known) return known === 'mismatch' ? 'dropped' : undefined;
    if (this.#ticksBefore.has(base)) return 'other_map';
    const ticks = [...this.#ticks.keys(), tick].sort((a, b) => a - b);
    const next = ticks.findIndex((tick) => tick > base);
    if (next < 1) return undefined;
    const gaps = ticks.slice(1).map((tick, i) => tick - ticks[i]!);
    const usual = gaps.toSorted((a, b) => a - b)[gaps.length >> 1]!;
    return gaps[next - 1]! <= usual ? 'never_sent' : undefined;
  }

  #snapshot(entry: SnapshotEntry): void {
    const { snapshot, tick, frame = 0, partEnds } = entry;
    if (!snapshot) return;
    this.#registrations(entry, snapshot, tick, frame);
    const full = limitReached(snapshot, this.#stream.protocol);
    if (full) this.#note('too_large', full.limit, full.size, tick, frame);
    if (!partEnds) return;
    for (let part = 0, start = 0; part < partEnds.length - 1; part++) {
      const end = partEnds[part]!;
      if (end - start !== partBytes) this.#note('mixed_parts', part, end - start, tick, frame);
      start = end;
    }
  }

  #registrations({ delta }: SnapshotEntry, snapshot: Snapshot, tick: number, frame: number): void {
    // The base of a demo's delta is the snapshot before it.
    const isBaseKnown = this.#hasSnapshot && !isConnection(this.#stream);
    this.#hasSnapshot = true;
    if (delta && isBaseKnown && this.#unregistered.size === 0 && hasOnlyTypes(delta, this.#registered)) return;
    const missing = unregisteredTypes(snapshot, this.#registered);
    if (missing.length === 0 && this.#unregistered.size === 0) return;
    const now = new Map<number, Unregistered>();
    for (const type of missing) {
      const before = this.#unregistered.get(type) ?? { count: 0, tick, frame };
      const count = before.count + 1;
      now.set(type, { ...before, count });
      if (count === leastUnregistered) this.#note('unregistered', type, 0, before.tick, before.frame, count - 1);
      if (count >= leastUnregistered) this.#note('unregistered', type, 0, tick, frame);
    }
    this.#unregistered = now;
  }

  #note(cause: Cause, subject: number, size: number, tick: number, frame: number, count = 1): void {
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

/** The local types of one snapshot, and of each whether it is without registration; all 0 otherwise. */
const localTypes = new Uint16Array(maxItems);
const isMissing = new Uint8Array(maxId + 1);

/** The local types that a snapshot contains but does not register. */
function unregisteredTypes(snapshot: Snapshot, found: Set<number>): readonly number[] {
  const { keys, count } = snapshot;
  // An empty set is not cleared, as in `recording/item-values.ts`.
  if (found.size > 0) found.clear();
  let types = 0;
  for (let i = 0; i < count && types < maxItems; i++) {
    const type = typeOf(keys[i]!);
    if (type < firstLocalType || isMissing[type] !== 0) continue;
    isMissing[type] = 1;
    localTypes[types++] = type;
    found.add(type);
  }
  let left = types;
  for (let i = 0; i < count && left > 0; i++) {
    const key = keys[i]!;
    if (typeOf(key) !== 0 || isMissing[idOf(key)] === 0 || snapshot.size(i) < uuidInts) continue;
    isMissing[idOf(key)] = 0;
    left--;
  }
  if (left === 0) return none;
  const missing = Array.from(localTypes.subarray(0, types)).filter((type) => isMissing[type] !== 0);
  for (const type of missing) isMissing[type] = 0;
  return missing;
}

const none: readonly number[] = [];

/** Whether a delta has no other local types than these, and no registration. */
function hasOnlyTypes(delta: Delta, types: ReadonlySet<number>): boolean {
  const { removedCount, typeCount, types: ofDelta } = delta;
  for (let i = 0; i < typeCount; i++) {
    const type = ofDelta[i]!;
    if (type === 0 || (type >= firstLocalType && !types.has(type))) return false;
  }
  for (let i = 0; i < removedCount; i++) if (typeOf(delta.removedKey(i)) === 0) return false;
  return true;
}
