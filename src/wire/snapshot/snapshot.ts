import { noInts } from '../bytes/buffers.ts';
import type { Beginnings } from '../bytes/copy.ts';
import { DecodeError, ignore, type Warn } from '../bytes/diagnostic.ts';
import type { SizeOf } from '../protocol/registry.ts';
import { idOf, KeyIndex, keyOf, maxItems, maxSnapshotBytes, maxType, typeOf } from './key.ts';

/** Finds repeated keys in snapshots that need no index of their own. */
const forRepeats = new KeyIndex();

/** The three arrays of a snapshot, with its checksum. */
interface FlatItems {
  readonly keysFrom: Beginnings;
  readonly offsetsFrom: Beginnings;
  readonly dataFrom: Beginnings;
  readonly offsets: Int32Array;
  readonly count: number;
  readonly sum: number;
  /** Identifies the keys and offsets: they are equal if this number is. */
  readonly layout: number;
}

/**
 * A whole snapshot: three flat arrays, items in their order. Item `i` has the key `keys[i]` and the ints
 * `data[offsets[i]]` up to `data[offsets[i + 1]]`. The caller sets the ints of an item that it has appended; otherwise
 * the arrays are read-only, since facts derived from them are cached.
 *
 * Source: `CSnapshot` in `src/engine/shared/snapshot.cpp` of the games.
 *
 * @example
 * ```ts
 * import { decode } from 'tw-snap';
 *
 * const decoded = decode(bytes, { kind: 'snapshot' });
 * if (decoded.kind === 'snapshot') {
 *   for (const { type, id, data } of decoded.snapshot) console.log(type, id, data);
 *   console.log(decoded.snapshot.checksum());
 * }
 * ```
 */
export class Snapshot {
  keys = noInts;
  offsets = new Int32Array(1);
  data = noInts;
  count = 0;
  /** The number of ints that the last item lacks because the stream ended inside it. */
  missing = 0;
  /**
   * The index of the first item's key in the ints that were read: after the two of the header and an offset for each
   * item.
   */
  #first = 2;
  readonly #index = new KeyIndex();
  #indexed = false;
  #repeats = false;
  #knowsRepeats = false;
  #layout = 0;
  /** The checksum, if it is known. */
  #sum: number | undefined;

  /** An empty snapshot with room for this many items and ints. @internal */
  static withRoom(items: number, ints: number): Snapshot {
    const snapshot = new Snapshot();
    snapshot.clear(items, ints);
    return snapshot;
  }

  /** Empties the snapshot and makes room for this many items and ints. @internal */
  clear(items: number, ints: number): void {
    this.#changed();
    this.count = 0;
    this.missing = 0;
    // Twice the size, because the next snapshot is often a little larger again.
    if (this.keys.length < items) {
      const room = Math.max(items, 2 * this.keys.length);
      this.keys = new Int32Array(room);
      this.offsets = new Int32Array(room + 1);
    }
    if (this.data.length < ints) this.data = new Int32Array(Math.max(ints, 2 * this.data.length));
    this.offsets[0] = 0;
  }

  /** Makes this snapshot a copy of items in flat arrays. @internal */
  assign({ keysFrom, offsetsFrom, dataFrom, offsets, count, sum, layout }: FlatItems, hasRepeats: boolean): void {
    const ints = offsets[count]!;
    if (this.#layout !== layout) {
      this.clear(count, ints);
      this.keys.set(keysFrom.first(count));
      this.offsets.set(offsetsFrom.first(count + 1));
      this.count = count;
      this.#layout = layout;
    }
    this.data.set(dataFrom.first(ints));
    this.#sum = sum;
    this.#repeats = hasRepeats;
    this.#knowsRepeats = true;
  }

  /** Makes this a copy of another snapshot, whose buffers may then be filled again. @internal */
  copyFrom(other: Snapshot): void {
    this.clear(other.count, other.offsets[other.count]!);
    this.appendItems(other, 0, other.count);
  }

