import type { SnapshotEntry } from '../record.ts';

const counted = ['snapshots', 'ok', 'mismatch', 'missing_base', 'missing_part', 'damaged', 'empty'] as const;

export type CheckedOutcome = (typeof counted)[number];

/**
 * What became of snapshots. `snapshots` are those that were announced with a sum, rebuilt or not: the sum of the five behind it.
 * Those without news, which have no sum, are `empty`.
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

  add(other: ChecksumCounts): this {
    for (const key of counted) this[key] += other[key];
    return this;
  }
}
