import type { Theme } from '../src/view/theme.ts';
import { usageError } from './errors.ts';
import type { Io } from './io.ts';
import type { OutputOptions } from './options.ts';
import { colorLevel, themeOf } from './theme.ts';

const pipedWidth = 100;

/** In a pipe a row of a hexdump stays one line, so that it can be searched for; only the longest are broken. */
const pipedRowWidth = 120;

/** How views are to look. */
export interface Look {
  readonly theme: Theme;
  readonly width: number;
  readonly wrapAt: number;
  readonly verbose: boolean;
}

/** How views are to look here. */
export async function look(options: OutputOptions, io: Io): Promise<Look> {
  const theme = await themeOf(
    options.output === undefined ? colorLevel(options.color, io) : options.color === 'always' ? 2 : 0,
  );
  const width = options.width ?? io.stdout.columns;
  return { theme, width: width ?? pipedWidth, wrapAt: width ?? pipedRowWidth, verbose: options.verbose === true };
}

/** Prints a command's data: to standard output, or to the file that was asked for. */
export async function print(
  data: string | Uint8Array,
  options: Pick<OutputOptions, 'output'>,
  io: Pick<Io, 'stdout' | 'write'>,
): Promise<void> {
  if (options.output === undefined || options.output === '-') return io.stdout.write(data);
  try {
    await io.write(options.output, data);
  } catch (error) {
    throw usageError(`${options.output}: can't be written: ${reason(error)}`);
  }
}

/** Why the system refused a file, in words. */
export function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known: Readonly<Record<string, string>> = {
    ENOENT: 'no such file',
    EISDIR: 'is a directory',
    EACCES: 'permission denied',
    EPERM: 'not permitted',
    ENOSPC: 'no space left',
    ENOTDIR: 'not a directory',
  };
  return known[code ?? ''] ?? message;
}
