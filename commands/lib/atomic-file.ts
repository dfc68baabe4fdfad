import { randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { systemPath, textOfBytes } from './system-path.ts';
import type { FromWorker } from './threads/protocol.ts';

/**
 * A file that becomes visible only when it is complete. If it is never finished, it is deleted at the end of the
 * program.
 */
export interface AtomicFile {
  write(data: string | Uint8Array): Promise<void>;
  /** Overwrites bytes that were written earlier; returns false if that is not possible, as in a pipe or a device. */
  overwrite(data: Uint8Array, at: number): Promise<boolean>;
  finish(): Promise<void>;
}

/** Temporary files that are not yet renamed; those left at the end are deleted. */
const unfinished = new Set<string>();

process.on('exit', removeUnfinished);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  const end = () => {
    // With --follow, another listener ends the input and the file is then finished.
    if (process.listenerCount(signal) > 1) return;
    removeUnfinished();
    // Without the listener the signal has its default effect.
    process.off(signal, end);
    process.kill(process.pid, signal);
  };
  process.on(signal, end);
}

/** Has a temporary file deleted when the program ends, unless it is renamed before. */
export function removeAtEnd(path: string): void {
  unfinished.add(path);
}

function removeUnfinished(): void {
  for (const path of unfinished) rmSync(systemPath(path), { force: true });
  unfinished.clear();
}

/**
 * Creates a file: data is written to a temporary file, which is renamed when it is complete.
 * @param refuse throws if the file must not be overwritten
 */
export function createAtomicFile(path: string, refuse: (path: string) => void): AtomicFile {
  const there = statSync(systemPath(path), { throwIfNoEntry: false });
  // A pipe or a device cannot be replaced.
  if (there && !there.isFile()) return new UnfinishedFile(openSync(systemPath(path), 'w'));
  if (!there && lstatSync(systemPath(path), { throwIfNoEntry: false })) throw new Error('it is a link to nothing');
  // The target of a link is replaced, not the link.
  const target = there ? textOfBytes(realpathSync.native(systemPath(path), 'buffer')) : path;
  refuse(target);
  if (there) accessSync(systemPath(target), constants.W_OK);
  const beside = join(dirname(target), `.tw-snap.${randomBytes(6).toString('hex')}.${basename(target).slice(-100)}`);
  // The files of a worker thread are deleted by the main thread: a thread can be ended at any time.
  parentPort?.postMessage({ unfinished: beside } satisfies FromWorker);
  const file = openSync(systemPath(beside), 'wx');
  removeAtEnd(beside);
  if (there) keepOwnerAndMode(file, there);
  return new UnfinishedFile(file, () => {
    refuse(target);
    renameSync(systemPath(beside), systemPath(target));
    unfinished.delete(beside);
  });
}

/** Gives a replacing file the mode and, if the system permits it, the owner of the old file. */
function keepOwnerAndMode(file: number, { uid, gid, mode }: Stats): void {
  try {
    fchownSync(file, uid, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    keepGroup(file, gid);
  }
  fchmodSync(file, mode & 0o777);
}

/** Members of a group may give files to it. */
function keepGroup(file: number, gid: number): void {
  try {
    fchownSync(file, -1, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

class UnfinishedFile implements AtomicFile {
  readonly #file: number;
  readonly #putInPlace: (() => void) | undefined;

  constructor(file: number, putInPlace?: () => void) {
    this.#file = file;
    this.#putInPlace = putInPlace;
  }

  async write(data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    // Signals are delivered only between turns of the event loop.
    await turn();
  }

  async overwrite(data: Uint8Array, at: number): Promise<boolean> {
    if (!this.#putInPlace) return false;
    for (let done = 0; done < data.length; ) {
      done += writeSync(this.#file, data, done, data.length - done, at + done);
    }
    return true;
  }

  async finish(): Promise<void> {
    if (this.#putInPlace) fsyncSync(this.#file);
    closeSync(this.#file);
    this.#putInPlace?.();
  }
}
