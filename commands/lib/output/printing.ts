import { fitted } from '../../../src/output/text/layout.ts';
import { plainTheme } from '../../../src/output/text/theme.ts';
import { toHex } from '../../../src/wire/bytes/to-hex.ts';
import type { LastByte } from '../../../src/wire/codec/huffman.ts';
import { encode } from '../../../src/wire/payload/encoding-layers.ts';
import type { Delta } from '../../../src/wire/snapshot/delta.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { OutputError, usageError } from '../options/errors.ts';
import type { Given, printing } from '../options/options.ts';
import type { AtomicFile } from '../platform/atomic-file.ts';
import type { Io } from '../platform/io.ts';
import { isColored, themeOf } from './colours.ts';

const pipedWidth = 100;

/** In a pipe, a row of a hexdump stays on one line, so that it can be searched for; only very long rows are wrapped. */
const pipedRowWidth = 120;

export type OutputStyle = Readonly<Awaited<ReturnType<typeof outputStyle>>>;

/** What a command prints, where, and how it looks. */
export interface Printing<Format extends string = string> extends OutputStyle {
  readonly format: Format;
  /** The file to write; undefined or `-` for standard output. */
  readonly output: string | undefined;
  readonly io: Io;
}

type GivenPrinting<Format extends string> = Given<ReturnType<typeof printing<Format>>>;

export async function printingOf<Format extends string>(
  { to, output, ...look }: GivenPrinting<Format>,
  io: Io,
): Promise<Printing<Format>> {
  const style = await outputStyle({ output, ...look }, io);
  return { format: to, output, io, ...style, ...(to === 'markdown' && markdownStyle(look)) };
}

/**
 * Markdown is the same wherever it is printed. A cell that text cuts to the width of a line is cut to the stated one.
 */
const markdownStyle = ({ width = pipedWidth }: Pick<GivenPrinting<string>, 'width'>) => ({
  isMarkdown: true,
  theme: plainTheme,
  width,
  limit: undefined,
  fit: (text: string) => text,
});

async function outputStyle({ output, color, width: stated, verbose }: Omit<GivenPrinting<string>, 'to'>, io: Io) {
  const theme = await themeOf(isToStdout({ output }) ? isColored(color, io) : color === 'always');
  const width = stated ?? columnsOf(io.env.COLUMNS) ?? (isToStdout({ output }) ? io.stdout.columns : undefined);
  return {
    theme,
    width: width ?? pipedWidth,
    wrapAt: width ?? pipedRowWidth,
    verbose: verbose === true,
    /** The width of the terminal, or the stated one; undefined in a pipe, where lines have no limit. */
    limit: width,
    /** Text for people in the width of the terminal; in a pipe, lines stay as they are. */
    fit: (text: string) => (width === undefined ? text : fitted(text, width)),
  };
}

/** `COLUMNS` states a width, also for a pipe. */
const columnsOf = (text: string | undefined) => (/^[1-9]\d{0,4}$/.test(text ?? '') ? Number(text) : undefined);

export type Writing = Pick<Io, 'stdout' | 'create'>;

/** Prints a command's data to standard output or to the file of `-o`. */
export async function print(
  data: string | Uint8Array,
  { output, io }: { readonly output: string | undefined; readonly io: Writing },
): Promise<void> {
  const file = new OutputFile(output, io);
  await file.write(data);
  await file.finish();
}

/** @throws CommandError for a terminal, where bytes are unreadable */
export function refuseBinary(what: string, { output, io }: { readonly output?: string | undefined; readonly io: Io }) {
  if (io.stdout.isTerminal && isToStdout({ output }))
    throw usageError(`${what}, not for a terminal: name a file with -o`);
}

/** The formats of `--to` that are encodings. */
export const encodings = ['huffman', 'packed', 'ints', 'hex'] as const;
type Encodings = (typeof encodings)[number];

export const isEncoding = (format: string): format is Encodings => encodings.includes(format as Encodings);

/** Prints a snapshot or delta as bytes; `hex` is the packed bytes as text. */
export async function printEncoded(
  body: Snapshot | Delta,
  format: Encodings,
  printing: Pick<Printing, 'output' | 'io'>,
  lastByte?: LastByte,
): Promise<void> {
  if (format === 'hex') return print(`${hexLines(encode(body, 'packed'))}\n`, printing);
  refuseBinary(`-t ${format} is binary`, printing);
  return print(encode(body, format, lastByte), printing);
}

function hexLines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += 32)
    lines.push(toHex(bytes, start, Math.min(start + 32, bytes.length)));
  return lines.join('\n');
}

export const isToStdout = ({ output }: { readonly output?: string | undefined }) =>
  output === undefined || output === '-';

/**
 * Standard output, or the file of `-o`, created with the first write. After a failure it never replaces an existing
 * file.
 */
export class OutputFile {
  readonly isStdout: boolean;
  readonly #path: string;
  readonly #io: Writing;
  #file: AtomicFile | undefined;
  #failure: OutputError | undefined;

  constructor(path: string | undefined, io: Writing) {
    this.isStdout = isToStdout({ output: path });
    this.#path = path ?? '-';
    this.#io = io;
  }

  async write(data: string | Uint8Array): Promise<void> {
    if (this.isStdout) return this.#io.stdout.write(data);
    await this.#do(async () => {
      this.#file ??= await this.#io.create(this.#path);
      await this.#file.write(data);
    });
  }

  async overwrite(data: Uint8Array, at: number): Promise<boolean> {
    return (await this.#do(async () => this.#file?.overwrite(data, at))) ?? false;
  }

  async finish(): Promise<void> {
    await this.#do(async () => this.#file?.finish());
  }

  async #do<Result>(job: () => Promise<Result>): Promise<Result> {
    if (this.#failure) throw this.#failure;
    try {
      return await job();
    } catch (error) {
      this.#failure = new OutputError(this.#path, error);
      throw this.#failure;
    }
  }
}
