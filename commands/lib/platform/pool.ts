import { join } from 'node:path';
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { CommandError, inputError, reason } from '../options/errors.ts';
import { deleteOnExit } from './atomic-file.ts';
import type { Chunk, FileTask, FromWorker, Terminal, ToWorker } from './protocol.ts';

const isSingleFile = typeof packageFile !== 'undefined';

const workerScript = () => (isSingleFile ? packageFile('worker.cjs') : join(__dirname, '../../bin/worker.cjs'));

export type Threads = Pick<ThreadPool, 'begin' | 'end'>;

/** Worker threads, each of which reads one file at a time. */
export class ThreadPool {
  readonly #queue: FileOutput[] = [];
  readonly #workers = new Map<Worker, FileOutput | undefined>();
  #startError: unknown;

  /** Starts `count` threads, or fewer where the system allows no more. */
  constructor(count: number, stdout: Terminal, script = workerScript()) {
    try {
      while (this.#workers.size < count) this.#start(script, stdout);
    } catch (error) {
      // The system allows no more threads, so the existing ones do the work.
      this.#startError = error;
    }
  }

  begin(task: FileTask): Running {
    const output = new FileOutput(task);
    this.#queue.push(output);
    this.#assign();
    return output;
  }

  async end(): Promise<void> {
    const workers = [...this.#workers.keys()];
    this.#workers.clear();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #start(script: string, stdout: Terminal): void {
    // Far more than a thread needs. Without a limit V8 collects so rarely that a thread takes 25 MB more.
    const resourceLimits = { maxOldGenerationSizeMb: 1024 };
    const worker = new Worker(script, { workerData: stdout, eval: isSingleFile, resourceLimits });
    this.#workers.set(worker, undefined);
    worker.on('message', (message: FromWorker) => {
      if ('unfinished' in message) return deleteOnExit(message.unfinished);
      if (this.#workers.get(worker)?.receive(message)) return;
      this.#workers.set(worker, undefined);
      this.#assign();
    });
    worker.on('error', (error) => this.#lose(worker, error));
    worker.on('exit', (code) => this.#lose(worker, { code: 'EXIT', message: `exit code ${code}` }));
  }

  #assign(): void {
    for (const [worker, current] of this.#workers) {
      if (current) continue;
      const next = this.#queue.shift();
      if (!next) return;
      this.#workers.set(worker, next);
      next.readBy(worker);
    }
    if (this.#workers.size > 0) return;
    for (const output of this.#queue.splice(0)) output.fail(startFailure(this.#startError));
  }

  /** Removes a worker that has ended. The file that it was reading fails; the other workers continue. */
  #lose(worker: Worker, error: unknown): void {
    if (!this.#workers.has(worker)) return;
    const output = this.#workers.get(worker);
    this.#workers.delete(worker);
    if (codeOf(error) === 'ERR_WORKER_INIT_FAILED') {
      this.#startError = error;
      if (output) this.#queue.unshift(output);
    } else output?.fail(workerFailure(error, output.task.file));
    this.#assign();
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

function startFailure(error: unknown): Error {
  const code = /\bE[A-Z]+$/.exec((error as Error | undefined)?.message ?? '')?.[0];
  return inputError(
    `no thread can be started${code ? `: ${reason({ code, message: code })}` : ''}; --jobs 1 needs none`,
  );
}

/** An error without a code is a bug and is shown as one. */
function workerFailure(error: unknown, file: string): unknown {
  switch (codeOf(error)) {
    case 'ERR_WORKER_OUT_OF_MEMORY':
      return inputError(`${file}: can't be read: its thread ran out of memory; --jobs 1 reads one file at a time`);
    case 'EXIT':
      return inputError(`${file}: can't be read: its thread ended early (${(error as Error).message})`);
    default:
      return error;
  }
}

type Running = Pick<FileOutput, 'chunks' | 'result'>;

/** The main thread's end of one file, which buffers the output of the worker until it is written. */
class FileOutput {
  readonly task: FileTask;
  /** The output in order. It ends when the work is done or has failed. */
  readonly chunks: AsyncIterable<Chunk> = this.#chunks();
  /** Plain data. Rejects with a CommandError, or with any other error in case of a bug. */
  readonly result: Promise<unknown>;
  readonly #waiting: Chunk[] = [];
  #worker: Worker | undefined;
  #isDone = false;
  #wake = () => {};
  #settle!: { resolve(value: unknown): void; reject(error: unknown): void };

  constructor(task: FileTask) {
    this.task = task;
    this.result = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // A rejection is handled when the result is requested, which may be later or never.
    this.result.catch(() => {});
  }

  readBy(worker: Worker): void {
    this.#worker = worker;
    this.#post({ task: this.task });
  }

  /** Returns whether more messages are to come. */
  receive(message: Exclude<FromWorker, { unfinished: string }>): boolean {
    if ('chunk' in message) {
      this.#waiting.push(message.chunk);
      this.#wake();
    } else if ('result' in message) this.#end(() => this.#settle.resolve(message.result));
    else if (message.status === undefined) this.fail(message.failure);
    else this.fail(new CommandError(message.status, (message.failure as Error).message));
    return !this.#isDone;
  }

  fail(error: unknown): void {
    this.#end(() => this.#settle.reject(error));
  }

  async *#chunks(): AsyncGenerator<Chunk, void> {
    for (;;) {
      const chunk = this.#waiting.shift();
      if (chunk) {
        yield chunk;
        // When it is done, the worker may already read another file, which has a separate allowance.
        this.#post({ written: this.#isDone ? 0 : chunk.bytes.length });
      } else if (this.#isDone) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  #end(settle: () => void): void {
    this.#isDone = true;
    settle();
    this.#wake();
  }

  #post(message: ToWorker): void {
    this.#worker?.postMessage(message);
  }
}

/** What a process may have: descriptors, and bytes of address space and of memory. Infinity without a limit. */
interface Limits {
  readonly openFiles: number;
  readonly addressSpace: number;
  readonly memory: number;
}

/**
 * The number of threads that there is room for. Too many are not only slow: V8 ends the whole process if it cannot
 * reserve address space for another one, and without free descriptors the threads cannot open their files.
 */
export function threadsWithin({ openFiles, addressSpace, memory }: Limits): number {
  // A thread takes 5 descriptors of Node's own and those of its files, up to 0.85 GB of address space (Node 20 to 26),
  // and up to 128 MB of memory for a long recording. The main thread needs some before that, and has its memory
  // already.
  const room = [(openFiles - 32) / 8, addressSpace / 2 ** 30 - 2, memory / 2 ** 27];
  return Math.max(0, Math.floor(Math.min(...room)));
}

/** The limits that Node reports. Where a system has none, such as Windows, a thread that cannot be started says so. */
export function processLimits(): Limits {
  const { userLimits = {} } = process.report.getReport() as {
    readonly userLimits?: Readonly<Record<string, { readonly soft: number | 'unlimited' }>>;
  };
  // `unlimited` is not a number.
  const limit = (name: string) => Number(userLimits[name]?.soft) || Infinity;
  return {
    openFiles: limit('open_files'),
    // Node 20 calls these bytes `kbytes`.
    addressSpace: Math.min(limit('virtual_memory_bytes'), limit('virtual_memory_kbytes')),
    // The first versions of Node 20 lack this function.
    memory: process.availableMemory?.() ?? Infinity,
  };
}
