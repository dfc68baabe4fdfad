import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import type { WriteStream } from 'node:tty';

/** Where a command writes. */
export interface Sink {
  readonly isTerminal: boolean;
  /** Columns of the terminal, undefined where there is none. */
  readonly columns: number | undefined;
  /** 0 none, 1 sixteen colours, 2 of 256, 3 all; by what the terminal says of itself. */
  readonly colors: number;
  write(data: string | Uint8Array): Promise<void>;
}

/** All that commands know of the world around them: the only file that imports Node. Tests give another one. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly stdinIsTerminal: boolean;
  /** At most `limit` bytes of a file, or of standard input for `-`. */
  read(path: string, limit: number): Promise<Uint8Array>;
  /** Writes a file whole or not at all: beside it first, then renamed. */
  write(path: string, data: string | Uint8Array): Promise<void>;
}

export function processIo(): Io {
  return {
    env: process.env,
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    stdinIsTerminal: process.stdin.isTTY === true,
    read: (path, limit) => (path === '-' ? readStream(process.stdin, limit) : readFile(path, limit)),
    write: writeWhole,
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

async function readFile(path: string, limit: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    return await readStream(file.createReadStream({ end: limit - 1, highWaterMark: 1 << 20 }), limit);
  } finally {
    await file.close();
  }
}

async function readStream(stream: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= limit) break;
  }
  return new Uint8Array(Buffer.concat(chunks, Math.min(length, limit)));
}

async function writeWhole(path: string, data: string | Uint8Array): Promise<void> {
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
