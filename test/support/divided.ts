import { main } from '../../commands/index.ts';
import type { Threads } from '../../commands/lib/platform/pool.ts';
import { fakeIo } from './fake-io.ts';
import { fakeThreads } from './fake-threads.ts';

/**
 * Returns the output of a command line for a recording, in one thread or divided among several, and how often the
 * recording was opened.
 * @param input the recording, or the folder that contains it
 */
export async function runDivided(bytes: Uint8Array, line: string, jobs: number, name = 'a.demo', input = name) {
  const fake = fakeIo({ files: { [name]: bytes } });
  let opened = 0;
  const open: typeof fake.open = (...place) => {
    opened++;
    return fake.open(...place);
  };
  const io = { ...fake, open };
  let begun: ReturnType<typeof fakeThreads> | undefined;
  const threads = async (): Promise<Threads> => {
    begun = fakeThreads(io);
    return begun;
  };
  const argv = [...line.split(' '), input, '--jobs', String(jobs)];
  const status = await main(argv, { ...io, threads });
  const printed = { status, stdout: io.stdout.text, stderr: io.stderr.text };
  return { printed, parts: begun?.tasks.length ?? 1, errors: begun?.errors ?? [], opened };
}

/** This many threads divide a small demo at each keyframe. */
export const many = 100;
