/** The values of the keys that were set last: of more than `limit` keys the one that was set first is forgotten. */
export class Newest<Key, Value> {
  readonly #limit: number;
  readonly #values = new Map<Key, Value>();
  /** Kept, since another iterator would walk over the places of all keys that are gone. */
  readonly #oldest = this.#values.keys();

  constructor(limit: number) {
    this.#limit = limit;
  }

  has(key: Key): boolean {
    return this.#values.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  set(key: Key, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#limit) this.#values.delete(this.#oldest.next().value!);
  }
}
