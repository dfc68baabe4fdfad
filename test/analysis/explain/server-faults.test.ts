import { expect, it } from 'vitest';
import { RecordingHealth } from '../../../src/analysis/explain/server-faults.ts';
import type { SnapshotEntry } from '../../../src/recording/replay/record.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { snapshotOf } from '../../support/readers.ts';

/** What is found in snapshots of every second tick from 100 on, each with an item of a type that nothing registers. */
function findingsOf(count: number) {
  const health = new RecordingHealth();
  const stream = { protocol: protocolOf('0.7') };
  for (let i = 0; i < count; i++) {
    const snapshot = snapshotOf([0x7ffe, 3, 1]);
    health.add({ record: 'snapshot', stream, tick: 100 + 2 * i, frame: i, snapshot } as unknown as SnapshotEntry);
  }
  return health.findings;
}

it('a type without registration is a finding from the third snapshot on, which then counts the first two', () => {
  expect(findingsOf(2)).toEqual([]);
  expect(findingsOf(3)).toMatchObject([{ subject: 0x7ffe, count: 3, firstTick: 100, lastTick: 104, frame: 0 }]);
  expect(findingsOf(4)).toMatchObject([{ subject: 0x7ffe, count: 4, firstTick: 100, lastTick: 106, frame: 0 }]);
});
