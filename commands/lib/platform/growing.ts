import { closeSync, createReadStream, fstatSync, openSync, readSync, statSync } from 'node:fs';
import process from 'node:process';

/** Separates the pieces of a file that was truncated or replaced from those written afterwards. */
export const newFile = new Uint8Array(0);

const pieceBytes = 1 << 18;
/** The milliseconds between two checks of a file. */
const pauseTime = 100;
/** The milliseconds that a program at the other end of a pipe has to write its remaining output. */
const restTime = 500;

/**
 * The bytes of a file, including bytes that are appended later, until Ctrl-C. If the file is truncated or replaced, as
 * in log rotation, the new content is read from its beginning.
 */
export async function* growingFile(path: string): AsyncIterable<Uint8Array> {
  if (!statSync(path).isFile()) {
    yield* untilInterrupted(createReadStream(path));
    return;
  }
  const interrupt = new Interrupt();
  let file = openSync(path, 'r');
  try {
    for (let at = 0; ; ) {
      const piece = new Uint8Array(pieceBytes);
      const read = readSync(file, piece, 0, piece.length, at);
      at += read;
      // Signals are delivered between turns of the event loop.
      if (read > 0) await interrupt.pause(0);
      if (read > 0) yield piece.subarray(0, read);
      if (read === piece.length) continue;
      // After Ctrl-C the file is looked at once more, because it may just have grown or been replaced.
      const isLast = interrupt.isOver;
      await interrupt.pause(pauseTime);
      const isReplaced = isOther(path, file);
      const { size } = fstatSync(file);
      if (!isReplaced && size === at && isLast) return;
      if (!isReplaced && size >= at) continue;
      if (isReplaced) {
        // Data that was added to the old file comes first.
        if (size > at) continue;
        closeSync(file);
        file = openSync(path, 'r');
      }
      at = 0;
      yield newFile;
    }
  } finally {
    closeSync(file);
    interrupt.cancel();
  }
}

/**
 * The bytes of a pipe. After Ctrl-C its writer, which also receives the signal, may still write its remaining output.
 */
export async function* untilInterrupted(
  stream: AsyncIterable<Uint8Array> & { destroy(): unknown },
): AsyncIterable<Uint8Array> {
  const interrupt = new Interrupt(() => setTimeout(() => stream.destroy(), restTime));
  try {
    yield* stream;
  } catch (error) {
    if (!interrupt.isOver) throw error;
  } finally {
    interrupt.cancel();
  }
}

/** Whether another file has this name now. The name may be missing for a moment while a file is replaced. */
function isOther(path: string, file: number): boolean {
  const named = statSync(path, { throwIfNoEntry: false });
  const own = fstatSync(file);
  return named !== undefined && (named.ino !== own.ino || named.dev !== own.dev);
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * The first Ctrl-C ends what has no end of its own, so that the command prints its conclusion; the second one ends the
 * program.
 */
export class Interrupt {
  isOver = false;
  readonly #onSignal: () => void;
  readonly end = (): void => {
    this.isOver = true;
    this.#wake();
    // Other listeners of this signal can still see that it was handled.
    setImmediate(() => this.cancel());
    this.#onSignal();
  };
  #wake: () => void = () => {};

  constructor(onSignal: () => void = () => {}) {
    this.#onSignal = onSignal;
    for (const signal of signals) process.on(signal, this.end);
  }

  /** Waits until the time has passed or a signal arrives. */
  async pause(milliseconds: number): Promise<void> {
    if (this.isOver) return;
    await new Promise<void>((done) => {
      const timer = setTimeout(done, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  cancel(): void {
    for (const signal of signals) process.off(signal, this.end);
  }
}

/** The pieces of an input; calls `onPause` once each time that nothing comes for some milliseconds. */
export async function* withPauses(
  pieces: AsyncIterable<Uint8Array>,
  onPause: () => Promise<void>,
  silenceTime = 1000,
): AsyncGenerator<Uint8Array, void> {
  const source = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = source.next();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const pause = new Promise<'pause'>((done) => {
        timer = setTimeout(done, silenceTime, 'pause');
      });
      const first = await Promise.race([next, pause]).finally(() => clearTimeout(timer));
      if (first === 'pause') await onPause();
      const { value, done } = await next;
      if (done) return;
      yield value;
    }
  } finally {
    await source.return?.();
  }
}
