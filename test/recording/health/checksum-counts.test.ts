import { expect, it } from 'vitest';
import { ChecksumCounts } from '../../../src/recording/health/checksums.ts';
import type { SnapshotEntry } from '../../../src/recording/replay/record.ts';

it.each([
  ['a snapshot without a change', 'ok', { snapshots: 0, empty: 1, missing_base: 0 }],
  ['one whose base is missing, which cannot be rebuilt', 'missing_base', { snapshots: 1, empty: 0, missing_base: 1 }],
] as const)('counts %s', (_, verdict, counted) => {
  const counts = new ChecksumCounts();
  counts.count({ kind: 'empty', verdict } as SnapshotEntry);
  expect(counts).toMatchObject(counted);
  // Each snapshot has one outcome.
  const { matched, mismatched, missing_base, missing_part, damaged } = counts;
  expect(matched + mismatched + missing_base + missing_part + damaged).toBe(counts.snapshots);
});
