import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { removeAtEnd } from '../atomic-file.ts';
import { inputError, reason } from '../errors.ts';
import { FileOutput } from './file-output.ts';
import type { FileTask, FromWorker, Running, Terminal, Threads } from './worker-protocol.ts';

const workerScript = () => join(__dirname, '../../bin/worker.cjs');

/** Starts `count` worker threads, or fewer where the system allows no more. */
export function startThreadPool(count: number, stdout: Terminal, { script = workerScript() } = {}): Threads {
  return new ThreadPool(count, script, stdout);
}

class ThreadPool implements Threads {
  /** The files that have not been started. */
  readonly #queue: FileOutput[] = [];
  /** The workers with their current files. */
  readonly #workers = new Map<Worker, FileOutput | undefined>();
  #startError: unknown;

  constructor(count: number, script: string, stdout: Terminal) {
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
    const worker = new Worker(script, { workerData: stdout });
    this.#workers.set(worker, undefined);
    worker.on('message', (message: FromWorker) => {
      if ('unfinished' in message) return removeAtEnd(message.unfinished);
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
