import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Tinypool } from 'tinypool';
import type { Chunk, FileTask, Running, Threads } from './worker-protocol.ts';

/** What a terminal is like, which threads can't ask. */
export interface Terminal {
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  readonly colors: number;
}

/** A task as the thread gets it. */
export interface ThreadTask extends FileTask {
  readonly stdout: Terminal;
  readonly port: MessagePort;
}

/** What a thread says: text, and at the end what came of it. What it hears is how many characters were taken. */
export type WorkerMessage = Chunk | { readonly result: unknown };

/** Starts so many threads of `worker.ts`. */
export function startThreadPool(count: number, stdout: Terminal): Threads {
  const filename = join(__dirname, 'worker.cjs');
  const pool = new Tinypool({ filename, name: 'run', minThreads: count, maxThreads: count });
  return {
    begin(task) {
      const { port1, port2 } = new MessageChannel();
      const running = new WorkerChannel(port1);
      const sent: ThreadTask = { ...task, stdout, port: port2 };
      pool.run(sent, { transferList: [port2] }).catch((error) => running.fail(error));
      return running;
    },
    end: () => pool.destroy(),
  };
}

/** The near end of a thread's line. */
class WorkerChannel implements Running {
  readonly result: Promise<unknown>;
  readonly #port: MessagePort;
  readonly #waiting: Chunk[] = [];
  #isDone = false;
  #wake = () => {};
  #settle!: { resolve(value: unknown): void; reject(error: unknown): void };

  constructor(port: MessagePort) {
    this.#port = port;
    this.result = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // Whoever waits for it is told; until then it is no unhandled one.
    this.result.catch(() => {});
    port.on('message', (said: WorkerMessage) => {
      if ('result' in said) this.#done(() => this.#settle.resolve(said.result));
      else this.#waiting.push(said);
      this.#wake();
    });
  }

  fail(error: unknown): void {
    this.#done(() => this.#settle.reject(error));
    this.#wake();
  }

  get pieces(): AsyncIterable<Chunk> {
    return this.#pieces();
  }

  async *#pieces(): AsyncGenerator<Chunk, void> {
    for (;;) {
      const piece = this.#waiting.shift();
      if (piece) {
        yield piece;
        if (!this.#isDone) this.#port.postMessage(piece.text.length);
      } else if (this.#isDone) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  #done(settle: () => void): void {
    this.#isDone = true;
    this.#port.close();
    settle();
  }
}
