import { expect } from 'vitest';
import { main } from '../../commands/index.ts';
import { fakeIo } from './fake-io.ts';
import { fakeThreads } from './fake-threads.ts';

/** The output of an export of one recording, with the rows of each table over its parts in the order of their names. */
async function exported(bytes: Uint8Array, name: string, jobs: number, options: readonly string[]) {
  const io = fakeIo({ files: { [name]: bytes } });
  const argv = ['export', name, '-t', 'ndjson', '-o', 'out', '--summary', 'json', '--jobs', String(jobs), ...options];
  const status = await main(argv, { ...io, threads: async () => fakeThreads(io) });
  const texts: Record<string, string> = {};
  const tasks = new Set<string>();
  for (const [path, data] of [...io.files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [folder, table, task] = /^(out)\/(\w+)\/part-\w+-\w+-(\d+)\.\d+\.ndjson$/.exec(path)?.slice(1) ?? [];
    if (!folder) continue;
    texts[table!] = (texts[table!] ?? '') + Buffer.from(data).toString('latin1');
    tasks.add(task!);
  }
  // The number of parts depends on the number of threads.
  const { parts: _, ...line } = io.stdout.text === '' ? {} : JSON.parse(io.stdout.text);
  return { status, line, stderr: io.stderr.text, texts, tasks: tasks.size };
}

/**
 * Expects that several threads export the same rows in the same order as one.
 * @returns the export of one thread, and the number of threads that wrote parts for each of `counts`
 */
export async function expectSameRows(
  bytes: Uint8Array,
  name: string,
  counts: readonly number[],
  options: readonly string[] = [],
) {
  const { tasks: _, ...entry } = await exported(bytes, name, 1, options);
  const writers: number[] = [];
  for (const jobs of counts) {
    const { tasks, ...divided } = await exported(bytes, name, jobs, options);
    expect(Object.keys(divided.texts)).toEqual(Object.keys(entry.texts));
    // A difference of long texts takes minutes to print.
    for (const [table, text] of Object.entries(divided.texts)) expect(text === entry.texts[table], table).toBe(true);
    expect({ ...divided, texts: {} }).toEqual({ ...entry, texts: {} });
    writers.push(tasks);
  }
  return { ...entry, writers };
}
