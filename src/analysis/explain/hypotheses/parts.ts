import { partBytes } from '../../../wire/snapshot/key.ts';
import { Snapshot } from '../../../wire/snapshot/snapshot.ts';
import type { Failure, NextSnapshot } from '../failure.ts';
import { type Found, hypothesis, type Search, type Standing } from '../hypothesis.ts';
import {
  countedAnew,
  hasChecksum,
  isSame,
  type Layout,
  layoutOf,
  makeAnnouncedSum,
  partsOf,
  repeatedParts,
} from '../item-evidence.ts';
import { leastBytes, leastChanged, leastOfCount } from '../limits.ts';

/**
 * Two parts of a snapshot have exchanged numbers, one belongs to the next snapshot or to the one before, or one is too
 * short.
 */
export const mixedParts = hypothesis({
  cause: 'mixed_parts',
  find(failure: Failure, search: Search) {
    const placed = [...placedPart(failure, search)];
    return placed.length > 0 ? placed : [...shortPart(failure), ...stalePart(failure)];
  },
});

/**
 * A full part that is there twice, and parts that make the sum in another order, or with one of the snapshot before.
 */
function* placedPart(failure: Failure, search: Search): Iterable<Found> {
  const parts = partsOf(failure.received);
  // Items in another order have the same sum.
  if (parts.length < 2 || failure.difference === 0) return;
  const { previous } = failure.received;
  for (let i = 0; i < parts.length; i++) {
    const twin = parts.findIndex((part, k) => k > i && part.length === partBytes && isSame(part, parts[i]));
    if (twin > 0) {
      yield { about: 'twice', numbers: { part: i, with: twin }, standing: 'shown' };
      return;
    }
    for (let k = i + 1; k < parts.length; k++) {
      if (!makesSum(failure, parts.with(i, parts[k]!).with(k, parts[i]!), search)) continue;
      yield { about: 'exchanged', numbers: { part: i, with: k }, standing: 'shown' };
      return;
    }
    const before = previous?.parts[i];
    if (!before || isOneBit(parts[i]!, before) || !makesSum(failure, parts.with(i, before), search)) continue;
    // Full snapshots in a row have most parts in common.
    yield { about: 'of_next', numbers: { part: i }, standing: failure.received.base === -1 ? 'repeats' : 'shown' };
    return;
  }
}

function* shortPart({ received }: Failure): Iterable<Found> {
  const parts = partsOf(received);
  const short = parts.findIndex((part, i) => i < parts.length - 1 && part.length !== partBytes);
  if (short < 0) return;
  yield { about: 'short', numbers: { part: short, bytes: parts[short]!.length }, standing: 'shown' };
}

function makesSum({ received }: Failure, parts: readonly Uint8Array[], search: Search): boolean {
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  return search.spend(2 * bytes) && makeAnnouncedSum(received, parts);
}

/** Whether two parts differ only in one bit, which was flipped. */
function isOneBit(part: Uint8Array, other: Uint8Array): boolean {
  if (part.length !== other.length) return false;
  const differing = part.map((byte, i) => byte ^ other[i]!).filter((bits) => bits !== 0);
  return differing.length === 1 && (differing[0]! & (differing[0]! - 1)) === 0;
}

/** A part that has the bytes of the preceding snapshot's part. */
interface Repeated {
  readonly part: number;
  readonly isLong: boolean;
  /** Its values, as the preceding snapshot has them. */
  readonly values: readonly Value[];
  /** Whether only the number of updates is wrong, which is in the first part, and the last one ends otherwise. */
  readonly isOfCount: boolean;
  /** Whether the bytes are at another place of an item: then they are not equal by chance. */
  readonly isShifted: boolean;
  /** Whether it begins or ends beside the place where the delta breaks: nor are they equal by chance then. */
  readonly isAtBreak: boolean;
}

/** One part of a snapshot is the preceding snapshot's part. */
function* stalePart(failure: Failure): Iterable<Found> {
  const { isSound, received } = failure;
  const { protocol, base, before, announced, previous } = received;
  // What a server sends again each time is not stale.
  const isNew = (part: number) => base === -1 || !previous!.repeated.includes(part);
  const repeated = repeatedParts(received).filter(isNew);
  if (repeated.length === 0) return;
  const { parts, isRight } = previous!;
  if (repeated.length === partsOf(received).length) {
    // The same delta on the same base results in the same snapshot. The bytes may be old, or the state of which they
    // were made.
    if (isRight && previous!.base === base) yield { about: 'stale', numbers: { part: repeated.at(-1)! } };
    return;
  }
  const now = { ints: failure.ints, delta: failure.delta };
  const layout = layoutOf(parts, protocol);
  const starts = startsOf(parts);
  const counted = isSound ? undefined : countedAnew(failure);
  for (const part of repeated) {
    const start = starts[part]!;
    const end = starts[part]! + parts[part]!.length;
    const found = {
      part,
      isLong: end - start >= leastBytes,
      values: layout ? valuesIn(layout, start, end) : [],
      isOfCount: counted !== undefined && (part === 0 || part === parts.length - 1),
      isShifted: layout !== undefined && !isSamePlace(now, layout, start),
      isAtBreak: layout !== undefined && !isSound && [start, end].some((byte) => isBrokenAt(now, layout, byte)),
    };
    const isCount = part === 0 && counted !== undefined && hasChecksum(before, counted, announced);
    const told = isCount
      ? { standing: 'shown' as const }
      : base === -1
        ? inFull(failure, found)
        : inDelta(found, before);
    yield { about: 'stale', numbers: { part }, ...told };
    if (isCount) return;
  }
}

