import { exit } from '../errors.ts';
import type { OutputOptions } from '../options.ts';
import { isToStdout, OutputFile, type Writing } from './output.ts';

/** Characters that are gathered before they are written. */
const gathered = 1 << 16;

/** Output that is long: written as it comes, no faster than it is taken; a file is there when it is whole. */
export class Stream {
  readonly #file: OutputFile | undefined;
  readonly #io: Writing;
  #parts: string[] = [];
  #length = 0;
  /** Whether nothing was written. */
  isEmpty = true;

  constructor(options: Pick<OutputOptions, 'output'>, io: Writing) {
    this.#file = isToStdout(options) ? undefined : new OutputFile(options.output!, io);
    this.#io = io;
  }

  async write(text: string): Promise<void> {
    if (text !== '') this.isEmpty = false;
    this.#parts.push(text);
    this.#length += text.length;
    if (this.#length >= gathered) await this.#flush();
  }

  /** The input pauses, or may: what there is goes out, where somebody sees it. */
  async flush(): Promise<void> {
    if (!this.#file && this.#length > 0) await this.#flush();
  }

  /** @param status of the work: where it failed, and there is nothing to tell, a file of before stays */
  async end(status: number = exit.fine): Promise<void> {
    if (this.isEmpty && status >= exit.usage) return;
    await this.#flush();
    await this.#file?.finish();
  }

  async #flush(): Promise<void> {
    const text = this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    await (this.#file ?? this.#io.stdout).write(text);
  }
}
