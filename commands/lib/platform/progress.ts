import { printable } from '../../../src/output/text/escape.ts';
import { shortened } from '../../../src/output/text/layout.ts';
import { size } from '../../../src/output/text/number.ts';
import type { Io } from './io.ts';

const quietBytes = 16 << 20;
const stepBytes = 4 << 20;

/** Progress is for a terminal to which nothing else is printed, also not by the reader of a pipe. */
const isShown = ({ stderr, stdout, isQuiet }: Io) =>
  stderr.isTerminal && !stdout.isTerminal && !stdout.isPipe && !isQuiet;

/**
 * Shows on a terminal how much of a long input was read, and removes the line at its end. Other output to the same
 * terminal comes first.
 */
export function withProgress(name: string, pieces: AsyncIterable<Uint8Array>, io: Io): AsyncIterable<Uint8Array> {
  return isShown(io) ? withReports(name, pieces, io) : pieces;
}

async function* withReports(name: string, pieces: AsyncIterable<Uint8Array>, io: Io): AsyncIterable<Uint8Array> {
  let read = 0;
  let last = quietBytes - stepBytes;
  let isReported = false;
  try {
    for await (const piece of pieces) {
      yield piece;
      read += piece.length;
      if (read - last < stepBytes) continue;
      last = read;
      isReported = true;
      await io.stderr.write(`\r${progressLine(name, size(read), io)}\u001b[K`);
    }
  } finally {
    if (isReported) await io.stderr.write('\r\u001b[K');
  }
}

/** A line that fits the terminal: a longer one could not be erased. */
function progressLine(name: string, read: string, { stderr }: Io): string {
  const room = (stderr.columns ?? 80) - read.length - 5;
  return `${shortened(printable(name), Math.max(1, room))}   ${read} `;
}

/** Milliseconds between two updates. */
const stepTime = 100;

/** Shows on a terminal how many of many files are done, as {@link withProgress} does for one. */
export class FilesProgress {
  readonly #count: number;
  readonly #io: Io;
  readonly #isActive: boolean;
  #isReported = false;
  #last = 0;

  constructor(count: number, bytes: number, io: Io) {
    this.#count = count;
    this.#io = io;
    this.#isActive = bytes >= quietBytes && isShown(io);
  }

  async report(done: number): Promise<void> {
    const now = Date.now();
    if (!this.#isActive || now - this.#last < stepTime) return;
    this.#last = now;
    this.#isReported = true;
    await this.#io.stderr.write(`\r${done} of ${this.#count} files \u001b[K`);
  }

  async hide(): Promise<void> {
    if (this.#isReported) await this.#io.stderr.write('\r\u001b[K');
    this.#isReported = false;
  }
}
