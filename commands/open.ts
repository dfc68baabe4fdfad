import { isDemo } from '../src/container/demo-header.ts';
import { inputError } from './errors.ts';
import type { Io } from './io.ts';
import type { InputOptions } from './options.ts';
import { reason } from './output.ts';

/** What an input is by its first bytes. */
export type Container = 'demo' | 'payload';

/** An input that is opened: its first bytes were looked at, nothing is lost. */
export interface Opened {
  /** As its user named it. */
  readonly name: string;
  readonly path: string;
  readonly container: Container;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** First bytes that tell any container. */
const tellingBytes = 64;

/** Opens FILE, `-` or standard input, and sees what it is. */
export async function openInput(
  path: string | undefined,
  options: Pick<InputOptions, 'from'>,
  io: Io,
): Promise<Opened> {
  const name = path === undefined || path === '-' ? 'standard input' : path;
  if (name !== path && io.stdinIsTerminal) {
    await io.stderr.write('tw-snap: reading from the terminal: paste hex, end with Ctrl-D (tw-snap --help for more)\n');
  }
  const source = io.open(path ?? '-')[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < tellingBytes) {
    const { value, done } = await unlessRefused(name, source.next());
    if (done) break;
    first.push(value);
    length += value.length;
  }
  const container = containerOf(options.from, first.length === 1 ? first[0]! : joined(first));
  return { name, path: path ?? '-', container, pieces: all(name, first, source) };
}

/** All bytes of an opened input, at most `limit`. */
export async function readAll(pieces: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    read.push(piece);
    length += piece.length;
    if (length >= limit) break;
  }
  return joined(read).subarray(0, limit);
}

function containerOf(from: string, first: Uint8Array): Container {
  if (from === 'demo' || (from === 'auto' && isDemo(first))) return 'demo';
  return 'payload';
}

async function* all(
  name: string,
  first: readonly Uint8Array[],
  source: AsyncIterator<Uint8Array>,
): AsyncIterable<Uint8Array> {
  yield* first;
  try {
    for (;;) {
      const { value, done } = await unlessRefused(name, source.next());
      if (done) return;
      yield value;
    }
  } finally {
    await source.return?.();
  }
}

async function unlessRefused<T>(name: string, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw inputError(`${name}: can't be read: ${reason(error)}`);
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
