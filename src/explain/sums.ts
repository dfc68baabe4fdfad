import { DecodeError } from '../bytes/diagnostic.ts';
import { apply } from '../snapshot/apply.ts';
import type { Delta } from '../snapshot/delta.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Below this difference, ints with exactly this sum often exist by chance. */
export const smallDifference = 16;

/** The wrapping sum of ints, which an item contributes to a checksum. */
export function sumOf(ints: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < ints.length; i++) sum = (sum + ints[i]!) | 0;
  return sum;
}

/** The sum of each item of a snapshot, in order. */
export function itemSums(snapshot: Snapshot): Int32Array {
  const sums = new Int32Array(snapshot.count);
  for (let i = 0; i < snapshot.count; i++) sums[i] = sumOf(snapshot.item(i));
  return sums;
}

/** Whether the result of a delta has a checksum. */
export function hasChecksum(base: Snapshot, delta: Delta, checksum: number): boolean {
  // The checksum without regard to repeated keys, which rules out nearly all cases.
  let sum = base.checksum();
  for (let i = 0; i < delta.removedCount; i++) {
    const at = base.findKey(delta.removedKey(i));
    if (at >= 0) sum = (sum - sumOf(base.item(at))) | 0;
  }
  for (let i = 0; i < delta.count; i++) sum = (sum + sumOf(delta.item(i))) | 0;
  if (sum !== checksum) return false;
  try {
    return apply(base, delta).checksum() === checksum;
  } catch (error) {
    if (error instanceof DecodeError) return false;
    throw error;
  }
}

/**
 * The probability that one of several sums equals a difference by chance, from the density of the sums around it. Equal
 * sums count once, since many pickups share a sum.
 */
export function chanceOf(difference: number, sums: Iterable<number>): number {
  const size = Math.abs(difference);
  const near = new Set<number>([difference]);
  for (const sum of sums) {
    if (2 * Math.abs(sum) >= size && Math.abs(sum) <= 2 * size) near.add(sum);
  }
  return Math.min(1, near.size / (1.5 * size + 1));
}
