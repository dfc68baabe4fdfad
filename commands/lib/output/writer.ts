import { AppendBuffer } from '../../../src/wire/bytes/buffers.ts';
import { exit } from '../options/errors.ts';
import { OutputFile, type Writing } from './printing.ts';

const bufferSize = 1 << 16;

/** Long output, written as it is produced and no faster than its reader. */
export interface Writer {
  /** Returns a promise if something has to be written before the memory of `data` can be used again. */
  write(data: string | Uint8Array): Promise<void> | undefined;
  /** Writes what is buffered when the input pauses, if the output is seen immediately. */
  flush(): Promise<void>;
}

/** Holds the first output until it is wanted, or too much to hold, so that what is refused then has printed nothing. */
export class HeldWriter implements Writer {
  readonly #target: Writer;
  readonly #isWanted: () => boolean;
  #held: (string | Uint8Array)[] | undefined = [];
  #length = 0;

  constructor(target: Writer, isWanted: () => boolean) {
    this.#target = target;
    this.#isWanted = isWanted;
  }

  write(data: string | Uint8Array): Promise<void> | undefined {
    if (!this.#held) return this.#target.write(data);
    // The memory of bytes is used again.
    if (data.length > 0) this.#held.push(typeof data === 'string' ? data : data.slice());
    this.#length += data.length;
    return this.#length >= bufferSize || this.#isWanted() ? this.release() : undefined;
  }

  async flush(): Promise<void> {
    if (this.#isWanted()) await this.release();
    if (!this.#held) await this.#target.flush();
  }

  async release(): Promise<void> {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const data of held) await this.#target.write(data);
  }
}

/** Writes to standard output, or to a file, which appears when it is complete. */
export class OutputWriter implements Writer {
  readonly #target: OutputFile;
  /** What was not written: bytes, and then text. */
  readonly #bytes = new AppendBuffer();
  #texts: string[] = [];
  #length = 0;
  isEmpty = true;

  constructor({ output }: { readonly output?: string | undefined }, io: Writing) {
    this.#target = new OutputFile(output, io);
  }

  write(data: string | Uint8Array): Promise<void> | undefined {
    if (data.length === 0) return undefined;
    this.isEmpty = false;
    if (typeof data === 'string') this.#texts.push(data);
    else if (data.length >= bufferSize) return this.#writeAfterBuffered(data);
    else {
      this.#encode();
      this.#bytes.bytes(data);
    }
    this.#length += data.length;
    return this.#length >= bufferSize ? this.#flush() : undefined;
  }

  async flush(): Promise<void> {
    if (this.#target.isStdout && this.#length > 0) await this.#flush();
  }

  /** @param status the result of the work: if it failed without output, an existing file is kept */
  async end(status: number = exit.fine): Promise<void> {
    if (this.isEmpty && status >= exit.usage) return;
    await this.#flush();
    await this.#target.finish();
  }

  async #writeAfterBuffered(data: Uint8Array): Promise<void> {
    await this.#flush();
    await this.#target.write(data);
  }

  async #flush(): Promise<void> {
    if (this.#length === 0) return;
    this.#length = 0;
    if (this.#bytes.length === 0) return this.#target.write(this.#takeText());
    this.#encode();
    const bytes = this.#bytes.view();
    this.#bytes.clear();
    await this.#target.write(bytes);
  }

  #encode(): void {
    if (this.#texts.length > 0) this.#bytes.text(this.#takeText());
  }

  #takeText(): string {
    const text = this.#texts.join('');
    this.#texts = [];
    return text;
  }
}
