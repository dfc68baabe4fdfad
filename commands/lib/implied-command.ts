import { inputError } from './errors.ts';
import { splitPosition } from './input/position.ts';
import type { Io } from './io.ts';

interface Called {
  readonly args: readonly string[];
  readonly io: Io;
}

/**
 * `tw-snap FILE…` as a command line with its command: `decode` for a single payload, `info` for recordings and folders. Any other
 * command line is returned as it is.
 */
export async function withImpliedCommand(
  args: readonly string[],
  isCommand: (word: string) => boolean,
  io: Io,
): Promise<Called> {
  const asItIs = { args, io };
  const file = args.find((arg) => arg === '-' || !arg.startsWith('-'));
  if (file === undefined || isCommand(file)) return asItIs;
  const { path = '-', position } = splitPosition(file, io);
  if (path !== '-' && !io.exists(path)) {
    if (/[./\\]/.test(path)) throw inputError(`${path}: no such file`);
    return asItIs;
  }
  if (position) return { args: ['decode', ...args], io };
  if (io.isFolder(path)) return { args: ['info', ...args], io };
  // Loaded only here: start-up counts.
  const { openInput } = await import('./input/open.ts');
  const opened = await openInput(path, { from: 'auto' }, io);
  const command = opened.format ? 'info' : 'decode';
  if (path !== '-') {
    await opened.pieces[Symbol.asyncIterator]().return?.();
    return { args: [command, ...args], io };
  }
  // Standard input is read once: what was opened is passed on.
  const open: Io['open'] = (name, start) => (name === '-' ? opened.pieces : io.open(name, start));
  return { args: [command, ...args], io: Object.assign(Object.create(io) as Io, { open }) };
}
