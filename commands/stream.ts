import type { Io } from './io.ts';
import type { OutputOptions } from './options.ts';
import { print } from './output.ts';

/** Characters that are gathered before they are written. */
const gathered = 1 << 16;

/** Output that is long: written as it comes, no faster than it is taken; into a file all at once, at the end. */
export class Stream {
  readonly #options: Pick<OutputOptions, 'output'>;
  readonly #io: Pick<Io, 'stdout' | 'write'>;
  #parts: string[] = [];
  #length = 0;
  /** Whether nothing was written. */
  isEmpty = true;

  constructor(options: Pick<OutputOptions, 'output'>, io: Pick<Io, 'stdout' | 'write'>) {
    this.#options = options;
    this.#io = io;
  }

  async write(text: string): Promise<void> {
    if (text !== '') this.isEmpty = false;
    this.#parts.push(text);
    this.#length += text.length;
    if (this.#options.output === undefined && this.#length >= gathered) await this.#flush();
  }

  /** The input pauses, or may: what there is goes out, but into a file. */
  async flush(): Promise<void> {
    if (this.#options.output === undefined && this.#length > 0) await this.#flush();
  }

  async end(): Promise<void> {
    await this.#flush();
  }

  async #flush(): Promise<void> {
    const text = this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    await print(text, this.#options, this.#io);
  }
}
