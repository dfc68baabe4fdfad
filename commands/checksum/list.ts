import { escapeText, jsonText } from '../../src/view/text/escape.ts';
import { exit, usageError } from '../lib/errors.ts';
import { splitTick } from '../lib/input/at-tick.ts';
import { openInput, readText } from '../lib/input/open.ts';
import { type Checksum, checksumsOf, inputOf } from './checksums.ts';
import type { ChecksumOutput } from './result.ts';

/** A file and what is expected of it: the checksum of each name, the file's own or `FILE@TICK`. */
interface Listed {
  readonly path: string;
  readonly entries: ReadonlyMap<string, number>;
}

const maxListBytes = 64 << 20;

/** Holds files against lists of `CRC  FILE` or `CRC  FILE@TICK`; each recording is read once. */
export async function checkLists(lists: readonly string[], report: ChecksumOutput): Promise<void> {
  for (const list of lists) {
    for (const { path, entries } of await readList(list, report)) {
      const left = new Map(entries);
      await report.unlessUnreadable(async () => {
        for await (const sums of checksumsOf(await inputOf(path, report), report)) {
          for (const sum of sums) {
            const expected = left.get(sum.name);
            if (expected === undefined) continue;
            left.delete(sum.name);
            await tell(sum.name, expected, sum, report);
          }
        }
      });
      for (const [name, expected] of left) await tell(name, expected, undefined, report);
    }
  }
}

async function tell(
  name: string,
  expected: number,
  found: Checksum | undefined,
  report: ChecksumOutput,
): Promise<void> {
  const ok = found && found.crc === expected;
  if (!ok) report.worsen(found ? exit.finding : exit.unreadable);
  const verdict = found ? (ok ? 'ok' : `FAILED: the checksum is ${found.crc}, not ${expected}`) : 'not found';
  const json = { file: name, kind: found?.kind, items: found?.items, crc: found?.crc, expected, ok: ok ?? null };
  await report.line(report.options.to === 'ndjson' ? jsonText(json) : `${escapeText(name)}: ${verdict}`);
}

/** Reads lines of `CRC  NAME`; the entries of one recording are gathered, so that it need be read only once. */
async function readList(path: string, { options, io }: ChecksumOutput): Promise<Listed[]> {
  const opened = await openInput(path, { ...options, from: 'auto' }, io);
  const { name } = opened;
  const lines = (await readText(opened, maxListBytes)).split('\n');
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
