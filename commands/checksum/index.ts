import { warningsText } from '../../src/output/phrases/finding-phrases.ts';
import { checksumHeading, renderChecksumRow } from '../../src/output/reports/checksum-row.ts';
import { checkStatus, type FileCheck } from '../../src/output/reports/ci.ts';
import { checksumValues } from '../../src/output/results/checksum.ts';
import { valuesOf } from '../../src/output/results/fields.ts';
import { unreadableFields } from '../../src/output/results/shared.ts';
import { pathText } from '../../src/output/text/escape.ts';
import { widthOf } from '../../src/output/text/layout.ts';
import { count } from '../../src/output/text/number.ts';
import { diagnosticFinding, type Findings, finding, healthOf } from '../../src/recording/health/findings.ts';
import { baseFound } from '../../src/wire/payload/payload.ts';
import { filesOf } from '../lib/input/folders.ts';
import { isPart, refuseMeaningless, refuseNeedlessBase, splitPosition } from '../lib/input/inputs.ts';
import { withDoubt } from '../lib/input/loaded.ts';
import { type Opened, open } from '../lib/input/opened.ts';
import { CommandError, exit, usageError, withoutName } from '../lib/options/errors.ts';
import type { Io } from '../lib/platform/io.ts';
import { type FileResult, filesCommand, jsonOf, type Run } from '../lib/run/files.ts';
import type { ChecksumOptions } from './definition.ts';
import {
  type ChecksumFile,
  isForPeople,
  isJson,
  isObject,
  type Outcome,
  openFile,
  printChecksum,
  sumText,
  tell,
  tellFailure,
} from './output.ts';
import { checksumRecording } from './recording.ts';

/*
 * `checksum`: are the snapshots the right ones? What that means depends on the file:
 *
 *   capture                                  sums are announced, and compared: a table of connections, failures with their reason
 *   demo                                     a server's demo for one player announces sums in its messages, others none: counts, `--list`
 *   snapshot, or delta whose base is known   one line with the sum, compared with `--expect`
 *
 *   run ─▶ files (one, or many among threads) ─▶ checksumRecording ─┬▶ concludeCapture
 *                                              └▶ checksumSnapshot  └▶ concludeDemo
 *
 * Results go to standard output as text, Markdown, NDJSON, JSON or JUnit; problems go to standard error, and into
 * `findings`, from which the exit status follows. `tell` does both, so that no problem is printed and not counted; what
 * a table of results shows anyway is only counted.
 *
 * A failure of reading is told last: what could be read has been concluded by then.
 */

export { definition } from './definition.ts';

async function checksumFile(file: string, output: ChecksumFile): Promise<Outcome> {
  const { options, input } = output;
  const opened = await open(file, input);
  refuseMeaningless([opened], input);
  if (!opened.format || isPart(opened)) return checksumSnapshot(file, opened, output);
  if (options.expect !== undefined) throw usageError('--expect is for single snapshots, as FILE@MOMENT is');
  if (options.list && opened.format.hasPackets)
    throw usageError('--list is for demos; -t ndjson lists the snapshots of a capture');
  return checksumRecording(await opened.recording(input), output);
}

async function checksumSnapshot(file: string, opened: Opened, output: ChecksumFile): Promise<Outcome> {
  const { options, findings } = output;
  const input = { ...output.input, deltas: { isFound: false } };
  const loaded = await opened.delta(input);
  refuseNeedlessBase(file, input);
  const { kind } = loaded.payload;
  const { snapshotIn } = await import('../lib/input/snapshots.ts');
  const snapshot = snapshotIn(loaded);
  for (const warning of loaded.payload.diagnostics.warnings) await tell(file, diagnosticFinding(warning), output);
  const sum = { kind, items: snapshot.count, crc: snapshot.checksum(), base: baseFound(loaded.payload) };
  await printChecksum(file, sum, output);

  const uncertain = withDoubt(exit.fine, loaded);
  if (uncertain > exit.fine)
    findings.add(finding('uncertain_reading', uncertain === exit.finding ? 'wrong' : 'unread'));

  const result = `checksum ${sumText(sum)}, ${count(sum.items, 'item')}`;
  // Its line was printed with the checksum.
  if (!options.summary) return { result, name: file, counts: sum, ...(options.to !== 'markdown' && { text: '' }) };
  const deltas = Number(kind === 'delta');
  return { result, name: file, counts: { snapshots: 1, full: 1 - deltas, deltas } };
}

