import { valuesUpTo } from '../../../wire/annotate/field-values.ts';
import { IntBuffer } from '../../../wire/bytes/buffers.ts';
import { attempt, ignore } from '../../../wire/bytes/diagnostic.ts';
import { unpackInts } from '../../../wire/codec/varint.ts';
import { Delta } from '../../../wire/snapshot/delta.ts';
import { firstLocalType, typeOf } from '../../../wire/snapshot/key.ts';
import type { Failure } from '../failure.ts';
import { type Found, hypothesis, type Search } from '../hypothesis.ts';
import { countedAnew, hasChecksum, makeAnnouncedSum, repeatedParts } from '../item-evidence.ts';
import { maxBitWork, maxNamedItems, maxUncertain } from '../limits.ts';
import { implausibleInts, isKnownType, isSound } from '../plausible.ts';

/**
 * The bytes are damaged. A single flipped bit is found; of other damage the item at which the delta becomes implausible
 * is named.
 */
export const damaged = hypothesis({
  cause: 'damaged',
  *find(failure: Failure, search: Search): Iterable<Found> {
    const { error, excess, delta, implausible, received } = failure;
    // Of a delta that makes sense, a bit of a key explains no more than a sum does.
    const flips = failure.isSound ? [] : [...flippedBit(failure, search)];
    if (flips.length === 0 && excess === 0) flips.push(...flippedValue(failure));
    yield* flips;
    if (flips.some(({ standing = 'fits' }) => standing !== 'fits')) return;
    if (!error && excess === 0 && implausible < 0) return;
    // Data that is shifted by damage reads as new items. The last item of the base or the last event before them is
    // either correct or damaged itself. It is named only if it is near.
    const last = implausible >= 0 ? implausible : delta.count - 1;
    let at = last;
    while (at >= 0 && isUncertain(failure, at)) at--;
    const keys = at < 0 || last - at > maxUncertain ? [] : [delta.keys[at]!];
    // A part that equals the preceding one may belong to that snapshot, which means that the bytes are undamaged.
    // So may one whose number of updates alone is wrong.
    const isBroken =
      (error !== undefined || excess > 0) && repeatedParts(received).length === 0 && !countedAnew(failure);
    // An out-of-range value indicates damage, but also other causes.
    const standing = isBroken ? 'shown' : 'fits';
    yield { about: 'unreadable', keys, numbers: { missing: delta.missing }, standing };
  },
});

/** A program in text mode has put a return, 0d, before each line feed, 0a: without these the delta makes the sum. */
export const textMode = hypothesis({
  cause: 'text_mode',
  *find({ received, isSound }: Failure, search: Search): Iterable<Found> {
    const { payload } = received;
    if (isSound || !search.spend(payload.length)) return;
    const undone = payload.filter((byte, i) => byte !== 0x0d || payload[i + 1] !== 0x0a);
    if (undone.length < payload.length && makeAnnouncedSum(received, [undone])) yield { standing: 'shown' };
  },
});

/** Whether an update may be the result of misreading: of an unknown type, or a new item that is not an event. */
function isUncertain({ delta, types, received: { before } }: Failure, i: number): boolean {
  const type = delta.type(i);
  if (before.findKey(delta.keys[i]!) >= 0) return false;
  if (!isKnownType(types, type) || (type === 0 && delta.id(i) < firstLocalType)) return true;
  return before.count > 0 && !types.of(type)?.event;
}

/** The first ints of a delta, its counts. A server that counts wrongly sends what a flipped bit makes of them. */
const headInts = 3;

