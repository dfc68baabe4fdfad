import { AppendBuffer, writeBytes, writeDecimal } from '../../bytes/buffers.ts';
import { type CsvCell, csvCell, csvLine, jsonCell } from '../../print/csv.ts';
import type { RecordFilter, RecordingEntry } from '../../recording/record.ts';
import { ItemTypes } from '../../snapshot/item-types.ts';
import { Batch, type ColumnValues, type TableSchema } from '../../tables/batch.ts';
import { allItems, type RecordRows, valuesText } from '../../tables/record-rows.ts';
import { originOf } from '../../tables/tables.ts';
import { jsonText } from '../../text/escape.ts';
import { type ItemForm, ItemTexts } from '../../text/item-texts.ts';

export const csvHead = ({ columns }: TableSchema): string => csvLine(columns.map(({ name }) => name));

/** The rows of a batch as lines of CSV; a list is a cell of numbers separated by spaces. */
export function* csvRows(batch: Batch): Generator<string, void> {
  const { rows } = batch;
  const columns = batch.filled();
  const cells = columns.map((values) =>
    cellsOf(values, values.column.kind === 'json' ? jsonCell : csvCell, (list) => list.join(' '), ''),
  );
  for (let row = 0; row < rows; row++) {
    let line = cells[0]!(row);
    for (let i = 1; i < cells.length; i++) line += `,${cells[i]!(row)}`;
    yield `${line}\n`;
  }
}

/** The rows of a batch as lines of JSON; missing values are null. */
export function* ndjsonRows(batch: Batch): Generator<string, void> {
  const { rows } = batch;
  const columns = batch.filled();
  const keys = columns.map(({ column }, i) => `${i === 0 ? '{' : ','}${JSON.stringify(column.name)}:`);
  const cells = columns.map((values) => cellsOf(values, jsonText, (list) => `[${list.join()}]`, 'null'));
  for (let row = 0; row < rows; row++) {
    let line = '';
    for (let i = 0; i < cells.length; i++) line += keys[i]! + cells[i]!(row);
    yield `${line}}\n`;
  }
}

/** What writes the value of a column in a row; texts are converted once. */
function cellsOf(
  { column, numbers, texts, lists, nulls }: ColumnValues,
  ofText: (text: string) => string,
  ofList: (list: readonly number[]) => string,
  missing: string,
): (row: number) => string {
  const converted = texts.map((text) => ofText(text));
  const text = (row: number) => converted[numbers[row]!]!;
  const cells = {
    text,
    json: text,
    ints: (row: number) => ofList(Array.from(lists[numbers[row]!]!)),
    boolean: (row: number) => (numbers[row] === 1 ? 'true' : 'false'),
    number: (row: number) => String(numbers[row]),
  };
  const cell = column.kind in cells ? cells[column.kind as keyof typeof cells] : cells.number;
  return nulls ? (row) => (nulls[row] ? missing : cell(row)) : cell;
}

export class RecordsCsv {
  readonly #rows: RecordRows;
  readonly #batch: Batch;
  readonly #heading: string;

  /** @param hasHeading whether the names of the columns come first */
  constructor(rows: RecordRows, hasHeading: boolean) {
    this.#rows = rows;
    this.#batch = new Batch(rows.schema);
    this.#heading = hasHeading ? csvHead(rows.schema) : '';
  }

  begin(): string {
    return this.#heading;
  }

  add(entry: RecordingEntry): string {
    this.#rows.add(entry, this.#batch);
    if (this.#batch.rows === 0) return '';
    let text = '';
    for (const line of csvRows(this.#batch)) text += line;
    this.#batch.clear();
    return text;
  }
}

const csvItems: ItemForm = {
  head: (types, type, id) => `${id},${type},${csvCell(types.of(type)?.name)},`,
  label: (name, i) => `${i === 0 ? '' : ' '}${name}=`,
  write(into, start, labels, ints) {
    let at = start;
    for (let i = 0; i < labels.length; i++) {
      at = writeBytes(into, at, labels[i]!);
      if (i < ints.length) at = writeDecimal(into, at, ints[i]!);
    }
    into[at] = newLine;
    return at + 1;
  },
  text(types, type, id, ints) {
    const item = types.of(type);
    return csvLine([id, type, item?.name, valuesText(item, ints)]);
  },
};

const newLine = 0x0a;
const encoder = new TextEncoder();

/** The items of all types that a filter selects as CSV. */
export class ItemsCsv {
  readonly #filter: RecordFilter;
  readonly #file: string;
  readonly #heading: string;
  readonly #lines = new AppendBuffer();
  readonly #texts = new ItemTexts(csvItems);

  constructor(filter: RecordFilter, file: string, hasHeading: boolean) {
    this.#filter = filter;
    this.#file = file;
    this.#heading = hasHeading ? csvHead(allItems) : '';
  }

  begin(): string {
    return this.#heading;
  }

  /** The lines as UTF-8, valid until the next call. */
  add(entry: RecordingEntry): Uint8Array {
    const lines = this.#lines;
    lines.clear();
    if (entry.record !== 'snapshot' || !entry.snapshot) return lines.view();
    const { stream, tick, snapshot } = entry;
    const types = new ItemTypes(stream.protocol).onSnapshot(snapshot);
    const cells = [...originOf(this.#file, stream, entry), tick, ''] as readonly CsvCell[];
    const origin = encoder.encode(csvLine(cells).trimEnd());
    for (let i = 0; i < snapshot.count; i++) {
      if (!this.#filter.item(types, snapshot.type(i), snapshot.id(i))) continue;
      lines.bytes(origin);
      this.#texts.append(lines, snapshot, i, types);
    }
    return lines.view();
  }
}
