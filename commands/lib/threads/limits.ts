import { readFileSync } from 'node:fs';
import process from 'node:process';

/** The resources that the system allows this process; Infinity if there is no limit. */
interface SystemLimits {
  readonly openFiles: number;
  /** In bytes. */
  readonly addressSpace: number;
  /** In bytes. */
  readonly memory: number;
}

/**
 * The resources of a thread: Node's own descriptors (5) and those of its files; the address space that V8 reserves per
 * thread (up to 0.85 GB, measured with Node 20 to 26); the memory for reading a long recording.
 */
const perThread: SystemLimits = { openFiles: 8, addressSpace: 1 << 30, memory: 128 << 20 };

/** With less, V8 ends the process in the middle of the work (measured with Node 20). In bytes. */
export const leastAddressSpace = 1 << 30;

/** The resources of the main thread. Its memory is already in use. */
const mainThread: SystemLimits = { openFiles: 32, addressSpace: 2 * 2 ** 30, memory: 0 };

/**
 * The number of worker threads that these limits allow.
 *
 * Too many threads are not only slow: V8 ends the whole process if it cannot reserve address space for another one, and
 * without free descriptors the threads cannot open their files.
 */
export function threadsWithin(limits: SystemLimits): number {
  const room = (['openFiles', 'addressSpace', 'memory'] as const).map(
    (what) => (limits[what] - mainThread[what]) / perThread[what],
  );
  return Math.max(0, Math.floor(Math.min(...room)));
}

/** The limits of this process. On systems that do not list them, Node reports a thread that cannot be started. */
export function systemLimits(): SystemLimits {
  let list = '';
  try {
    list = readFileSync('/proc/self/limits', 'utf8');
  } catch {}
  // The first number is the effective limit; `unlimited` is not a number.
  const limit = (name: string) => Number(new RegExp(`^${name} +(\\d+)`, 'm').exec(list)?.[1] ?? Infinity);
  return {
    openFiles: limit('Max open files'),
    addressSpace: limit('Max address space'),
    // The first versions of Node 20 lack this function.
    memory: process.availableMemory?.() ?? Infinity,
  };
}
