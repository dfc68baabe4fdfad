import { setTimeout as sleep } from 'node:timers/promises';
import { commands } from '../../commands/index.ts';
import { OutputWriter } from '../../commands/lib/output/writer.ts';
import type { Io, Sink } from '../../commands/lib/platform/io.ts';
import type { Threads } from '../../commands/lib/platform/pool.ts';
import type { Chunk, FileTask } from '../../commands/lib/platform/protocol.ts';
import type { Job, MakeJob } from '../../commands/lib/run/tasks.ts';

type Running = ReturnType<Threads['begin']>;

interface FakeThreads extends Threads {
  readonly tasks: readonly FileTask[];
  readonly errors: readonly unknown[];
  ended: boolean;
}

/**
 * Simulated threads: their messages are cloned as by real threads, and they end in any order.
 * @param fault the error with which the work on a file fails
 */
export function fakeThreads(io: Io, fault?: Error): FakeThreads {
  const tasks: FileTask[] = [];
  const errors: unknown[] = [];
  return {
    tasks,
    errors,
    ended: false,
    begin(posted) {
      const task = structuredClone(posted);
      tasks.push(task);
      const running = fault ? failing(fault) : work(task, io, tasks.length);
      running.result.catch((error) => errors.push(error));
      return running;
    },
    async end() {
      this.ended = true;
    },
  };
}

function failing(fault: Error): Running {
  const result = Promise.reject(fault);
  result.catch(() => {});
  return { chunks: (async function* () {})(), result };
}

function work(task: FileTask, io: Io, number: number): Running {
  const chunks: Chunk[] = [];
  const sinkTo = (to: 'stdout' | 'stderr', sink: Sink): Sink => ({
    ...sink,
    write: async (data) => {
      const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : new Uint8Array(data);
      chunks.push({ bytes, ends: to === 'stdout' ? [bytes.length] : [0, bytes.length] });
    },
  });
  const own: Io = { ...io, stdout: sinkTo('stdout', io.stdout), stderr: sinkTo('stderr', io.stderr) };
  const result = (async () => {
    // Later jobs finish earlier.
    await sleep(number % 2 === 0 ? 0 : 20);
    const { makeJob } = await commands.find(({ name }) => name === task.command)!.load();
    const job: Job<FileTask, unknown> = await (makeJob as MakeJob<object, FileTask, unknown>)(
      task.options,
      task.multipleFiles,
      own,
    );
    const writer = new OutputWriter({}, own);
    const reported = await job(task, writer);
    await writer.end();
    return structuredClone(reported);
  })();
  const all = async function* () {
    await result;
    yield* chunks;
  };
  return { chunks: all(), result };
}
