import { writeSync } from 'node:fs';
import process from 'node:process';
import { main } from './index.ts';
import { exit, reason } from './lib/options/errors.ts';
import { processIo } from './lib/platform/io.ts';

/** The build generates the man pages from these. */
export { wholeProgram } from './index.ts';
export const helpTopics = async () => (await import('./topics.ts')).topics;

export async function run(): Promise<void> {
  leaveOutStacks();
  process.exitCode = await main(process.argv.slice(2), processIo(endWithOutput));
}

export async function work(): Promise<void> {
  leaveOutStacks();
  (await import('./worker.ts')).work();
}

/**
 * Errors are normal for damaged bytes, and recognition tries about twenty readings of a payload: collecting a stack
 * trace for each took half of its time.
 */
function leaveOutStacks(): void {
  if (process.env.DEBUG !== 'tw-snap') Error.stackTraceLimit = 0;
}

function endWithOutput(error: NodeJS.ErrnoException): void {
  // A reader that needs no more output closes the pipe, which is not an error.
  if (error.code === 'EPIPE') process.exit(exit.fine);
  try {
    writeSync(2, `tw-snap: standard output: can't be written: ${reason(error)}\n`);
  } catch {
    // Standard error is closed as well.
  }
  process.exit(exit.usage);
}
