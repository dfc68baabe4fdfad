import process from 'node:process';
import { main } from './index.ts';
import { processIo } from './io.ts';

// A reader that has seen enough closes the pipe: no error, no noise.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

void main(process.argv.slice(2), processIo()).then((status) => {
  process.exitCode = status;
});
