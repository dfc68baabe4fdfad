import { exit } from '../errors.ts';
import type { Sink } from '../io.ts';
import type { OutputOptions } from '../options.ts';
import { isToStdout, OutputFile, type Writing } from './output.ts';

/** Characters that are buffered before they are written. */
const bufferSize = 1 << 16;

/** Long output, written as it is produced and no faster than its reader. A file appears when it is complete. */
export class Stream {
  readonly #file: OutputFile | undefined;
  readonly #io: Writing;
  readonly #bufferSize: number;
  #parts: string[] = [];
  #length = 0;
  /** Whether nothing was written. */
  isEmpty = true;

  constructor(options: Pick<OutputOptions, 'output'>, io: Writing) {
    this.#file = isToStdout(options) ? undefined : new OutputFile(options.output!, io);
    this.#io = io;
    // Ordered output has a buffer of its own, with the position of each text.
    this.#bufferSize = io.ordered ? 0 : bufferSize;
  }

  async write(data: string | Uint8Array): Promise<void> {
    if (data.length > 0) this.isEmpty = false;
    if (typeof data === 'string') {
      this.#parts.push(data);
      this.#length += data.length;
      if (this.#length >= this.#bufferSize) await this.#flush();
    } else {
      if (this.#length > 0) await this.#flush();
      await this.#target.write(data);
    }
  }

  /** Writes the buffered text when the input pauses, if the output is seen immediately. */
  async flush(): Promise<void> {
    if (!this.#file && this.#length > 0) await this.#flush();
  }

  /** @param status the result of the work: if it failed without output, an existing file is kept */
  async end(status: number = exit.fine): Promise<void> {
    if (this.isEmpty && status >= exit.usage) return;
    await this.#flush();
    await this.#file?.finish();
  }

  async #flush(): Promise<void> {
    const text = this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    await this.#target.write(text);
  }

  get #target(): Pick<Sink, 'write'> {
    return this.#file ?? this.#io.stdout;
  }
}
