import type { RecordFilter, RecordingEntry } from '../../recording/replay/record.ts';
import type { Stream } from '../../recording/replay/stream.ts';
import { valuesOf } from '../../wire/annotate/field-values.ts';
import type { ItemNode } from '../../wire/annotate/item-node.ts';
import { messageJson } from '../../wire/packet/message.ts';
import type { ItemType } from '../../wire/protocol/item.ts';
import { messagesOf } from '../../wire/protocol/message-registry.ts';
import { isInt, type MessageField } from '../../wire/protocol/message-type.ts';
import { type Schema, versions } from '../../wire/protocol/registry.ts';
import { ChosenItems } from '../../wire/snapshot/chosen-items.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { numberText } from '../text/escape.ts';
import { type Batch, type CellValue, type Column, column, distinctNames, optional, type TableSchema } from './batch.ts';
import { fieldsColumn, messageCells, messagesTable } from './event-tables.ts';
import { ItemTable, itemColumns } from './item-table.ts';
import { originColumns, originOf, tickColumn } from './tables.ts';

export interface RecordRows {
  readonly schema: TableSchema;
  /** @param seconds since the beginning of the recording */
  add(entry: RecordingEntry, seconds: number, batch: Batch): void;
}

/** The items of one type that a filter selects, in the columns of their table. Values that an item lacks are null. */
export function itemsOfType(name: string, schema: Schema, filter: RecordFilter, file: string): RecordRows {
  const table = new ItemTable(name, schema);
  const chosen = new ChosenItems();
  return {
    schema: { ...table.schema, columns: table.schema.columns.map((column) => ({ ...column, isNullable: true })) },
    add(entry, seconds, batch) {
      if (entry.record !== 'snapshot' || !entry.snapshot) return;
      const { stream, tick, snapshot } = entry;
      const types = new ItemTypes(stream.protocol).onSnapshot(snapshot);
      const origin = [...originOf(file, stream, seconds, entry), tick];
      chosen.begin(snapshot);
      let chosenType: ItemType | undefined;
      for (let i = 0; i < snapshot.count; i++) {
        const number = snapshot.type(i);
        const id = snapshot.id(i);
        const type = types.of(number);
        if (type?.name !== name || !filter.item(types, number, id)) continue;
        chosenType = type;
        chosen.add(i);
      }
      if (chosenType) table.add(batch, chosenType, origin, chosen);
    },
  };
}

/** The items of several types: the values of an item share a column, as `x=784 y=305`. */
export const allItems: TableSchema = {
  name: 'items',
  about: 'each item of a snapshot',
  columns: [...itemColumns, column('item_type', 'int'), optional('item_name', 'text'), column('values', 'text')],
};

/** The text of the last column of {@link allItems}. */
export function valuesText(item: ItemNode): string {
  const { known, ints } = item;
  if (!known) return ints.join(' ');
  return valuesOf(known)
    .map((value) => {
      const { value: cell } = item.describe(value);
      const text = typeof cell === 'string' ? JSON.stringify(cell) : numberText(cell);
      return `${value.label}=${cell === undefined ? '' : text}`;
    })
    .join(' ');
}

/**
 * The columns of a message before its fields. In the table `messages` there is also `receivers`: here each row is one
 * message.
 */
const headColumns = [...originColumns, tickColumn, ...messageCells.map(([column]) => column)];

/**
 * The messages that a filter selects. The fields of one kind have a column each, those of several kinds share one, as
 * JSON.
 * @param name of the one kind that is selected
 */
export function messageRows(name: string | undefined, schema: Schema, filter: RecordFilter, file: string): RecordRows {
  const fields = name === undefined ? undefined : fieldsOf(name, schema);
  /** The last tick of each stream and its session: in captures messages have no tick of their own. */
  const ticks = new WeakMap<Stream, { readonly tick: number; readonly session: number }>();
  return {
    schema: {
      name: name ?? messagesTable.name,
      about: 'each message',
      columns: [...headColumns, ...(fields ? fieldColumns(fields) : [fieldsColumn])],
    },
    add(entry, seconds, batch) {
      if (entry.record === 'snapshot') ticks.set(entry.stream, { tick: entry.tick, session: entry.stream.mapChanges });
      if (entry.record !== 'message' || !filter.message(entry.head.type?.name, entry.head.uuid)) return;
      const json = messageJson(entry.message).fields;
      const own = fields ? fields.map((field) => cellOf(json[field.name], isJson(field))) : [JSON.stringify(json)];
      const { stream } = entry;
      const last = ticks.get(stream);
      const tick = entry.tick ?? (last?.session === stream.mapChanges ? last.tick : -1);
      batch.add([
        ...originOf(file, stream, seconds, entry),
        tick,
        ...messageCells.map(([, value]) => value(entry)),
        ...own,
      ]);
    },
  };
}

const cellOf = (value: unknown, isInJson: boolean): CellValue =>
  typeof value === 'object' || (isInJson && value !== undefined)
    ? JSON.stringify(value)
    : (value as number | string | undefined);

const isJson = ({ type }: MessageField) => type.kind === 'list' || type.kind === 'repeat' || type.kind === 'record';

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

function fieldColumns(fields: readonly MessageField[]): Column[] {
  const distinct = distinctNames(headColumns.map(({ name }) => name));
  return fields.map((field) =>
    optional(distinct(field.name), isJson(field) ? 'json' : isInt(field.type) ? 'int' : 'text'),
  );
}
