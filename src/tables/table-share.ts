import type { Batch } from './batch.ts';

/**
 * One of several shares of the tables of a recording, each of which is exported by a thread that reads the whole recording. The first
 * rows decide which tables it has: up to then every share has all of them, so that each comes to the same decision.
 */
export class TableShare {
  readonly #index: number;
  /** The number of values in each share when the tables were shared out. */
  readonly #sizes: number[];
  readonly #shares = new Map<string, number>();
  isDecided: boolean;

  constructor(index = 0, count = 1) {
    this.#index = index;
    this.#sizes = new Array(count).fill(0);
    this.isDecided = count === 1;
  }

  /** Shares out tables by the values that they have so far, the largest first. */
  decide(batches: readonly Batch[]): void {
    this.isDecided = true;
    const valuesOf = ({ rows, columns }: Batch) => rows * columns.length;
    for (const batch of batches.toSorted((a, b) => valuesOf(b) - valuesOf(a))) {
      this.#add(batch.schema.name, valuesOf(batch));
    }
  }

  has(table: string): boolean {
    if (!this.isDecided || this.#sizes.length === 1) return true;
    // Tables without rows so far are small.
    return (this.#shares.get(table) ?? this.#add(table, 1)) === this.#index;
  }

  /** Adds a table to the smallest share. */
  #add(table: string, size: number): number {
    const smallest = this.#sizes.indexOf(Math.min(...this.#sizes));
    this.#sizes[smallest]! += size;
    this.#shares.set(table, smallest);
    return smallest;
  }
}
