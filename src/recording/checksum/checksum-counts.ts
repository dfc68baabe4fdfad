import type { SnapshotEntry } from '../record.ts';

const outcomes = ['snapshots', 'ok', 'mismatch', 'missing_base', 'missing_part', 'damaged', 'empty'] as const;

export type CheckedOutcome = (typeof outcomes)[number];

/**
 * Counts of snapshots by outcome. `snapshots` are those announced with a checksum, rebuilt or not: the total of the five counts after
 * it. Snapshots without a change, which have no checksum, are `empty`.
 */
export class ChecksumCounts implements Record<CheckedOutcome, number> {
  snapshots = 0;
  ok = 0;
  mismatch = 0;
  missing_base = 0;
  missing_part = 0;
  damaged = 0;
  empty = 0;

  count({ kind, verdict }: SnapshotEntry): void {
    if (kind === 'empty') this.empty++;
    else {
      this.snapshots++;
      if (verdict !== 'unchecked') this[verdict]++;
    }
  }

  add(other: Readonly<Record<CheckedOutcome, number>>): this {
    for (const key of outcomes) this[key] += other[key];
    return this;
  }
}