/** Reads a file; one that can't be read has a result, too. */
async function readFile(file: string, output: ChecksumFile): Promise<FileResult> {
  const { options, findings } = output;
  try {
    return await resultOf(file, await checksumFile(file, output), findings, output);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;

    await tellFailure(file, error, output);
    const own = checked(file, '', findings, output);
    // Wrong usage is not a result of the file.
    if (error.status === exit.usage || !isJson(options)) return own;
    const json = valuesOf(unreadableFields, { file, reason: withoutName(file, error.message) });
    return { ...own, text: jsonOf(json, output) };
  }
}

const files = filesCommand<ChecksumOptions, Run<ChecksumOptions>, FileResult>({
  name: 'checksum',
  prepare: (run) => run,
  read: (file, run, writer) => readFile(file, openFile(run, writer)),
});

export const { makeJob } = files;

async function resultOf(
  file: string,
  outcome: Outcome,
  findings: Findings,
  run: Run<ChecksumOptions>,
): Promise<FileResult> {
  const { name, counts, hasHealth, result, failures = [], text } = outcome;
  const own = checked(file, result, findings, run);
  const state = hasHealth ? healthOf(findings.all) : undefined;

  if (isObject(run.options))
    return { ...own, text: jsonOf(checksumValues({ file: name, health: state, counts }), run) };
  if (!isForPeople(run.options)) return own;
  if (text !== undefined) return { ...own, text };

  const warnings = state === 'healthy' || state === 'incomplete' ? warningsText(findings.all) : undefined;
  const said = warnings === undefined ? result : `${result}, ${warnings}`;
  const below = failures.length === 0 ? [] : await rowsBelow(failures, name, run);
  const row = renderChecksumRow(name, state, said, below, rowStyle(run));
  return { ...own, text: run.printing.fit(hasHeading(run) ? row : checksumHeading(rowStyle(run)) + row) };
}

async function rowsBelow(failures: Outcome['failures'] & {}, name: string, { printing }: Run<ChecksumOptions>) {
  // Loaded here only, to keep start-up fast.
  const { failureRows } = await import('../../src/output/reports/capture-checksum.ts');
  return failureRows(failures, name, printing);
}

const rowStyle = ({ printing, options: { fileWidth = 0 } }: Run<ChecksumOptions>) => ({ ...printing, fileWidth });

/** Whether all files are rows of one table; the connections of a single capture are a table of their own. */
const hasHeading = ({ multipleFiles, options }: Run<ChecksumOptions>) => multipleFiles || options.summary === true;

/** The exit status of a file, and what a report says of it. */
function checked(file: string, summary: string, { all: findings }: Findings, { input }: Run<ChecksumOptions>) {
  const check: FileCheck = { file, summary, findings, isStrict: input.strict };
  return { status: checkStatus(check), check };
}

export async function run(args: readonly string[], options: ChecksumOptions, io: Io): Promise<number> {
  const named = await filesOf(args, options, io);
  // A range of a file has the name of the file.
  const nameIn = (file: string) => {
    const { path = file, position } = splitPosition(file, io);
    return position && 'range' in position ? path : file;
  };

  const fileWidth = Math.max(...named.files.map((file) => widthOf(pathText(nameIn(file)))));
  const heading = (run: Run<ChecksumOptions>) => (hasHeading(run) ? checksumHeading(rowStyle(run)) : '');
  return files.run(named, { ...options, fileWidth }, io, { heading });
}
