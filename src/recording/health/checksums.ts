import { isSnapshotMessage, type Message, snapshotMessage } from '../../wire/packet/message.ts';
import { maxWaitingSums } from '../replay/limits.ts';
import type { RecordingEntry, SnapshotEntry, Verdict } from '../replay/record.ts';

/** A snapshot of a demo and the checksum that a message of the demo announces for it. */
export interface AnnouncedChecksum {
  readonly tick: number;
  readonly crc: number;
  readonly expected: number;
}

/**
 * Compares the snapshots of a player's demo with the checksums that the server announced. Its snapshot messages to that
 * player are in the demo, after the snapshot of the same tick. A message of several parts counts once.
 */
export class AnnouncedChecksums {
  matched = 0;
  mismatched = 0;
  /** The checksums of the latest snapshots; undefined after the comparison. */
  readonly #byTick = new Map<number, number | undefined>();
  #isExpected = false;

  /** Adds the next record of a demo, if that is a player's; the result of one with an announced checksum. */
  add(entry: RecordingEntry): AnnouncedChecksum | undefined {
    if (entry.record === 'header') this.#isExpected = entry.stream.announcesChecksums === true;
    else if (!this.#isExpected) return undefined;
    else if (entry.record === 'snapshot') this.onSnapshot(entry);
    else if (entry.record === 'message' && isSnapshotMessage(entry.head)) return this.onMessage(entry.message);
    return undefined;
  }

  onSnapshot({ tick, snapshot }: Pick<SnapshotEntry, 'tick' | 'snapshot'>): void {
    if (!snapshot) return;
    this.#byTick.set(tick, snapshot.checksum());
    if (this.#byTick.size > maxWaitingSums) this.#byTick.delete(this.#byTick.keys().next().value!);
  }

  /** The result for a snapshot, if the message announces a checksum and is the first of its tick. */
  onMessage(message: Message): AnnouncedChecksum | undefined {
    const { tick = -1, crc: expected } = snapshotMessage(message) ?? {};
    const crc = this.#byTick.get(tick);
    if (crc === undefined || expected === undefined) return undefined;
    this.#byTick.set(tick, undefined);
    if (crc === expected) this.matched++;
    else this.mismatched++;
    return { tick, crc, expected };
  }
}

/**
 * Counts the snapshots of a recording whose checksum is not the announced one: of connections, and of a player's demo.
 */
export class Mismatches {
  #ofConnections = 0;
  readonly #announced = new AnnouncedChecksums();

  add(entry: RecordingEntry): void {
    this.#announced.add(entry);
    if (entry.record === 'snapshot' && entry.verdict === 'mismatch') this.#ofConnections++;
  }

  get count(): number {
    return this.#ofConnections + this.#announced.mismatched;
  }
}

/** What every summary calls the snapshots of a verdict: in JSON, CSV and tables alike. */
export const outcomeOf = {
  ok: 'matched',
  mismatch: 'mismatched',
  missing_base: 'missing_base',
  missing_part: 'missing_part',
  damaged: 'damaged',
} as const satisfies Record<Exclude<Verdict, 'unchecked'>, string>;

export type Outcome = (typeof outcomeOf)[keyof typeof outcomeOf];

const counted = ['snapshots', 'matched', 'mismatched', 'missing_base', 'missing_part', 'damaged', 'empty'] as const;

export type CheckedOutcome = (typeof counted)[number];

/**
 * The kind as which a snapshot is counted. One without a change has no checksum, since it is its base again; if the base
 * is missing, it is a delta that cannot be rebuilt.
 */
export const countedKind = ({ kind, verdict }: Pick<SnapshotEntry, 'kind' | 'verdict'>): SnapshotEntry['kind'] =>
  kind === 'empty' && verdict !== 'ok' && verdict !== 'unchecked' ? 'delta' : kind;

/**
 * Counts of snapshots by outcome. `snapshots` are those with an announced checksum, and those that cannot be rebuilt:
 * the total of the five counts after it. Snapshots without a change are `empty`.
 */
export class ChecksumCounts implements Record<CheckedOutcome, number> {
  snapshots = 0;
  matched = 0;
  mismatched = 0;
  missing_base = 0;
  missing_part = 0;
  damaged = 0;
  empty = 0;

  count(entry: SnapshotEntry): void {
    const { verdict } = entry;
    if (countedKind(entry) === 'empty') this.empty++;
    else {
      this.snapshots++;
      if (verdict !== 'unchecked') this[outcomeOf[verdict]]++;
    }
  }

  add(other: Readonly<Record<CheckedOutcome, number>>): this {
    for (const key of counted) this[key] += other[key];
    return this;
  }
}
