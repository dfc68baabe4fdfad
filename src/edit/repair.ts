import { DecodeError, type Diagnostic } from '../bytes/diagnostic.ts';
import type { DemoFrame } from '../container/demo/chunk.ts';
import { protocolOf, type SizeOf } from '../protocol/registry.ts';
import type { TickRange } from '../protocol/ticks.ts';
import { AnnouncedChecksums } from '../recording/checksums.ts';
import { neverWritten } from '../recording/never-written.ts';
import type {
  ChunkEntry,
  HeaderEntry,
  MessageEntry,
  RecordingEntry,
  SnapshotEntry,
  TickEntry,
} from '../recording/record.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import type { Emit } from './slice.ts';
import { copyOfMessage } from './state-messages.ts';

/*
 * Repair writes only what can be trusted. Deltas are made from the snapshot before them, so one that is damaged spoils all up to the next full
 * one:
 *
 *   read        full  delta  DAMAGE  delta  delta  full  delta
 *   trusted?    yes   yes    no      no     no     yes   yes
 *   written     full  delta                        full  delta       the ticks between are one `Loss`
 *
 * Two classes, one after the other:
 *
 *   Repairer      is this snapshot trusted (`#isGood`)? Damage says no. A full one without a flaw says yes. Where a server announces
 *                 checksums, those decide: the snapshot is held until the message with its sum has come (`#held`), and if its sum is
 *                 wrong, until the next one shows whether the snapshot or only the announcement was (`#doubted`).
 *   LossFilter    leaves out what is not trusted, with its tick markers, and counts. A marker without a snapshot would mean that
 *                 nothing changed; so during a loss a marker is kept only where it has a message.
 *
 * A chunk of which no record follows could not be read at all: hence the records of chunks (`parts`), which come before their contents.
 */

export interface Loss {
  readonly from: number;
  readonly to: number;
  /** The number of snapshots in the file; there may have been more if chunk framing was lost. */
  readonly snapshots: number;
  readonly cause: Diagnostic | undefined;
  /** The tick of the full snapshot after which the recording is reliable again. */
  readonly next: number | undefined;
}

export interface Losses {
  readonly ranges: readonly Loss[];
  readonly count: number;
  readonly snapshots: number;
  readonly messages: number;
}

/** The maximum number of ranges that are kept; more are only counted. */
const maxRanges = 1000;

type LossInput =
  | Exclude<RecordingEntry, ChunkEntry>
  | { readonly record: 'chunk'; readonly chunk: Pick<DemoFrame, 'kind'> };

interface OpenLoss {
  readonly from: number;
  snapshots: number;
  cause: Diagnostic | undefined;
}

/**
 * Leaves out the data that damage makes unreliable: an unreadable snapshot and those up to the next full one, which are
 * deltas based on it. Their ticks are left out as well, except those with messages: a tick without a snapshot would
 * mean that nothing changed. Requires the records of chunks (`parts`).
 */
export class LossFilter {
  readonly losses = { ranges: [] as Loss[], count: 0, snapshots: 0, messages: 0 } satisfies Losses;
  readonly #emit: Emit;
  readonly #concerns: (ticks: TickRange) => boolean;
  #loss: OpenLoss | undefined;
  #cause: Diagnostic | undefined;
  /** The pending tick marker, which waits for the record after it. */
  #pendingTick: TickEntry | undefined;
  /** The chunk whose record has not arrived yet. */
  #chunk: 'snapshot' | 'message' | undefined;
  #lastTick = -1;
  /** The tick of the last marker that was kept. */
  #keptTick = -1;

  /** @param concerns whether a loss of these ticks counts */
  constructor(emit: Emit, concerns: (ticks: TickRange) => boolean = () => true) {
    this.#emit = emit;
    this.#concerns = concerns;
  }

