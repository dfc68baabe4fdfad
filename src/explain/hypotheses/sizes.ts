import { attempt, DecodeError } from '../../bytes/diagnostic.ts';
import { firstSizedType } from '../../protocol/item.ts';
import { protocolOf, type SizeOf, versions } from '../../protocol/registry.ts';
import { Delta } from '../../snapshot/delta.ts';
import { ItemTypes } from '../../snapshot/item-types.ts';
import { typeOf } from '../../snapshot/key.ts';
import { firstImplausibleUpdate, hasChecksum } from '../evidence.ts';
import { type Failure, isKnownType, isSound } from '../failure.ts';
import { type Found, hypothesis, type OtherSize, type Search } from '../hypothesis.ts';

const [maxSize, maxPairTypes] = [64, 6];

const workOfError = 3000;

/** The probability that a wrong size results in the right checksum, per sound reading: their checksums are close to each other. */
const chanceEach = 1e-4;
/** The factor by which that is more likely if values are implausible, or if one flipped bit of the type explains it. */
const unusualRatio = 100;

/**
 * The server and the client disagree about the size of a type, so that the delta is misread after the first item of
 * that type: a mod has another table, pickups have 3 or 4 ints, or a size is sent where none is expected. The delta is
 * read again with one or two changed entries of the table.
 */
export const otherSize = hypothesis({
  cause: 'other_size',
  isSearch: true,
  *find(failure: Failure, search: Search): Iterable<Found> {
    const reading = new Reading(failure, search);
    let found = search.sizes.filter((sizes) => reading.fits(sizes));
    if (found.length === 0 && search.mayGoOn) {
      found = [...reading.single()];
      if (found.length === 0) found.push(...reading.pairs());
      search.sizes.push(...found);
    }
    // A type that occurred before has the agreed size.
    const { knownTypes } = failure.received;
    for (const sizes of found) if (sizes.some(({ type }) => !knownTypes?.has(type))) yield fitOf(sizes, reading.chance);
  },
});

function fitOf(sizes: readonly OtherSize[], chance: number): Found {
  const numbers = Object.fromEntries(
    sizes.flatMap(({ type, size }, i) => [
      [`type${i === 0 ? '' : i + 1}`, type],
      [`size${i === 0 ? '' : i + 1}`, size],
    ]),
  );
  return {
    about: sizes.map(({ type, size }) => `${type}:${size}`).join(),
    keys: sizes.map(({ type }) => type << 16),
    numbers,
    chance,
    isStructural: true,
  };
}

class Reading {
  readonly #failure: Failure;
  readonly #search: Search;
  readonly #delta = new Delta();
  /** The number of tables that result in a sound delta, and whether the last one that fits results in implausible values. */
  #sound = 0;
  #isImplausible = false;

  constructor(failure: Failure, search: Search) {
    this.#failure = failure;
    this.#search = search;
  }

  /** The probability that one of the sound readings so far has the announced checksum by chance. */
  get chance(): number {
    return Math.min(1, chanceEach * this.#sound * (this.#isImplausible ? unusualRatio : 1));
  }

  *single(): Iterable<readonly OtherSize[]> {
    for (const [type, at] of this.#typesRead([])) {
      for (const size of this.#sizesOf(type, at, allSizes)) if (this.fits([{ type, size }])) yield [{ type, size }];
    }
  }

  /** Two types at once: among the types before the failure, with sizes from known tables. */
  *pairs(): Iterable<readonly OtherSize[]> {
    for (const [type, at] of this.#typesRead([]).slice(0, maxPairTypes)) {
      for (const size of this.#sizesOf(type, at, knownSizes(type))) {
        const first = { type, size };
        for (const [other, at] of this.#typesRead([first]).slice(0, maxPairTypes)) {
          if (other === type) continue;
          for (const size of this.#sizesOf(other, at, knownSizes(other))) {
            const sizes = [first, { type: other, size }];
            if (this.fits(sizes)) yield sizes;
          }
        }
      }
    }
  }

  /** Whether the delta, read with these sizes, makes sense and results in the announced checksum. */
  fits(sizes: readonly OtherSize[]): boolean {
    const delta = this.#read(sizes);
    const { before, announced, protocol, tick } = this.#failure.received;
    if (!delta || !isSound(before, delta, protocol)) return false;
    const types = new ItemTypes(protocol).onSnapshot(before).onSnapshot(delta);
    const isImplausible = firstImplausibleUpdate(before, delta, { types, tick }) >= 0;
    if (!isImplausible) this.#sound++;
    if (!hasChecksum(before, delta, announced)) return false;
    if (isImplausible) this.#sound++;
    this.#isImplausible = isImplausible || sizes.some((one) => this.#isFlipped(one));
    return true;
  }

  /** Whether the only item of a type is an item of the base with one flipped bit in its type. */
  #isFlipped({ type, size }: OtherSize): boolean {
    const { before } = this.#failure.received;
    const keys = this.#delta.keys.subarray(0, this.#delta.count).filter((key) => typeOf(key) === type);
    const [key] = keys;
    if (key === undefined || keys.length > 1) return false;
    return typeBits.some((bit) => {
      const at = before.findKey(key ^ bit);
      return at >= 0 && (size === 0 || before.size(at) === size);
    });
  }

  /** The sizes, other than the agreed one, after which another item can begin. `at` is the index after the first item's id. */
  #sizesOf(type: number, at: number, sizes: readonly number[]): readonly number[] {
    const { ints: buffer, received, types } = this.#failure;
    const { ints, length } = buffer;
    const agreed = received.protocol.sizeOf(type);
    return sizes.filter((size) => {
      const next = size === 0 ? at + 1 + ints[at]! : at + size;
      const isEnd = next === length;
      return size !== agreed && next >= at && (isEnd || (next < length && isKnownType(types, ints[next]!)));
    });
  }

  /** The numbered types as they are read with these sizes, each with its position. The first wrong one is among them. */
  #typesRead(sizes: readonly OtherSize[]): (readonly [type: number, at: number])[] {
    this.#read(sizes);
    const types = new Map<number, number>();
    for (let i = 0; i < this.#delta.count; i++) {
      const type = this.#delta.type(i);
      if (type > 0 && type < firstSizedType && !types.has(type)) types.set(type, this.#delta.start(i) + 2);
    }
    return [...types];
  }

  /** Undefined if the delta is unreadable or the search has become too expensive. */
  #read(sizes: readonly OtherSize[]): Delta | undefined {
    const { ints, received } = this.#failure;
    const { sizeOf } = received.protocol;
    const changed: SizeOf = (type) => sizes.find((one) => one.type === type)?.size ?? sizeOf(type);
    const delta = this.#delta;
    const error = attempt(() => delta.read(ints.ints, ints.length, changed));
    this.#search.spend(delta.end + workOfError);
    return error instanceof DecodeError ? undefined : delta;
  }
}

const typeBits: readonly number[] = Array.from({ length: 15 }, (_, bit) => 1 << (16 + bit));

const allSizes: readonly number[] = Array.from({ length: maxSize + 1 }, (_, size) => size);

/** The sizes that a type has in any version, and similar ones. */
function knownSizes(type: number): readonly number[] {
  const sizes = new Set([0]);
  for (const version of versions) sizes.add(protocolOf(version).sizeOf(type));
  for (const size of [...sizes]) if (size > 0) sizes.add(size + 1);
  return [...sizes];
}
