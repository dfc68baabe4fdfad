import { readValue, valuesOf } from '../annotate/values.ts';
import { hasIntsAt } from '../bytes/has-ints.ts';
import type { ItemType } from '../protocol/item.ts';
import type { Schema } from '../protocol/schema.ts';
import type { RecordFilter, RecordingEntry } from '../recording/record.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import { keyOf } from '../snapshot/key.ts';
import type { Batch } from './batch.ts';
import { column, optional, type TableSchema } from './column.ts';
import { ItemTable, itemColumns } from './item-table.ts';
import { originOf } from './origin.ts';
import type { RecordRows } from './record-rows.ts';

/** The items of one type that a filter selects, in the columns of their table. Values that an item lacks are null. */
export class ItemsOfType implements RecordRows {
  readonly schema: TableSchema;
  readonly #table: ItemTable;
  readonly #filter: RecordFilter;
  readonly #file: string;

  /** @param name of the item type */
  constructor(name: string, schema: Schema, filter: RecordFilter, file: string) {
    this.#table = new ItemTable(name, schema);
    const { columns } = this.#table.schema;
    this.schema = { name, columns: columns.map((one) => ({ ...one, isNullable: true })) };
    this.#filter = filter;
    this.#file = file;
  }

  add(entry: RecordingEntry, batch: Batch): void {
    if (entry.record !== 'snapshot' || !entry.snapshot) return;
    const { stream, tick, snapshot } = entry;
    const types = new ItemTypes(stream.protocol).onSnapshot(snapshot);
    const origin = [...originOf(this.#file, entry), tick];
    for (let i = 0; i < snapshot.count; i++) {
      const [number, id] = [snapshot.type(i), snapshot.id(i)];
      const type = types.of(number);
      if (type?.name !== this.schema.name || !this.#filter.item(types, number, id)) continue;
      this.#table.add(batch, type, origin, id, snapshot.data, snapshot.offsets[i]!, snapshot.offsets[i + 1]!);
    }
  }
}

/** The items of several types that a filter selects; the values of an item share a column, as `x=784 y=305`. */
export class ItemsOfAllTypes implements RecordRows {
  readonly schema: TableSchema = {
    name: 'items',
    columns: [...itemColumns, column('item_type', 'int'), optional('item_name', 'text'), column('values', 'text')],
  };
  readonly #filter: RecordFilter;
  readonly #file: string;
  /** The last values by key, since most items do not change. */
  readonly #last = new Map<number, ItemValues>();

  constructor(filter: RecordFilter, file: string) {
    this.#filter = filter;
    this.#file = file;
  }

  add(entry: RecordingEntry, batch: Batch): void {
    if (entry.record !== 'snapshot' || !entry.snapshot) return;
    const { stream, tick, snapshot } = entry;
    const types = new ItemTypes(stream.protocol).onSnapshot(snapshot);
    const origin = [...originOf(this.#file, entry), tick];
    for (const { type, id, data } of snapshot) {
      if (!this.#filter.item(types, type, id)) continue;
      const item = types.of(type);
      batch.add([...origin, id, type, item?.name, this.#textOf(item, keyOf(type, id), data)]);
    }
  }

  #textOf(item: ItemType | undefined, key: number, data: Int32Array): string {
    const last = this.#last.get(key);
    if (last && last.item === item && last.data.length === data.length && hasIntsAt(data, 0, last.data))
      return last.text;
    const text = valuesText(item, data);
    if (this.#last.size >= maxStored) this.#last.clear();
    this.#last.set(key, { item, data: data.slice(), text });
    return text;
  }
}

/** The maximum number of stored values. */
const maxStored = 4096;

interface ItemValues {
  readonly item: ItemType | undefined;
  readonly data: Int32Array;
  readonly text: string;
}

function valuesText(item: ItemType | undefined, data: Int32Array): string {
  if (!item) return Array.from(data).join(' ');
  return valuesOf(item)
    .map((value) => {
      const cell = value.at + value.ints <= data.length ? readValue(value, data) : undefined;
      return `${value.label}=${typeof cell === 'string' ? JSON.stringify(cell) : (cell ?? '')}`;
    })
    .join(' ');
}