  add(entry: LossInput): void {
    if (entry.record === 'chunk') {
      const { kind } = entry.chunk;
      if (kind === 'header' || kind === 'map' || kind === 'unknown') return;
      this.#settle();
      if (kind !== 'tick') this.#chunk = kind === 'message' ? 'message' : 'snapshot';
    } else if (entry.record === 'tick') {
      this.#settle();
      this.#release();
      this.#pendingTick = { ...entry };
      this.#lastTick = entry.tick;
      this.#cause = undefined;
    } else if (entry.record === 'snapshot' && (entry.uncertain || !entry.snapshot)) {
      this.#chunk = undefined;
      this.#lose();
    } else {
      if (entry.record === 'snapshot' && this.#loss) this.#close(this.#loss, entry.tick);
      if (entry.record === 'message' && this.#chunk === 'snapshot') this.#settle();
      if (entry.record === 'diagnostic' && entry.diagnostic.severity === 'error') this.#onError(entry.diagnostic);
      if (entry.record === 'snapshot' || entry.record === 'message') {
        this.#chunk = undefined;
        this.#release(entry.record === 'message');
      }
      this.#emit(entry);
    }
  }

  finish(): void {
    this.#settle();
    this.#release();
    if (this.#loss) this.#close(this.#loss, undefined);
  }

  #onError(cause: Diagnostic): void {
    if (ofFraming.has(cause.code)) {
      this.#settle();
      this.#loss ??= { from: this.#pendingTick?.tick ?? this.#lastTick + 1, snapshots: 0, cause };
    }
    this.#cause = cause;
    if (this.#loss) this.#loss.cause ??= cause;
  }

  /** Reports the preceding chunk, which has no record, as unreadable. */
  #settle(): void {
    const tick = Math.max(0, this.#lastTick);
    if (this.#chunk === 'message' && this.#concerns({ from: tick, to: tick })) this.losses.messages++;
    if (this.#chunk === 'snapshot') this.#lose();
    this.#chunk = undefined;
  }

  #lose(): void {
    this.#loss ??= { from: this.#lastTick, snapshots: 0, cause: this.#cause };
    this.#loss.snapshots++;
    this.#cause = undefined;
  }

  #close({ from: stated, snapshots, cause }: OpenLoss, next: number | undefined): void {
    this.#loss = undefined;
    this.#cause = undefined;
    const to = next === undefined ? Infinity : next - 1;
    // A marker after the next snapshot's tick is damaged itself.
    const from = stated <= to ? stated : Math.min(stated, this.#keptTick + 1);
    if (!this.#concerns({ from, to })) return;
    const { losses } = this;
    losses.count++;
    losses.snapshots += snapshots;
    if (losses.ranges.length < maxRanges) losses.ranges.push({ from, to, snapshots, cause, next });
  }

  /** Emits the pending marker; during a loss only if a record belongs to it. */
  #release(hasContent = false): void {
    const tick = this.#pendingTick;
    this.#pendingTick = undefined;
    if (!tick || (!hasContent && this.#loss)) return;
    this.#keptTick = tick.tick;
    this.#emit(tick);
  }
}

/** Errors that stop the reading of chunks until the next keyframe or for good. */
const ofFraming: ReadonlySet<string> = new Set([
  'framing_lost',
  'no_keyframe_left',
  'truncated_chunk',
  'bad_tick',
  'step_before_tick',
  'missing_tick',
  'bad_map_size',
  'truncated_map',
]);

/** Whether ticks are only left out because of such signs: their snapshots may be right. */
export const areInDoubt = ({ ranges }: Losses): boolean =>
  ranges.every(({ cause }) => cause && neverWritten.has(cause.code));

/** The maximum number of records after a snapshot that wait until it is known to be right. */
const maxHeld = 256;

interface Held {
  readonly snapshot: SnapshotEntry;
  readonly rest: LossInput[];
}

/**
 * Repairs the records of a demo. A snapshot is left out if its checksum is not the announced one, or if it depends on damaged data and no
 * checksum shows that it is right. Only demos that a server recorded for a player announce checksums; in others, all snapshots after a sign
 * of damage are left out up to the next full one. Deltas with the item sizes of another version are written with the right ones. Requires
 * the records of chunks (`parts`).
 */
export class Repairer {
  readonly losses: LossFilter;
  /** The number of deltas that were recorded with the sizes of another version. */
  wrongSizes = 0;
  checksums: AnnouncedChecksums | undefined;
  /** Snapshots with another checksum than announced that are kept: none before was right, or the next one is. */
  keptMismatches = 0;
  #isGood = true;
  /** Whether the snapshot of the last chunk has not been read: there is none if it is damaged. */
  #isDue = false;
  #cause: Diagnostic | undefined;
  #isFlawed = false;
  #isMessage = false;
  /** The snapshot whose checksum is not announced yet. */
  #held: Held | undefined;
  /** The snapshot before it, if its checksum is wrong: either it is damaged, or only the announcement. The next one decides. */
  #doubted: (Held & { readonly cause: Diagnostic }) | undefined;
  #sizeOf: SizeOf = () => 0;

  constructor(emit: Emit) {
    this.losses = new LossFilter(emit);
  }

  add(entry: RecordingEntry): void {
    if (entry.record === 'chunk') this.#chunk(entry.chunk.kind);
    else if (entry.record === 'diagnostic') this.#diagnostic(entry.diagnostic);
    else if (entry.record === 'message') this.#compare(entry);
    const holder = this.#held ?? this.#doubted;
    if (entry.record === 'header') this.#header(entry);
    else if (entry.record === 'snapshot') this.#snapshot(entry);
    else if (holder) this.#hold(entry, holder.rest);
    else this.losses.add(entry);
  }

  finish(): void {
    this.#release();
    this.#decide(false);
    this.losses.finish();
  }

  #chunk(kind: ChunkEntry['chunk']['kind']): void {
    if (this.#isDue) {
      this.#decide(false);
      this.#isGood = false;
    }
    this.#isDue = kind === 'snapshot' || kind === 'delta';
    this.#isMessage = kind === 'message';
    this.#isFlawed = false;
    if (!this.#isMessage) this.#release();
  }

  #header(entry: HeaderEntry): void {
    const { number, client, server, mapChanges, protocol: found } = entry.stream;
    if (entry.stream.announcesChecksums) this.checksums = new AnnouncedChecksums();
    // A recording of 0.7 by DDNet may have a header of 0.6 and the sizes of 0.6.
    const protocol = found.version === '0.7' ? protocolOf('0.7', found.schema) : found;
    this.#sizeOf = protocol.sizeOf;
    this.losses.add({ ...entry, stream: { number, client, server, mapChanges, protocol } });
  }

  #diagnostic(diagnostic: Diagnostic): void {
    const { code, severity } = diagnostic;
    const isDamage = severity === 'error' || neverWritten.has(code);
    if (!isDamage || (this.#isMessage && !ofFraming.has(code))) return;
    // It comes after the held snapshot.
    this.#release();
    this.#onDamage(diagnostic);
  }

  #onDamage(cause: Diagnostic): void {
    this.#isGood = false;
    this.#isFlawed = true;
    this.#cause ??= { ...cause, severity: 'error' };
  }

  #snapshot(entry: SnapshotEntry): void {
    this.#isDue = false;
    if (entry.kind === 'snapshot' && !this.#isFlawed) this.#isGood = true;
    if (!this.checksums || !entry.snapshot) {
      this.#keep(entry);
      return;
    }
    this.checksums.onSnapshot(entry);
    // The payload is in memory that may be used again before its message is read.
    this.#held = { snapshot: { ...entry, payload: entry.payload?.slice() }, rest: [] };
  }

  /** Compares the checksum of the held snapshot with the one that a message announces. */
  #compare({ head, message }: MessageEntry): void {
    if (!this.#held || !head.type?.name.startsWith('snap')) return;
    const { snapshot } = this.#held;
    const found = this.checksums!.onMessage(message);
    if (!found || found.tick !== snapshot.tick) return;
    const { crc, expected } = found;
    if (crc === expected) {
      // An error in a snapshot is also in those that are made from it.
      this.#decide(snapshot.kind === 'delta');
      this.#isGood = true;
    } else if (this.checksums!.matched > 0) {
      const args = { found: crc, expected };
      const cause: Diagnostic = { severity: 'error', code: 'wrong_checksum', offset: snapshot.offset, args };
      if (this.#isGood && !this.#doubted) {
        this.#doubt(cause);
        return;
      }
      this.#onDamage(cause);
    } else if (this.#isGood) this.keptMismatches++;
    this.#release();
  }

  #doubt(cause: Diagnostic): void {
    const { snapshot: entry, rest } = this.#held!;
    const snapshot = new Snapshot();
    snapshot.copyFrom(entry.snapshot!);
    this.#doubted = { snapshot: { ...entry, snapshot, before: undefined } as SnapshotEntry, rest, cause };
    this.#held = undefined;
  }
  #decide(isRight: boolean): void {
    const doubted = this.#doubted;
    if (!doubted) return;
    this.#doubted = undefined;
    if (isRight) {
      this.#isGood = true;
      this.keptMismatches++;
    } else this.#onDamage(doubted.cause);
    this.#pass(doubted);
  }
  #release(): void {
    const held = this.#held;
    if (!held) return;
    this.#held = undefined;
    this.#decide(false);
    this.#pass(held);
  }

  #hold(entry: RecordingEntry, rest: LossInput[]): void {
    if (entry.record === 'message') rest.push(copyOfMessage(entry));
    else if (entry.record === 'chunk') rest.push({ record: 'chunk', chunk: { kind: entry.chunk.kind } });
    else rest.push(entry);
    if (rest.length < maxHeld) return;
    this.#release();
    this.#decide(false);
  }

  #pass({ snapshot, rest }: Held): void {
    this.#keep(snapshot);
    for (const input of rest) this.losses.add(input);
  }

  #keep(entry: SnapshotEntry): void {
    const { kind, stream, tick } = entry;
    if (this.#isGood) {
      if (kind === 'delta' && stream.protocol.sizeOf !== this.#sizeOf) this.wrongSizes++;
    } else if (this.#cause) this.losses.add({ record: 'diagnostic', stream, tick, diagnostic: this.#cause });
    this.#cause = undefined;
    this.losses.add({ ...entry, payload: entry.payload, uncertain: !this.#isGood });
  }
}

/** @throws DecodeError if nothing of a damaged demo is left */
export function requireSnapshots(count: number): void {
  if (count === 0) throw new DecodeError('no_snapshot_before', 0, {}, 'it has no snapshot that can be read');
}
