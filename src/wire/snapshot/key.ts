import { noInts } from '../bytes/buffers.ts';

// Limits, types and ids are those of `CSnapshot`, `CSnapshotBuilder` and `CSnapshotItem` in
// `src/engine/shared/snapshot.h` of the games.

/** The number of items of a snapshot that the games accept, inclusive. */
export const maxItems = 1024;
/** Those that a server makes: one less in vanilla, and in DDNet until 2025. */
export const fullItems = maxItems - 1;
/** `MAX_SNAPSHOT_PACKSIZE` of the games: a server sends a longer delta in parts, which have as many bytes but the last. */
export const partBytes = 900;
/** The bytes of a snapshot that the games accept, with header, offsets and keys; inclusive. */
export const maxSnapshotBytes = 0x10000;
/** The same in demos of version 7, by the draft in ddnet/ddnet#12681. */
export const maxDraftSnapshotBytes = 0x40000;
/** The highest type number of an item. */
export const maxType = 0x7fff;
/** The highest id of an item. */
export const maxId = 0xffff;

/** Local type numbers of extended (UUID) items begin here: an item of type 0 with such an id registers it. */
export const firstLocalType = 0x4000;
/** Ints of a registration's UUID. */
export const uuidInts = 4;

/** Type and id of an item in one int: `TTTT TTTT TTTT TTTT  IIII IIII IIII IIII`. */
export const keyOf = (type: number, id: number): number => (type << 16) | id;
export const typeOf = (key: number): number => key >> 16;
export const idOf = (key: number): number => key & 0xffff;

const noFillings = new Uint32Array(0);

/**
 * A reusable map from key to position, with open addressing. Of a key that occurs twice the first position counts, as
 * in the games.
 */
export class KeyIndex {
  #keys = noInts;
  #positions = noInts;
  /** The number of the filling that last used each slot; slots of earlier fillings are free. */
  #fillings = noFillings;
  #filling = 0;
  #shift = 32;

  /** Empties the index and makes room for `capacity` keys. */
  reset(capacity: number): this {
    const bits = Math.max(4, 33 - Math.clz32(capacity));
    if (this.#keys.length < 1 << bits || this.#filling === 2 ** 32 - 1) {
      this.#keys = new Int32Array(1 << bits);
      this.#positions = new Int32Array(1 << bits);
      this.#fillings = new Uint32Array(1 << bits);
      this.#shift = 32 - bits;
      this.#filling = 0;
    }
    this.#filling++;
    return this;
  }

  get memory(): number {
    return 3 * this.#keys.byteLength;
  }

  /** Adds a key; false if the index already has it. */
  add(key: number, position: number): boolean {
    const slot = this.#slot(key);
    if (this.#fillings[slot] === this.#filling) return false;
    this.#fillings[slot] = this.#filling;
    this.#keys[slot] = key;
    this.#positions[slot] = position;
    return true;
  }

  get(key: number): number {
    const slot = this.#slot(key);
    return this.#fillings[slot] === this.#filling ? this.#positions[slot]! : -1;
  }

  #slot(key: number): number {
    const keys = this.#keys;
    const fillings = this.#fillings;
    const mask = keys.length - 1;
    let slot = Math.imul(key, 0x9e3779b1) >>> this.#shift;
    while (fillings[slot] === this.#filling && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }
}
