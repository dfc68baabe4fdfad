import type { SizeOf } from '../../wire/protocol/registry.ts';
import { maxId, maxItems, maxType } from '../../wire/snapshot/key.ts';
import type { DemoRules } from '../games/demo-rules.ts';
import { Crash, GameBuffer, ItemBuilder, maxBytes, maxInts, Unforeseen } from './memory.ts';

/** `MAX_NETOBJSIZES`: types from here on have their size in the delta. */
const firstSizedType = 64;

/**
 * The snapshots of a demo player: the ints of a chunk make the next one, which becomes the last one if it is taken.
 * Reading changes nothing but scratch memory, so that a chunk can be read again by other rules.
 */
export abstract class Snapshots {
  chunk = new GameBuffer();
  protected readonly sizeOf: SizeOf;
  protected readonly builder = new ItemBuilder();
  /** Whether values of what was read come from memory that was written before this demo. */
  isOnOther = false;
  protected next = new GameBuffer();
  #last = new GameBuffer();
  /** The bytes of the last snapshot; -1 before the first. */
  #lastBytes = -1;
  /** The items of the last snapshot by their keys. */
  readonly #indexes = new Map<number, number>();

  constructor(sizeOf: SizeOf) {
    this.sizeOf = sizeOf;
  }

  /** Whether there are keys before the offsets of a snapshot. */
  protected abstract readonly hasKeys: boolean;

  /** Reads the chunk as a whole snapshot; returns its bytes, -1 if it is left out. */
  abstract readFull(bytes: number): number;

  /** Reads the chunk as a delta on the last snapshot; returns the bytes of the result, -1 if it is left out. */
  abstract readDelta(bytes: number): number;

  /** Whether there is room for an item. */
  protected abstract mayAdd(ints: number): boolean;

  /** Whether an item of the last snapshot may have this key. */
  protected abstract mayHave(key: number): boolean;

  /** Whether a delta is left out since an update has another size than its item: asked only if it has. */
  protected abstract readonly checksSizes: boolean;

  /** Whether the game ends itself at an item with a negative type. */
  protected abstract readonly failsOnKeys: boolean;

  /** Called before a sum is kept that has more than 32 bits. */
  protected abstract onOverflow(): void;

  /** One of the same kind, by other rules. */
  protected abstract empty(rules: DemoRules): Snapshots;

  get hasLast(): boolean {
    return this.#lastBytes >= 0;
  }

  get last(): Uint8Array {
    return this.#last.bytes.subarray(0, this.#lastBytes);
  }

  /** Takes what was read as the last snapshot. */
  take(bytes: number): void {
    this.#last.copyFrom(this.next, bytes >> 2);
    this.#lastBytes = bytes;
  }

  /** Begins after a snapshot that was read elsewhere. @param items their keys and values, one after the other */
  begin(offsets: readonly number[], items: Int32Array): void {
    this.builder.fill(offsets, items);
    this.take(this.finish());
  }

  copy(rules: DemoRules): Snapshots {
    const copy = this.empty(rules);
    copy.chunk = this.chunk.clone();
    copy.next = this.next.clone();
    copy.#last = this.#last.clone();
    copy.#lastBytes = this.#lastBytes;
    return copy;
  }

  protected finish(): number {
    return this.hasKeys ? this.builder.finishSorted(this.next) : this.builder.finish(this.next);
  }

