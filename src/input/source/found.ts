import {
  isNotRebuilt,
  type NotRebuilt,
  type PacketEntry,
  type RecordingEntry,
  type SnapshotEntry,
  unchangedPayload,
} from '../../recording/replay/record.ts';
import { matchesClient, type Stream } from '../../recording/replay/stream.ts';
import type { Diagnostic } from '../../wire/bytes/diagnostic.ts';
import type { Kind } from '../../wire/payload/payload.ts';
import { copyOf } from '../../wire/snapshot/builder.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';

/*
 * What a recording has at a position: the snapshot of a moment, or the packet with a number. Whoever reads the
 * recording adds its records to a search until that is over. What is to be said of the result is data: the command line
 * prints it.
 */

/** A tick of a recording: a number, or the first or last that has a snapshot. */
export type Tick = number | 'first' | 'last';

/** What is to be said of what was found. `src/output/phrases/found-text.ts` has the words. */
export type FoundNote =
  /** So many clients were not searched. */
  | { readonly code: 'omitted'; readonly tick: Tick; readonly clients: number }
  /** So many other clients have this tick, too. */
  | { readonly code: 'others'; readonly tick: Tick; readonly client: string; readonly clients: number }
  /** The moment that was named is this tick; `last` is that of the snapshot. */
  | { readonly code: 'tick'; readonly named: string; readonly tick: number; readonly last: number }
  /** The snapshot is there as sent only; `base` is the tick that it is made from. */
  | { readonly code: 'as_sent'; readonly tick: Tick; readonly base: number; readonly loss: NotRebuilt }
  | Doubt;

/** The reason why a snapshot may be wrong: another checksum than announced, or damage before or after it. */
export type Doubt =
  | { readonly code: 'mismatch'; readonly found: number; readonly announced: number }
  | { readonly code: 'damage'; readonly error: Diagnostic; readonly isBefore: boolean; readonly tick: Tick };

/** Why nothing was found. */
export type Missing =
  | { readonly code: 'no_snapshot' }
  | { readonly code: 'lost'; readonly tick: Tick; readonly client: string; readonly loss: NotRebuilt }
  | { readonly code: 'no_tick'; readonly tick: Tick; readonly ranges: readonly TicksOf[] }
  /** The numbers of the datagrams before and after it, 0 without one. */
  | { readonly code: 'no_packet'; readonly number: number; readonly before: number; readonly after: number };

export interface TicksOf {
  readonly client: string;
  readonly first: number;
  readonly last: number;
}

/** The position is not in the recording, or what is there can't be read. */
export class NotFoundError extends Error {
  readonly missing: Missing;

  constructor(missing: Missing) {
    super(missing.code);
    this.missing = missing;
  }
}

/** A copy of a snapshot, and its recorded bytes. */
type FoundSnapshot = SnapshotEntry & { readonly kind: Kind; readonly payload: Uint8Array };

/** The snapshot that is current at a moment. Its own tick may be before that. */
export type FoundMoment = FoundSnapshot & { readonly doubt: Doubt | undefined };

interface Candidate {
  readonly stream: Stream;
  readonly first: number;
  last: number;
  found?: FoundSnapshot;
  /** For the first or last tick: the snapshot as sent, in case none can be rebuilt. */
  sent?: FoundSnapshot;
  /** Why the snapshot of the tick, or {@link sent}, cannot be rebuilt. */
  loss?: NotRebuilt;
  /** An error after the last snapshot that does not need a base: the snapshot found may be wrong. */
  error: Diagnostic | undefined;
  /** Whether {@link error} was before the snapshot found. */
  isUncertain: boolean;
  /** Whether the search is over: ticks may restart, so the first match counts. */
  isPassed: boolean;
}

/** Memory. Streams in which a moment is searched: each has copies of a snapshot and its base. */
export const maxCandidates = 512;

/**
 * Finds the snapshot that a player has at a moment: that of the tick itself, or the last before it, since a tick
 * without a snapshot repeats the one before. Without a given client it is the first client with that tick.
 */
export class MomentSearch {
  readonly notes: FoundNote[] = [];
  readonly #text: string;
  readonly #tick: Tick;
  readonly #client: string | undefined;
  readonly #candidates = new Map<Stream, Candidate>();
  readonly #omitted = new WeakSet<Stream>();
  #omittedCount = 0;
  #error: Diagnostic | undefined;

