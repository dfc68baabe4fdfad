import { Snapshot } from '../../snapshot/snapshot.ts';
import { partBytes } from '../../stats/tally.ts';
import {
  countedAnew,
  hasChecksum,
  isSame,
  type Layout,
  layoutOf,
  makeAnnouncedSum,
  partsOf,
  repeatedParts,
} from '../evidence.ts';
import type { Failure, NextSnapshot } from '../failure.ts';
import { type Found, hypothesis, type Search, type Standing } from '../hypothesis.ts';
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
  if (parts.length < 2) return;
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

/** One part of a snapshot has the bytes of the preceding snapshot's part. */
function* stalePart(failure: Failure): Iterable<Found> {
  const { ints, delta } = failure;
  const { protocol, base, before, announced, previous } = failure.received;
  // What a server sends again each time is not stale.
  const isNew = (part: number) => base === -1 || !previous!.repeated.includes(part);
  const repeated = repeatedParts(failure.received).filter(isNew);
  if (repeated.length === 0) return;
  const stale = (part: number, standing: Standing): Found => ({ about: 'stale', numbers: { part }, standing });
  if (repeated.length === partsOf(failure.received).length) {
    // The same delta on the same base results in the same snapshot. The bytes may be old, or the state of which they
    // were made.
    if (previous!.isRight && previous!.base === base) yield stale(repeated.at(-1)!, 'fits');
    return;
  }
  const { parts } = previous!;
  const layout = layoutOf(parts, protocol);
  // Full snapshots in a row have equal parts. If both are misread alike, neither places nor values show anything,
  // however often.
  const isPlain = base !== -1 || previous!.isRight;
  const starts = startsOf(parts);
  const isBroken = !failure.isSound;
  const counted = isBroken ? countedAnew(failure) : undefined;
  for (const part of repeated) {
    const start = starts[part]!;
    const end = start + parts[part]!.length;
    const now = { ints, delta };
    // The number of updates is in the first part, and updates are missing or left over after the last.
    const isOfCount = counted !== undefined && (part === 0 || part === parts.length - 1);
    if (isOfCount && part === 0 && hasChecksum(before, counted, announced)) {
      yield stale(part, 'shown');
      return;
    }
    // What is equal at another place of an item, or beside the place where the delta breaks, is not equal by chance.
    const isShifted = layout !== undefined && isPlain && !isSamePlace(now, layout, start);
    const isNextTo = layout && isBroken && (isBrokenAt(now, layout, start) || isBrokenAt(now, layout, end));
    const isPlaced = isPlain && (isShifted || isOfCount || isNextTo);
    const isLong = end - start >= leastBytes;
    const told = layout ? valuesIn(layout, start, end) : [];
    // A server that lacks items in its base sends them in full, with the same bytes in each delta.
    if (base !== -1 && told.length > 0 && areInFull(told, before)) yield stale(part, 'fits');
    else if (isShifted || base !== -1 || !layout)
      yield stale(part, isPlaced && isLong ? 'shown' : isPlain ? 'repeats' : 'fits');
    else {
      // Full snapshots in a row have many parts in common, those of static items.
      const received = { before: new Snapshot(), protocol, announced };
      const own: readonly Uint8Array[] = partsOf(failure.received).map((bytes) => bytes.slice());
      const makesSumOf = (nextParts: readonly Uint8Array[]) =>
        nextParts[part] !== undefined && makeAnnouncedSum(received, own.with(part, nextParts[part]));
      const after = ({ items: next, parts: nextParts }: NextSnapshot): Standing => {
        const areChanged = isPlain && changedItems(told, next) >= (isOfCount ? leastOfCount : leastChanged);
        return makesSumOf(nextParts) || (areChanged && isPlaced) ? 'shown' : areChanged ? 'repeats' : 'fits';
      };
      yield { ...stale(part, 'fits'), after };
    }
  }
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
  const [place, other] = [placeOf(now, byte), placeOf(previous, byte)];
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
