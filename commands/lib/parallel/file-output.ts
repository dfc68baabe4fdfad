import type { Worker } from 'node:worker_threads';
import { CommandError } from '../errors.ts';
import type { Chunk, Failure, FileTask, FromWorker, Running, ToWorker } from './worker-protocol.ts';

/** The main thread's end of one file, which buffers the output of the worker until it is written. */
export class FileOutput implements Running {
  readonly task: FileTask;
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

  get chunks(): AsyncIterable<Chunk> {
    return this.#chunks();
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
    else this.fail(errorOf(message.failure));
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

function errorOf({ message, stack, status }: Failure): Error {
  if (status !== undefined) return new CommandError(status, message);
  return Object.assign(new Error(message), { stack });
}
