import type { RecordingEntry } from '../../recording/record.ts';
import { Batch, type ColumnValues, type TableSchema } from '../../tables/batch.ts';
import type { RecordRows } from '../../tables/record-rows.ts';
import { escaped, escapeText, jsonText, printableJson } from '../text/escape.ts';

export type CsvCell = string | number | null | undefined;

/** The characters with which a formula begins in a spreadsheet. */
const formula = /^[=+\-@]/;

/** Matches text that is a cell as it is, which is the usual case. */
const plain = /^(?![=+\-@])[ !#-+\--[\]-~]*$/;

/**
 * A line of CSV (RFC 4180, with LF at the end): quoted if necessary, empty for undefined. Text is escaped as everywhere, so that a
 * row is one line, and `unescapeText` has the text again. No cell begins like a formula: `=1+1` becomes `\u{3d}1+1`.
 */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(csvCell).join(',')}\n`;

export function csvCell(cell: CsvCell): string {
  if (typeof cell !== 'string') return String(cell ?? '');
  if (plain.test(cell)) return cell;
  return quoted(escapeText(cell).replace(formula, escaped));
}

const quoted = (text: string) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A cell with JSON, which has escapes of its own. */
export const jsonCell = (json: string): string => quoted(printableJson(json));

export const csvHead = ({ columns }: TableSchema): string => csvLine(columns.map(({ name }) => name));

/** The rows of a batch as lines of CSV; a list is a cell of numbers separated by spaces. */
export function* csvRows({ columns, rows }: Batch): Generator<string, void> {
  const cells = columns.map(cellsOf);
  for (let row = 0; row < rows; row++) {
    let line = cells[0]!(row);
    for (let i = 1; i < cells.length; i++) line += `,${cells[i]!(row)}`;
    yield `${line}\n`;
  }
}

function cellsOf({ column, numbers, texts, lists, nulls }: ColumnValues): (row: number) => string {
  const escapedTexts = texts.map(column.kind === 'json' ? jsonCell : csvCell);
  const cells = {
    text: (row: number) => escapedTexts[numbers[row]!]!,
    json: (row: number) => escapedTexts[numbers[row]!]!,
    ints: (row: number) => Array.from(lists[numbers[row]!]!).join(' '),
    boolean: (row: number) => (numbers[row] === 1 ? 'true' : 'false'),
    number: (row: number) => String(numbers[row]),
  };
  const cell = column.kind in cells ? cells[column.kind as keyof typeof cells] : cells.number;
  return nulls ? (row) => (nulls[row] ? '' : cell(row)) : cell;
}

/** The rows of a batch as lines of JSON; missing values are null. */
export function* ndjsonRows({ columns, rows }: Batch): Generator<string, void> {
  for (let row = 0; row < rows; row++) {
    const entries = columns.map((values) => {
      const value = values.at(row);
      return [values.column.name, typeof value === 'object' ? Array.from(value) : (value ?? null)];
    });
    yield `${jsonText(Object.fromEntries(entries))}\n`;
  }
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
