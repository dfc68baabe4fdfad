import type { FailedChecksum } from '../../src/analysis/explain/checksum-results.ts';
import { emptyBaseText } from '../../src/output/phrases/base-phrases.ts';
import { findingText } from '../../src/output/phrases/finding-phrases.ts';
import { maxFindings } from '../../src/output/reports/ci.ts';
import { type Checksum, type FileChecksums, lineValues } from '../../src/output/results/checksum.ts';
import { escaped, jsonText, pathText, printable } from '../../src/output/text/escape.ts';
import { type Finding, Findings, finding } from '../../src/recording/health/findings.ts';
import { type CommandError, withoutName } from '../lib/options/errors.ts';
import { failureFinding } from '../lib/options/status.ts';
import type { Writer } from '../lib/output/writer.ts';
import { printProblem } from '../lib/platform/note.ts';
import type { Run } from '../lib/run/files.ts';
import type { ChecksumOptions } from './definition.ts';

export const isForPeople = ({ to }: ChecksumOptions) => to === 'text' || to === 'markdown';

export const isObject = ({ to, summary }: ChecksumOptions) => to === 'json' || (to === 'ndjson' && summary === true);

/** A file that cannot be read is an object or a line of its own. */
export const isJson = ({ to }: ChecksumOptions) => to === 'json' || to === 'ndjson';

/** Whether the checksum of each snapshot of a demo is a line. */
export const hasLines = ({ to, summary, list, verbose }: ChecksumOptions) =>
  !summary && (to === 'ndjson' || (to === 'text' && (list === true || verbose === true)));

/** A file whose checksums are being printed, with what was found in it. */
export interface ChecksumFile extends Run<ChecksumOptions> {
  readonly writer: Writer;
  readonly findings: Findings;
}

export const openFile = (run: Run<ChecksumOptions>, writer: Writer): ChecksumFile => ({
  ...run,
  writer,
  findings: new Findings(maxFindings),
});

/** Adds a finding, and prints it on standard error. */
export async function tell(name: string, found: Finding, output: ChecksumFile): Promise<void> {
  output.findings.add(found);
  await print(name, found, output);
}

export const print = (name: string, found: Finding, { io }: ChecksumFile): Promise<void> =>
  printProblem(printable(`${pathText(name)}: ${findingText(found, name)}`), io);

/** The same for a file that cannot be read, or not to its end. */
export async function tellFailure(
  file: string,
  { status, message }: CommandError,
  output: ChecksumFile,
): Promise<void> {
  output.findings.add(failureFinding(status, withoutName(pathText(file), message)));
  await printProblem(printable(message), output.io);
}

const nameOf = (file: string, sum: Checksum) => ('tick' in sum ? `${file}@${sum.tick}` : file);

const tickOf = (sum: Checksum) => ('tick' in sum ? { tick: sum.tick } : {});

/**
 * A name as lists contain it: spaces at its ends are escaped, too, since other spaces separate it from the checksum.
 */
const listedName = (name: string) => pathText(name).replace(/^\s|\s$/gu, escaped);

/** `3577 (base taken as empty)` */
export const sumText = (sum: Checksum): string =>
  'base' in sum && sum.base === 'empty' ? `${sum.crc} (${emptyBaseText})` : `${sum.crc}`;

/** Prints a checksum, unless it is part of an object, and compares it with the expected one. */
export async function printChecksum(file: string, sum: Checksum, output: ChecksumFile): Promise<void> {
  const { options, writer, multipleFiles } = output;
  const { summary, to, expect } = options;
  const { crc } = sum;
  if (to === 'ndjson' && !summary) {
    const named = multipleFiles || !('tick' in sum) ? file : undefined;
    await writer.write(`${jsonText({ record: 'snapshot', ...lineValues(named, sum) })}\n`);
  }
  if (to === 'text' && !summary) {
    await writer.write(`${' '.repeat(11 - String(crc).length)}${sumText(sum)}  ${listedName(nameOf(file, sum))}\n`);
  }
  if (expect === undefined || expect === crc) return;
  const found = finding('unexpected_checksum', 'wrong', { place: tickOf(sum), args: { crc: crc!, expected: expect } });
  await tell(file, found, output);
}

export interface Outcome {
  /** What is printed for people in place of a row. */
  readonly text?: string;
  readonly result: string;
  readonly name: string;
  /** What is an object of JSON. */
  readonly counts: FileChecksums['counts'];
  /** What the row of the file names below itself. */
  readonly failures?: readonly FailedChecksum[];
  readonly hasHealth?: boolean;
}
