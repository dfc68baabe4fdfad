import { describe, expect, it } from 'vitest';
import { perSecond, SnapshotRates, secondsOf } from '../../../src/recording/summary/snapshot-rates.ts';

describe('rates of snapshots', () => {
  const modes = (rates: SnapshotRates) =>
    rates.stretches.map((stretch) => [stretch.mode, perSecond(stretch), secondsOf(stretch), stretch.snapshots]);

  it('are 5 a second until a snapshot is acknowledged, then 25, and 1 while none is acknowledged', () => {
    const rates = new SnapshotRates();
    for (let tick = 100; tick <= 130; tick += 10) rates.add(tick, true);
    for (let tick = 132; tick <= 232; tick += 2) rates.add(tick, false);
    for (const tick of [234, 250, 300, 350]) rates.add(tick, true);
    for (let tick = 352; tick <= 402; tick += 2) rates.add(tick, false);
    expect(modes(rates)).toEqual([
      ['init', 5, 0.64, 4],
      ['full', 25, 2.04, 51],
      ['recovery', 1, 2.36, 4],
      ['full', 25, 1, 26],
    ]);
  });

  it('are 50 with high bandwidth', () => {
    const rates = new SnapshotRates();
    for (let tick = 0; tick <= 50; tick++) rates.add(tick, false);
    expect(modes(rates)).toEqual([['full', 50, 1, 51]]);
  });

  it('begin again with another map, and ignore late packets', () => {
    const rates = new SnapshotRates();
    for (const tick of [500, 502, 504, 500, 502, 506]) rates.add(tick, false);
    for (const tick of [10, 20]) rates.add(tick, true, 1);
    expect(modes(rates)).toEqual([
      ['full', 25, 0.12, 4],
      ['init', 5, 0.2, 2],
    ]);
  });

  it('of a recording that begins in a recovery', () => {
    const rates = new SnapshotRates();
    for (const tick of [50, 100, 150]) rates.add(tick, true);
    expect(modes(rates)).toEqual([['recovery', 1, 2, 3]]);
  });
});
