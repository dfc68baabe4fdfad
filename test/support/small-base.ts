import { protocolOf } from '../../src/wire/protocol/registry.ts';
import { type Item, snapshotOf } from './readers.ts';

/** The items of a small 0.7 snapshot on which deltas with single faults are made. */

export const protocol = protocolOf('0.7');
export const [laser, pickup, playerInfo] = [3, 4, 11] as const;

// The sums are those of the ints: pickup 17 has 3,785, pickup 18 has 4,001, laser 2 has 150, player 0 has 8.
export const items: readonly Item[] = [
  [pickup, 17, 1000, 2000, 785],
  [pickup, 18, 1600, 2400, 1],
  [laser, 2, 10, 20, 30, 40, 50],
  [playerInfo, 0, 8, 0, 0],
];
export const base = () => snapshotOf(...items);
export const sumOfBase = 3785 + 4001 + 150 + 8;
