import type { Batch, TableSchema } from '../../src/tables/batch.ts';
import type { Stream } from '../lib/output/stream.ts';
import type { TableEncoder, TableOutput } from './encoder.ts';
import { tableFormats } from './format.ts';

/** Writes one table to standard output; a table without rows consists of its heading. */
export class SingleTable implements TableOutput {
  readonly paths: readonly string[] = [];
  bytes = 0;
  readonly #encoder: Promise<TableEncoder>;
  readonly #stream: Stream;

  constructor(schema: TableSchema, format: string, stream: Stream) {
    this.#encoder = tableFormats[format]!.open(schema);
    this.#stream = stream;
  }

  async write(batch: Batch): Promise<void> {
    for (const bytes of (await this.#encoder).add(batch)) await this.#append(bytes);
  }

  async finish(): Promise<void> {
    await this.#append((await this.#encoder).finish());
  }

  async #append(bytes: Uint8Array): Promise<void> {
    this.bytes += bytes.length;
    await this.#stream.write(bytes);
  }
}
