import { splitPosition } from '../input/position.ts';
import { FilesProgress } from '../input/progress.ts';
import type { Io } from '../io.ts';
import type { Stream } from '../output/stream.ts';
import type { Threads } from './worker-protocol.ts';

/**
 * The work on one of several files. Output goes to the stream; the result is used for the output about all files
 * together.
 */
export type FileJob<Result> = (file: string, stream: Stream) => Promise<Result>;

/** Prepares the work in each thread from the options. Options and results are plain data. */
export type MakeJob<Options, Result> = (options: Options, isOfSeveral: boolean, io: Io) => Promise<FileJob<Result>>;

export interface ManyOptions {
  jobs?: number;
}

/** The work on several files. */
export interface Work<Options, Result> {
  /** The name of the command, whose file exports `makeJob`. */
  readonly command: string;
  readonly makeJob: MakeJob<Options, Result>;
  readonly files: readonly string[];
  /** Whether each line contains the file name; by default if there are several files. */
  readonly isOfSeveral?: boolean;
  readonly options: Options;
  readonly stream: Stream;
  readonly io: Io;
  /** Receives the results in the order of the files. */
  add(result: Result): Promise<void> | void;
}

/**
 * Below this size, one thread is finished before others have started and compiled the code, which takes about 0.2 s.
 */
export const worthBytes = 16 << 20;
/** The maximum size of buffered output of all files together. */
const waitingBytes = 64 << 20;

/** Works on each file, on several at once if that is faster. The output is the same in both cases. */
export async function eachFile<Options extends ManyOptions & object, Result>(
  work: Work<Options, Result>,
): Promise<void> {
  const { makeJob, files, isOfSeveral = files.length > 1, options, stream, io, add } = work;
  // Wrong usage is detected before any thread starts.
  const job = await makeJob(options, isOfSeveral, io);
  const bytes = bytesOf(files, io);
  const count = await threadsFor(files, bytes, options, io);
  const threads = count > 1 ? await io.threads?.(count) : undefined;
  if (threads) {
    try {
      await inThreads(threads, count, work, new FilesProgress(files.length, bytes, io));
    } finally {
      await threads.end();
    }
  } else {
    const progress = new FilesProgress(files.length, bytes, io);
    for (const [i, file] of files.entries()) {
      await add(await job(file, stream));
      await progress.report(i + 1);
    }
    await progress.hide();
  }
}

async function inThreads<Options extends object, Result>(
  threads: Threads,
  count: number,
  { command, files, isOfSeveral = files.length > 1, options, stream, io, add }: Work<Options, Result>,
  progress: FilesProgress,
): Promise<void> {
  // While one file is written, the other threads must not run out of work.
  const limit = 2 * count;
  const ahead = Math.floor(waitingBytes / limit);
  const begun = files.slice(0, limit).map((file) => threads.begin({ command, file, options, isOfSeveral, ahead }));
  for (let i = 0; i < files.length; i++) {
    const running = begun.shift()!;
    for await (const { to, bytes } of running.chunks) {
      if (to === 'stdout') await stream.write(bytes);
      else {
        await progress.hide();
        await io.stderr.write(bytes);
      }
    }
    await add((await running.result) as Result);
    await progress.report(i + 1);
    const next = files[i + limit];
    if (next !== undefined) begun.push(threads.begin({ command, file: next, options, isOfSeveral, ahead }));
  }
  await progress.hide();
}

async function threadsFor(files: readonly string[], bytes: number, { jobs }: ManyOptions, io: Io): Promise<number> {
  // Only this thread can read standard input.
  if (files.includes('-')) return 1;
  if (jobs === undefined && bytes < worthBytes) return 1;
  return Math.min(jobs ?? (await io.cores()), files.length);
}

/** The size of the files, as far as it is known in advance. */
const bytesOf = (files: readonly string[], io: Io) =>
  files.length < 2 ? 0 : files.reduce((sum, file) => sum + io.size(splitPosition(file, io).path ?? file), 0);
