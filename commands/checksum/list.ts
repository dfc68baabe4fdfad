import { escapeText, jsonText, unescapeText } from '../../src/view/text/escape.ts';
import { CommandError, exit, inputError, usageError } from '../lib/errors.ts';
import { openAt, openInput, readText, splitPosition } from '../lib/input/open.ts';
import type { Io } from '../lib/io.ts';
import type { Checks } from '../lib/output/checks.ts';
import { checksumsOfRecording } from './recording.ts';
import { type Checksum, type ChecksumFile, checksumSnapshot, nameOf, note } from './snapshot.ts';

/** A file with the expected checksums by name: the file's own or `FILE@TICK`. */
interface ListedFile {
  readonly path: string;
  readonly entries: ReadonlyMap<string, number>;
}

const maxListBytes = 64 << 20;

/** Compares files with lists of `CRC  FILE` or `CRC  FILE@TICK`; each recording is read once. Returns the exit status. */
export async function checkLists(lists: readonly string[], one: ChecksumFile, checks: Checks): Promise<number> {
  let status: number = exit.fine;
  for (const list of lists) {
    for (const file of await readList(list, one)) status = Math.max(status, await checkFile(file, one, checks));
  }
  return status;
}

async function checkFile({ path, entries }: ListedFile, one: ChecksumFile, checks: Checks): Promise<number> {
  const left = new Map(entries);
  let status: number = exit.fine;
  const check = async (sum: Checksum) => {
    const name = nameOf(sum);
    const expected = left.get(name);
    if (expected === undefined) return;
    left.delete(name);
    status = Math.max(status, await printVerdict(name, expected, sum, one, checks));
  };
  try {
    const read = await checksumsOf(path, one, check);
    status = Math.max(status, read);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    status = Math.max(status, await note(error.status, error.message, one));
  }
  for (const [name, expected] of left) {
    status = Math.max(status, await printVerdict(name, expected, undefined, one, checks));
  }
  return status;
}

async function checksumsOf(
  name: string,
  one: ChecksumFile,
  onChecksum: (sum: Checksum) => Promise<void>,
): Promise<number> {
  const opened = await openAt(name, one.input);
  if (opened.format && !opened.position) return checksumsOfRecording(opened, one, onChecksum);
  const { sum, status } = await checksumSnapshot(name, opened, one);
  await onChecksum(sum);
  return status;
}

async function printVerdict(
  name: string,
  expected: number,
  found: Checksum | undefined,
  { options, writer }: ChecksumFile,
  checks: Checks,
): Promise<number> {
  const ok = found && found.crc === expected;
  const verdict = found ? (ok ? 'ok' : `FAILED: the checksum is ${found.crc}, not ${expected}`) : 'not found';
  const json = { file: name, kind: found?.kind, items: found?.items, crc: found?.crc, expected, ok: ok ?? null };
  const status = ok ? exit.fine : found ? exit.finding : exit.unreadable;
  if (options.to !== 'junit') {
    await writer.write(options.to === 'ndjson' ? `${jsonText(json)}\n` : `${escapeText(name)}: ${verdict}\n`);
  }
  checks.add({ file: name, status, summary: verdict, findings: [] });
  return status;
}

/** The name that a list contains. In a list that `checksum` did not write, a backslash may be a backslash. */
function nameIn(written: string, io: Io): string {
  const name = unescapeText(written);
  const isThere = (one: string) => io.exists(one) || io.exists(splitPosition(one, io).path ?? one);
  return name === written || isThere(name) || !isThere(written) ? name : written;
}

/** Reads lines of `CRC  NAME`; the entries of each recording are grouped, so that it is read only once. */
async function readList(path: string, { io }: ChecksumFile): Promise<ListedFile[]> {
  const opened = await openInput(path, { io });
  const { name } = opened;
  const lines = (await readText(opened, maxListBytes)).split('\n');
  const files = new Map<string, Map<string, number>>();
  for (const [i, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const [, sum, written] = /^\s*(-?\d+)\s+(\S.*?)\r?$/.exec(line) ?? [];
    if (sum === undefined || written === undefined) {
      throw usageError(`${name}: line ${i + 1} is not a checksum: expected a number and the name of a file`);
    }
    const file = nameIn(written, io);
    const holder = splitPosition(file, io).path ?? file;
    const entries = files.get(holder) ?? new Map<string, number>();
    files.set(holder, entries.set(file, Number(sum) | 0));
  }
  // A check that compares nothing must not look like a successful one.
  if (files.size === 0) throw inputError(`${name}: the list is empty: expected lines of a checksum and a file`);
  return [...files].map(([holder, entries]) => ({ path: holder, entries }));
}
