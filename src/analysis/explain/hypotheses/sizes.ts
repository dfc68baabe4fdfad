import { attempt, DecodeError } from '../../../wire/bytes/diagnostic.ts';
import { firstSizedType } from '../../../wire/protocol/item.ts';
import { protocolOf, type SizeOf, versions } from '../../../wire/protocol/registry.ts';
import { Delta } from '../../../wire/snapshot/delta.ts';
import { idOf, keyOf, typeOf } from '../../../wire/snapshot/key.ts';
import type { Failure } from '../failure.ts';
import { type Found, hypothesis, type OtherSize, type Search } from '../hypothesis.ts';
import { hasChecksum } from '../item-evidence.ts';
import { maxSize, workOfError } from '../limits.ts';
import { isKnownType, isSound } from '../plausible.ts';

/**
 * A type has another size on the server, or one is sent where none is expected: the delta is misread from there on. It
 * is read again.
 */
export const otherSize = hypothesis({
  cause: 'other_size',
  *find(failure: Failure, search: Search): Iterable<Found> {
    const reading = new Reading(failure, search);
    let found = search.sizes.filter((size) => reading.fits(size));
    if (found.length === 0 && search.mayGoOn) {
      found = [...reading.others()];
      search.sizes.push(...found);
    }
    if (found.length === 0) yield* reading.otherVersions();
    // An int that is added after an item may look like the type of another one.
    const all = search.mayGoOn ? [...reading.longer()] : [];
    const longer = all.filter(({ about }) => !found.some(({ type, size }) => about === `${type}:${size}`));
    yield* longer;
    for (const { type, size } of found) {
      const fit = { about: `${type}:${size}`, keys: [type << 16], numbers: { type, size } };
      // The checksums of sound readings are close to each other, so that one failure is no evidence.
      yield { ...fit, standing: longer.length > 0 || reading.areOthers({ type, size }) ? 'fits' : 'repeats' };
    }
  },
});

class Reading {
  readonly #failure: Failure;
  readonly #search: Search;
  readonly #delta = new Delta();

  constructor(failure: Failure, search: Search) {
    this.#failure = failure;
    this.#search = search;
  }

  /** The other versions all of whose sizes fit: a server mixes the tables of two. */
  *otherVersions(): Iterable<Found> {
    const { version: own, sizeOf: ownSizeOf } = this.#failure.received.protocol;
    for (const version of versions) {
      const { sizeOf } = protocolOf(version);
      if (version !== own && this.#isRight((type) => sizeOf(type) || ownSizeOf(type)))
        yield { about: version, standing: 'repeats' };
    }
  }

  /** Types with more ints than the checksum counts, which a program between server and client adds. */
  *longer(): Iterable<Found> {
    const { sizeOf } = this.#failure.received.protocol;
    for (const [type, at] of this.#typesRead())
      for (const size of this.#sizesOf(type, at))
        if (size > sizeOf(type) && sizeOf(type) > 0 && this.#isRightWithout({ type, size }))
          yield { about: `${type}:${size}`, keys: [type << 16], numbers: { type, size } };
  }

  /** Whether the delta is right if items of a type lose the ints beyond their size. */
  #isRightWithout({ type, size }: OtherSize): boolean {
    const { before, announced, protocol } = this.#failure.received;
    const long = this.#read(this.#sizesWith({ type, size }));
    if (!long || long.end !== long.length) return false;
    const head = long.ints.subarray(0, 3 + long.removedCount);
    const kept = Array.from({ length: long.count }, (_, i) => {
      const own = long.ints.subarray(long.start(i), long.starts[i]! + long.sizes[i]!);
      return typeOf(long.keys[i]!) === type ? own.subarray(0, 2 + protocol.sizeOf(type)) : own;
    });
    const ints = Int32Array.from([...head, ...kept.flatMap((own) => [...own])]);
    const delta = new Delta();
    const error = attempt(() => delta.read(ints, ints.length, protocol.sizeOf));
    return !(error instanceof DecodeError) && isSound(before, delta, protocol) && hasChecksum(before, delta, announced);
  }

  *others(): Iterable<OtherSize> {
    for (const [type, at] of this.#typesRead())
      for (const size of this.#sizesOf(type, at)) if (this.fits({ type, size })) yield { type, size };
  }

  /** Whether the delta, read with this size, makes sense and results in the announced checksum. */
  fits(other: OtherSize): boolean {
    return !this.#isKnown(other.type) && this.#isRight(this.#sizesWith(other));
  }

  #sizesWith({ type, size }: OtherSize): SizeOf {
    const { sizeOf } = this.#failure.received.protocol;
    return (of) => (of === type ? size : sizeOf(of));
  }

  /** A type that occurred before has the agreed size. */
  #isKnown(type: number): boolean {
    return this.#failure.received.knownTypes?.has(type) === true;
  }

  #isRight(sizeOf: SizeOf): boolean {
    const delta = this.#read(sizeOf);
    const { before, announced, protocol } = this.#failure.received;
    return delta !== undefined && isSound(before, delta, protocol) && hasChecksum(before, delta, announced);
  }

  /**
   * Whether each item of a type may be one of the base under another key, which the delta does not update otherwise:
   * one with a flipped bit in its type, with the next type, or with type and id in the other order. The sum is the same
   * then.
   */
  areOthers({ type, size }: OtherSize): boolean {
    const { before } = this.#failure.received;
    this.#read(this.#sizesWith({ type, size }));
    const all = this.#delta.keys.subarray(0, this.#delta.count);
    const keys = all.filter((key) => typeOf(key) === type);
    return keys.every((key) =>
      othersOf(key).some((other) => {
        const at = before.findKey(other);
        return at >= 0 && !all.includes(other) && (size === 0 || before.size(at) === size);
      }),
    );
  }

  /**
   * The sizes, other than the agreed one, after which another item can begin. `at` is the index after the first item's
   * id.
   */
  #sizesOf(type: number, at: number): readonly number[] {
    const { ints: buffer, received, types } = this.#failure;
    const { ints, length } = buffer;
    const agreed = received.protocol.sizeOf(type);
    return allSizes.filter((size) => {
      const next = size === 0 ? at + 1 + ints[at]! : at + size;
      const isEnd = next === length;
      return size !== agreed && next >= at && (isEnd || (next < length && isKnownType(types, ints[next]!)));
    });
  }

  /** The numbered types as they are read that are new, each with its position. The first wrong one is among them. */
  #typesRead(): (readonly [type: number, at: number])[] {
    this.#read();
    const types = new Map<number, number>();
    for (let i = 0; i < this.#delta.count; i++) {
      const type = this.#delta.type(i);
      if (type > 0 && type < firstSizedType && !this.#isKnown(type) && !types.has(type))
        types.set(type, this.#delta.start(i) + 2);
    }
    return [...types];
  }

  /** Undefined if the delta is unreadable or the search has become too expensive. */
  #read(sizeOf = this.#failure.received.protocol.sizeOf): Delta | undefined {
    const { ints } = this.#failure;
    const delta = this.#delta;
    const error = attempt(() => delta.read(ints.ints, ints.length, sizeOf));
    this.#search.spend(delta.end + workOfError);
    return error instanceof DecodeError ? undefined : delta;
  }
}

const typeBits: readonly number[] = Array.from({ length: 15 }, (_, bit) => 1 << (16 + bit));

const othersOf = (key: number): number[] => {
  const next = keyOf(1, 0);
  return [...typeBits.map((bit) => key ^ bit), key - next, key + next, keyOf(idOf(key), typeOf(key))];
};

const allSizes: readonly number[] = Array.from({ length: maxSize + 1 }, (_, size) => size);
