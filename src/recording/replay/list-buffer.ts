/** A reusable list, of which `length` items are filled: V8 frees the memory of an array that is emptied. */
export class ListBuffer<Item> {
  readonly items: Item[] = [];
  length = 0;

  push(item: Item): void {
    this.items[this.length++] = item;
  }

  *[Symbol.iterator](): Iterator<Item> {
    for (let i = 0; i < this.length; i++) yield this.items[i]!;
  }
}
