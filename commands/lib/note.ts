import type { Io } from './io.ts';

/**
 * Prints a note on standard error about what was recognised or chosen. `--quiet` suppresses notes, but not warnings and
 * errors.
 */
export async function printNote(text: string, io: Io): Promise<void> {
  if (!io.isQuiet) await io.stderr.write(`tw-snap: ${text}\n`);
}

/** Prints a warning or an error on standard error. */
export const printProblem = (text: string, io: Io): Promise<void> => io.stderr.write(`tw-snap: ${text}\n`);

/** The same platform without notes and progress. */
export const quietIo = (io: Io): Io => Object.assign(Object.create(io) as Io, { isQuiet: true });
