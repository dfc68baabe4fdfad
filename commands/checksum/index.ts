import { type HealthFacts, healthState, joinFacts, unreadableState } from '../../src/recording/health.ts';
import { type FileCheck, maxFindings } from '../../src/view/ci/reports.ts';
import { renderChecksumRow } from '../../src/view/table/capture-checksum.ts';
import { escapeText, jsonText, unescapeText } from '../../src/view/text/escape.ts';
import { widthOf } from '../../src/view/text/layout.ts';
import { CommandError, exit, inputError, usageError, withoutName } from '../lib/errors.ts';
import { withClient } from '../lib/input/client.ts';
import { filesOf } from '../lib/input/folders.ts';
import { openAt, openInput, readText, requireOneFile, splitPosition } from '../lib/input/open.ts';
import type { Io } from '../lib/io.ts';
import { reportChecks } from '../lib/output/checks.ts';
import { OutputWriter } from '../lib/output/writer.ts';
import { type FileResult, filesCommand, jsonOf, type Run } from '../lib/run/files.ts';
import { isComparedInParts } from '../lib/run/recording.ts';
import {
  type Checksum,
  type ChecksumFile,
  type ChecksumOptions,
  checksumFile,
  checksumRecording,
  checksumSnapshot,
  checksumsOfRecording,
  concluded,
  isObject,
  nameOf,
  note,
  type Outcome,
  openFile,
  type SnapshotCounts,
} from './file.ts';

export { definition } from './file.ts';

interface CheckedPart {
  readonly status: number;
  readonly counts: SnapshotCounts;
  readonly health: HealthFacts;
  readonly findings: readonly string[];
}

const files = filesCommand<ChecksumOptions, Run<ChecksumOptions>, FileResult, CheckedPart>({
  name: 'checksum',
  prepare: (run) => run,
  async read(file, run, writer) {
    const one = openFile(run, writer);
    const { options } = run;
    try {
      return resultOf(file, await checksumFile(file, one), one.findings, run);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      const status = await note(error.status, error.message, one);
      const check = checkOf(file, { status, result: '' }, one.findings);
      if (status === exit.usage) return { status, check };
      const json = { file, health: unreadableState, error: withoutName(file, error.message) };
      return { status, check, ...(isObject(options) && { text: jsonOf(json, run) }) };
    }
  },
  parts: {
    // Checksums that a demo announces are compared with the snapshots before them. Options that a recording refuses, and ticks that it
    // does not have, are found when it is read as one.
    division({ messages, base, ticks }) {
      if ((base ?? ticks) !== undefined) return undefined;
      return { minBytes: 64 << 20, skipsMessages: messages !== true, accepts: isComparedInParts };
    },
    async read(opened, run, writer) {
      const one = openFile(run, writer);
      const { status, counts, health } = await checksumRecording(opened, one);
      return { status, counts: counts as SnapshotCounts, health: health!, findings: one.findings };
    },
    join(file, parts, run) {
      const status = Math.max(...parts.map((part) => part.status));
      const counts = parts.map((part) => part.counts).reduce(sumOf);
      const findings = parts.flatMap((part) => part.findings).slice(0, maxFindings);
      const health = parts.map((part) => part.health).reduce(joinFacts);
      return resultOf(file, { status, ...concluded(file, counts, run.options), health }, findings, run);
    },
  },
});

export const { makeJob } = files;

const sumOf = (one: SnapshotCounts, next: SnapshotCounts): SnapshotCounts => ({
  snapshots: one.snapshots + next.snapshots,
  full: one.full + next.full,
  deltas: one.deltas + next.deltas,
  messages: one.messages === null ? null : one.messages! + next.messages!,
});

function resultOf(file: string, outcome: Outcome, findings: readonly string[], run: Run<ChecksumOptions>): FileResult {
  const { status, name, counts, health, result, failures } = outcome;
  const own = { status, check: checkOf(file, outcome, findings) };
  const state = health && healthState(health);
  if (isObject(run.options))
    return { ...own, text: jsonOf({ file: name, ...(state && { health: state }), ...counts }, run) };
  if (run.options.to !== 'text') return own;
  const row = () =>
    renderChecksumRow({ name, state, text: result, failures }, { ...run.printing, fileWidth: run.options.fileWidth! });
  return { ...own, text: outcome.text ?? run.printing.fit(row()) };
}

function checkOf(file: string, { status, result }: Pick<Outcome, 'status' | 'result'>, findings: readonly string[]) {
  return { file, status, summary: result, findings: findings.map((one) => withoutName(escapeText(file), one)) };
}

export async function run(args: readonly string[], options: ChecksumOptions, io: Io): Promise<number> {
  const named = await filesOf(args, options, io);
  requireOneFile(options, named.files);
  if (options.check) {
    const writer = new OutputWriter(options, io);
    const checks: FileCheck[] = [];
    const run = await files.prepare(options, named.multipleFiles, io);
    const status = await checkLists(named.files, openFile(run, writer), checks);
    if (options.to === 'json') await writer.write(writer.isEmpty ? '[]\n' : ']\n');
    await reportChecks('checksum', checks, options, writer, io);
    await writer.end(status);
    return status;
  }
  const fileWidth = Math.max(...named.files.map((file) => widthOf(escapeText(file))));
  return files.run(named, { ...options, fileWidth }, io);
}

/** A file with the expected checksums by name: the file's own or `FILE@TICK`. */
interface ListedFile {
  readonly path: string;
  readonly entries: ReadonlyMap<string, number>;
}

const maxListBytes = 64 << 20;

/** Compares files with lists of `CRC  FILE` or `CRC  FILE@TICK`; each recording is read once. Returns the exit status. */
async function checkLists(lists: readonly string[], one: ChecksumFile, checks: FileCheck[]): Promise<number> {
  let status: number = exit.fine;
  for (const list of lists) {
    for (const file of await readList(list, one)) status = Math.max(status, await checkFile(file, one, checks));
  }
  return status;
}

async function checkFile({ path, entries }: ListedFile, one: ChecksumFile, checks: FileCheck[]): Promise<number> {
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
  if (opened.format && !opened.position)
    return checksumsOfRecording(await withClient(opened, one.input), one, onChecksum);
  const { sum, status } = await checksumSnapshot(name, opened, one);
  await onChecksum(sum);
  return status;
}

async function printVerdict(
  name: string,
  expected: number,
  found: Checksum | undefined,
  { options, writer }: ChecksumFile,
  checks: FileCheck[],
): Promise<number> {
  const ok = found && found.crc === expected;
  const verdict = found ? (ok ? 'ok' : `FAILED: the checksum is ${found.crc}, not ${expected}`) : 'not found';
  const json = { file: name, kind: found?.kind, items: found?.items, crc: found?.crc, expected, ok: ok ?? null };
  const status = ok ? exit.fine : found ? exit.finding : exit.unreadable;
  if (options.to === 'text') await writer.write(`${escapeText(name)}: ${verdict}\n`);
  if (options.to === 'ndjson') await writer.write(`${jsonText({ record: 'check', ...json })}\n`);
  if (options.to === 'json') await writer.write(`${checks.length === 0 ? '[' : ',\n '}${jsonText(json)}`);
  checks.push({ file: name, status, summary: verdict, findings: [] });
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
      throw usageError(`${name}: line ${i + 1} is not a checksum and the name of a file, as --list prints them`);
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
