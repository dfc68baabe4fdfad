import { noInts } from '../bytes/buffers.ts';
import { DecodeError, ignore, type Warn } from '../bytes/diagnostic.ts';
import type { SizeOf } from '../protocol/registry.ts';
import { idOf, keyOf, maxId, maxType, typeOf } from './key.ts';

const headerInts = 3;
/** The number of updates for which there is room at least. */
const minUpdates = 16;
const emptyDelta = new Int32Array(headerInts);

/** The number of the list that last had each type, so that nothing is cleared. */
const listings = new Uint32Array(maxType + 1);
let listing = 0;

/**
 * The difference between two snapshots, over the ints from which it was read:
 * ```
 * num_removed num_item_deltas _zero  removed_key[num_removed]  { type id [size] data… }*
 * ```
 * Update `i` has the key `keys[i]` and the ints `ints[starts[i]]` up to `ints[starts[i] + sizes[i]]`: the differences
 * to the item of the base, or, if the base has no such item, a new item's values. Only the base shows which.
 *
 * Source: `CSnapshotDelta::CreateDelta` in `src/engine/shared/snapshot.cpp` of the games.
 *
 * @example
 * ```ts
 * import { decode } from 'tw-snap';
 *
 * const decoded = decode(bytes, { kind: 'delta' });
 * if (decoded.kind === 'delta') {
 *   const { delta } = decoded;
 *   for (let i = 0; i < delta.count; i++) console.log(delta.type(i), delta.id(i), delta.item(i));
 * }
 * ```
 */
export class Delta {
  /** The whole stream, `length` ints: not a copy. */
  ints: Int32Array<ArrayBuffer> = emptyDelta;
  length = headerInts;
  /** Removed keys are `ints[3]` up to `ints[3 + removedCount]`. */
  removedCount = 0;
  count = 0;
  keys = noInts;
  starts = noInts;
  sizes = noInts;
  /** The position of each update's item in the result, once the delta was applied. */
  items = noInts;
  /** The types of its updates: the first {@link typeCount}. */
  types = noInts;
  #typeCount = -1;
  /** The number of ints that the last update lacks because the stream ended inside it. */
  missing = 0;

  type(i: number): number {
    return typeOf(this.keys[i]!);
  }

  id(i: number): number {
    return idOf(this.keys[i]!);
  }

  /** The number of types of its updates: {@link types} lists them, once for all who ask. */
  get typeCount(): number {
    if (this.#typeCount < 0) this.#listTypes();
    return this.#typeCount;
  }

  /** Whether an update has this type. */
  hasType(type: number): boolean {
    const { typeCount, types } = this;
    for (let i = 0; i < typeCount; i++) if (types[i] === type) return true;
    return false;
  }

  #listTypes(): void {
    const { keys, count, types } = this;
    let found = 0;
    if (++listing > 0xffffffff) {
      listings.fill(0);
      listing = 1;
    }
    for (let i = 0; i < count; i++) {
      const type = typeOf(keys[i]!);
      if (listings[type] === listing) continue;
      listings[type] = listing;
      types[found++] = type;
    }
    this.#typeCount = found;
  }

  /** The ints of update `i`: a view, not a copy. */
  item(i: number): Int32Array {
    const start = this.starts[i]!;
    return this.ints.subarray(start, start + this.sizes[i]!);
  }

  /** The index of the type of update `i`, its first int. */
  start(i: number): number {
    return i === 0 ? headerInts + this.removedCount : this.starts[i - 1]! + this.sizes[i - 1]!;
  }

  get end(): number {
    return this.start(this.count);
  }

  removedKey(i: number): number {
    return this.ints[headerInts + i]!;
  }

  /**
   * Reads a delta from the first `length` of `ints`, which it keeps. @throws DecodeError; the updates before the int at
   * its offset are here. @internal
   */
  read(ints: Int32Array<ArrayBuffer>, length: number, sizeOf: SizeOf, warn: Warn = ignore): void {
    this.ints = ints;
    this.length = length;
    this.removedCount = 0;
    this.count = 0;
    this.missing = 0;
    this.#typeCount = -1;
    if (length < headerInts) throw new DecodeError('truncated_delta', length, { expected: headerInts, found: length });
    const removed = ints[0]!;
    const updates = Math.max(ints[1]!, 0);
    if (removed < 0) throw new DecodeError('negative_count', 0, { found: removed });
    if (ints[1]! < 0) warn('negative_count', 1, { found: ints[1]! });
    if (ints[2] !== 0) warn('nonzero_zero', 2, { found: ints[2]! });
    this.removedCount = Math.min(removed, length - headerInts);
    if (removed > this.removedCount) {
      throw new DecodeError('truncated_delta', length, { expected: headerInts + removed, found: length });
    }
    // An update has at least two ints, so an invalid count reserves no more than the stream can contain.
    this.#reserve(Math.min(updates, (length - headerInts) >>> 1));
    const { keys, starts, sizes } = this;

    let at = headerInts + removed;
    for (let i = 0; i < updates; i++) {
      if (at + 2 > length) throw new DecodeError('truncated_delta', length, { updates, read: i });
      const type = ints[at]!;
      const id = ints[at + 1]!;
      if (type < 0 || type > maxType) throw new DecodeError('bad_type', at, { found: type, limit: maxType });
      if (id < 0 || id > maxId) throw new DecodeError('bad_id', at + 1, { found: id, limit: maxId });
      let size = sizeOf(type);
      let start = at + 2;
      if (size === 0) {
        if (start >= length) throw new DecodeError('truncated_delta', length, { updates, read: i });
        size = ints[start++]!;
        if (size < 0) throw new DecodeError('bad_size', start - 1, { found: size });
      }
      keys[i] = keyOf(type, id);
      starts[i] = start;
      sizes[i] = size;
      this.count = i + 1;
      at = start + size;
      if (at > length) {
        sizes[i] = length - start;
        this.missing = at - length;
        throw new DecodeError('truncated_delta', length, { updates, read: i });
      }
    }
    if (at < length) warn('excess_ints', at, { found: length - at });
  }

  /** Copies the ints, since the array that they are in is filled again. @internal */
  release(): void {
    this.ints = this.ints.slice(0, this.length);
  }

  /** A copy, which stays valid when this delta and its ints are filled again. */
  copy(): Delta {
    const { ints, length, keys, starts, sizes, items, count } = this;
    return Object.assign(new Delta(), this, {
      ints: ints.slice(0, length),
      keys: keys.slice(0, count),
      starts: starts.slice(0, count),
      sizes: sizes.slice(0, count),
      items: items.slice(0, count),
      types: new Int32Array(count),
    });
  }

  #reserve(updates: number): void {
    if (this.keys.length >= updates) return;
    // Twice the size, because a later delta is often a little larger.
    const room = Math.max(updates, 2 * this.keys.length, minUpdates);
    this.keys = new Int32Array(room);
    this.starts = new Int32Array(room);
    this.sizes = new Int32Array(room);
    this.items = new Int32Array(room);
    this.types = new Int32Array(room);
  }
}

/** Whether a value is a delta, also one of another copy of the library. */
export const isDelta = (value: unknown): value is Delta =>
  value instanceof Delta || typeof (value as Partial<Delta> | null | undefined)?.removedCount === 'number';
