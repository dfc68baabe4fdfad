import type { Writer } from '../output/writer.ts';
import type { Io } from '../platform/io.ts';
import type { Threads } from '../platform/pool.ts';
import type { FilesProgress } from '../platform/progress.ts';
import { partsOf, type Task } from '../platform/protocol.ts';

/** Does the work of a task. Long output goes to the writer; the result is plain data. */
export type Job<Part, Result> = (task: Task<Part>, writer: Writer) => Promise<Result>;

/** Prepares the jobs in each thread. Options, parts and results are plain data. */
export type MakeJob<Options, Part, Result> = (
  options: Options,
  multipleFiles: boolean,
  io: Io,
) => Promise<Job<Part, Result>>;

/** Tasks that are done in the order in which they are listed, or in threads with the same output. */
interface Tasks<Options, Part, Result> {
  /** The name of the command, whose file exports `makeJob`. */
  readonly command: string;
  readonly options: Options;
  readonly multipleFiles: boolean;
  readonly writer: Writer;
  readonly io: Io;
  /** The number of threads; they are started only if there are two or more. */
  readonly threads: number;
  readonly tasks: readonly Task<Part>[];
  /** The number of tasks that are begun before the first is done, so that no thread runs out of work. */
  readonly begunAtOnce: number;
  /** The tasks in place of those if no thread is started. */
  readonly withoutThreads: readonly Task<Part>[];
  readonly job: Job<Part, Result>;
  readonly progress?: FilesProgress;
  add(result: Result): Promise<void> | void;
  /** What is left to do, in this thread, where the next task is not to be done after this result. */
  insteadOf?(next: Task<Part>, result: Result): readonly Task<Part>[] | undefined;
}

/**
 * Below this size, one thread is finished before others have started and compiled the code, which takes about 0.2 s.
 */
export const worthBytes = 16 << 20;
/** The maximum size of buffered output of all tasks together: twice as much takes 45 MB more, and no less time. */
const waitingBytes = 48 << 20;

export async function eachTask<Options extends object, Part, Result>(
  work: Tasks<Options, Part, Result>,
): Promise<void> {
  const { job, writer, io, progress, add } = work;
  const threads = work.threads > 1 ? await io.threads?.(work.threads) : undefined;
  let rest = work.withoutThreads;
  if (threads) {
    try {
      rest = await inThreads(threads, work);
    } finally {
      await threads.end();
    }
  }
  for (const [i, task] of rest.entries()) {
    await add(await job(task, writer));
    await progress?.report(i + 1);
  }
  await progress?.hide();
}

/** @returns what is left to do in this thread */
async function inThreads<Options extends object, Part, Result>(
  threads: Threads,
  work: Tasks<Options, Part, Result>,
): Promise<readonly Task<Part>[]> {
  const { command, options, multipleFiles, writer, io, tasks, begunAtOnce, progress, add, insteadOf } = work;
  const ahead = Math.floor(waitingBytes / (begunAtOnce - 1));
  const begin = (task: Task<Part>) => threads.begin({ command, ...task, options, multipleFiles, ahead });
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
    const result = (await running.result) as Result;
    await add(result);
    await progress?.report(i + 1);
    const following = tasks[i + 1];
    const others = following && insteadOf?.(following, result);
    if (others) return others;
    const more = tasks[i + begunAtOnce];
    if (more) begun.push(begin(more));
  }
  return [];
}
