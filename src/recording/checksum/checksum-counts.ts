import type { Received } from '../received-snapshot.ts';

const counted = ['snapshots', 'ok', 'mismatch', 'missing_base', 'missing_part', 'damaged', 'empty'] as const;

export type Counted = (typeof counted)[number];

/**
 * What became of snapshots. `snapshots` are those that were announced with a sum, rebuilt or not: the sum of the five behind it.
 * Those without news, which have no sum, are `empty`.
 */
export class SumCounts implements Record<Counted, number> {
  snapshots = 0;
  ok = 0;
  mismatch = 0;
  missing_base = 0;
  missing_part = 0;
  damaged = 0;
  empty = 0;

  take({ kind, ok, reason }: Received): void {
    if (kind === 'empty') this.empty++;
    else {
      this.snapshots++;
      this[reason ?? (ok ? 'ok' : 'mismatch')]++;
    }
  }

  add(other: SumCounts): this {
    for (const key of counted) this[key] += other[key];
    return this;
  }
}
