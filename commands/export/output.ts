import type { Batch, TableSchema } from '../../src/output/tables/batch.ts';
import { csvForm, csvHead, ndjsonForm, type RowForm, RowWriter } from '../../src/output/tables/table-csv.ts';
import { noBytes } from '../../src/wire/bytes/buffers.ts';
import { OutputError } from '../lib/options/errors.ts';
import { OutputFile } from '../lib/output/printing.ts';
import type { Writer } from '../lib/output/writer.ts';
import type { Io } from '../lib/platform/io.ts';

interface TableEncoder {
  /** Returns the bytes that are ready, in pieces. */
  add(batch: Batch): Iterable<Uint8Array>;
  finish(): Uint8Array;
}

export interface TableOutput {
  write(batch: Batch): Promise<void>;
  finish(): Promise<void>;
  readonly bytes: number;
  /** The paths of all files, relative to the folder. */
  readonly paths: readonly string[];
}

interface TableFormat {
  readonly extension: string;
  open(schema: TableSchema): Promise<TableEncoder>;
}

/** The formats of tables by their names for `-t`, the default first. */
const tableFormats: Readonly<Record<string, TableFormat>> = {
  parquet: {
    extension: 'parquet',
    // Loaded here only, to keep start-up fast.
    open: async (schema) => new (await import('./parquet.ts')).ParquetEncoder(schema),
  },
  csv: { extension: 'csv', open: async (schema) => new TextEncoding(csvHead(schema), csvForm) },
  ndjson: { extension: 'ndjson', open: async () => new TextEncoding('', ndjsonForm) },
};

class TextEncoding implements TableEncoder {
  readonly #head: Uint8Array;
  readonly #writer: RowWriter;
  #isBegun = false;

  constructor(head: string, form: RowForm) {
    this.#head = new TextEncoder().encode(head);
    this.#writer = new RowWriter(form);
  }

  *add(batch: Batch): Generator<Uint8Array, void> {
    yield this.finish();
    yield* this.#writer.rows(batch);
  }

  /** A table without rows consists of its heading. */
  finish(): Uint8Array {
    const bytes = this.#isBegun ? noBytes : this.#head;
    this.#isBegun = true;
    return bytes;
  }
}

const maxPartBytes = 256 << 20;
/**
 * The number of batches after which a part is ended, since Parquet has to keep what its footer says about each of them.
 */
const maxPartBatches = 256;

interface Part {
  readonly path: string;
  readonly file: OutputFile;
  readonly encoder: TableEncoder;
  bytes: number;
  batches: number;
}

/** Writes the batches of all tables, each to its own folder: `DIR/kills/part-0of1-1b2c3d4e-0.0000.parquet`. */
export class PartWriter implements TableOutput {
  /** The paths of all parts, relative to the folder. */
  readonly paths: string[] = [];
  bytes = 0;
  readonly #folder: string;
  readonly #name: string;
  readonly #format: string;
  readonly #io: Io;
  readonly #parts = new Map<string, Part>();
  readonly #counts = new Map<string, number>();

  constructor(folder: string, name: string, format: string, io: Io) {
    this.#folder = folder;
    this.#name = name;
    this.#format = format;
    this.#io = io;
  }

  /** A batch without rows begins the table. */
  async write(batch: Batch): Promise<void> {
    const part = await this.#partOf(batch);
    if (batch.rows === 0) return;
    for (const bytes of part.encoder.add(batch)) await this.#append(part, bytes);
    part.batches++;
    if (part.bytes < maxPartBytes && part.batches < maxPartBatches) return;
    await this.#end(part);
    this.#parts.delete(batch.schema.name);
  }

  async finish(): Promise<void> {
    for (const part of this.#parts.values()) await this.#end(part);
    this.#parts.clear();
  }

  async #partOf({ schema }: Batch): Promise<Part> {
    const { name } = schema;
    let part = this.#parts.get(name);
    if (!part) {
      const number = this.#counts.get(name) ?? 0;
      this.#counts.set(name, number + 1);
      const format = tableFormats[this.#format]!;
      // The numbers have one width, so that parts sort in the order of their rows.
      const path = `${name}/${this.#name}.${String(number).padStart(4, '0')}.${format.extension}`;
      // One after the other, so that the error of the first is the one that is reported.
      for (const folder of [this.#folder, `${this.#folder}/${name}`]) {
        await this.#io.makeFolder(folder).catch((error) => {
          throw new OutputError(folder, error);
        });
      }
      part = {
        path,
        file: new OutputFile(`${this.#folder}/${path}`, this.#io),
        encoder: await format.open(schema),
        bytes: 0,
        batches: 0,
      };
      this.#parts.set(name, part);
    }
    return part;
  }

  async #end(part: Part): Promise<void> {
    await this.#append(part, part.encoder.finish());
    await part.file.finish();
    this.paths.push(part.path);
  }

  async #append(part: Part, bytes: Uint8Array): Promise<void> {
    if (bytes.length > 0) await part.file.write(bytes);
    part.bytes += bytes.length;
    this.bytes += bytes.length;
  }
}

/** Writes one table to standard output; a table without rows consists of its heading. */
export class SingleTable implements TableOutput {
  readonly paths: readonly string[] = [];
  bytes = 0;
  readonly #encoder: Promise<TableEncoder>;
  readonly #writer: Pick<Writer, 'write'>;

  constructor(schema: TableSchema, format: string, writer: Pick<Writer, 'write'>) {
    this.#encoder = tableFormats[format]!.open(schema);
    this.#writer = writer;
  }

  async write(batch: Batch): Promise<void> {
    for (const bytes of (await this.#encoder).add(batch)) await this.#append(bytes);
  }

  async finish(): Promise<void> {
    await this.#append((await this.#encoder).finish());
  }

  async #append(bytes: Uint8Array): Promise<void> {
    this.bytes += bytes.length;
    await this.#writer.write(bytes);
  }
}
