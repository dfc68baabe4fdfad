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
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';

/** A file that is being written: nobody sees it before it is whole. One that is never finished goes when the program ends. */
export interface AtomicFile {
  write(data: string | Uint8Array): Promise<void>;
  /** Writes over bytes that were written before; false where that is not possible: in a pipe or a device. */
  overwrite(data: Uint8Array, at: number): Promise<boolean>;
  finish(): Promise<void>;
}

/** Files beside those that they are to become; what is left of them at the end goes. */
const unfinished = new Set<string>();

process.on('exit', removeUnfinished);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    removeUnfinished();
    // Nobody listens any more: the signal now does what it does to every program.
    process.kill(process.pid, signal);
  });
}

function removeUnfinished(): void {
  for (const path of unfinished) rmSync(path, { force: true });
  unfinished.clear();
}

/**
 * Begins a file: what is written goes beside it, and takes its place when it is whole.
 * @param refuse throws where a file is not to be overwritten
 */
export function createAtomicFile(path: string, refuse: (path: string) => void): AtomicFile {
  const there = statSync(path, { throwIfNoEntry: false });
  // A pipe or a device is no file to be replaced.
  if (there && !there.isFile()) return new DraftFile(openSync(path, 'w'));
  if (!there && lstatSync(path, { throwIfNoEntry: false })) throw new Error('it is a link to nothing');
  // Where a link leads a file is replaced, not the link.
  const target = there ? realpathSync(path) : path;
  refuse(target);
  if (there) accessSync(target, constants.W_OK);
  const beside = join(dirname(target), `.tw-snap.${randomBytes(6).toString('hex')}`);
  const file = openSync(beside, 'wx');
  unfinished.add(beside);
  if (there) keepOwnerAndMode(file, there);
  return new DraftFile(file, () => {
    refuse(target);
    renameSync(beside, target);
    unfinished.delete(beside);
  });
}

/** A file that is replaced keeps its owner, where the system allows it, and its mode. */
function keepOwnerAndMode(file: number, { uid, gid, mode }: Stats): void {
  try {
    fchownSync(file, uid, gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
  fchmodSync(file, mode & 0o777);
}

class DraftFile implements AtomicFile {
  readonly #file: number;
  readonly #putInPlace: (() => void) | undefined;

  constructor(file: number, putInPlace?: () => void) {
    this.#file = file;
    this.#putInPlace = putInPlace;
  }

  async write(data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    // Signals are heard between turns only.
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