  get #count(): number {
    return this.hasLast ? this.#last.ints[1]! : 0;
  }

  /** Where the key and values of an item of the last snapshot begin and end. */
  #item(index: number): readonly [number, number] {
    const { ints } = this.#last;
    const count = this.#count;
    const offsets = this.hasKeys ? 2 + count : 2;
    const data = offsets + count;
    const end = index === count - 1 ? ints[0]! : ints[offsets + index + 1]!;
    return [data + (ints[offsets + index]! >> 2), data + (end >> 2)];
  }

  /** Begins a delta with the items of the last snapshot that it does not remove; false if it is left out. */
  protected copyLast(removed: number): boolean {
    const { builder } = this;
    const gone = removed > 0 ? new Set(this.chunk.ints.subarray(3, 3 + removed)) : undefined;
    const last = this.#last.ints;
    this.isOnOther = false;
    builder.clear();
    this.#indexes.clear();
    for (let i = 0; i < this.#count; i++) {
      const [start, end] = this.#item(i);
      const key = last[start]!;
      if (!this.#indexes.has(key)) this.#indexes.set(key, i);
      // `find_binary` of Teeworlds finds any of them.
      else if (this.hasKeys) throw new Unforeseen('a key twice');
      if (gone?.has(key)) continue;
      const ints = end - start - 1;
      if (!this.mayHave(key) || !this.mayAdd(ints)) return false;
      builder.data.set(last.subarray(start + 1, end), builder.add(key, ints));
    }
    return true;
  }

  /**
   * Sets an item to the ints of the chunk from `at` on, added to those of the last snapshot; false if the delta is left
   * out.
   */
  protected update(key: number, at: number, ints: number): boolean {
    const { builder } = this;
    const { data } = builder;
    const changes = this.chunk.ints;
    const existing = builder.find(key);
    const differs = existing >= 0 && builder.sizeOf(existing) !== ints;
    if (differs && this.checksSizes) return false;
    if (existing < 0 && !this.mayAdd(ints)) return false;
    const out = existing < 0 ? builder.add(key, ints) : builder.startOf(existing);
    if (differs && existing < builder.count - 1 && builder.sizeOf(existing) < ints) builder.isDisturbed = true;
    if (out + ints > maxInts) throw new Unforeseen('an item beyond its buffer');
    const before = this.#indexes.get(key);
    if (before === undefined) {
      data.set(changes.subarray(at, at + ints), out);
      return true;
    }
    const [start, end] = this.#item(before);
    if (end - start - 1 !== ints && this.checksSizes) return false;
    if (start + 1 + ints > maxInts) throw new Unforeseen('an item beyond its buffer');
    if (!this.#last.knows(start + 1 + ints)) {
      // Unknown keys may be of a negative type.
      if (builder.isDisturbed && this.failsOnKeys) throw new Unforeseen('keys from another demo');
      this.isOnOther = true;
    }
    const last = this.#last.ints;
    for (let i = 0; i < ints; i++) {
      const sum = last[start + 1 + i]! + changes[at + i]!;
      if (sum !== (sum | 0)) this.onOverflow();
      data[out + i] = sum;
    }
    return true;
  }
}

/** `CSnapshot::IsValid`, `CSnapshotDelta::UnpackDelta` of DDNet. */
export class DdnetSnapshots extends Snapshots {
  readonly #rules: DemoRules;
  protected override readonly hasKeys = false;

  constructor(rules: DemoRules, sizeOf: SizeOf) {
    super(sizeOf);
    this.#rules = rules;
  }

