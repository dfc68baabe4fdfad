import type { ItemType } from '../../src/protocol/item.ts';
import type { TickRange } from '../../src/protocol/ticks.ts';
import { printable } from '../../src/view/text/escape.ts';
import { CommandError, exit } from '../lib/errors.ts';
import type { Io } from '../lib/io.ts';
import type { InputOptions, OutputOptions } from '../lib/options.ts';
import type { Stream } from '../lib/output/stream.ts';
import type { ManyOptions } from '../lib/parallel/many-files.ts';

export type ChecksumOptions = InputOptions &
  OutputOptions &
  ManyOptions & { base?: string; check?: boolean; expect?: number; ticks?: TickRange; summary?: boolean };

/** What is told of a file, when all others are told of, too. */
export interface Summary {
  readonly file: string;
  readonly counts: object;
  /** What people are told of it. */
  readonly words: string;
}

/** Tells of a file line by line; gathers the exit status, and what comes at the end. */
export class ChecksumOutput {
  readonly options: ChecksumOptions;
  readonly added: readonly ItemType[];
  /** Whether several files are told of, so that each line has to name its own. */
  readonly isOfSeveral: boolean;
  readonly io: Io;
  status: number = exit.fine;
  /** Several lines that belong together, with a blank one before. */
  part: string | undefined;
  summary: Summary | undefined;
  readonly #stream: Stream;

  constructor(options: ChecksumOptions, added: readonly ItemType[], isOfSeveral: boolean, stream: Stream, io: Io) {
    this.options = options;
    this.added = added;
    this.isOfSeveral = isOfSeveral;
    this.io = io;
    this.#stream = stream;
  }

  has(tick: number): boolean {
    const { from, to } = this.options.ticks ?? { from: 0, to: Infinity };
    return tick >= from && tick <= to;
  }

  async line(line: string): Promise<void> {
    await this.lines([line]);
  }

  async lines(lines: readonly string[]): Promise<void> {
    await this.#stream.write(lines.map((line) => `${line}\n`).join(''));
  }

  /** The input pauses, or may. */
  async flush(): Promise<void> {
    await this.#stream.flush();
  }

  worsen(status: number): void {
    this.status = Math.max(this.status, status);
  }

  async note(status: number, message: string): Promise<void> {
    this.worsen(status);
    await this.io.stderr.write(`tw-snap: ${printable(message)}\n`);
  }

  /** Where one file can't be read the reason is told, and the others go on. */
  async unlessUnreadable(job: () => Promise<void>): Promise<void> {
    try {
      await job();
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      await this.note(error.status, error.message);
    }
  }
}
