import type { Snapshot } from '../snapshot/snapshot.ts';

/**
 * The checksum of a snapshot, as servers announce it: the wrapping sum of all data ints of all items, signed. Keys and sizes are
 * not in it. Source: `CSnapshot::Crc` in `src/engine/shared/snapshot.cpp` of the games.
 *
 * @example
 * ```ts
 * import { checksum, Snapshot } from 'tw-snap';
 *
 * console.log(checksum(new Snapshot())); // 0
 * ```
 */
export const checksum = (snapshot: Snapshot): number => snapshot.checksum();
