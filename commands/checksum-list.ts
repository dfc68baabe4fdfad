import { splitTick } from './at-tick.ts';
import { usageError } from './errors.ts';
import type { Io } from './io.ts';
import { openInput, readAll } from './open.ts';

/** A file and what is expected of it: the checksum of each name, the file's own or `FILE@TICK`. */
export interface Listed {
  readonly path: string;
  readonly entries: ReadonlyMap<string, number>;
}

const maxListBytes = 64 << 20;

/** Reads lines of `CRC  NAME`; the entries of one demo are gathered, so that it need be read only once. */
export async function readList(path: string, options: { from: string }, io: Io): Promise<Listed[]> {
  const { name, pieces } = await openInput(path, { ...options, from: 'auto' }, io);
  const lines = new TextDecoder().decode(await readAll(pieces, maxListBytes)).split('\n');
  const files = new Map<string, Map<string, number>>();
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const [, sum, file] = /^\s*(-?\d+)\s+(\S.*?)\r?$/.exec(line) ?? [];
    if (sum === undefined || file === undefined) {
      throw usageError(`${name}: line ${i + 1} is no checksum: expected a number and the name of a file`);
    }
    const holder = splitTick(file, io).path ?? file;
    const entries = files.get(holder) ?? new Map<string, number>();
    files.set(holder, entries.set(file, Number(sum) | 0));
  }
  return [...files].map(([holder, entries]) => ({ path: holder, entries }));
}
