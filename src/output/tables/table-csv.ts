import { RecordingClock } from '../../recording/replay/clock.ts';
import type { RecordFilter, RecordingEntry } from '../../recording/replay/record.ts';
import { AppendBuffer, noBytes, writeBytes, writeDecimal } from '../../wire/bytes/buffers.ts';
import { join } from '../../wire/bytes/copy.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { type CsvCell, csvCell, csvLine, jsonCell } from '../results/field-csv.ts';
import { jsonText } from '../text/escape.ts';
import { type ItemForm, ItemTexts } from '../text/item-texts.ts';
import { Batch, type ColumnValues, type TableSchema } from './batch.ts';
import { allItems, type RecordRows, valuesText } from './record-rows.ts';
import { originOf } from './tables.ts';

const encoder = new TextEncoder();

export const csvHead = ({ columns }: TableSchema): string => csvLine(columns.map(({ name }) => name));

/** How the rows of a table are written. */
export interface RowForm {
  /** What is before the cell of a column. */
  readonly before: (name: string, i: number) => string;
  readonly text: (text: string) => string;
  readonly json: (json: string) => string;
  readonly list: (list: readonly number[]) => string;
  readonly missing: string;
  readonly end: string;
}

/** Lines of CSV; a list is a cell of numbers separated by spaces. */
export const csvForm: RowForm = {
  before: (_, i) => (i === 0 ? '' : ','),
  text: csvCell,
  json: jsonCell,
  list: (list) => list.join(' '),
  missing: '',
  end: '\n',
};

/** Lines of JSON; missing values are null. */
export const ndjsonForm: RowForm = {
  before: (name, i) => `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`,
  text: jsonText,
  json: jsonText,
  list: (list) => `[${list.join()}]`,
  missing: 'null',
  end: '}\n',
};

/** A column whose values are written: ints as digits, doubles as text, anything else as one of some bytes. */
interface Cells extends Pick<ColumnValues, 'numbers' | 'nulls'> {
  readonly before: Uint8Array;
  readonly isInt: boolean;
  readonly encoded: readonly Uint8Array[] | undefined;
}

const pieceLength = 1 << 16;

/**
 * Writes the rows of batches as UTF-8. Digits are written as bytes, and each text is encoded once: a string for each
 * row, which is then encoded, takes two to three times as long.
 */
export class RowWriter {
  readonly #form: RowForm;
  readonly #missing: Uint8Array;
  readonly #end: Uint8Array;
  readonly #bytes = new AppendBuffer(2 * pieceLength);

  constructor(form: RowForm) {
    this.#form = form;
    this.#missing = encoder.encode(form.missing);
    this.#end = encoder.encode(form.end);
  }

  /** The rows of a batch in pieces, each valid until the next. */
  *rows(batch: Batch): Generator<Uint8Array, void> {
    const cells = batch.filled().map((values, i) => this.#cellsOf(values, i));
    for (let row = 0; row < batch.rows; row++) {
      this.#append(cells, row);
      if (this.#bytes.length >= pieceLength) yield this.#taken();
    }
    if (this.#bytes.length > 0) yield this.#taken();
  }

  #taken(): Uint8Array {
    const bytes = this.#bytes.view();
    this.#bytes.clear();
    return bytes;
  }

  #append(cells: readonly Cells[], row: number): void {
    const bytes = this.#bytes;
    for (let i = 0; i < cells.length; i++) {
      const { before, numbers, nulls, isInt, encoded } = cells[i]!;
      bytes.bytes(before);
      const number = numbers[row]!;
      if (nulls?.[row]) bytes.bytes(this.#missing);
      else if (encoded) bytes.bytes(encoded[number]!);
      else if (isInt) bytes.decimal(number);
      else bytes.text(String(number));
    }
    bytes.bytes(this.#end);
  }

  #cellsOf({ column, numbers, nulls, texts, lists }: ColumnValues, i: number): Cells {
    const form = this.#form;
    const ofKind = {
      text: () => texts.map((text) => form.text(text)),
      json: () => texts.map((text) => form.json(text)),
      ints: () => lists.map((list) => form.list(Array.from(list))),
      boolean: () => ['false', 'true'],
      int: () => undefined,
      double: () => undefined,
    } as const;
    const encoded = ofKind[column.kind]()?.map((text) => encoder.encode(text));
    return {
      numbers,
      nulls,
      encoded,
      before: encoder.encode(form.before(column.name, i)),
      isInt: column.kind === 'int',
    };
  }
}

export class RecordsCsv {
  /** It takes note of every record, also of those that are not added. */
  readonly clock = new RecordingClock();
  readonly heading: string;
  readonly #rows: RecordRows;
  readonly #batch: Batch;
  readonly #writer = new RowWriter(csvForm);

  /** @param hasHeading whether the names of the columns come first */
  constructor(rows: RecordRows, hasHeading: boolean) {
    this.#rows = rows;
    this.#batch = new Batch(rows.schema);
    this.heading = hasHeading ? csvHead(rows.schema) : '';
  }

  add(entry: RecordingEntry): Uint8Array {
    this.#rows.add(entry, this.clock.seconds, this.#batch);
    if (this.#batch.rows === 0) return noBytes;
    const lines = join(Array.from(this.#writer.rows(this.#batch), (piece) => piece.slice()));
    this.#batch.clear();
    return lines;
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
  text: (item) => csvLine([item.id, item.type, item.known?.name, valuesText(item)]),
};

const newLine = 0x0a;

/** The items of all types that a filter selects as CSV. */
export class ItemsCsv {
  /** It takes note of every record, also of those that are not added. */
  readonly clock = new RecordingClock();
  readonly heading: string;
  readonly #filter: RecordFilter;
  readonly #file: string;
  readonly #lines = new AppendBuffer();
  readonly #texts = new ItemTexts(csvItems);

  constructor(filter: RecordFilter, file: string, hasHeading: boolean) {
    this.#filter = filter;
    this.#file = file;
    this.heading = hasHeading ? csvHead(allItems) : '';
  }

  /** The lines as UTF-8, valid until the next call. */
  add(entry: RecordingEntry): Uint8Array {
    const lines = this.#lines;
    lines.clear();
    if (entry.record !== 'snapshot' || !entry.snapshot) return lines.view();
    const { stream, tick, snapshot } = entry;
    const types = new ItemTypes(stream.protocol).onSnapshot(snapshot);
    const cells = [...originOf(this.#file, stream, this.clock.seconds, entry), tick, ''] as readonly CsvCell[];
    const origin = encoder.encode(csvLine(cells).trimEnd());
    for (let i = 0; i < snapshot.count; i++) {
      if (!this.#filter.item(types, snapshot.type(i), snapshot.id(i))) continue;
      lines.bytes(origin);
      this.#texts.append(lines, snapshot, i, types);
    }
    return lines.view();
  }
}
