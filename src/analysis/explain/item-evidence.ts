import { IntBuffer } from '../../wire/bytes/buffers.ts';
import { areSameBytes, join } from '../../wire/bytes/copy.ts';
import { attempt, DecodeError, ignore } from '../../wire/bytes/diagnostic.ts';
import { unpackInts } from '../../wire/codec/varint.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { apply } from '../../wire/snapshot/apply.ts';
import { Delta } from '../../wire/snapshot/delta.ts';
import { typeOf } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { Failure, ReceivedDelta } from './failure.ts';
import { maxOfPairs, maxOfSubsets, maxSets } from './limits.ts';
import { isSound } from './plausible.ts';

/** The wrapping sum of ints, which an item contributes to a checksum. */
export function sumOf(ints: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < ints.length; i++) sum = (sum + ints[i]!) | 0;
  return sum;
}

/** The sums of all items, without a view of each: this is done several times for each failure. */
export function itemSums({ count, data, offsets }: Snapshot): Int32Array {
  const sums = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    let sum = 0;
    for (let at = offsets[i]!; at < offsets[i + 1]!; at++) sum = (sum + data[at]!) | 0;
    sums[i] = sum;
  }
  return sums;
}

export function hasChecksum(base: Snapshot, delta: Delta, checksum: number): boolean {
  // The checksum without regard to repeated keys, which rules out nearly all cases.
  let sum = base.checksum();
  for (let i = 0; i < delta.removedCount; i++) {
    const at = base.findKey(delta.removedKey(i));
    if (at >= 0) sum = (sum - sumOf(base.item(at))) | 0;
  }
  for (let i = 0; i < delta.count; i++) sum = (sum + sumOf(delta.item(i))) | 0;
  if (sum !== checksum) return false;
  const rebuilt = attempt(() => apply(base, delta));
  return !(rebuilt instanceof DecodeError) && rebuilt.checksum() === checksum;
}

/** The delta read with the number of updates that it contains, if it is sound only then. */
export function countedAnew({
  ints: { ints, length },
  received: { before, protocol },
}: Pick<Failure, 'ints' | 'received'>): Delta | undefined {
  const all = ints.slice(0, length);
  const delta = new Delta();
  all[1] = length;
  const error = attempt(() => delta.read(all, length, protocol.sizeOf));
  if (error instanceof DecodeError && (error.code !== 'truncated_delta' || delta.missing > 0)) return undefined;
  all[1] = delta.count;
  return delta.end === length && isSound(before, delta, protocol) ? delta : undefined;
}

export function removedKeys(delta: Delta, before: Snapshot, after: Snapshot): number[] {
  const keys = Array.from({ length: delta.removedCount }, (_, i) => delta.removedKey(i));
  return [...new Set(keys)].filter((key) => before.findKey(key) >= 0 && after.findKey(key) < 0);
}

/**
 * Sets of items with a given sum: single items, pairs, subsets of one type, all. Larger ones only if no single item has
 * it.
 */
export function keySets(snapshot: Snapshot, all: readonly number[], sum: number): number[][] {
  const sumOfKey = (key: number) => sumOf(snapshot.item(snapshot.findKey(key)));
  // An item with the sum 0 does not affect the checksum.
  const sums = new Map(all.map((key) => [key, sumOfKey(key)] as const).filter(([, sum]) => sum !== 0));
  const keys = [...sums.keys()];
  const single = keys.filter((key) => sums.get(key) === sum);
  if (single.length > 0 || keys.length < 2) return single.slice(0, maxSets).map((key) => [key]);
  const pairs: number[][] = [];
  for (let i = 0; i < keys.length && keys.length <= maxOfPairs; i++)
    for (const key of keys.slice(i + 1))
      if (((sums.get(keys[i]!)! + sums.get(key)!) | 0) === sum) pairs.push([keys[i]!, key]);
  const types = [...new Set(keys.map(typeOf))];
  const ofTypes = types.map((type) => keys.filter((key) => typeOf(key) === type));
  const sets = ofTypes.flatMap((set) => (set.length <= maxOfSubsets ? largeSubsets(set) : [set]));
  if (types.length > 1) sets.push(keys);
  const isSum = (set: readonly number[]) => set.length > 2 && sumOf(set.map((key) => sums.get(key)!)) === sum;
  return [...pairs, ...sets.filter(isSum)].slice(0, maxSets);
}

function largeSubsets(keys: readonly number[]): number[][] {
  const sets: number[][] = [[]];
  for (const key of keys) sets.push(...sets.map((set) => [...set, key]));
  return sets.filter(({ length }) => length > 2);
}

export function partsOf({ payload, partEnds }: Pick<ReceivedDelta, 'payload' | 'partEnds'>): Uint8Array[] {
  if (!partEnds) return [payload];
  return partEnds.map((end, i) => payload.subarray(partEnds[i - 1] ?? 0, end));
}

/** The parts that have the bytes of the snapshot before in their place. */
export function repeatedParts(received: ReceivedDelta): number[] {
  const { previous } = received;
  return sameParts(partsOf(received), previous?.parts);
}

export function sameParts(parts: readonly Uint8Array[], others: readonly Uint8Array[] = []): number[] {
  const same: number[] = [];
  for (let i = 0; i < parts.length; i++) if (isSame(parts[i]!, others[i])) same.push(i);
  return same;
}

export const isSame = (part: Uint8Array, other: Uint8Array | undefined) =>
  other !== undefined && areSameBytes(part, other);

/** Whether parts make a sound delta with the announced checksum. */
export function makeAnnouncedSum(
  { before, protocol, announced }: Pick<ReceivedDelta, 'before' | 'protocol' | 'announced'>,
  parts: readonly Uint8Array[],
): boolean {
  const layout = layoutOf(parts, protocol);
  return (
    layout !== undefined && isSound(before, layout.delta, protocol) && hasChecksum(before, layout.delta, announced)
  );
}

export interface Layout {
  readonly ints: IntBuffer;
  readonly delta: Delta;
}

/** The delta that parts make; undefined if it cannot be read to its end. */
export function layoutOf(parts: readonly Uint8Array[], protocol: Protocol): Layout | undefined {
  const payload = join(parts);
  const ints = new IntBuffer({ positions: true });
  const delta = new Delta();
  const error = attempt(() => {
    unpackInts(payload, 0, payload.length, ints, ignore);
    delta.read(ints.ints, ints.length, protocol.sizeOf);
  });
  return error ? undefined : { ints, delta };
}
