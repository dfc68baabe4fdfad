import { writeSync } from 'node:fs';
import process from 'node:process';
import { main } from './index.ts';
import { exit, reason } from './lib/errors.ts';
import { processIo } from './lib/io.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough closes the pipe: no error, no noise.
  if (error.code === 'EPIPE') process.exit(exit.fine);
  try {
    writeSync(2, `tw-snap: standard output: can't be written: ${reason(error)}\n`);
  } catch {
    // Nobody is there to be told.
  }
  process.exit(exit.usage);
});
// What is said may be lost; the work goes on.
process.stderr.on('error', () => {});

void main(process.argv.slice(2), processIo()).then((status) => {
  process.exitCode = status;
});
