import type { Batch } from '../../src/tables/batch.ts';

/** Turns the batches of one table into the bytes of one file. */
export interface TableEncoder {
  /** Returns the bytes that are ready, in pieces. */
  add(batch: Batch): Iterable<Uint8Array>;
  finish(): Uint8Array;
}

/** Receives the batches of a task. */
export interface TableOutput {
  write(batch: Batch): Promise<void>;
  finish(): Promise<void>;
  /** The number of written bytes. */
  readonly bytes: number;
  /** The paths of all files, relative to the folder. */
  readonly paths: readonly string[];
}
