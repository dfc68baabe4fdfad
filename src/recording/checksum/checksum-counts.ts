import type { SnapshotEntry, Verdict } from '../record.ts';

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
 * Counts of snapshots by outcome. `snapshots` are those announced with a checksum, rebuilt or not: the total of the five counts after
 * it. Snapshots without a change, which have no checksum, are `empty`.
 */
export class ChecksumCounts implements Record<CheckedOutcome, number> {
  snapshots = 0;
  matched = 0;
  mismatched = 0;
  missing_base = 0;
  missing_part = 0;
  damaged = 0;
  empty = 0;

  count({ kind, verdict }: SnapshotEntry): void {
    if (kind === 'empty') this.empty++;
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
