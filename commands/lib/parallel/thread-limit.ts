import { readFileSync } from 'node:fs';
import process from 'node:process';

/** What the system leaves to this process; Infinity where there is no limit. */
export interface SystemLimits {
  readonly openFiles: number;
  /** Bytes. */
  readonly addressSpace: number;
  /** Bytes. */
  readonly memory: number;
}

/**
 * What a thread takes: Node's own descriptors (5) and those of its files; the address space that V8 reserves for each thread
 * (up to 0.85 GB, measured with Node 20 to 26); memory as it reads a long recording.
 */
const perThread: SystemLimits = { openFiles: 8, addressSpace: 1 << 30, memory: 128 << 20 };

/** What the main thread takes. Its memory is in use already. */
const mainThread: SystemLimits = { openFiles: 32, addressSpace: 2 * 2 ** 30, memory: 0 };

/**
 * How many worker threads these limits have room for.
 *
 * Too many threads are not a matter of speed: V8 ends the whole process where it can't reserve address space for another one,
 * and where descriptors run out, the threads that are there can't open their files.
 */
export function threadsWithin(limits: SystemLimits): number {
  const room = (['openFiles', 'addressSpace', 'memory'] as const).map(
    (what) => (limits[what] - mainThread[what]) / perThread[what],
  );
  return Math.max(0, Math.floor(Math.min(...room)));
}

/** The limits of this process. Where the system does not list them, a thread that can't be started is reported by Node. */
export function systemLimits(): SystemLimits {
  let list = '';
  try {
    list = readFileSync('/proc/self/limits', 'utf8');
  } catch {}
  // The first number is the limit that applies; `unlimited` is no number.
  const limit = (name: string) => Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(list)?.[1] ?? Infinity);
  return {
    openFiles: limit('Max open files'),
    addressSpace: limit('Max address space'),
    // The first versions of Node 20 don't have it.
    memory: process.availableMemory?.() ?? Infinity,
  };
}
