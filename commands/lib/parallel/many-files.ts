import type { DemoRange, RangeEnd } from '../../../src/recording/demo-range.ts';
import { splitPosition } from '../input/position.ts';
import { FilesProgress } from '../input/progress.ts';
import type { Io } from '../io.ts';
import type { Stream } from '../output/stream.ts';
import { dividedRecording } from './divided-recording.ts';
import type { Division, DivisionOptions } from './division.ts';
import type { Threads } from './worker-protocol.ts';

/**
 * The work on one of several files, or on a part of a recording. Output goes to the stream; the result is used for the output about all files
 * together.
 */
export type FileJob<Result> = (file: string, stream: Stream, part?: DemoRange) => Promise<Result>;

/** The result for a part of a demo has, beside its own, how the part ended. */
export interface PartResult {
  readonly end?: RangeEnd;
}

/** Prepares the work in each thread from the options. Options and results are plain data. */
export type MakeJob<Options, Result> = (options: Options, isOfSeveral: boolean, io: Io) => Promise<FileJob<Result>>;

export interface ManyOptions {
  readonly jobs?: number | undefined;
}

/** The work on several files. */
interface Work<Options, Result> {
  /** The name of the command, whose file exports `makeJob`. */
  readonly command: string;
  readonly makeJob: MakeJob<Options, Result>;
  readonly files: readonly string[];
  /** Whether each line contains the file name; by default if there are several files. */
  readonly isOfSeveral?: boolean;
  readonly options: Options;
  readonly stream: Stream;
  readonly io: Io;
  /** How a recording that is the only file is divided; by default it is not. */
  readonly division?: Division | undefined;
  /** Makes one result of those of the parts of a recording, or undefined if it must be read as one; by default each of them is added. */
  readonly joinParts?: (file: string, parts: readonly Result[]) => Promise<Result | undefined> | Result | undefined;
  /** Receives the results in the order of the files, and of the parts of a divided one. */
  add(result: Result): Promise<void> | void;
}

/**
 * Below this size, one thread is finished before others have started and compiled the code, which takes about 0.2 s.
 */
export const worthBytes = 16 << 20;
/** The maximum size of buffered output of all files together. */
const waitingBytes = 96 << 20;

/** Works on each file, on several at once if that is faster. The output is the same in both cases. */
export async function eachFile<Options extends ManyOptions & object, Result>(
  given: Work<Options, Result>,
): Promise<void> {
  const { makeJob, files, isOfSeveral = files.length > 1, options, stream, io, joinParts } = given;
  const work = { ...given, isOfSeveral };
  // Wrong usage is detected before any thread starts.
  const job = await makeJob(options, isOfSeveral, io);
  const [only] = files;
  const divided =
    work.division && files.length === 1 && io.threads
      ? await dividedRecording(only!, work.division, options as Options & DivisionOptions, io)
      : undefined;
  const tasks: readonly Task[] = divided
    ? divided.map((part) => ({ file: only!, part }))
    : files.map((file) => ({ file }));
  const bytes = bytesOf(files, io);
  const count = divided
    ? Math.min(options.jobs ?? (await io.cores()), divided.length)
    : await threadsFor(files, bytes, options, io);
  const threads = count > 1 ? await io.threads?.(count) : undefined;
  const progress = new FilesProgress(files.length, bytes, io);
  const parts: Result[] = [];
  const add = (result: Result, part: DemoRange | undefined) =>
    part && joinParts ? void parts.push(result) : work.add(result);
  let rest: readonly Task[] = files.map((file) => ({ file }));
  if (threads) {
    try {
      rest = await inThreads(threads, count, tasks, { ...work, add }, progress);
    } finally {
      await threads.end();
    }
  }
  for (const [i, { file, part }] of rest.entries()) {
    await add(await job(file, stream, part), part);
    await progress.report(i + 1);
  }
  if (joinParts && parts.length > 0) {
    await work.add((await joinParts(only!, parts)) ?? (await job(only!, stream)));
  }
  await progress.hide();
}

interface Task {
  readonly file: string;
  readonly part?: DemoRange;
}

/** The work of threads. */
interface ThreadWork<Options, Result> extends Omit<Work<Options, Result>, 'add'> {
  readonly isOfSeveral: boolean;
  add(result: Result, part?: DemoRange): Promise<void> | void;
}

/** Works on one file or part after the other. @returns what is left to do in this thread */
async function inThreads<Options extends object, Result>(
  threads: Threads,
  count: number,
  tasks: readonly Task[],
  { command, isOfSeveral, options, stream, io, add }: ThreadWork<Options, Result>,
  progress: FilesProgress,
): Promise<readonly Task[]> {
  // While one is written, the other threads must not run out of work. Parts of a recording take about as long as each other; files do not.
  const limit = tasks[0]?.part ? count + 1 : 2 * count;
  const ahead = Math.floor(waitingBytes / (limit - 1));
  const begin = (task: Task) => threads.begin({ command, ...task, options, isOfSeveral, ahead });
  const begun = tasks.slice(0, limit).map(begin);
  let end: RangeEnd | undefined;
  for (const [i, task] of tasks.entries()) {
    if (end && !end.isReached) return [];
    // The header changed the versions: this thread reads the rest.
    if (end && isOtherwise(task.part, end)) return [{ file: task.file, part: continued(task.part!, end) }];
    const running = begun.shift()!;
    for await (const { to, bytes } of running.chunks) {
      if (to === 'stdout') await stream.write(bytes);
      else {
        await progress.hide();
        await io.stderr.write(bytes);
      }
    }
    const result = (await running.result) as Result;
    end = (result as PartResult).end;
    await add(result, task.part);
    await progress.report(i + 1);
    const next = tasks[i + limit];
    if (next !== undefined) begun.push(begin(next));
  }
  return [];
}

function isOtherwise(range: DemoRange | undefined, { versions }: RangeEnd): boolean {
  const stated = range?.start?.versions;
  if (!stated) return false;
  const { hasSizesOf06, mixesVersions = stated.mixesVersions } = versions;
  return stated.hasSizesOf06 !== hasSizesOf06 || stated.mixesVersions !== mixesVersions;
}

const continued = ({ start }: DemoRange, { versions }: RangeEnd): DemoRange => ({
  start: start && { ...start, versions },
  end: undefined,
});

async function threadsFor(files: readonly string[], bytes: number, { jobs }: ManyOptions, io: Io): Promise<number> {
  // Only this thread can read standard input.
  if (files.includes('-')) return 1;
  if (jobs === undefined && bytes < worthBytes) return 1;
  return Math.min(jobs ?? (await io.cores()), files.length);
}

/** The size of the files, as far as it is known in advance. */
const bytesOf = (files: readonly string[], io: Io) =>
  files.length < 2 ? 0 : files.reduce((sum, file) => sum + io.size(splitPosition(file, io).path ?? file), 0);
