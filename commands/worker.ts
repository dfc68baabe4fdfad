import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { commands } from './index.ts';
import { isCommandError } from './lib/errors.ts';
import { type Io, processIo, type Sink } from './lib/io.ts';
import { quietIo } from './lib/note.ts';
import { Stream } from './lib/output/stream.ts';
import type { FileJob, MakeJob } from './lib/parallel/many-files.ts';
import type { Chunk, Failure, FileTask, FromWorker, Terminal, ToWorker } from './lib/parallel/worker-protocol.ts';

/** Runs a worker thread: the work of a command on one file after another. Output goes to the main thread. */
export function work(): void {
  const output = new OutputChannel(parentPort!);
  const io: Io = {
    ...processIo(),
    stdout: output.sink('stdout', workerData as Terminal),
    // Progress is shown by the main thread, so standard error is not a terminal here.
    stderr: output.sink('stderr', { isTerminal: false, columns: undefined, colors: 0 }),
  };
  // All tasks of a thread have the same command and options, which are prepared once.
  let job: Promise<FileJob<unknown>> | undefined;
  const run = async (task: FileTask) => {
    output.allow(task.ahead);
    job ??= makeJob(task, (task.options as { quiet?: boolean }).quiet ? quietIo(io) : io);
    const stream = new Stream({}, io);
    const result = await (await job)(task.file, stream, task.range);
    await stream.end();
    return result;
  };
  parentPort!.on('message', (message: ToWorker) => {
    if ('written' in message) output.written(message.written);
    else
      run(message.task).then(
        (result) => output.post({ result }),
        (error) => output.post({ failure: failureOf(error) }),
      );
  });
}

async function makeJob({ command, options, isOfSeveral }: FileTask, io: Io): Promise<FileJob<unknown>> {
  const { makeJob } = await commands.find(({ name }) => name === command)!.load();
  return (makeJob as MakeJob<object, unknown>)(options, isOfSeveral, io);
}

function failureOf(error: unknown): Failure {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { message, stack, status: isCommandError(error) ? error.status : undefined };
}

const encoder = new TextEncoder();

/** Sends output to the main thread, and pauses if too much of it has not been written. */
class OutputChannel {
  readonly #port: MessagePort;
  readonly #waiting: (() => void)[] = [];
  #left = 0;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  sink(to: Chunk['to'], terminal: Terminal): Sink {
    return { ...terminal, write: (data) => this.#write(to, data) };
  }

  /** Sets the number of bytes that may be buffered in the main thread. */
  allow(ahead: number): void {
    this.#left = ahead;
  }

  written(bytes: number): void {
    this.#left += bytes;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  post(message: FromWorker): void {
    this.#port.postMessage(message);
  }

  async #write(to: Chunk['to'], data: string | Uint8Array): Promise<void> {
    if (data.length === 0) return;
    // Bytes are copied, because they are transferred with their whole buffer, which the command may reuse.
    const bytes = typeof data === 'string' ? encoder.encode(data) : new Uint8Array(data);
    this.#left -= bytes.length;
    this.#port.postMessage({ chunk: { to, bytes } } satisfies FromWorker, [bytes.buffer]);
    while (this.#left <= 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
