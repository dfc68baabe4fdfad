import { readValue, valuesOf } from '../../annotate/values.ts';
import type { ItemType } from '../../protocol/item.ts';
import type { Protocol } from '../../protocol/registry.ts';
import type { RecordingEntry } from '../../recording/record.ts';
import { ItemTypes } from '../../snapshot/item-types.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { RecordFilter } from '../json/dump-json.ts';
import { csvLine } from './csv.ts';

/**
 * The items of snapshots, a row each. Of one item type its values have columns of their own; of several they share one, as
 * `x=784 y=305`.
 */
export class ItemRows {
  readonly #kept: RecordFilter;
  readonly #only: ItemType | undefined;
  readonly #head: readonly string[];
  #headed = false;

  /** @param head names of the columns before those of the items */
  constructor(kept: RecordFilter, only: ItemType | undefined, head: readonly string[]) {
    this.#kept = kept;
    this.#only = only;
    this.#head = head;
  }

  of(snapshot: Snapshot, protocol: Protocol, lead: readonly (string | number | undefined)[]): string {
    const types = new ItemTypes(protocol).onSnapshot(snapshot);
    const only = this.#only && (protocol.byName(this.#only.name) ?? this.#only);
    let rows = this.#headed
      ? ''
      : csvLine([...this.#head, 'type', 'id', ...(only ? labels(only) : ['name', 'values'])]);
    this.#headed = true;
    for (const { type, id, data } of snapshot) {
      if (!this.#kept.item(types, type, id)) continue;
      const item = types.of(type);
      const cells = only ? cellsOf(only, data) : [item?.name, valuesInOne(item, data)];
      rows += csvLine([...lead, type, id, ...cells]);
    }
    return rows;
  }
}

/** The items of the snapshots of a recording; for a capture with the time, packet and client of each. */
export class DumpCsv {
  readonly #rows: ItemRows;
  readonly #isCapture: boolean;

  constructor(kept: RecordFilter, only: ItemType | undefined, isCapture: boolean) {
    this.#isCapture = isCapture;
    this.#rows = new ItemRows(kept, only, isCapture ? ['time', 'frame', 'client', 'tick'] : ['tick']);
  }

  add(entry: RecordingEntry): string {
    if (entry.record !== 'snapshot' || !entry.snapshot) return '';
    const { time, frame, stream, tick, snapshot } = entry;
    const lead = this.#isCapture ? [Number.isFinite(time) ? time : undefined, frame, stream.client, tick] : [tick];
    return this.#rows.of(snapshot, stream.protocol, lead);
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
