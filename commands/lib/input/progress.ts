import { printable } from '../../../src/view/text/escape.ts';
import { size } from '../../../src/view/text/units.ts';
import type { Io } from '../io.ts';

/** Inputs below this are read before anybody wonders. */
const quietBytes = 16 << 20;
/** A line is written anew after so many bytes. */
const stepBytes = 4 << 20;

/** Tells on a terminal how far a long input was read, and takes the line away at its end. Data on the same terminal goes first. */
export function withProgress(name: string, pieces: AsyncIterable<Uint8Array>, io: Io): AsyncIterable<Uint8Array> {
  return io.stderr.isTerminal && !io.stdout.isTerminal && !io.isQuiet ? told(name, pieces, io) : pieces;
}

async function* told(name: string, pieces: AsyncIterable<Uint8Array>, io: Io): AsyncIterable<Uint8Array> {
  let read = 0;
  let last = quietBytes - stepBytes;
  let isTold = false;
  try {
    for await (const piece of pieces) {
      yield piece;
      read += piece.length;
      if (read - last < stepBytes) continue;
      last = read;
      isTold = true;
      await io.stderr.write(`\r${printable(name)}   ${size(read)} \u001b[K`);
    }
  } finally {
    if (isTold) await io.stderr.write('\r\u001b[K');
  }
}

/** Milliseconds between two words. */
const stepTime = 100;

/** Tells on a terminal how many of many files are done, as {@link withProgress} does of one. */
export class FilesProgress {
  readonly #count: number;
  readonly #io: Io;
  readonly #isWanted: boolean;
  #isTold = false;
  #last = 0;

  constructor(count: number, bytes: number, io: Io) {
    this.#count = count;
    this.#io = io;
    this.#isWanted = bytes >= quietBytes && io.stderr.isTerminal && !io.stdout.isTerminal && !io.isQuiet;
  }

  async tell(done: number): Promise<void> {
    const now = Date.now();
    if (!this.#isWanted || now - this.#last < stepTime) return;
    this.#last = now;
    this.#isTold = true;
    await this.#io.stderr.write(`\r${done} of ${this.#count} files \u001b[K`);
  }

  /** Takes the line away, as other lines come. */
  async hide(): Promise<void> {
    if (this.#isTold) await this.#io.stderr.write('\r\u001b[K');
    this.#isTold = false;
  }
}
