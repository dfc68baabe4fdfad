import { parentPort, workerData } from 'node:worker_threads';
import { commands } from './index.ts';
import { isCommandError } from './lib/options/errors.ts';
import { OutputChannel } from './lib/output/channel.ts';
import { type Io, processIo } from './lib/platform/io.ts';
import { quietIo } from './lib/platform/note.ts';
import type { FileTask, Terminal, ToWorker } from './lib/platform/protocol.ts';
import type { Job, MakeJob } from './lib/run/tasks.ts';

/** Runs a worker thread: the work of a command on one file after another. Output goes to the main thread. */
export function work(): void {
  const output = new OutputChannel(parentPort!);
  const io: Io = {
    ...processIo(),
    isThread: true,
    stdout: output.sink('stdout', workerData as Terminal),
    // Progress is shown by the main thread, so standard error is not a terminal here.
    stderr: output.sink('stderr', { isTerminal: false, columns: undefined, colors: 0 }),
  };
  // All tasks of a thread have the same command and options, which are prepared once.
  let job: Promise<Job<FileTask, unknown>> | undefined;
  const run = async (task: FileTask) => {
    output.allow(task.ahead);
    job ??= makeJob(task, (task.options as { quiet?: boolean }).quiet ? quietIo(io) : io);
    return (await job)(task, output);
  };
  parentPort!.on('message', (message: ToWorker) => {
    if ('written' in message) output.written(message.written);
    else
      run(message.task).then(
        (result) => output.post({ result }),
        (error) => output.post({ failure: error, status: isCommandError(error) ? error.status : undefined }),
      );
  });
}

async function makeJob({ command, options, multipleFiles }: FileTask, io: Io): Promise<Job<FileTask, unknown>> {
  const { makeJob } = await commands.find(({ name }) => name === command)!.load();
  return (makeJob as MakeJob<object, FileTask, unknown>)(options, multipleFiles, io);
}
