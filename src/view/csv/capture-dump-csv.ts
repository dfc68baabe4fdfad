import type { ItemType } from '../../protocol/item.ts';
import type { CaptureRecord } from '../../recording/capture.ts';
import type { RecordFilter } from '../json/dump-json.ts';
import { ItemRows } from './dump-csv.ts';

/** The items of the snapshots in a capture, a row each. */
export class CaptureDumpCsv {
  readonly #rows: ItemRows;

  constructor(kept: RecordFilter, only: ItemType | undefined) {
    this.#rows = new ItemRows(kept, only, ['time', 'client', 'tick']);
  }

  add(record: CaptureRecord): string {
    if (record.event !== 'snapshot' || !record.received.snapshot) return '';
    const { time, connection, received } = record;
    const at = Number.isFinite(time) ? time : undefined;
    return this.#rows.of(received.snapshot!, connection.protocol, [at, connection.client, received.tick]);
  }
}
