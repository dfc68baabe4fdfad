import { readValue, valuesOf } from '../../annotate/values.ts';
import type { ItemType } from '../../protocol/item.ts';
import type { RecordingEntry } from '../../recording/record.ts';
import type { RecordFilter } from '../../recording/record-filter.ts';
import { ItemTypes } from '../../snapshot/item-types.ts';
import { csvLine } from './csv.ts';
import { columnNames, type Envelope } from './envelope.ts';

/**
 * The selected items of the snapshots of a recording, a row each. Of one item type its values have columns of their own; of
 * several they share one, as `x=784 y=305`.
 */
export class ItemsCsv {
  readonly #filter: RecordFilter;
  readonly #only: ItemType | undefined;
  readonly #envelope: Envelope;
  #hasHeading: boolean;

  /** @param only the one item type that is selected */
  constructor(filter: RecordFilter, only: ItemType | undefined, envelope: Envelope) {
    this.#filter = filter;
    this.#only = only;
    this.#envelope = envelope;
    this.#hasHeading = !envelope.hasHeading;
  }

  add(entry: RecordingEntry): string {
    if (entry.record !== 'snapshot' || !entry.snapshot) return '';
    const { stream, tick, snapshot } = entry;
    const { protocol } = stream;
    const types = new ItemTypes(protocol).onSnapshot(snapshot);
    const only = this.#only && (protocol.byName(this.#only.name) ?? this.#only);
    let rows = this.#hasHeading ? '' : this.#heading(only);
    this.#hasHeading = true;
    const lead = this.#envelope.cells(entry, tick);
    for (const { type, id, data } of snapshot) {
      if (!this.#filter.item(types, type, id)) continue;
      const item = types.of(type);
      const cells = only ? cellsOf(only, data) : [item?.name, valuesInOne(item, data)];
      rows += csvLine([...lead, type, id, ...cells]);
    }
    return rows;
  }

  heading(): string {
    return this.#heading(this.#only);
  }

  /** A table without rows has its heading. */
  finish(): string {
    return this.#hasHeading ? '' : this.heading();
  }

  #heading(only: ItemType | undefined): string {
    const values = only ? labels(only) : ['item_name', 'values'];
    return csvLine(columnNames([...this.#envelope.columns, 'item_type', 'item_id'], values));
  }
}

const labels = (item: ItemType) => valuesOf(item).map(({ label }) => label);

function cellsOf(item: ItemType, data: Int32Array): (number | string | undefined)[] {
  return valuesOf(item).map((value) => (value.at + value.ints <= data.length ? readValue(value, data) : undefined));
}

function valuesInOne(item: ItemType | undefined, data: Int32Array): string {
  if (!item) return Array.from(data).join(' ');
  const cells = cellsOf(item, data);
  return labels(item)
    .map((label, i) => `${label}=${typeof cells[i] === 'string' ? JSON.stringify(cells[i]) : (cells[i] ?? '')}`)
    .join(' ');
}
