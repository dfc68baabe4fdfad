import { type JudgedRange, type JudgeInput, TickJudge } from '../recording/judge/tick-judge.ts';
import type { DiagnosticEntry, RecordingEntry, SnapshotEntry, TickEntry } from '../recording/replay/record.ts';
import { DecodeError, type Diagnostic } from '../wire/bytes/diagnostic.ts';
import { isSnapshotMessage } from '../wire/packet/message.ts';
import type { TickRange } from '../wire/protocol/ticks.ts';
import type { Emit } from './slice.ts';
import { copyOfMessage } from './state-messages.ts';

/*
 * What is written of a damaged demo is only what can be trusted: the judge of ticks tells. Deltas are made from the
 * snapshot before them, so one that is damaged spoils all up to the next full one:
 *
 *   read        full  delta  DAMAGE  delta  delta  full  delta
 *   trusted?    yes   yes    no      no     no     yes   yes
 *   written     full  delta                        full  delta       the ticks between are one `LostRange`
 *
 * A snapshot that is not trusted goes with its tick marker: a marker without a snapshot would mean that nothing
 * changed. So during a loss a marker is kept only where it has a message.
 *
 * In a demo that a server recorded for a player, checksums tell, and they come later than what they are of. So the
 * records wait here until their snapshot is judged, and go on in their order:
 *
 *   read       snapshot 1   …   its checksum: it fits ▶ all go on   snapshot 2   …   the next chunk: no checksum ▶ all go on
 */

/** The ticks from one damage to the next full snapshot, of which no snapshot is written. */
export interface LostRange {
  readonly from: number;
  readonly to: number;
  /** The number of snapshots in the file; there may have been more if chunk framing was lost. */
  readonly snapshots: number;
  readonly cause: Diagnostic | undefined;
  /** The tick of the full snapshot after which the recording is reliable again. */
  readonly next: number | undefined;
}

export interface Losses {
  readonly ranges: readonly LostRange[];
  readonly count: number;
  readonly snapshots: number;
  readonly messages: number;
}

/** The maximum number of ranges that are kept; more are only counted. */
const maxRanges = 1000;

interface LossOptions {
  /** Whether a loss of these ticks counts. */
  readonly concerns?: ((ticks: TickRange) => boolean) | undefined;
  /** Whether snapshots are left out that are doubtful because of this. By default damage does it, and signs do not. */
  readonly leavesOut?: ((cause: Diagnostic) => boolean) | undefined;
}

interface OpenLoss {
  readonly from: number;
  snapshots: number;
  readonly cause: Diagnostic | undefined;
}

