import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { missing } from '../options/errors.ts';
import { unfinishedName } from '../options/options.ts';
import type { FromWorker } from './protocol.ts';

/**
 * A file that becomes visible only when it is complete. If it is never finished, it is deleted at the end of the
 * program.
 */
export interface AtomicFile {
  /** Where the data is until the end, for those who write it by its name; undefined for a pipe or a device. */
  readonly path?: string | undefined;
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

export function deleteOnExit(path: string): void {
  unfinished.add(path);
}

function removeUnfinished(): void {
  for (const path of unfinished) rmSync(path, { force: true });
  unfinished.clear();
}

/**
 * Creates a file: data is written to a temporary file, which is renamed when it is complete.
 * @param refuse throws if the file must not be overwritten
 */
export function createAtomicFile(path: string, refuse: (path: string) => void): AtomicFile {
  const there = statSync(path, { throwIfNoEntry: false });
  // A pipe or a device cannot be replaced.
  if (there && !there.isFile()) return new UnfinishedFile(openSync(path, 'w'));
  if (!there && lstatSync(path, { throwIfNoEntry: false })) throw new Error('it is a link to nothing');
  // The target of a link is replaced, not the link.
  const target = there ? realpathSync.native(path) : path;
  refuse(target);
  if (there) accessSync(target, constants.W_OK);
  const folder = dirname(target);
  if (!existsSync(folder)) throw new Error(missing(path, existsSync));
  removeAbandoned(folder);
  const unique = `${process.pid}-${randomBytes(4).toString('hex')}${machine()}`;
  // A name has at most 255 bytes, of which a character takes up to three.
  const beside = join(folder, `${unfinishedName}${unique}.${basename(target).slice(-60)}`);
  // The files of a worker thread are deleted by the main thread: a thread can be ended at any time.
  parentPort?.postMessage({ unfinished: beside } satisfies FromWorker);
  const file = openSync(beside, 'wx');
  deleteOnExit(beside);
  if (there) fchmodSync(file, there.mode & 0o777);
  const putInPlace = () => {
    refuse(target);
    rename(beside, target);
    unfinished.delete(beside);
  };
  return new UnfinishedFile(file, putInPlace, beside);
}

/**
 * Renames a file. Under Windows a program that looks at new files, such as a virus scanner, may hold it for a moment.
 */
function rename(from: string, to: string): void {
  for (let wait = 10; ; wait *= 2) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      if (!/^(?:EPERM|EBUSY)$/.test((error as NodeJS.ErrnoException).code ?? '') || wait > 200) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait);
    }
  }
}

/** The folders that were searched for temporary files of ended processes. */
const searched = new Set<string>();

/**
 * Deletes the temporary files in a folder whose processes have ended: they were killed, and could not do it themselves.
 */
function removeAbandoned(folder: string): void {
  if (searched.has(folder)) return;
  searched.add(folder);
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (name.startsWith(unfinishedName) && isAbandoned(name, path)) rmSync(path, { force: true });
    }
  } catch {
    // Others may own the files, or the folder may not be readable: it can be written nevertheless.
  }
}

/** Whether the process that writes a temporary file has ended. */
function isAbandoned(name: string, path: string): boolean {
  const [, pid, unique = ''] = /^(\d+)-([0-9a-f]+)\./.exec(name.slice(unfinishedName.length)) ?? [];
  // The number of a process on another machine says nothing here. Before 2.0 names did not say which machine it is.
  if (pid === undefined || (unique.length === 16 && !unique.endsWith(machine()))) return false;
  // This process may have the number of one that was killed before it began. Its threads write files, too.
  if (Number(pid) === process.pid) return statSync(path).mtimeMs < Date.now() - 1000 * process.uptime();
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

let machineDigits: string | undefined;

/**
 * Eight digits for the machine or container, within which the numbers of processes are unique: several may write to one
 * folder.
 */
function machine(): string {
  machineDigits ??= createHash('sha256').update(`${hostname()} ${processNumbers()}`).digest('hex').slice(0, 8);
  return machineDigits;
}

function processNumbers(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

class UnfinishedFile implements AtomicFile {
  readonly path: string | undefined;
  readonly #file: number;
  readonly #putInPlace: (() => void) | undefined;

  constructor(file: number, putInPlace?: () => void, path?: string) {
    this.#file = file;
    this.#putInPlace = putInPlace;
    this.path = path;
  }

  async write(data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    // Signals are delivered only between turns of the event loop.
    await turn();
  }

  async overwrite(data: Uint8Array, at: number): Promise<boolean> {
    if (!this.#putInPlace) return false;
    for (let done = 0; done < data.length; ) done += writeSync(this.#file, data, done, data.length - done, at + done);
    return true;
  }

  async finish(): Promise<void> {
    if (this.#putInPlace) fsyncSync(this.#file);
    closeSync(this.#file);
    this.#putInPlace?.();
  }
}
