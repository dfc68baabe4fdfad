/** Key → position in a list, open-addressing in typed arrays. Of a key that stands twice the first position counts, as in the games. */
export class KeyIndex {
  #keys: Int32Array;
  /** Position plus one, 0 where the slot is free. */
  #positions: Int32Array;
  #shift: number;

  constructor(capacity: number) {
    const bits = Math.max(4, 33 - Math.clz32(capacity));
    this.#keys = new Int32Array(1 << bits);
    this.#positions = new Int32Array(1 << bits);
    this.#shift = 32 - bits;
  }

  static of(keys: Int32Array, count: number): KeyIndex {
    const index = new KeyIndex(count);
    for (let i = 0; i < count; i++) index.add(keys[i]!, i);
    return index;
  }

  /** Adds a key; false when it was there already. */
  add(key: number, position: number): boolean {
    const slot = this.#slot(key);
    if (this.#positions[slot]) return false;
    this.#keys[slot] = key;
    this.#positions[slot] = position + 1;
    return true;
  }

  /** The key's position, -1 where there is none. */
  get(key: number): number {
    return this.#positions[this.#slot(key)]! - 1;
  }

  #slot(key: number): number {
    const mask = this.#keys.length - 1;
    let slot = Math.imul(key, 0x9e3779b1) >>> this.#shift;
    while (this.#positions[slot] && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }
}
