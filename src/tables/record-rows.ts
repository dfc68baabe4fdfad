import { readValue, valuesOf } from '../annotate/values.ts';
import { hasIntsAt } from '../bytes/copy.ts';
import { messageJson } from '../packet/message-json.ts';
import type { ItemType } from '../protocol/item.ts';
import type { MessageField, MessageFieldType } from '../protocol/message.ts';
import { messagesOf, type Schema, versions } from '../protocol/registry.ts';
import type { RecordFilter, RecordingEntry, Stream } from '../recording/record.ts';
import { ItemTypes } from '../snapshot/item-types.ts';
import { keyOf } from '../snapshot/key.ts';
import { type Batch, type CellValue, type Column, column, optional, type TableSchema } from './batch.ts';
import { fieldsColumn, messageCells, messagesTable } from './event-tables.ts';
import { ItemTable, itemColumns } from './item-table.ts';
import { originColumns, originOf, tickColumn } from './tables.ts';

/** A table whose rows result from one record after the other. */
export interface RecordRows {
  readonly schema: TableSchema;
  /** Adds the rows of a record to a batch of this schema. */
  add(entry: RecordingEntry, batch: Batch): void;
}

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

/** The columns of a message before its fields. In the table `messages` there is also `receivers`: here each row is one message. */
const headColumns = [...originColumns, tickColumn, ...messageCells.map(([one]) => one)];

/** The messages that a filter selects. The fields of one kind have a column each, those of several kinds share one, as JSON. */
export class MessageRows implements RecordRows {
  readonly schema: TableSchema;
  readonly #filter: RecordFilter;
  readonly #file: string;
  readonly #fields: readonly string[] | undefined;
  /** In captures messages have no tick of their own. */
  readonly #ticks = new WeakMap<Stream, number>();

  /** @param name of the one kind that is selected */
  constructor(name: string | undefined, schema: Schema, filter: RecordFilter, file: string) {
    const fields = name === undefined ? undefined : fieldsOf(name, schema);
    const own = fields ? fields.map(columnOf) : [fieldsColumn];
    this.schema = { name: name ?? messagesTable.name, columns: [...headColumns, ...own] };
    this.#fields = fields?.map((field) => field.name);
    this.#filter = filter;
    this.#file = file;
  }

  add(entry: RecordingEntry, batch: Batch): void {
    if (entry.record === 'snapshot') this.#ticks.set(entry.stream, entry.tick);
    else if (entry.record === 'message' && this.#filter.message(entry.head.type?.name)) {
      const { fields } = messageJson(entry.message);
      const own = this.#fields ? this.#fields.map((field) => cellOf(fields[field])) : [JSON.stringify(fields)];
      const tick = entry.tick ?? this.#ticks.get(entry.stream) ?? -1;
      batch.add([...originOf(this.#file, entry), tick, ...messageCells.map(([, value]) => value(entry)), ...own]);
    }
  }
}

const cellOf = (value: unknown): CellValue =>
  typeof value === 'object' ? JSON.stringify(value) : (value as number | string | undefined);

/** The fields of a message in all versions of the protocol, by name. */
function fieldsOf(name: string, schema: Schema): readonly MessageField[] {
  const fields = new Map<string, MessageField>();
  for (const version of versions) {
    for (const type of messagesOf(version, schema).all) {
      if (type.name === name)
        for (const field of type.fields) if (!fields.has(field.name)) fields.set(field.name, field);
    }
  }
  return [...fields.values()];
}

/** A field that is called like a column before the fields is `field_NAME`. */
function columnOf({ name, type }: MessageField): Column {
  const isTaken = headColumns.some((column) => column.name === name);
  return optional(isTaken ? `field_${name}` : name, isInt(type) ? 'int' : 'text');
}

const notInts: ReadonlySet<string> = new Set<MessageFieldType['kind']>([
  'string',
  'data',
  'rest',
  'sha256',
  'raw_uuid',
  'repeat',
  'record',
  'text',
  'uuid',
  'list',
]);
const isInt = ({ kind }: MessageFieldType) => !notInts.has(kind);
