import { Delta } from '../../../src/wire/snapshot/delta.ts';

/** An item of a server. A server's snapshot may contain a key twice, and data of any size. */
export interface ServerItem {
  readonly type: number;
  readonly id: number;
  readonly data: Int32Array;
}

export type ServerSnapshot = readonly ServerItem[];

export const keyOf = ({ type, id }: Pick<ServerItem, 'type' | 'id'>): number => (type << 16) | id;

/** The checksum that a server announces: the wrapping sum of all ints, also of items whose key occurs twice. */
export function checksumOf(snapshot: ServerSnapshot): number {
  let sum = 0;
  for (const { data } of snapshot) for (const int of data) sum = (sum + int) | 0;
  return sum;
}

export interface DeltaOptions {
  /** The server's table of sizes; 0 if the size is sent. */
  readonly sizeOf: (type: number) => number;
  /** The bucket of a key, and the capacity of a bucket: further keys are not found. */
  readonly bucketOf?: (key: number) => number;
  readonly bucketSize?: number;
  /** Keys that are always listed as removed. */
  readonly alsoRemoved?: ReadonlySet<number>;
  /** Keys that are sent as if the base lacked the item. */
  readonly inFull?: ReadonlySet<number>;
  /** Removed keys that are not listed. */
  readonly notRemoved?: ReadonlySet<number>;
  /** The keys whose items are taken for those of other keys in the base. */
  readonly pastOf?: ReadonlyMap<number, number>;
  /** The item from which the difference of a key is taken, instead of the base's. */
  readonly pastItem?: (key: number) => ServerItem | undefined;
  /** Changes the differences of an item that the base has. */
  readonly change?: (key: number, differences: readonly number[]) => readonly number[];
}

/** The hash that DDNet had until August 2022, and vanilla longer: 256 buckets of 64 keys. */
export const oldBucketOf = (key: number): number => ((key >> 12) & 0xf0) | (key & 0xf);
export const oldBucketSize = 64;

/** A delta that was sent, as a client reads it. */
export function deltaIn(ints: Int32Array<ArrayBuffer>, { sizeOf }: Pick<DeltaOptions, 'sizeOf'>): Delta {
  const delta = new Delta();
  delta.read(ints, ints.length, sizeOf);
  return delta;
}

/**
 * The ints of a delta as the games create it, or undefined if nothing differs: the removed keys in the order of `from`,
 * then what is new or different in the order of `to`. A key is looked up by hash; the first item that has it is found.
 */
export function gameDelta(
  from: ServerSnapshot,
  to: ServerSnapshot,
  options: DeltaOptions,
): Int32Array<ArrayBuffer> | undefined {
  const { sizeOf, alsoRemoved, inFull, notRemoved, pastOf, pastItem, change } = options;
  const [inFrom, inTo] = [lookup(from, options), lookup(to, options)];
  const removed: number[] = [];
  for (const item of from) {
    const key = keyOf(item);
    if ((!inTo.has(key) && !notRemoved?.has(key)) || alsoRemoved?.has(key)) removed.push(key);
  }
  const updates: number[] = [];
  let count = 0;
  for (const item of to) {
    const { type, id, data } = item;
    const key = keyOf(item);
    const inBase = inFrom.get(pastOf?.get(key) ?? key) ?? inFrom.get(key);
    const past = inFull?.has(key) ? undefined : ((inBase && pastItem?.(key)) ?? inBase);
    const ints = [...data].map((int, i) => (past ? (int - past.data[i]!) | 0 : int));
    if (past && ints.every((int) => int === 0)) continue;
    const sent = (past && change?.(key, ints)) ?? ints;
    updates.push(type, id, ...(sizeOf(type) === 0 ? [data.length] : []), ...sent);
    count++;
  }
  if (removed.length === 0 && count === 0) return undefined;
  return Int32Array.from([removed.length, count, 0, ...removed, ...updates]);
}

/** The items that are found by their key. */
function lookup(
  snapshot: ServerSnapshot,
  { bucketOf = () => 0, bucketSize = Infinity }: DeltaOptions,
): Map<number, ServerItem> {
  const found = new Map<number, ServerItem>();
  const used = new Map<number, number>();
  for (const item of snapshot) {
    const key = keyOf(item);
    const bucket = bucketOf(key);
    const count = used.get(bucket) ?? 0;
    if (count >= bucketSize) continue;
    used.set(bucket, count + 1);
    if (!found.has(key)) found.set(key, item);
  }
  return found;
}
