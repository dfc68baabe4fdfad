import type { ItemType } from '../src/protocol/item.ts';
import { CommandError, exit } from './errors.ts';
import type { Io } from './io.ts';
import type { InputOptions, OutputOptions, Ticks } from './options.ts';
import { Stream } from './stream.ts';

export type ChecksumOptions = InputOptions &
  OutputOptions & { base?: string; check?: boolean; expect?: number; ticks?: Ticks; summary?: boolean };

/** Prints line by line, or all at once into a file; gathers the exit status. */
export class Report {
  readonly options: ChecksumOptions;
  readonly added: readonly ItemType[];
  /** Whether several files are told of, so that each line has to name its own. */
  readonly isOfSeveral: boolean;
  readonly io: Io;
  status: number = exit.fine;
  readonly #stream: Stream;
  #isEmpty = true;

  constructor(options: ChecksumOptions, added: readonly ItemType[], isOfSeveral: boolean, io: Io) {
    this.options = options;
    this.added = added;
    this.isOfSeveral = isOfSeveral;
    this.io = io;
    this.#stream = new Stream(options, io);
  }

  has(tick: number): boolean {
    const { from, to } = this.options.ticks ?? { from: 0, to: Infinity };
    return tick >= from && tick <= to;
  }

  async line(line: string): Promise<void> {
    await this.write(`${line}\n`);
  }

  async write(text: string): Promise<void> {
    this.#isEmpty = false;
    await this.#stream.write(text);
  }

  /** Several lines that belong together, with a blank one before. */
  async part(text: string): Promise<void> {
    await this.write(this.#isEmpty ? text : `\n${text}`);
  }

  /** The input pauses, or may. */
  async flush(): Promise<void> {
    await this.#stream.flush();
  }

  async end(): Promise<void> {
    await this.#stream.end();
  }

  worsen(status: number): void {
    this.status = Math.max(this.status, status);
  }

  async say(status: number, message: string): Promise<void> {
    this.worsen(status);
    await this.io.stderr.write(`tw-snap: ${message}\n`);
  }

  /** Where one file can't be read the reason is told, and the others go on. */
  async unlessUnreadable(job: () => Promise<void>): Promise<void> {
    try {
      await job();
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      await this.say(error.status, error.message);
    }
  }
}
