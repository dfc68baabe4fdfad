import { messageJson } from '../packet/message-json.ts';
import type { MessageField, MessageFieldType } from '../protocol/message.ts';
import { messagesOf } from '../protocol/message-registry.ts';
import { versions } from '../protocol/registry.ts';
import type { Schema } from '../protocol/schema.ts';
import type { MessageEntry, RecordFilter, RecordingEntry, Stream } from '../recording/record.ts';
import type { Batch } from './batch.ts';
import { type CellValue, type Column, optional, type TableSchema } from './column.ts';
import { originOf } from './origin.ts';
import type { RecordRows } from './record-rows.ts';
import { messagesTable } from './schemas.ts';

/** The columns of the table `messages` but for `receivers`: each row is one message. */
const messageColumns = messagesTable.columns.filter(({ name }) => name !== 'receivers');
const fieldsAt = messageColumns.findIndex(({ name }) => name === 'fields');

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
    const columns = fields ? [...messageColumns.slice(0, fieldsAt), ...fields.map(columnOf)] : messageColumns;
    this.schema = { name: name ?? messagesTable.name, columns };
    this.#fields = fields?.map((field) => field.name);
    this.#filter = filter;
    this.#file = file;
  }

  add(entry: RecordingEntry, batch: Batch): void {
    if (entry.record === 'snapshot') this.#ticks.set(entry.stream, entry.tick);
    else if (entry.record === 'message' && this.#filter.message(entry.head.type?.name)) {
      batch.add([...originOf(this.#file, entry), ...this.#values(entry)]);
    }
  }

  #values({ stream, tick, direction, message }: MessageEntry): readonly CellValue[] {
    const { name, system, id, fields } = messageJson(message);
    const head = [
      tick ?? this.#ticks.get(stream) ?? -1,
      direction,
      name ?? undefined,
      system,
      id ?? undefined,
      message.uuid,
    ];
    if (!this.#fields) return [...head, JSON.stringify(fields)];
    return [...head, ...this.#fields.map((field) => cellOf(fields[field]))];
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
  const isTaken = messageColumns.slice(0, fieldsAt).some((column) => column.name === name);
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
