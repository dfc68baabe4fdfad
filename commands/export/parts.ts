import type { Batch } from '../../src/tables/batch.ts';
import { OutputError } from '../lib/errors.ts';
import type { Io } from '../lib/io.ts';
import { OutputFile } from '../lib/output/output.ts';
import type { TableEncoder, TableOutput } from './encoder.ts';
import { tableFormats } from './format.ts';

/** The size at which a part is ended. */
const maxPartBytes = 256 << 20;
/** The number of batches after which a part is ended, since Parquet has to keep what its footer says about each of them. */
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

  /** @param name the first part of all part names */
  constructor(folder: string, name: string, format: string, io: Io) {
    this.#folder = folder;
    this.#name = name;
    this.#format = format;
    this.#io = io;
  }

  async write(batch: Batch): Promise<void> {
    const part = await this.#partOf(batch);
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
