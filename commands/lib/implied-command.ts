import { inputError } from './errors.ts';
import { splitPosition } from './input/position.ts';
import type { Io } from './io.ts';

interface Called {
  readonly args: readonly string[];
  readonly io: Io;
}

/** The options of the program itself. */
const aboutProgram: ReadonlySet<string> = new Set(['-h', '--help', '-V', '--version']);

/**
 * Adds the command to `tw-snap FILE…` and to `… | tw-snap`: `decode` for a single payload, `info` for recordings and
 * folders. Any other command line is unchanged.
 */
export async function withImpliedCommand(
  given: readonly string[],
  isCommand: (word: string) => boolean,
  io: Io,
): Promise<Called> {
  const unchanged = { args: given, io };
  const named = given.find((arg) => arg === '-' || !arg.startsWith('-'));
  const isPiped = named === undefined && !given.some((arg) => aboutProgram.has(arg)) && io.stdinIsPiped;
  const [file, args] = isPiped ? ['-', [...given, '-']] : [named, given];
  if (file === undefined || isCommand(file)) return unchanged;
  const { path = '-', position } = splitPosition(file, io);
  if (path !== '-' && !io.exists(path)) {
    if (/[./\\]/.test(path)) throw inputError(`${path}: no such file`);
    return unchanged;
  }
  if (position) return { args: ['decode', ...args], io };
  if (io.isFolder(path)) return { args: ['info', ...args], io };
  // Loaded here only, to keep start-up fast.
  const { openInput } = await import('./input/open.ts');
  const opened = await openInput(path, {}, io);
  if (isPiped && opened.isEmpty) return unchanged;
  const command = opened.format ? 'info' : 'decode';
  if (path !== '-') {
    await opened.pieces[Symbol.asyncIterator]().return?.();
    return { args: [command, ...args], io };
  }
  // Standard input can be read only once, so the opened input is passed on.
  const open: Io['open'] = (name, start) => (name === '-' ? opened.pieces : io.open(name, start));
  return { args: [command, ...args], io: Object.assign(Object.create(io) as Io, { open }) };
}
