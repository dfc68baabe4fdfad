import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { IndivisibleError } from '../src/recording/capture-part.ts';
import { commands } from './index.ts';
import { isCommandError } from './lib/errors.ts';
import { type Io, processIo, type Sink } from './lib/io.ts';
import { quietIo } from './lib/note.ts';
import { Stream } from './lib/output/stream.ts';
import { isOfCapture } from './lib/parallel/division.ts';
import type { FileJob, MakeJob } from './lib/parallel/many-files.ts';
import { bufferBytes, OrderedOutput } from './lib/parallel/ordered-output.ts';
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
  const ordered = new OrderedOutput((chunk) => output.send(chunk));
  // All tasks of a thread have the same command and options, which are prepared once.
  let job: Promise<FileJob<unknown>> | undefined;
  const run = async (task: FileTask) => {
    output.allow(task.ahead);
    const own = task.part && isOfCapture(task.part) ? ordered.io(io) : io;
    job ??= makeJob(task, (task.options as { quiet?: boolean }).quiet ? quietIo(own) : own);
    const stream = new Stream({}, own);
    const result = await (await job)(task.file, stream, task.part);
    await stream.end();
    await own.ordered?.flush();
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
  const isIndivisible = error instanceof IndivisibleError;
  return { message, stack, status: isCommandError(error) ? error.status : undefined, isIndivisible };
}

/** Both threads use the memory of a buffer, so that none has to be passed on and back, which V8 would count as new memory to collect. */
const newBuffer = () => new Uint8Array(new SharedArrayBuffer(bufferBytes));

const encoder = new TextEncoder();

/** Sends output to the main thread, and pauses if too much of it has not been written. */
class OutputChannel {
  readonly #port: MessagePort;
  readonly #waiting: (() => void)[] = [];
  #left = 0;
  /** The output that was not posted. It is copied to shared memory as a whole, since V8 copies few bytes to it slowly, one by one. */
  readonly #buffer = new Uint8Array(bufferBytes);
  #length = 0;
  /** The buffers of the chunks that the main thread has not written, in their order, and those that can be filled again. */
  readonly #posted: (Uint8Array | undefined)[] = [];
  readonly #free: Uint8Array[] = [];

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
    const buffer = this.#posted.shift();
    if (buffer) this.#free.push(buffer);
    this.#left += bytes;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Posts a message after the output so far. */
  post(message: FromWorker): void {
    this.#postOutput('stdout');
    this.#port.postMessage(message);
  }

  async #write(to: Chunk['to'], data: string | Uint8Array): Promise<void> {
    // The order of both outputs is kept.
    if (to === 'stderr') this.#postOutput('stdout');
    let isPosted = false;
    for (let at = 0; at < data.length; ) {
      at += this.#add(data, at);
      if (at === data.length) break;
      this.#postOutput(to);
      isPosted = true;
    }
    if (to === 'stderr') this.#postOutput(to);
    // Between turns of the event loop few young objects are in use, so that V8 collects the garbage in less time.
    if (isPosted) await new Promise((resolve) => setImmediate(resolve));
    while (this.#left <= 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Posts a copy of output that has positions. */
  async send({ to, bytes, marks }: Required<Chunk>): Promise<void> {
    this.#postCopy(to, bytes, marks);
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#left <= 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Adds data to the buffer as far as there is room, and returns its length. */
  #add(data: string | Uint8Array, at: number): number {
    const room = this.#buffer.subarray(this.#length);
    if (typeof data === 'string') {
      const { read, written } = encoder.encodeInto(data.slice(at), room);
      this.#length += written;
      return read;
    }
    const part = data.subarray(at, at + room.length);
    room.set(part);
    this.#length += part.length;
    return part.length;
  }

  #postOutput(to: Chunk['to']): void {
    if (this.#length === 0) return;
    this.#postCopy(to, this.#buffer.subarray(0, this.#length));
    this.#length = 0;
  }

  #postCopy(to: Chunk['to'], bytes: Uint8Array, marks?: Chunk['marks']): void {
    const { length } = bytes;
    // A few bytes have memory of their own, since a buffer for each of many lines would take far more memory than they need.
    const isShared = 2 * length >= bufferBytes && length <= bufferBytes;
    const shared = isShared ? (this.#free.pop() ?? newBuffer()) : undefined;
    shared?.set(bytes);
    const copy = shared?.subarray(0, length) ?? bytes.slice();
    this.#left -= length;
    this.#port.postMessage({ chunk: { to, bytes: copy, ...(marks ? { marks } : {}) } } satisfies FromWorker);
    this.#posted.push(shared);
  }
}
