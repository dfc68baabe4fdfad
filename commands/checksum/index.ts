import { isPlayerDemo } from '../../src/recording/demo-content.ts';
import { maxFindings } from '../../src/view/ci/reports.ts';
import { columns } from '../../src/view/text/columns.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { count } from '../../src/view/text/number.ts';
import { CommandError, usageError } from '../lib/errors.ts';
import { filesOf } from '../lib/input/folders.ts';
import { openAt, refuseMeaningless, requireOneFile } from '../lib/input/open.ts';
import type { Io } from '../lib/io.ts';
import { printNote } from '../lib/note.ts';
import { Checks, withoutName } from '../lib/output/checks.ts';
import { OutputWriter } from '../lib/output/writer.ts';
import { type FileResult, type FilesCommand, jobOf, jsonOf, type Run, runFiles, runOf } from '../lib/run/files.ts';
import { checkLists } from './list.ts';
import { checksumRecording } from './recording.ts';
import {
  type ChecksumFile,
  type ChecksumOptions,
  checkExpected,
  checksumLine,
  checksumSnapshot,
  countsOf,
  countsOfDemo,
  type DemoCounts,
  note,
  type Outcome,
  openFile,
  type Summary,
} from './snapshot.ts';

export { definition } from './snapshot.ts';

interface Result extends FileResult {
  readonly summary?: Summary;
}

/** The checksums of a part of a demo, as plain data. */
interface CheckedPart {
  readonly status: number;
  readonly counts: DemoCounts;
  readonly findings: readonly string[];
}

const command: FilesCommand<ChecksumOptions, Run<ChecksumOptions>, Result, CheckedPart> = {
  name: 'checksum',
  prepare: (run) => run,
  async read(file, run, writer) {
    const one = openFile(run, writer);
    try {
      return resultOf(file, await checksum(file, one), one.findings, run);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      const status = await note(error.status, error.message, one);
      return { status, check: checkOf(file, { status, resultText: '' }, one.findings) };
    }
  },
  parts: {
    // Checksums that a demo announces are compared with the snapshots before them. Options that a recording refuses, and ticks that it
    // does not have, are found when it is read as one.
    division({ messages, base, ticks }) {
      if ((base ?? ticks) !== undefined) return undefined;
      return { minBytes: 64 << 20, skipsMessages: messages !== true, accepts: (header) => !isPlayerDemo(header) };
    },
    async read(opened, run, writer) {
      const one = openFile(run, writer);
      const { status, counts } = await checksumRecording(opened, one);
      return { status, counts: counts!, findings: one.findings };
    },
    join(file, parts, run) {
      const counts = parts.map((part) => part.counts).reduce(sumOf);
      const summary = countsOfDemo(file, counts);
      const status = Math.max(...parts.map((part) => part.status));
      const findings = parts.flatMap((part) => part.findings).slice(0, maxFindings);
      return resultOf(file, { status, resultText: summary.text, summary }, findings, run);
    },
  },
};

export const makeJob = jobOf(command);

const sumOf = (one: DemoCounts, next: DemoCounts): DemoCounts => ({
  full: one.full + next.full,
  deltas: one.deltas + next.deltas,
  messages: one.messages === undefined ? undefined : one.messages + (next.messages ?? 0),
});

function resultOf(file: string, outcome: Outcome, findings: readonly string[], run: Run<ChecksumOptions>): Result {
  const { status, text, summary } = outcome;
  const { options } = run;
  const own = { status, check: checkOf(file, outcome, findings) };
  if (!options.summary) return { ...own, ...(text !== undefined && { text }) };
  if (options.to === 'junit') return own;
  return options.to === 'text'
    ? { ...own, summary }
    : { ...own, text: jsonOf({ file: summary.file, ...summary.counts }, run) };
}

function checkOf(
  file: string,
  { status, resultText }: Pick<Outcome, 'status' | 'resultText'>,
  findings: readonly string[],
) {
  const own = findings.map((one) => withoutName(escapeText(file), one));
  return { file, status, summary: resultText, findings: own };
}

/** `tw-snap checksum FILE...` */
export async function run(args: readonly string[], options: ChecksumOptions, io: Io): Promise<number> {
  if (options.to === 'json' && !options.summary) {
    throw usageError('-t json requires --summary; -t ndjson prints a line for each snapshot');
  }
  const named = await filesOf(args, options, io);
  requireOneFile(options, named.files);
  if (options.check) {
    const writer = new OutputWriter(options, io);
    const checks = new Checks('checksum', options, io);
    const run = await runOf(command, options, named.multipleFiles, io);
    const status = await checkLists(named.files, openFile(run, writer), checks);
    await checks.finish(writer);
    await writer.end(status);
    return status;
  }
  const rows: string[][] = [];
  return runFiles(command, named, options, io, {
    isSpaced: options.to === 'text',
    add({ summary }) {
      if (summary) rows.push([escapeText(summary.file), summary.text]);
    },
    async end(writer) {
      for (const line of columns(rows, ['left', 'left'], { indent: '' })) await writer.write(`${line}\n`);
    },
  });
}

async function checksum(file: string, one: ChecksumFile): Promise<Outcome> {
  const { options, input, writer, io } = one;
  const opened = await openAt(file, input);
  refuseMeaningless([opened], input);
  if (options.messages && !opened.format?.hasTicks && !one.multipleFiles) {
    if (!opened.format) throw usageError(`${opened.name}: --messages is for demos; this is a single payload`);
    // Scripts state the option for whatever they are run.
    await printNote(`${escapeText(opened.name)}: --messages changes nothing: those of captures are always read`, io);
  }
  if (opened.format && options.base !== undefined) {
    throw usageError(`${opened.name}: --base is for single deltas; a recording has its own`);
  }
  if (opened.format && !opened.position) return checksumRecording(opened, one);
  const { sum, status } = await checksumSnapshot(file, opened, one);
  const resultText = `checksum ${sum.crc}, ${count(sum.items, 'item')}`;
  const isDelta = sum.kind === 'delta';
  const summary = countsOf(file, { full: isDelta ? 0 : 1, deltas: isDelta ? 1 : 0 });
  if (options.summary) return { status, resultText, summary };
  if (options.to !== 'junit') await writer.write(checksumLine(sum, one));
  return { status: Math.max(status, await checkExpected(sum, one)), resultText, summary };
}
