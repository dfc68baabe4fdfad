import type { MessagePort } from 'node:worker_threads';
import { type Io, processIo, type Sink } from './lib/io.ts';
import { Stream } from './lib/output/stream.ts';
import type { FileJob, MakeJob } from './lib/parallel/many-files.ts';
import type { Terminal, ThreadTask, WorkerMessage } from './lib/parallel/thread-pool.ts';
import type { Chunk } from './lib/parallel/worker-protocol.ts';

/** The commands that work on many files. */
const makers: Readonly<Record<string, () => Promise<{ readonly makeJob: unknown }>>> = {
  checksum: () => import('./checksum/index.ts'),
  dump: () => import('./dump/index.ts'),
  info: () => import('./info/index.ts'),
};

/** A thread has the same command and options all its life: what they need is read once. */
let job: Promise<FileJob<unknown>> | undefined;
let io: Io;
let line: MainChannel;

/** What a thread of the crew does: a command's work on one file; what it writes goes to the one who gave the task. */
export async function run(task: ThreadTask): Promise<void> {
  line = new MainChannel(task.port, task.ahead);
  io ??= { ...processIo(), stdout: sinkTo('stdout', task.stdout), stderr: sinkTo('stderr', noTerminal) };
  job ??= jobOf(task);
  const stream = new Stream({}, io);
  const result = await (await job)(task.file, stream);
  await stream.end();
  line.end(result);
}

async function jobOf(task: ThreadTask): Promise<FileJob<unknown>> {
  const { makeJob } = await makers[task.command]!();
  return (makeJob as MakeJob<object, unknown>)(task.options, task.isOfSeveral, io);
}

/** How far a file was read is not for threads to tell, so their standard error is no terminal. */
const noTerminal: Terminal = { isTerminal: false, columns: undefined, colors: 0 };

const sinkTo = (to: Chunk['to'], terminal: Terminal): Sink => ({
  ...terminal,
  write: (data) => line.write({ to, text: typeof data === 'string' ? data : new TextDecoder().decode(data) }),
});

/** The far end: writes no further ahead than it is allowed to. */
class MainChannel {
  readonly #port: MessagePort;
  #left: number;
  #wake = () => {};

  constructor(port: MessagePort, ahead: number) {
    this.#port = port;
    this.#left = ahead;
    port.on('message', (taken: number) => {
      this.#left += taken;
      this.#wake();
    });
  }

  async write(piece: Chunk): Promise<void> {
    if (piece.text === '') return;
    this.#say(piece);
    this.#left -= piece.text.length;
    while (this.#left <= 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  end(result: unknown): void {
    this.#say({ result });
    this.#port.close();
  }

  #say(said: WorkerMessage): void {
    this.#port.postMessage(said);
  }
}
