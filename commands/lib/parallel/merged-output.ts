import { AppendBuffer } from '../../../src/bytes/append-buffer.ts';
import { IndivisibleError } from '../../../src/recording/capture-part.ts';
import type { Io, Sink } from '../io.ts';
import type { Stream } from '../output/stream.ts';
import type { Chunk, OutputMark, Running } from './worker-protocol.ts';

/** Output is written in pieces of this size. */
const pieceBytes = 1 << 18;

export type WrittenBytes = Readonly<Record<Chunk['to'], number>>;

/**
 * Writes the output of all parts of a capture in the order of the capture. If they turn out to depend on each other, there are no results,
 * and what has been written is the beginning of the output of the whole.
 * @param complete completes what goes to standard output
 */
export async function mergedOutput(
  parts: readonly Running[],
  write: (to: Chunk['to'], bytes: Uint8Array) => Promise<void>,
  complete = (output: Uint8Array) => output,
): Promise<{ readonly results: readonly unknown[] | undefined; readonly written: WrittenBytes }> {
  const written = { stdout: 0, stderr: 0 };
  const pending = { stdout: new AppendBuffer(), stderr: new AppendBuffer() };
  const writePending = async (to: Chunk['to']) => {
    if (pending[to].length === 0) return;
    const bytes = to === 'stdout' ? complete(pending.stdout.view()) : pending.stderr.view();
    written[to] += bytes.length;
    await write(to, bytes);
    pending[to].clear();
  };
  const merge = async () => {
    const outputs = await Promise.all(parts.map(PartOutput.open));
    for (;;) {
      const first = outputs.reduce((a, b) => (b.position < a.position ? b : a));
      if (first.position === Infinity) return Promise.all(parts.map(({ result }) => result));
      const { to } = first;
      pending[to].bytes(first.bytes);
      if (pending[to].length >= pieceBytes) await writePending(to);
      if (!first.goOn()) await first.nextChunk();
    }
  };
  const results = await unlessIndivisible(merge);
  await writePending('stdout');
  await writePending('stderr');
  return { results, written };
}

/** The result; undefined if the parts of a recording turn out to depend on each other. */
export async function unlessIndivisible<Result>(make: () => Promise<Result> | Result): Promise<Result | undefined> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof IndivisibleError) return undefined;
    throw error;
  }
}

/** The output of a part, of which one mark after the other is written. */
class PartOutput {
  readonly #chunks: AsyncIterator<Chunk>;
  readonly #result: Promise<unknown>;
  #chunk: Chunk | undefined;
  #marks: readonly OutputMark[] = [];
  #index = 0;
  #start = 0;
  /** The position of the output at the current mark; Infinity after the last one. */
  position = 0;

  constructor({ chunks, result }: Running) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#result = result;
  }

  static async open(running: Running): Promise<PartOutput> {
    const output = new PartOutput(running);
    await output.nextChunk();
    return output;
  }

  get to(): Chunk['to'] {
    return this.#marks[this.#index]!.to;
  }

  get bytes(): Uint8Array {
    return this.#chunk!.bytes.subarray(this.#start, this.#marks[this.#index]!.end);
  }

  /** Goes on to the next mark of the chunk. @returns whether there is one */
  goOn(): boolean {
    this.#start = this.#marks[this.#index]!.end;
    if (++this.#index >= this.#marks.length) return false;
    this.position = this.#marks[this.#index]!.position;
    return true;
  }

  async nextChunk(): Promise<void> {
    const { value, done } = await this.#chunks.next();
    [this.#index, this.#start] = [0, 0];
    this.#chunk = value;
    this.#marks = value?.marks ?? [];
    this.position = done ? Infinity : this.#marks[0]!.position;
    if (done) await this.#result;
  }
}

/** The same platform, whose output lacks the beginning, since that has been written. */
export function withoutBeginning(written: WrittenBytes, stream: Stream, io: Io): Io {
  const sinkOf = (to: Chunk['to'], { write }: Pick<Sink, 'write'>): Sink => {
    let left = written[to];
    return {
      ...io[to],
      write: async (data) => {
        const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
        const skipped = Math.min(left, bytes.length);
        left -= skipped;
        if (skipped < bytes.length) await write(bytes.subarray(skipped));
      },
    };
  };
  const stdout = sinkOf('stdout', { write: async (data) => stream.write(data) });
  return Object.assign(Object.create(io) as Io, { stdout, stderr: sinkOf('stderr', io.stderr) });
}
