import type { Diagnostic } from '../../wire/bytes/diagnostic.ts';
import type { Kind } from '../../wire/payload/payload.ts';
import { copyOf } from '../../wire/snapshot/builder.ts';
import { maxCandidates } from './limits.ts';
import { isNotRebuilt, type NotRebuilt, type RecordingEntry, type SnapshotEntry, unchangedPayload } from './record.ts';
import { matchesClient, type Stream } from './stream.ts';

/** A tick of a recording: a number, or the first or last that has a snapshot. */
export type Tick = number | 'first' | 'last';

/**
 * A copy of the snapshot that is current at a tick, and its recorded bytes. Its own tick may be before the requested
 * one.
 */
export type FoundSnapshot = SnapshotEntry & {
  readonly kind: Kind;
  readonly payload: Uint8Array;
};

export interface Candidate {
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

/**
 * Finds the snapshot that each player has at a tick: that of the tick itself or the last before it, since a tick
 * without a snapshot repeats the one before.
 */
export class SnapshotSearch {
  readonly #tick: Tick;
  readonly #client: string | undefined;
  readonly #candidates = new Map<Stream, Candidate>();
  readonly #omitted = new WeakSet<Stream>();
  omitted = 0;
  #error: Diagnostic | undefined;

  constructor(tick: Tick, client?: string) {
    this.#tick = tick;
    this.#client = client;
  }

  get candidates(): readonly Candidate[] {
    return [...this.#candidates.values()];
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
      if (!this.#omitted.has(stream)) this.omitted++;
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
}

function copied(entry: SnapshotEntry): FoundSnapshot {
  const { payload = unchangedPayload, payloadKind: kind, snapshot, before } = entry;
  const copies = { snapshot: snapshot && copyOf(snapshot), before: before && copyOf(before) };
  const found = { ...entry, kind, payload: payload.slice(), ...copies, delta: undefined, stored: undefined };
  return found as FoundSnapshot;
}
