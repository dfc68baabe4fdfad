import { expect, it } from 'vitest';
import { BaseBudget, SnapshotHistory } from '../../../src/recording/capture/snapshot-history.ts';
import { maxBaseBytes, silentPackets } from '../../../src/recording/replay/limits.ts';

it('histories that are silent for long are emptied first if there is too little memory', () => {
  const budget = new BaseBudget();
  budget.ends = 4;
  const silent = keepMegabytes(60, budget);
  budget.packets += silentPackets + 64 * 4 + 1;
  const recent = keepMegabytes(40, budget);
  expect([silent.newest, recent.newest, budget.bytes < maxBaseBytes]).toEqual([-1, 39, true]);
});

it('a history that is used is kept, up to half as much memory again', () => {
  const budget = new BaseBudget();
  const first = keepMegabytes(60, budget);
  keepMegabytes(40, budget);
  expect(first.newest).toBe(59);
  keepMegabytes(60, budget);
  expect(first.newest).toBe(-1);
});

/** A history with snapshots of 1 MB. */
function keepMegabytes(megabytes: number, budget: BaseBudget): SnapshotHistory {
  const history = new SnapshotHistory(1000, budget);
  for (let tick = 0; tick < megabytes; tick++) {
    const snapshot = history.spare();
    snapshot.clear(1, 1 << 18);
    history.keep(tick, snapshot);
  }
  return history;
}
