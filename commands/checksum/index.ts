import { isPlayerDemo } from '../../src/recording/demo-kind.ts';
import type { DemoRange } from '../../src/recording/demo-range.ts';
import type { FileCheck } from '../../src/view/ci/file-check.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { count } from '../../src/view/text/number.ts';
import { CommandError, exit, usageError } from '../lib/errors.ts';
import { filesOf, type NamedFiles } from '../lib/input/folders.ts';
import { openInput } from '../lib/input/open.ts';
import { splitPosition } from '../lib/input/position.ts';
import { refuseMeaningless, requireOneFile } from '../lib/input/refuse.ts';
import { inputOf } from '../lib/input/settings.ts';
import type { Io } from '../lib/io.ts';
import { printNote } from '../lib/note.ts';
import { Checks, withoutName } from '../lib/output/checks.ts';
import { Stream } from '../lib/output/stream.ts';
import { openRange } from '../lib/parallel/divided-demo.ts';
import type { Division } from '../lib/parallel/division.ts';
import { eachFile, type MakeJob } from '../lib/parallel/many-files.ts';
import { type ChecksumContext, type ChecksumOptions, note, type Outcome, type Summary } from './context.ts';
import { checkLists } from './list.ts';
import { checksumRecording } from './recording.ts';
import { checkExpected, checksumLine, checksumSnapshot } from './snapshot.ts';
import { countsOf, joined, renderSummaries, summaryLine } from './summary.ts';

export { definition } from './context.ts';

/** `tw-snap checksum FILE...` */
export async function run(args: readonly string[], options: ChecksumOptions, io: Io): Promise<number> {
  if (options.to === 'json' && !options.summary) {
    throw usageError('-t json requires --summary; -t ndjson prints a line for each snapshot');
  }
  const { files, isOfSeveral } = await filesOf(args, options, io);
  requireOneFile(options, files);
  const stream = new Stream(options, io);
  const checks = new Checks('checksum', options, io);
  const status = options.check
    ? await checkLists(
        files,
        { input: await inputOf(options, io), io, options, stream, isOfSeveral, findings: [] },
        checks,
      )
    : await checksums({ files, isOfSeveral }, options, stream, checks, io);
  await checks.finish(stream);
  await stream.end(status);
  return status;
}

async function checksums(
  { files, isOfSeveral }: NamedFiles,
  options: ChecksumOptions,
  stream: Stream,
  checks: Checks,
  io: Io,
): Promise<number> {
  const summaries: Summary[] = [];
  let status: number = exit.fine;
  const add = async (one: Outcome) => {
    status = Math.max(status, one.status);
    if (one.check) checks.add(one.check);
    if (one.part !== undefined) await stream.write(stream.isEmpty ? one.part : `\n${one.part}`);
    if (!one.summary) return;
    if (options.to === 'ndjson') await stream.write(summaryLine(one.summary));
    else summaries.push(one.summary);
  };
  const joinParts = (_: string, parts: readonly Outcome[]) => parts.reduce(joined);
  const division = divisionOf(options);
  await eachFile({ command: 'checksum', makeJob, files, isOfSeveral, options, stream, io, division, joinParts, add });
  if (summaries.length > 0) await stream.write(renderSummaries(summaries, options, isOfSeveral));
  return status;
}

/**
 * Checksums that a demo announces are compared with the snapshots before them. Options that a recording refuses, and ticks that it does
 * not have, are found when it is read as one.
 */
function divisionOf({ messages, base, ticks }: ChecksumOptions): Division | undefined {
  if ((base ?? ticks) !== undefined) return undefined;
  return { minBytes: 64 << 20, skipsMessages: messages !== true, accepts: (header) => !isPlayerDemo(header) };
}

export const makeJob: MakeJob<ChecksumOptions, Outcome> = async (options, isOfSeveral, io) => {
  const input = await inputOf(options, io);
  return async (file, stream, part) => {
    const findings: string[] = [];
    const context: ChecksumContext = { options, input, io, stream, isOfSeveral, findings };
    const checked = (outcome: Outcome): Outcome => ({ ...outcome, check: checkOf(file, outcome, findings) });
    try {
      return checked(await (part ? checksumPart(file, part, context) : checksum(file, context)));
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      // For an input that ends early, the outcome of the readable part is used.
      const { outcome } = error as { outcome?: Outcome };
      const status = await note(error.status, error.message, context);
      return checked({ ...outcome, status: Math.max(status, outcome?.status ?? exit.fine) });
    }
  };
};

async function checksumPart(file: string, part: DemoRange, context: ChecksumContext): Promise<Outcome> {
  const opened = openRange(file, part, context.io);
  const outcome = await checksumRecording(opened, context);
  return { ...outcome, end: opened.end };
}

function checkOf(file: string, { status, resultText = '' }: Outcome, findings: readonly string[]): FileCheck {
  const own = findings.map((one) => withoutName(escapeText(file), one));
  return { file, status, summary: resultText, findings: own };
}

async function checksum(file: string, context: ChecksumContext): Promise<Outcome> {
  const { options, input, stream, io } = context;
  const { path, position } = splitPosition(file, io);
  const opened = await openInput(path, input, io);
  refuseMeaningless([opened], input);
  if (options.messages && !opened.format?.hasTicks && !context.isOfSeveral) {
    if (!opened.format) throw usageError(`${opened.name}: --messages is for demos; this is a single payload`);
    // Scripts state the option for whatever they are given.
    await printNote(`${escapeText(opened.name)}: --messages changes nothing: those of captures are always read`, io);
  }
  if (opened.format && options.base !== undefined) {
    throw usageError(`${opened.name}: --base is for single deltas; a recording has its own`);
  }
  if (opened.format && position === undefined) return checksumRecording(opened, context);
  const { sum, status } = await checksumSnapshot(file, opened, position, context);
  const resultText = `checksum ${sum.crc}, ${count(sum.items, 'item')}`;
  if (options.summary) {
    const isDelta = sum.kind === 'delta';
    return { status, resultText, summary: countsOf(file, { full: isDelta ? 0 : 1, deltas: isDelta ? 1 : 0 }) };
  }
  if (options.to !== 'junit') await stream.write(checksumLine(sum, context));
  return { status: Math.max(status, await checkExpected(sum, context)), resultText };
}
