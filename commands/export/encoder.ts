import type { Batch } from '../../src/tables/batch.ts';

/** Turns the batches of one table into the bytes of one file. */
export interface TableEncoder {
  /** The bytes that are ready, in pieces. */
  add(batch: Batch): Iterable<Uint8Array>;
  finish(): Uint8Array;
}
