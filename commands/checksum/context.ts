import type { Diagnostic } from '../../src/bytes/diagnostic.ts';
import type { TickRange } from '../../src/protocol/ticks.ts';
import { type FileCheck, maxFindings } from '../../src/view/ci/file-check.ts';
import { diagnosticLine } from '../../src/view/text/diagnostic-messages.ts';
import { escapeText, printable } from '../../src/view/text/escape.ts';
import { exit } from '../lib/errors.ts';
import { diagnosticStatus } from '../lib/health-status.ts';
import type { InputContext } from '../lib/input/context.ts';
import type { FolderOptions } from '../lib/input/folders.ts';
import { printProblem } from '../lib/note.ts';
import type { FollowOptions, InputOptions, OutputOptions } from '../lib/options.ts';
import type { CheckOptions } from '../lib/output/checks.ts';
import type { Stream } from '../lib/output/stream.ts';
import type { ManyOptions, PartResult } from '../lib/parallel/many-files.ts';

export type ChecksumOptions = InputOptions &
  OutputOptions &
  ManyOptions &
  FolderOptions &
  FollowOptions &
  CheckOptions & {
    base?: string;
    check?: boolean;
    expect?: number;
    ticks?: TickRange;
    summary?: boolean;
    messages?: boolean;
  };

/** The settings of a checksum run. */
export interface ChecksumContext extends InputContext {
  readonly options: ChecksumOptions;
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
