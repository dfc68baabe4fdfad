import type { Batch } from '../../src/tables/batch.ts';

/** Turns the batches of one table into the bytes of one file. */
export interface TableEncoder {
  /** The bytes that are ready, in pieces. */
  add(batch: Batch): Iterable<Uint8Array>;
  finish(): Uint8Array;
}

/** Where the batches of a task go. */
export interface TableOutput {
  write(batch: Batch): Promise<void>;
  finish(): Promise<void>;
  /** Bytes that were written. */
  readonly bytes: number;
  /** The paths of all files, below the folder. */
  readonly paths: readonly string[];
}
