import type { SnapshotEntry, Verdict } from '../replay/record.ts';

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
