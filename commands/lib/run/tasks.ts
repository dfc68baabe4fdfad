import type { Writer } from '../output/writer.ts';
import type { Io } from '../platform/io.ts';
import type { Threads } from '../platform/pool.ts';
import type { FilesProgress } from '../platform/progress.ts';
import { partsOf, type Task } from '../platform/protocol.ts';

/** Does the work of a task. Long output goes to the writer; the result is plain data. */
export type Job<Own extends Task, Result> = (task: Own, writer: Writer) => Promise<Result>;

/** Prepares the jobs in each thread. Options, tasks and results are plain data. */
export type MakeJob<Options, Own extends Task, Result> = (
  options: Options,
  multipleFiles: boolean,
  io: Io,
) => Promise<Job<Own, Result>>;

/** Tasks that are done in the order in which they are listed, or in threads with the same output. */
interface Tasks<Options, Own extends Task, Result> {
  /** The name of the command, whose file exports `makeJob`. */
  readonly command: string;
  readonly options: Options;
  readonly multipleFiles: boolean;
  readonly writer: Writer;
  readonly io: Io;
  /** The number of threads; they are started only if there are two or more. */
  readonly threads: number;
  readonly tasks: readonly Own[];
  readonly job: Job<Own, Result>;
  readonly progress?: FilesProgress;
  add(result: Result): Promise<void> | void;
}

/**
 * Below this size, one thread is finished before others have started and compiled the code, which takes about 0.2 s.
 */
export const worthBytes = 16 << 20;
/** The maximum size of buffered output of all tasks together: twice as much takes 45 MB more, and no less time. */
const waitingBytes = 48 << 20;

export async function eachTask<Options extends object, Own extends Task, Result>(
  work: Tasks<Options, Own, Result>,
): Promise<void> {
  const { tasks, job, writer, io, progress, add } = work;
  const threads = work.threads > 1 ? await io.threads?.(work.threads) : undefined;
  if (threads) {
    try {
      await inThreads(threads, work);
    } finally {
      await threads.end();
    }
  } else {
    for (const [i, task] of tasks.entries()) {
      await add(await job(task, writer));
      await progress?.report(i + 1);
    }
  }
  await progress?.hide();
}

async function inThreads<Options extends object, Own extends Task, Result>(
  threads: Threads,
  { command, options, multipleFiles, writer, io, threads: count, tasks, progress, add }: Tasks<Options, Own, Result>,
): Promise<void> {
  // Tasks that are begun before the first is done, so that no thread runs out of work: files take different times.
  const begunAtOnce = 2 * count;
  const ahead = Math.floor(waitingBytes / (begunAtOnce - 1));
  const begin = (task: Own) => threads.begin({ command, ...task, options, multipleFiles, ahead });
  const begun = tasks.slice(0, begunAtOnce).map(begin);
  for (let i = 0; i < tasks.length; i++) {
    const running = begun.shift()!;
    for await (const chunk of running.chunks) {
      for (const { to, bytes } of partsOf(chunk)) {
        if (to === 'stdout') await writer.write(bytes);
        else {
          await progress?.hide();
          await io.stderr.write(bytes);
        }
      }
    }
    await add((await running.result) as Result);
    await progress?.report(i + 1);
    const more = tasks[i + begunAtOnce];
    if (more) begun.push(begin(more));
  }
}
