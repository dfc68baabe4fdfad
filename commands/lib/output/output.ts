import { escapeText } from '../../../src/view/text/escape.ts';
import type { Theme } from '../../../src/view/text/theme.ts';
import type { AtomicFile } from '../atomic-file.ts';
import { OutputError } from '../errors.ts';
import type { Io } from '../io.ts';
import type { OutputOptions } from '../options.ts';
import { colorLevel, themeOf } from './theme.ts';

const pipedWidth = 100;

/** In a pipe a row of a hexdump stays one line, so that it can be searched for; only the longest are broken. */
const pipedRowWidth = 120;

/** How views are to look. */
export interface OutputStyle {
  readonly theme: Theme;
  readonly width: number;
  readonly wrapAt: number;
  readonly verbose: boolean;
}

/** How views are to look here. */
export async function outputStyle(options: OutputOptions, io: Io): Promise<OutputStyle> {
  const theme = await themeOf(isToStdout(options) ? colorLevel(options.color, io) : options.color === 'always' ? 2 : 0);
  const width = options.width ?? io.stdout.columns;
  return { theme, width: width ?? pipedWidth, wrapAt: width ?? pipedRowWidth, verbose: options.verbose === true };
}

/** What output needs. */
export type Writing = Pick<Io, 'stdout' | 'create'>;

/** Prints a command's data: to standard output, or to the file that was asked for. */
export async function print(
  data: string | Uint8Array,
  options: Pick<OutputOptions, 'output'>,
  io: Writing,
): Promise<void> {
  if (isToStdout(options)) return io.stdout.write(data);
  const file = new OutputFile(options.output!, io);
  await file.write(data);
  await file.finish();
}

export const isToStdout = ({ output }: Pick<OutputOptions, 'output'>) => output === undefined || output === '-';

/** The file of `-o`, begun with the first write. What failed once is never put in its place. */
export class OutputFile {
  readonly #path: string;
  readonly #io: Writing;
  #file: AtomicFile | undefined;
  #failure: OutputError | undefined;

  constructor(path: string, io: Writing) {
    this.#path = path;
    this.#io = io;
  }

  async write(data: string | Uint8Array): Promise<void> {
    await this.#do(async () => {
      this.#file ??= await this.#io.create(this.#path);
      await this.#file.write(data);
    });
  }

  /** Writes over bytes that were written before; false where that is not possible. */
  async overwrite(data: Uint8Array, at: number): Promise<boolean> {
    let isDone = false;
    await this.#do(async () => {
      isDone = (await this.#file?.overwrite(data, at)) ?? false;
    });
    return isDone;
  }

  /** Puts it in its place. */
  async finish(): Promise<void> {
    await this.#do(async () => this.#file?.finish());
  }

  async #do(job: () => Promise<void>): Promise<void> {
    if (this.#failure) throw this.#failure;
    try {
      await job();
    } catch (error) {
      this.#failure = new OutputError(this.#path, error);
      throw this.#failure;
    }
  }
}

/** The name of a file, as a link to it where the terminal of standard error makes links (OSC 8). */
export async function hyperlink(path: string, io: Io): Promise<string> {
  const address = await io.linkTo(path);
  const name = escapeText(path);
  return address === undefined ? name : `\u001b]8;;${address}\u001b\\${name}\u001b]8;;\u001b\\`;
}