  override readFull(bytes: number): number {
    if (!this.#isValid(this.chunk, bytes)) return -1;
    this.next.copyFrom(this.chunk, bytes >> 2);
    return bytes;
  }

  override readDelta(bytes: number): number {
    const size = this.#unpack(bytes >> 2);
    return size >= 0 && this.#isValid(this.next, size) ? size : -1;
  }

  protected override empty(rules: DemoRules): Snapshots {
    return new DdnetSnapshots(rules, this.sizeOf);
  }

  #isValid({ ints }: GameBuffer, size: number): boolean {
    if (size < 8) return false;
    const dataBytes = ints[0]!;
    const count = ints[1]!;
    if (count < 0 || dataBytes < 0 || size !== 8 + count * 4 + dataBytes) return false;
    if ((size > maxBytes || count > maxItems) && this.#rules.limitsSnapshots) return false;
    let isAligned = true;
    for (let i = 0; i < count; i++) {
      const offset = ints[2 + i]!;
      if (offset < 0 || offset > dataBytes) return false;
      if (offset & 3) isAligned = false;
    }
    for (let i = 0; i < count; i++) {
      const end = i === count - 1 ? dataBytes : ints[3 + i]!;
      if (end - ints[2 + i]! < 4) return false;
    }
    if (isAligned && (dataBytes & 3) === 0) return true;
    if (this.#rules.alignsItems) return false;
    throw new Unforeseen('items between ints');
  }

  /** Returns the bytes of the result; -1 for a delta that is left out. */
  #unpack(end: number): number {
    const { ints } = this.chunk;
    // With fewer than three ints the sum of both checks is the same, whatever is behind them.
    if (end < 3) return -1;
    const removed = ints[0]!;
    let at = 3 + removed;
    if (removed < 0 || at > end) return -1;
    if (!this.copyLast(removed)) return -1;
    for (let left = ints[1]!; left > 0; left--) {
      if (at + 2 > end) return -1;
      const type = ints[at++]!;
      const id = ints[at++]!;
      if (type < 0 || type > maxType || id < 0 || id > maxId) return -1;
      let size = type < firstSizedType ? this.sizeOf(type) : 0;
      if (size === 0) {
        if (at >= end) return -1;
        size = ints[at++]!;
      }
      if (size < 0 || size > end - at) return -1;
      if (!this.update((type << 16) | id, at, size)) return -1;
      at += size;
    }
    return this.finish();
  }

  protected override mayHave(key: number): boolean {
    if (key >= 0 || this.#rules.negativeType === 'kept') return true;
    if (this.#rules.negativeType === 'refused') return false;
    throw new Crash('Invalid snap item Type');
  }

  /** `CSnapshotBuilder::NewItem` */
  protected override mayAdd(ints: number): boolean {
    const { count, length } = this.builder;
    const bytes = (length + 1 + ints) * 4;
    const isWithin = count < maxItems && 8 + (count + 1) * 4 + bytes <= maxBytes;
    // Up to 18.5 the offsets were not counted, and the last item was not allowed.
    const wasWithin = bytes < maxBytes && count + 1 < maxItems;
    if (isWithin === wasWithin) return isWithin;
    return this.#rules.limitsSnapshots ? isWithin : wasWithin;
  }

  protected override get checksSizes(): boolean {
    return this.#rules.checksSizes;
  }

  protected override get failsOnKeys(): boolean {
    return this.#rules.negativeType === 'assertion';
  }

  protected override onOverflow(): void {
    if (this.#rules.overflows === 'by platform') throw new Unforeseen('a sum beyond 32 bits');
  }
}

/** `CSnapshotBuilder::UnserializeSnap`, `CSnapshotDelta::UnpackDelta` of Teeworlds 0.7.5. */
export class TeeworldsSnapshots extends Snapshots {
  protected override readonly hasKeys = true;

  override readFull(bytes: number): number {
    const { ints } = this.chunk;
    if (bytes < 8) return -1;
    const dataBytes = ints[0]!;
    const count = ints[1]!;
    const isWithin = (dataBytes + 8 + count * 8) >>> 0 <= maxBytes && count <= maxItems;
    if (!isWithin || dataBytes + 4 * (2 + count) !== bytes) return -1;
    let end = dataBytes;
    let isAligned = (dataBytes & 3) === 0;
    for (let i = count - 1; i >= 0; i--) {
      const offset = ints[2 + i]!;
      if (offset < 0 || end - offset < 4) return -1;
      end = offset;
      if (offset & 3) isAligned = false;
    }
    if (!isAligned || dataBytes < 0 || count < 0) throw new Unforeseen('items between ints');
    const offsets = Array.from(ints.subarray(2, 2 + count), (offset) => offset >> 2);
    this.builder.fill(offsets, ints.subarray(2 + count, 2 + count + (dataBytes >> 2)));
    return this.finish();
  }

  override readDelta(bytes: number): number {
    const { ints } = this.chunk;
    const end = bytes >> 2;
    // The counts are read even if they are not there.
    if (!this.chunk.knows(3)) throw new Unforeseen('a delta without its counts');
    const removed = ints[0]!;
    let at = 3 + removed;
    if (at > end) return -1;
    if (at < 0) throw new Unforeseen('updates before the delta');
    this.copyLast(removed);
    for (let left = ints[1]!; left > 0; left--) {
      if (at + 2 > end) return -1;
      const type = ints[at++]!;
      if (type < 0) return -1;
      const id = ints[at++]! & maxId;
      let size = this.#sizeOf(type);
      if (size === 0) {
        if (at >= end) return -1;
        size = ((ints[at++]! << 2) | 0) >> 2;
      }
      if (size < 0 || at + size > end) return -1;
      this.update((type << 16) | id, at, size);
      at += size;
    }
    return this.finish();
  }

  protected override mayHave(): boolean {
    return true;
  }

  /** `CSnapshotBuilder::NewItem`: what has no room is written all the same. */
  protected override mayAdd(ints: number): boolean {
    const { count, length } = this.builder;
    const bytes = length * 4 + 12 + ints * 4 + (count + 1) * 8;
    if (bytes >= maxBytes || count + 1 >= maxItems) throw new Crash('a null pointer is written to');
    return true;
  }

  protected override readonly checksSizes = false;
  protected override readonly failsOnKeys = false;

  protected override onOverflow(): void {}

  protected override empty(): Snapshots {
    return new TeeworldsSnapshots(this.sizeOf);
  }

  /**
   * `m_aItemSizes` has 64 shorts, and is read beyond them: behind it are the counts of bits of each type, in this demo
   * and all that were played before. Those of types that no game has are 0.
   */
  #sizeOf(type: number): number {
    if (type < firstSizedType) return this.sizeOf(type);
    const counted = (type - firstSizedType) >> 1;
    if (counted < firstSizedType || type >= maxId) throw new Unforeseen('a size beyond its table');
    return 0;
  }
}
