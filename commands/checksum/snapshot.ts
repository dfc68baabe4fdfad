import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { maxFindings } from '../../src/view/ci/reports.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { escaped, escapeText, jsonText, printable } from '../../src/view/text/escape.ts';
import { count, thousands } from '../../src/view/text/number.ts';
import { exit, inputError } from '../lib/errors.ts';
import { withUncertainty } from '../lib/input/describe-input.ts';
import { loadOpened, readBase } from '../lib/input/load.ts';
import type { Opened } from '../lib/input/open.ts';
import { printProblem } from '../lib/note.ts';
import {
  annotations,
  anyInput,
  base,
  common,
  expectedChecksum,
  flag,
  type Given,
  printing,
  ticks,
} from '../lib/options.ts';
import type { Writer } from '../lib/output/writer.ts';
import type { Run } from '../lib/run/files.ts';

export const definition = {
  arguments: {
    '[file...]': "captures, demos, folders, snapshots, or deltas with --base; '-' or nothing for standard input",
  },
  options: {
    summary: flag('--summary', 'print only the counts per file: as text, ndjson or json'),
    messages: flag('--messages', 'demos: also read the messages, as info does'),
    check: flag('-c, --check', 'read lists printed by this command and check the files in them'),
    expect: expectedChecksum('exit 1 if a checksum differs'),
    ...anyInput,
    base: base("the base of deltas, or 'empty'"),
    include: common.include,
    follow: common.follow,
    ticks: ticks('recordings: only these ticks, A..B'),
    ...printing(['text', 'ndjson', 'json', 'junit']),
    annotations,
    strict: common.strict,
    jobs: common.jobs,
  },
  help: `
In captures the checksum of each snapshot is compared with the announced one.
'snapshots' counts all snapshots with an announced checksum, rebuilt or not. A
mismatch exits 1. A snapshot whose base or part is missing from the capture does
not count as a mismatch unless --strict is given; damage exits 3.

The messages of a demo are not read, and damage inside them is not found, unless
--messages is given; then the exit status is that of info. The demo that a server
recorded for one player is always read with its messages, which announce
checksums.

Examples:
  tw-snap checksum server.pcap
  tw-snap checksum server.pcap --summary -t json
  tw-snap checksum match.demo -t ndjson
  tw-snap checksum *.snap > list && tw-snap checksum -c list`,
};

export type ChecksumOptions = Given<(typeof definition)['options']>;

/** One file, whose checksums are computed. */
export interface ChecksumFile extends Run<ChecksumOptions> {
  readonly writer: Writer;
  /** The problems of the file, collected while it is read. */
  readonly findings: string[];
}

export const openFile = (run: Run<ChecksumOptions>, writer: Writer): ChecksumFile => ({ ...run, writer, findings: [] });

/** Prints a note on standard error and returns its exit status. */
export async function note(status: number, message: string, one: ChecksumFile): Promise<number> {
  if (status > exit.fine) addFinding(message, one);
  await printProblem(printable(message), one.io);
  return status;
}

export function addFinding(message: string, { findings }: ChecksumFile): void {
  if (findings.length < maxFindings) findings.push(message);
}

/** The checksum of one snapshot. */
export interface Checksum {
  /** The name given on the command line. */
  readonly file: string;
  /** The tick, for a snapshot of a recording that was read as a whole. */
  readonly tick?: number;
  readonly kind: string;
  readonly items: number;
  readonly crc: number;
}

/** The checksum of a single snapshot, or of the result of a delta and its base. */
export async function checksumSnapshot(
  file: string,
  opened: Opened,
  one: ChecksumFile,
): Promise<{ readonly sum: Checksum; readonly status: number }> {
  const base = await readBase(one.options.base, one.input);
  const loaded = await loadOpened(opened, one.input, base);
  const name = escapeText(loaded.name);
  const { kind, body, result, diagnostics } = loaded.payload;
  if (diagnostics.error) throw inputError(`${name}: ${diagnosticLine(diagnostics.error)}`);
  if (kind === 'delta' && !result) throw inputError(`${name}: this is a delta; its checksum needs the base (--base)`);
  const snapshot = result ?? (body as Snapshot);
  const sum = { file, kind, items: snapshot.count, crc: snapshot.checksum() };
  return { sum, status: withUncertainty(exit.fine, loaded, base) };
}

/** The name in a list: a file, or `FILE@TICK`. */
export const nameOf = ({ file, tick }: Checksum) => (tick === undefined ? file : `${file}@${tick}`);

/** A name as lists contain it: spaces at its ends are escaped, too, since other spaces separate it from the checksum. */
const listedName = (name: string) => escapeText(name).replace(/^\s|\s$/gu, escaped);

/** A line of the output: `crc  name`, or an object. */
export function checksumLine(sum: Checksum, { options, multipleFiles }: ChecksumFile): string {
  const { file, tick, kind, items, crc } = sum;
  if (options.to !== 'ndjson') return `${String(crc).padStart(11)}  ${listedName(nameOf(sum))}\n`;
  if (tick === undefined) return `${jsonText({ file, kind, items, crc })}\n`;
  return `${jsonText({ ...(multipleFiles ? { file } : {}), tick, kind, items, crc })}\n`;
}

/** Compares a checksum with `--expect` and returns the exit status. */
export async function checkExpected(sum: Checksum, one: ChecksumFile): Promise<number> {
  const { expect } = one.options;
  if (expect === undefined || expect === sum.crc) return exit.fine;
  return note(exit.finding, `${nameOf(sum)}: the checksum is ${sum.crc}; expected ${expect}`, one);
}

/** What is counted of a demo. */
export interface DemoCounts {
  readonly full: number;
  readonly deltas: number;
  /** Undefined if messages were not read. */
  readonly messages: number | undefined;
  /** The results for checksums that its messages announce. */
  readonly matched?: number;
  readonly mismatched?: number;
}

/** The counts of one file, for `--summary`. */
export interface Summary {
  readonly file: string;
  readonly counts: object;
  /** The counts as text. */
  readonly text: string;
}

/** What is known of a file when it was read. */
export interface Outcome {
  readonly status: number;
  /** What is printed beside what was printed while it was read. */
  readonly text?: string;
  /** The result in one line. */
  readonly resultText: string;
  readonly summary: Summary;
  /** The snapshots of a demo, or of a part of one. */
  readonly counts?: DemoCounts;
}

/** The summary of single snapshots. */
export function countsOf(file: string, { full, deltas }: Pick<DemoCounts, 'full' | 'deltas'>): Summary {
  const snapshots = full + deltas;
  const text = `${count(snapshots, 'snapshot')}: ${thousands(full)} full, ${count(deltas, 'delta')}`;
  return { file, counts: { snapshots, full, deltas }, text };
}

/** The summary of a demo; `messages` is null if they were not read. */
export function countsOfDemo(file: string, demo: DemoCounts): Summary {
  const { counts, text } = countsOf(file, demo);
  const { messages, matched = 0, mismatched = 0 } = demo;
  const withMessages = `${text}; ${messages === undefined ? 'messages not read' : count(messages, 'message')}`;
  const all = { ...counts, messages: messages ?? null };
  if (matched + mismatched === 0) return { file, counts: all, text: withMessages };
  const wrong = mismatched > 0 ? `, ${thousands(mismatched)} mismatched` : '';
  const announced = `${thousands(matched + mismatched)} announced: ${thousands(matched)} match${wrong}`;
  return { file, counts: { ...all, matched, mismatched }, text: `${withMessages}; ${announced}` };
}