  /** @param text the moment as it was named */
  constructor(text: string, tick: Tick, client?: string) {
    this.#text = text;
    this.#tick = tick;
    this.#client = client;
  }

  /** Adds the next record; returns true when no later record can change the result. */
  add(entry: RecordingEntry): boolean {
    const { stream } = entry;
    if (!stream || !matchesClient(stream, this.#client)) return false;
    const candidate = this.#candidates.get(stream);
    if (entry.record === 'snapshot') return this.#addSnapshot(entry, candidate);
    if (entry.record === 'tick' && candidate) candidate.last = entry.tick;
    if (entry.record === 'diagnostic') this.#addError(entry.diagnostic, entry.tick ?? -1, candidate);
    return false;
  }

  #addError(diagnostic: Diagnostic, tick: number, candidate: Candidate | undefined): void {
    if (diagnostic.severity !== 'error' || tick > Number(this.#tick)) return;
    if (candidate) candidate.error ??= diagnostic;
    else this.#error ??= diagnostic;
  }

  #addSnapshot(entry: SnapshotEntry, known: Candidate | undefined): boolean {
    const { stream, tick, verdict, payload, snapshot, uncertain } = entry;
    if (!known && this.#candidates.size >= maxCandidates) {
      if (!this.#omitted.has(stream)) this.#omittedCount++;
      this.#omitted.add(stream);
      return false;
    }
    const candidate = known ?? {
      stream,
      first: tick,
      last: tick,
      error: this.#error,
      isUncertain: false,
      isPassed: false,
    };
    this.#candidates.set(stream, candidate);
    candidate.last = Math.max(candidate.last, tick);
    const requested = this.#tick;
    const isNear = typeof requested !== 'number' || tick <= requested;
    candidate.isPassed ||= candidate.found !== undefined && (requested === 'first' || !isNear);
    // A demo has no other stream.
    if (candidate.isPassed || !isNear) return stream.client === '';
    const isExact = tick === requested;
    const isEnd = typeof requested !== 'number' && !snapshot && !(requested === 'first' && candidate.sent);
    if (isNotRebuilt(verdict) && (isExact || (isEnd && (payload || !candidate.sent)))) candidate.loss = verdict;
    if (!uncertain) candidate.error = undefined;
    if (snapshot || (isExact && payload)) {
      candidate.found = copied(entry);
      candidate.isUncertain = candidate.error !== undefined;
    } else if (isEnd && payload) candidate.sent = copied(entry);
    return stream.client === '' && requested === 'first' && candidate.found !== undefined;
  }

  /**
   * The result, after which {@link notes} are complete.
   * @throws NotFoundError if the recording has no such tick, or its snapshot can't be read or rebuilt
   */
  result(): FoundMoment {
    const tick = this.#tick;
    const text = this.#text;
    if (this.#omittedCount > 0) this.notes.push({ code: 'omitted', tick, clients: this.#omittedCount });
    const found = this.#best([...this.#candidates.values()]);
    if (typeof tick === 'number' && (found.tick !== tick || String(tick) !== text))
      this.notes.push({ code: 'tick', named: text, tick, last: found.tick });
    if (found.doubt) this.notes.push(found.doubt);
    return found;
  }

  #best(candidates: readonly Candidate[]): FoundMoment {
    const tick = this.#tick;
    const able = candidates.filter(({ found, last }) => found && (typeof tick !== 'number' || last >= tick));
    const exact = able.filter(({ found }) => found!.tick === tick);
    const among = [exact, able, candidates.filter(({ sent }) => sent)].find(({ length }) => length > 0);
    const candidate = tick === 'last' ? among?.at(-1) : among?.[0];
    if (!among || !candidate) throw notThere(candidates, tick);
    const { client } = candidate.stream;
    if (among.length > 1) this.notes.push({ code: 'others', tick, client, clients: among.length - 1 });
    const found = candidate.found ?? candidate.sent!;
    if (candidate.loss !== undefined && typeof tick === 'number' && found.tick !== tick)
      throw new NotFoundError({ code: 'lost', tick, client, loss: candidate.loss });
    if (!found.snapshot && candidate.loss !== undefined)
      this.notes.push({ code: 'as_sent', tick, base: found.base, loss: candidate.loss });
    return { ...found, doubt: doubtOf(candidate, found, tick) };
  }
}

function copied(entry: SnapshotEntry): FoundSnapshot {
  const { payload = unchangedPayload, payloadKind: kind, snapshot, before } = entry;
  const copies = { snapshot: snapshot && copyOf(snapshot), before: before && copyOf(before) };
  const found = { ...entry, kind, payload: payload.slice(), ...copies, delta: undefined, stored: undefined };
  return found as FoundSnapshot;
}

/** The doubt about a snapshot with another checksum than announced. */
const mismatchOf = (snapshot: Snapshot, announced: number): Doubt => ({
  code: 'mismatch',
  found: snapshot.checksum(),
  announced,
});

function doubtOf({ error, isUncertain }: Candidate, found: FoundSnapshot, tick: Tick): Doubt | undefined {
  if (found.verdict === 'mismatch') return mismatchOf(found.snapshot!, found.announced!);
  // Errors after the snapshot of exactly this tick do not matter.
  if (!error || (!isUncertain && found.tick === tick)) return undefined;
  return { code: 'damage', error, isBefore: isUncertain, tick };
}

function notThere(candidates: readonly Candidate[], tick: Tick): NotFoundError {
  if (candidates.length === 0) return new NotFoundError({ code: 'no_snapshot' });
  const lost = candidates.find(({ loss }) => loss !== undefined);
  if (lost) return new NotFoundError({ code: 'lost', tick, client: lost.stream.client, loss: lost.loss! });
  const ranges = candidates.slice(0, 3).map(({ stream, first, last }) => ({ client: stream.client, first, last }));
  return new NotFoundError({ code: 'no_tick', tick, ranges });
}

/** A packet of a capture, with copies of what belongs to it. */
export interface FoundPacket extends Pick<PacketEntry, 'bytes'> {
  /** Undefined for a connectionless packet and for a datagram that is not game traffic. */
  readonly stream: PacketEntry['stream'];
  readonly direction: PacketEntry['direction'];
  /** The snapshot that this packet completes by itself, and the base of the delta in it. */
  readonly snapshot: Snapshot | undefined;
  readonly base: Snapshot | undefined;
  readonly doubt: Doubt | undefined;
}

/** Finds a packet by Wireshark's frame number. All packets before it are read too, for the base of a delta. */
export class PacketSearch {
  readonly notes: FoundNote[] = [];
  readonly #number: number;
  #found: FoundPacket | undefined;
  #before = 0;
  #after = 0;

  constructor(number: number) {
    this.#number = number;
  }

  /**
   * Adds the next record, those of packets included (`parts`); returns true when no later record can change the result.
   */
  add(entry: RecordingEntry): boolean {
    const { frame = 0 } = entry;
    if (frame > this.#number) {
      this.#after = frame;
      return true;
    }
    if (entry.record === 'packet') this.#before = frame;
    if (frame !== this.#number) return false;
    if (entry.record === 'packet') {
      const { stream, direction, bytes } = entry;
      const nothing = { snapshot: undefined, base: undefined, doubt: undefined };
      this.#found = { stream, direction, bytes: bytes.slice(), ...nothing };
    } else if (entry.record === 'snapshot' && this.#found && entry.parts === 1) {
      const { tick, snapshot, before, base, verdict, announced } = entry;
      if (isNotRebuilt(verdict)) this.notes.push({ code: 'as_sent', tick, base, loss: verdict });
      const doubt = verdict === 'mismatch' ? mismatchOf(snapshot!, announced!) : undefined;
      const copies = { snapshot: snapshot && copyOf(snapshot), base: before && copyOf(before) };
      this.#found = { ...this.#found, ...copies, doubt };
    }
    return false;
  }

  /**
   * The result, after which {@link notes} are complete.
   * @throws NotFoundError if there is no packet with this number, or it is not a UDP datagram
   */
  result(): FoundPacket {
    const found = this.#found;
    if (!found)
      throw new NotFoundError({ code: 'no_packet', number: this.#number, before: this.#before, after: this.#after });
    if (found.doubt) this.notes.push(found.doubt);
    return found;
  }
}