/** A server that lacks items in its base sends them in full, with the same bytes in each delta. */
function inDelta({ values, isLong, isOfCount, isShifted, isAtBreak }: Repeated, base: Snapshot): Found {
  if (values.length > 0 && areInFull(values, base)) return {};
  return { standing: isLong && (isOfCount || isShifted || isAtBreak) ? 'shown' : 'repeats' };
}

/**
 * Full snapshots in a row have many parts in common, those of static items: the next right one tells. If the one before
 * is misread as well, neither places nor values show anything, however often.
 */
function inFull({ received }: Failure, { part, values, isLong, isOfCount, isShifted, isAtBreak }: Repeated): Found {
  const { protocol, announced, previous } = received;
  const { isRight } = previous!;
  if (isRight && isShifted) return { standing: isLong ? 'shown' : 'repeats' };
  const own: readonly Uint8Array[] = partsOf(received).map((bytes) => bytes.slice());
  const makesSumWith = (bytes: Uint8Array | undefined) =>
    bytes !== undefined && makeAnnouncedSum({ before: new Snapshot(), protocol, announced }, own.with(part, bytes));
  const least = isOfCount ? leastOfCount : leastChanged;
  const after = ({ items, parts }: NextSnapshot): Standing => {
    if (makesSumWith(parts[part])) return 'shown';
    if (!isRight || changedItems(values, items) < least) return 'fits';
    return isOfCount || isAtBreak ? 'shown' : 'repeats';
  };
  return { after };
}

function startsOf(parts: readonly Uint8Array[]): number[] {
  let end = 0;
  return parts.map(({ length }) => {
    end += length;
    return end - length;
  });
}

/**
 * Whether a byte is the same byte of the same int of an item in two payloads, or one of them is unreadable or
 * implausible there.
 */
function isSamePlace(now: Layout, previous: Layout, byte: number): boolean {
  const place = placeOf(now, byte);
  const other = placeOf(previous, byte);
  if (!place || !other || !isKnown(previous, place.key)) return true;
  return place.key === other.key && place.int === other.int && place.byte === other.byte;
}

/**
 * Whether the first item that the preceding snapshot lacks, or has elsewhere, is the one at a byte of the payload, or
 * the next.
 */
function isBrokenAt(now: Layout, previous: Layout, byte: number): boolean {
  const { ints, delta } = now;
  const keys = delta.keys.subarray(0, delta.count);
  const startOf = (item: number) => ints.offsets![Math.min(delta.start(item), ints.length)]!;
  const firsts = [
    keys.findIndex((key, i) => !isKnown(previous, key) || keys.indexOf(key) < i),
    keys.findIndex((key, i) => key !== previous.delta.keys[i]),
  ];
  return firsts.some((found) => {
    const first = found < 0 ? delta.count : found;
    return first > 0 && startOf(first - 1) <= byte && byte < (first < delta.count ? startOf(first + 1) : Infinity);
  });
}

const isKnown = ({ delta }: Layout, key: number) => delta.keys.subarray(0, delta.count).includes(key);

/** The item that a byte of the payload belongs to, with the index of the int and of the byte in it. */
function placeOf({ ints, delta }: Layout, at: number) {
  const offsets = ints.offsets!;
  const int = offsets.subarray(0, ints.length).findLastIndex((start) => start <= at);
  for (let i = 0; i < delta.count; i++) {
    if (delta.start(i + 1) <= int) continue;
    return { key: delta.keys[i]!, int: int - delta.start(i), byte: at - offsets[int]! };
  }
  return undefined;
}

interface Value {
  readonly key: number;
  readonly at: number;
  readonly value: number;
}

function valuesIn({ ints, delta }: Layout, from: number, to: number): Value[] {
  const offsets = ints.offsets!;
  const values: Value[] = [];
  for (let i = 0; i < delta.count; i++) {
    const start = delta.starts[i]!;
    for (const [at, value] of delta.item(i).entries()) {
      if (offsets[start + at]! >= from && offsets[start + at + 1]! <= to)
        values.push({ key: delta.keys[i]!, at, value });
    }
  }
  return values;
}

/** Whether they are no differences, but items as the base has them, or lacks them: each delta has these bytes again. */
const areInFull = (values: readonly Value[], base: Snapshot): boolean =>
  values.every(({ key, at, value }) => {
    const item = base.findKey(key);
    return item < 0 || base.item(item)[at] === value;
  });

function changedItems(values: readonly Value[], next: Snapshot): number {
  const changed = values.filter(({ key, at, value }) => {
    const item = next.findKey(key);
    return item < 0 || next.item(item)[at] !== value;
  });
  return new Set(changed.map(({ key }) => key)).size;
}