  /** Bytes that its arrays take. @internal */
  get memory(): number {
    const { keys, offsets, data } = this;
    return keys.byteLength + offsets.byteLength + data.byteLength + this.#index.memory;
  }

  type(i: number): number {
    return typeOf(this.keys[i]!);
  }

  id(i: number): number {
    return idOf(this.keys[i]!);
  }

  size(i: number): number {
    return this.offsets[i + 1]! - this.offsets[i]!;
  }

  /** The ints of item `i`: a view, not a copy. */
  item(i: number): Int32Array {
    return this.data.subarray(this.offsets[i]!, this.offsets[i + 1]!);
  }

  /** The index of the key of item `i` in the ints from which this snapshot was read. */
  start(i: number): number {
    return this.#first + this.offsets[i]! + i;
  }

  /** Index of the first item with this type and id, -1 if there is none. */
  find(type: number, id: number): number {
    return this.findKey(keyOf(type, id));
  }

  /** The same by key. */
  findKey(key: number): number {
    if (!this.#indexed) this.#fill(this.#index);
    this.#indexed = true;
    return this.#index.get(key);
  }

  /** Whether it is unchanged since {@link assign}. @internal */
  get isAsAssigned(): boolean {
    return this.#sum !== undefined;
  }

  /** Whether a key occurs twice. */
  get hasRepeats(): boolean {
    if (!this.#knowsRepeats) this.#fill(forRepeats);
    return this.#repeats;
  }

  /** The items in their order; `data` is a view. */
  *[Symbol.iterator](): Iterator<{ readonly type: number; readonly id: number; readonly data: Int32Array }> {
    for (let i = 0; i < this.count; i++) yield { type: this.type(i), id: this.id(i), data: this.item(i) };
  }

  /**
   * Adds an item of `size` ints at the end and returns its index. There must be room for it; the caller sets its ints.
   * @internal
   */
  append(key: number, size: number): number {
    const i = this.count++;
    this.#changed();
    this.keys[i] = key;
    this.offsets[i + 1] = this.offsets[i]! + size;
    return i;
  }

  /** Adds copies of the items `start` up to `end` of another snapshot. There must be room for them. @internal */
  appendItems(from: Snapshot, start: number, end: number): void {
    const first = from.offsets[start]!;
    const at = this.offsets[this.count]!;
    this.#changed();
    this.data.set(from.data.subarray(first, from.offsets[end]!), at);
    for (let i = start; i < end; i++) {
      this.keys[this.count++] = from.keys[i]!;
      this.offsets[this.count] = from.offsets[i + 1]! - first + at;
    }
  }

  /** The wrapping sum of all data ints of all items, signed as sent. Keys and sizes are not included. */
  checksum(): number {
    if (this.#sum !== undefined) return this.#sum;
    const { data } = this;
    const end = this.offsets[this.count]!;
    let sum = 0;
    for (let i = this.offsets[0]!; i < end; i++) sum = (sum + data[i]!) | 0;
    return sum;
  }

  /** The number of ints of {@link toInts}: header, offsets, and a key before each item. */
  get intCount(): number {
    return 2 + 2 * this.count + this.offsets[this.count]!;
  }

  /** The ints as sent: `data_size num_items offset[num_items] { key data… }*`, sizes and offsets in bytes. */
  toInts(): Int32Array<ArrayBuffer> {
    const { count } = this;
    const ints = new Int32Array(this.intCount);
    const base = 2 + count;
    ints[0] = 4 * (ints.length - base);
    ints[1] = count;
    for (let i = 0; i < count; i++) {
      const at = this.offsets[i]! + i;
      ints[2 + i] = 4 * at;
      ints[base + at] = this.keys[i]!;
      ints.set(this.item(i), base + at + 1);
    }
    return ints;
  }

  /**
   * Reads a snapshot from ints.
   * @throws DecodeError; the items before the int at its offset are in this snapshot. If the data size is only no
   *   multiple of 4, all are.
   * @internal
   */
  read(ints: Int32Array, length: number, sizeOf: SizeOf, warn: Warn = ignore, maxBytes = maxSnapshotBytes): void {
    this.clear(0, 0);
    if (length < 2) throw new DecodeError('truncated_snapshot', length, { expected: 2, found: length });
    const dataSize = ints[0]!;
    const items = ints[1]!;
    if (dataSize < 0) throw new DecodeError('bad_data_size', 0, { found: dataSize });
    if (items < 0) throw new DecodeError('negative_count', 1, { found: items });
    if (items > maxItems) throw new DecodeError('too_many_items', 1, { found: items, limit: maxItems });
    const base = 2 + items;
    const expected = base + Math.floor(dataSize / 4);
    if (expected * 4 > maxBytes) {
      throw new DecodeError('snapshot_too_large', 0, { found: expected * 4, limit: maxBytes });
    }
    this.clear(items, Math.max(0, Math.min(length, expected) - base));

    const end = Math.min(length, expected);
    const { keys, offsets, data } = this;
    let out = 0;
    for (let i = 0; i < items; i++) {
      const start = itemStart(ints, i, items, dataSize, length, base);
      const next = i + 1 < items ? itemStart(ints, i + 1, items, dataSize, length, base) : expected;
      if (next <= start) {
        // The offset that breaks the order; for the last item its own, since there is no int left for its key.
        const isLast = i + 1 === items;
        const index = isLast ? i : i + 1;
        const expected = isLast ? { limit: dataSize - 4 } : { expected: ints[2 + i]! + 4 };
        throw new DecodeError('bad_offset', 2 + index, { index, found: ints[2 + index]!, ...expected });
      }
      if (i === 0) this.#first = start;
      if (i === 0 && start > base) warn('first_offset', 2, { found: ints[2]! });
      if (start >= end) break;
      const key = ints[start]!;
      const stop = Math.min(next, end);
      if (stop === next) this.#noteItem(key, next - start - 1, start, sizeOf, warn);
      keys[i] = key;
      for (let at = start + 1; at < stop; at++) data[out++] = ints[at]!;
      this.count = i + 1;
      offsets[i + 1] = out;
      this.missing = next - stop;
      if (this.missing) break;
    }
    // The items are shown, whatever their size is.
    if (dataSize % 4) throw new DecodeError('bad_data_size', 0, { found: dataSize });
    if (length < expected) throw new DecodeError('truncated_snapshot', length, { expected, found: length });
    if (items === 0 && dataSize > 0) warn('data_without_items', 2, { bytes: dataSize });
    if (length > expected) throw new DecodeError('excess_ints', expected, { found: length - expected });
  }

  #noteItem(key: number, size: number, at: number, sizeOf: SizeOf, warn: Warn): void {
    const type = typeOf(key);
    if (type < 0 || type > maxType) {
      warn('invalid_key', at, { key });
      return;
    }
    const agreed = sizeOf(type);
    if (agreed && agreed !== size) warn('unusual_size', at, { type, id: idOf(key), found: size, expected: agreed });
  }

  #changed(): void {
    this.#indexed = false;
    this.#knowsRepeats = false;
    this.#layout = 0;
    this.#sum = undefined;
  }

  #fill(index: KeyIndex): void {
    index.reset(this.count);
    this.#repeats = false;
    for (let i = 0; i < this.count; i++) if (!index.add(this.keys[i]!, i)) this.#repeats = true;
    this.#knowsRepeats = true;
  }
}

function itemStart(ints: Int32Array, i: number, items: number, dataSize: number, length: number, base: number): number {
  if (2 + i >= length) throw new DecodeError('truncated_snapshot', length, { expected: 2 + items, found: length });
  const offset = ints[2 + i]!;
  if (offset < 0 || offset > dataSize || offset % 4) {
    throw new DecodeError('bad_offset', 2 + i, { index: i, found: offset, limit: dataSize });
  }
  return base + offset / 4;
}

/** Whether a value is a snapshot, also one of another copy of the library, as of `import` beside `require`. */
export const isSnapshot = (value: unknown): value is Snapshot =>
  value instanceof Snapshot || typeof (value as Partial<Snapshot> | null | undefined)?.toInts === 'function';