/** Finds a bit without whose flip the delta is sound and has the announced checksum. */
function* flippedBit(failure: Failure, search: Search): Iterable<Found> {
  const { received, ints } = failure;
  const { before, protocol, announced } = received;
  const payload = received.payload.slice();
  const offsets = ints.offsets!;
  const other = new Delta();
  const into = new IntBuffer();
  const isData = dataInts(failure);
  let work = 0;
  let sound = 0;
  const found: {
    readonly key: number | undefined;
    readonly byte: number;
    readonly bit: number;
    readonly isStep: boolean;
    readonly isOfNew: boolean;
  }[] = [];
  // The damage is at or before the position where reading fails, usually close to it.
  everyInt: for (let at = ints.length; at >= headInts; at--) {
    const start = offsets[at] ?? payload.length;
    const end = at < ints.length ? offsets[at + 1]! : payload.length;
    for (let byte = start; byte < end; byte++) {
      for (let bit = 7; bit >= 0; bit--) {
        // Flipping another bit of a value changes only that value.
        if (bit < 7 && isData[at]) continue;
        work += 2 * payload.length;
        if (work > maxBitWork || !search.spend(2 * payload.length)) break everyInt;
        payload[byte]! ^= 1 << bit;
        const isWhole = isReadable() && isSound(before, other, protocol);
        if (isWhole) sound++;
        if (isWhole && hasChecksum(before, other, announced)) {
          const key = keyAt(other, at);
          const isOfNew = key !== undefined && isOfKey(other, at) && before.findKey(key) < 0;
          found.push({ key, byte, bit, isStep: byte === start && bit === 0, isOfNew });
        }
        payload[byte]! ^= 1 << bit;
      }
    }
  }
  const [flip] = found;
  if (!flip) return;
  if (found.length > 1) {
    // Several bits explain the sum: none of them is evidence, but damage is possible.
    yield { about: 'bit' };
    return;
  }
  const { key, byte, bit, isStep, isOfNew } = flip;
  // A removed key that the base lacks often differs by one bit from one that it has.
  const isListed = byte < offsets[headInts + failure.delta.removedCount]!;
  const keys = key === undefined ? [] : [key];
  // The checksums of sound readings are close to each other: of several, one may be right by coincidence.
  // The lowest bit is a step of one, which a server that counts wrongly makes as well.
  // A new item has the same sum under any key.
  const standing = isListed || isStep || isOfNew ? 'fits' : sound === 1 ? 'shown' : 'repeats';
  yield { about: 'bit', keys, numbers: { byte, bit }, standing };

  function isReadable(): boolean {
    const error = attempt(() => {
      unpackInts(payload, 0, payload.length, into, ignore);
      other.read(into.ints, into.length, protocol.sizeOf);
    });
    return error === undefined;
  }
}

function dataInts({ ints, delta }: Failure): Uint8Array {
  const isData = new Uint8Array(ints.length + 1);
  for (let i = 0; i < delta.count; i++) isData.fill(1, delta.starts[i]!, delta.starts[i]! + delta.sizes[i]!);
  return isData;
}

function keyAt(delta: Delta, int: number): number | undefined {
  if (int < 3) return undefined;
  if (int < 3 + delta.removedCount) return delta.removedKey(int - 3);
  for (let i = delta.count - 1; i >= 0; i--) if (int >= delta.start(i)) return delta.keys[i];
  return undefined;
}

/** Whether an int is the type or id of an update, or the size of one. */
const isOfKey = (delta: Delta, int: number): boolean => {
  for (let i = 0; i < delta.count; i++) if (int >= delta.start(i) && int < delta.starts[i]!) return true;
  return false;
};

interface FlippedValue {
  readonly key: number;
  readonly at: number;
  readonly byte: number;
  readonly bit: number;
}

/** Finds a value with a flipped bit: one that is out of its range, otherwise any whose change equals the difference. */
function* flippedValue(failure: Failure): Iterable<Found> {
  const { delta, ints, snapshot, difference, types, received } = failure;
  if (difference === undefined || !snapshot) return;
  const found: FlippedValue[] = [];
  for (let i = 0; i < delta.count; i++) {
    const first = delta.starts[i]!;
    for (let at = 0; at < delta.sizes[i]!; at++) {
      const start = ints.offsets![first + at]!;
      const end = ints.offsets![first + at + 1]!;
      for (let byte = start; byte < end; byte++) {
        for (let bit = 0; bit < 7; bit++) {
          const step = stepOf(ints.ints[first + at]!, byte - start, bit);
          if (step === difference) found.push({ key: delta.keys[i]!, at, byte, bit });
        }
      }
    }
  }
  if (found.length === 0) return;
  const itemOf = (key: number) => snapshot.item(snapshot.findKey(key));
  const context = { types, tick: received.tick };
  const unusual = found.filter(({ key, at }) => implausibleInts(context, key, itemOf(key)).has(at));
  const [only] = unusual;
  if (only && unusual.length === 1) {
    const { key, at, byte, bit } = only;
    const values = [...valuesUpTo(types.of(typeOf(key)), itemOf(key).length)];
    const field = values.findLast((value) => value.at <= at)?.label;
    const found = { keys: [key], numbers: { byte, bit }, standing: 'repeats' } as const;
    yield { about: 'bit', ...(field === undefined ? {} : { field }), ...found };
    return;
  }
  const keys = [...new Set(found.map(({ key }) => key))];
  yield { about: 'bit', keys: keys.length > maxNamedItems ? [] : keys };
}

/** The change of a value if a bit of one of its bytes is flipped: `ESDD DDDD  EDDD DDDD …`. */
function stepOf(value: number, byte: number, bit: number): number {
  if (byte === 0 && bit === 6) return (~value - value) | 0;
  const shift = byte === 0 ? bit : 7 * byte - 1 + bit;
  if (shift > 31) return 0;
  const magnitude = value < 0 ? ~value : value;
  const changed = magnitude ^ (1 << shift);
  return ((value < 0 ? ~changed : changed) - value) | 0;
}
