import { Beginnings } from '../../bytes/beginnings.ts';
import { copyInts } from '../../bytes/copy.ts';
import { DecodeError } from '../../bytes/diagnostic.ts';
import { maxDraftSnapshotBytes, maxItems } from '../key.ts';
import type { Snapshot } from '../snapshot.ts';

/** The ints of the largest snapshot that any limit allows. */
export const maxInts = maxDraftSnapshotBytes / 4;

/**
 * A copy of the base, which a delta turns into the result. There is only one; its arrays are constants of the functions that work
 * on it: see "Hot loops" in docs/ARCHITECTURE.md.
 */
export class Scratch {
  readonly keys = new Int32Array(maxItems);
  readonly offsets = new Int32Array(maxItems + 1);
  readonly data = new Int32Array(maxInts);
  readonly keysFrom = new Beginnings(this.keys);
  readonly offsetsFrom = new Beginnings(this.offsets);
  readonly dataFrom = new Beginnings(this.data);
  count = 0;
  /** The checksum. */
  sum = 0;
  /** Identifies the keys and offsets: it is incremented when they change. */
  layout = 0;

  /** @throws DecodeError for a base that is larger than the limits allow */
  load(base: Snapshot, maxBytes: number): void {
    const { count } = base;
    const ints = base.offsets[count]!;
    if (count > maxItems) throw new DecodeError('too_many_items', 0, { found: count, limit: maxItems });
    if (4 * ints > maxBytes) throw new DecodeError('snapshot_too_large', 0, { found: 4 * ints, limit: maxBytes });
    copyInts(base.keys, 0, count, this.keys, 0);
    copyInts(base.offsets, 0, count + 1, this.offsets, 0);
    copyInts(base.data, 0, ints, this.data, 0);
    this.count = count;
    this.sum = base.checksum();
    this.layout++;
  }
}
