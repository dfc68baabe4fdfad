import type { Diagnostic } from '../../src/bytes/diagnostic.ts';
import { type FileCheck, maxFindings } from '../../src/view/ci/file-check.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { escapeText, printable } from '../../src/view/text/escape.ts';
import { exit } from '../lib/errors.ts';
import { diagnosticStatus } from '../lib/health-status.ts';
import type { Input } from '../lib/input/input.ts';
import type { Io } from '../lib/io.ts';
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
import type { Stream } from '../lib/output/stream.ts';
import type { PartResult } from '../lib/parallel/many-files.ts';

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

/** The settings of a checksum run. */
export interface ChecksumContext {
  readonly options: ChecksumOptions;
  readonly input: Input;
  readonly io: Io;
  readonly stream: Stream;
  /** Whether several files were named, so that each line contains the file name. */
  readonly isOfSeveral: boolean;
  /** The problems of the file, collected while it is read. */
  readonly findings: string[];
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

/** The result for a file, as plain data, since a worker may return it. */
export interface Outcome extends PartResult {
  readonly status: number;
  /** Related lines, printed after a blank line. */
  readonly part?: string;
  readonly summary?: Summary;
  /** The snapshots of a demo, or of a part of one. */
  readonly counts?: DemoCounts;
  /** The result in one line. */
  readonly resultText?: string;
  readonly check?: FileCheck;
}

/** Prints a note on standard error and returns its exit status. */
export async function note(status: number, message: string, context: ChecksumContext): Promise<number> {
  const { io } = context;
  if (status > exit.fine) addFinding(message, context);
  await printProblem(printable(message), io);
  return status;
}

export function addFinding(message: string, { findings }: ChecksumContext): void {
  if (findings.length < maxFindings) findings.push(message);
}

/** Prints a diagnostic of a recording and returns its exit status. */
export function noteDiagnostic(name: string, diagnostic: Diagnostic, context: ChecksumContext): Promise<number> {
  const status = diagnosticStatus(diagnostic, context.options.strict);
  return note(status, `${escapeText(name)}: ${diagnosticLine(diagnostic)}`, context);
}
