import { once } from 'node:events';
import { closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import type { Threads } from './threads.ts';

/** Where a command writes. */
export interface Sink {
  readonly isTerminal: boolean;
  /** Columns of the terminal, undefined where there is none. */
  readonly columns: number | undefined;
  /** 0 none, 1 sixteen colours, 2 of 256, 3 all; by what the terminal says of itself. */
  readonly colors: number;
  write(data: string | Uint8Array): Promise<void>;
}

/** The program of a report's page, and its style. */
export interface PageProgram {
  readonly script: string;
  readonly style: string;
}

/** All that commands know of the world around them: the only file that imports Node. Tests give another one. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly stdinIsTerminal: boolean;
  /** The bytes of a file from `start` on, or of standard input for `-`, piece by piece. Rejects as Node does, with a `code`. */
  open(path: string, start?: number): AsyncIterable<Uint8Array>;
  /** What is compressed in these pieces, as far as it can be read; rejects where it can't. */
  gunzip(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Compressed as small as gzip can. */
  gzip(data: Uint8Array): Promise<Uint8Array>;
  /** What a report's page runs. */
  pageProgram(): Promise<PageProgram>;
  exists(path: string): boolean;
  /** Bytes of a file, 0 where that is not known. */
  size(path: string): number;
  /** Writes a file whole or not at all: beside it first, then renamed. */
  write(path: string, data: string | Uint8Array): Promise<void>;
  /** How many threads can run at once. */
  readonly cores: number;
  /** Starts so many threads; undefined where there are none. */
  readonly threads?: (count: number) => Promise<Threads>;
}

const firstPieceBytes = 1 << 16;
const pieceBytes = 1 << 18;

export function processIo(): Io {
  return {
    env: process.env,
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    get stdinIsTerminal() {
      return process.stdin.isTTY === true;
    },
    open: (path, start = 0) => (path === '-' ? process.stdin : readFile(path, start)),
    gunzip,
    gzip: (data) => promisify(gzip)(data, { level: 9 }),
    pageProgram,
    exists: existsSync,
    size,
    write: writeWhole,
    get cores() {
      return availableParallelism();
    },
    threads: async (count) => {
      const { isTerminal, columns, colors } = sinkOf(process.stdout);
      return (await import('./crew.ts')).startCrew(count, { isTerminal, columns, colors });
    },
  };
}

function sinkOf(stream: WriteStream): Sink {
  return {
    isTerminal: stream.isTTY === true,
    columns: stream.isTTY ? stream.columns : undefined,
    colors: stream.isTTY ? [1, 4, 8, 24].indexOf(stream.getColorDepth()) : 0,
    write: async (data) => {
      if (!stream.write(data)) await once(stream, 'drain');
    },
  };
}

function size(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    // That it can't be read is told when it is to be.
    return 0;
  }
}

async function* readFile(path: string, start: number): AsyncIterable<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    for (let at = start, first = true; ; first = false) {
      // A pipe has no positions. The first piece is small: most inputs are.
      const piece = new Uint8Array(first ? firstPieceBytes : pieceBytes);
      const read = readSync(file, piece, 0, piece.length, start > 0 ? at : null);
      if (read === 0) return;
      at += read;
      yield read < piece.length ? piece.subarray(0, read) : piece;
    }
  } finally {
    closeSync(file);
  }
}

export async function* gunzip(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const source = Readable.from(pieces, { objectMode: false });
  const unzip = createGunzip();
  source.on('error', (error) => unzip.destroy(error));
  try {
    yield* source.pipe(unzip);
  } catch (error) {
    // What came before the damage still waits.
    const left = unzip.read();
    if (left) yield left;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR') throw new Error('the gzip data ends early');
    throw code?.startsWith('Z_') ? new Error(`the gzip data is damaged: ${(error as Error).message}`) : error;
  } finally {
    unzip.destroy();
    source.destroy();
  }
}

/** Built beside the commands. */
async function pageProgram(): Promise<PageProgram> {
  const { readFile } = await import('node:fs/promises');
  const part = (name: string) => readFile(join(__dirname, '../page', name), 'utf8');
  const [script, style] = await Promise.all([part('page.js'), part('page.css')]);
  return { script, style };
}

async function writeWhole(path: string, data: string | Uint8Array): Promise<void> {
  // Loaded only here: start-up counts.
  const { access, rename, rm, stat, writeFile } = await import('node:fs/promises');
  const { randomBytes } = await import('node:crypto');
  const there = await stat(path).catch(() => undefined);
  if (there && !there.isFile()) {
    // A pipe or a device is no file to be replaced.
    if (there.isDirectory()) throw Object.assign(new Error('is a directory'), { code: 'EISDIR' });
    return writeFile(path, data);
  }
  if (there) await access(path, constants.W_OK);
  const beside = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(beside, data, { flag: 'wx', ...(there ? { mode: there.mode } : {}) });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