/** Leaves out the snapshots that cannot be trusted, and counts them. Requires the records of chunks (`parts`). */
export class LossFilter {
  readonly judge = new TickJudge((...judged) => this.#onJudged(...judged));
  readonly losses = { ranges: [] as LostRange[], count: 0, snapshots: 0, messages: 0 } satisfies Losses;
  readonly #emit: Emit;
  readonly #concerns: (ticks: TickRange) => boolean;
  readonly #leavesOut: (cause: Diagnostic) => boolean;
  readonly #waiting: JudgeInput[] = [];
  /** Why the snapshot that was judged last is doubtful. */
  #doubt: Diagnostic | undefined;
  #loss: OpenLoss | undefined;
  /** Before the first snapshot deltas are not read, and nothing is said of each. */
  #hasBegun = false;
  /** The pending tick marker, which waits for the record after it. */
  #pendingTick: TickEntry | undefined;
  #lastTick = -1;
  /** The tick of the last marker that was kept. */
  #keptTick = -1;

  constructor(emit: Emit, { concerns = () => true, leavesOut = isDamage }: LossOptions = {}) {
    this.#emit = emit;
    this.#concerns = concerns;
    this.#leavesOut = leavesOut;
  }

  add(entry: RecordingEntry): void {
    // It may judge the snapshot before, and so let go on what waits.
    this.judge.add(entry);
    const { isOpen } = this.judge;
    this.#waiting.push(isOpen ? lasting(entry) : entry);
    if (!isOpen) this.#goOn();
  }

  finish(): void {
    this.judge.finish();
    this.#release();
    if (this.#loss) this.#close(this.#loss, undefined);
  }

  #onJudged(trust: JudgedRange['trust'], from: number, snapshots: number, cause: Diagnostic | undefined): void {
    if (trust === 'lost') this.#lose(from, snapshots, cause);
    else {
      this.#doubt = trust === 'doubtful' ? cause : undefined;
      this.#goOn();
    }
  }

  #goOn(): void {
    for (const entry of this.#waiting.splice(0)) this.#pass(entry);
  }

  #pass(entry: JudgeInput): void {
    if (entry.record === 'chunk') {
      if (this.#loss && !this.#hasBegun && entry.chunk.kind !== 'message') this.#loss.snapshots++;
    } else if (entry.record === 'tick') this.#tick(entry);
    else if (entry.record === 'snapshot') this.#snapshot(entry);
    else {
      if (entry.record === 'diagnostic') this.#diagnostic(entry);
      else if (entry.record === 'message') {
        // The checksum of a snapshot that is left out goes with it.
        if (this.#loss && isSnapshotMessage(entry.head)) return;
        this.#release(true);
      }
      this.#emit(entry);
    }
  }

  #tick(entry: TickEntry): void {
    this.#release();
    this.#pendingTick = { ...entry };
    this.#lastTick = entry.tick;
  }

  #diagnostic({ diagnostic, chunk }: DiagnosticEntry): void {
    const tick = Math.max(0, this.#lastTick);
    if (chunk !== 'message' || !isDamage(diagnostic) || !this.#concerns({ from: tick, to: tick })) return;
    this.losses.messages++;
  }

  #snapshot(entry: SnapshotEntry): void {
    // Its own chunk.
    if (this.#loss && !this.#hasBegun) this.#loss.snapshots--;
    this.#hasBegun = true;
    if (!entry.snapshot || (this.#doubt && this.#leavesOut(this.#doubt))) {
      this.#lose(entry.tick, 1, this.#doubt);
      return;
    }
    if (this.#loss) this.#close(this.#loss, entry.tick);
    this.#release();
    // The payload of a demo's record is made on demand, and so not copied with it.
    this.#emit(entry.uncertain ? { ...entry, payload: entry.payload, uncertain: false } : entry);
  }

  #lose(from: number, snapshots: number, cause: Diagnostic | undefined): void {
    this.#loss ??= { from, snapshots: 0, cause };
    this.#loss.snapshots += snapshots;
  }

  #close({ from: stated, snapshots, cause }: OpenLoss, next: number | undefined): void {
    this.#loss = undefined;
    const end = cause?.severity === 'warning' ? this.#lastTick : Infinity;
    const to = next === undefined ? end : next - 1;
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

const isDamage = ({ severity }: Diagnostic) => severity === 'error';

/** A record that can wait: its bytes are in memory that is used again. */
function lasting(entry: RecordingEntry): JudgeInput {
  if (entry.record === 'message') return copyOfMessage(entry);
  if (entry.record === 'snapshot') return { ...entry, payload: entry.payload?.slice() } as SnapshotEntry;
  return entry.record === 'chunk' ? { record: 'chunk', chunk: { kind: entry.chunk.kind } } : entry;
}

/** Whether ticks are only left out because of what is in doubt: their snapshots may be right. */
export const areInDoubt = ({ ranges }: Losses): boolean => ranges.every(({ cause }) => cause?.severity === 'warning');

/** @throws DecodeError if nothing of a damaged demo is left */
export function requireSnapshots(count: number): void {
  if (count === 0) throw new DecodeError('no_snapshot_before', 0, {}, 'it has no snapshot that can be read');
}
