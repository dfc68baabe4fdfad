import type { Io } from './io.ts';

/** Prints a note on standard error: what was recognised or chosen. With `--quiet` there are none; warnings and errors stay. */
export async function printNote(text: string, io: Io): Promise<void> {
  if (!io.isQuiet) await io.stderr.write(`tw-snap: ${text}\n`);
}

/** The same world without notes and progress. */
export const quietIo = (io: Io): Io => Object.assign(Object.create(io) as Io, { isQuiet: true });
