import type { Command } from 'commander';
import { escapeText, jsonText } from '../../src/view/text/escape.ts';
import { exit, usageError } from '../lib/errors.ts';
import { extraItems } from '../lib/input/context.ts';
import type { Io } from '../lib/io.ts';
import { crc, ticks, withInput, withJobs, withOutput } from '../lib/options.ts';
import { Stream } from '../lib/output/stream.ts';
import { eachFile, type MakeJob } from '../lib/parallel/many-files.ts';
import { checksumCapture } from './capture.ts';
import { type Checksum, checksumsOf, inputOf, isCapture } from './checksums.ts';
import { checkLists } from './list.ts';
import { type ChecksumOptions, ChecksumOutput, type Summary } from './result.ts';
import { renderSummaries, summarise, summaryLine } from './summary.ts';

export function define(command: Command): Command {
  return withJobs(withInput(withOutput(command, ['text', 'ndjson', 'json'])))
    .argument('[file...]', "captures, demos, snapshots, deltas with --base; '-' or nothing for standard input")
    .option('--summary', 'of each file only the counts: as text, ndjson or json')
    .option('--base <file>', "the snapshot that deltas are differences to, or 'empty'")
    .option('--ticks <range>', 'of recordings: only these ticks, A..B', ticks)
    .option('-c, --check', 'the files are lists of checksums, as this command prints them: check what they name')
    .option('--expect <crc>', 'exit 1 when a checksum is another', crc)
    .addHelpText('after', help);
}

const help = `
In captures the checksum of each snapshot is held against the one that its server announced; 'snapshots' are those
that were announced with one, rebuilt or not. A mismatch is exit 1. A snapshot whose base or part was not captured is
none, but with --strict; damage is exit 3.

Examples:
  tw-snap checksum server.pcap
  tw-snap checksum server.pcap --summary -t json
  tw-snap checksum match.demo -t ndjson
  tw-snap checksum *.snap > list && tw-snap checksum -c list`;

/** `tw-snap checksum FILE...` */
export async function run(args: readonly string[], options: ChecksumOptions, io: Io): Promise<number> {
  if (options.to === 'json' && !options.summary) {
    throw usageError('-t json goes with --summary; -t ndjson gives a line for each snapshot');
  }
  const files = args.length > 0 ? args : ['-'];
  const stream = new Stream(options, io);
  const status = options.check ? await check(files, options, stream, io) : await checksums(files, options, stream, io);
  await stream.end(status);
  return status;
}

async function check(lists: readonly string[], options: ChecksumOptions, stream: Stream, io: Io): Promise<number> {
  const report = new ChecksumOutput(options, await extraItems(options.schema, io), lists.length > 1, stream, io);
  await checkLists(lists, report);
  return report.status;
}

async function checksums(files: readonly string[], options: ChecksumOptions, stream: Stream, io: Io): Promise<number> {
  const summaries: Summary[] = [];
  let status: number = exit.fine;
  const take = async (one: Told) => {
    status = Math.max(status, one.status);
    if (one.part !== undefined) await stream.write(stream.isEmpty ? one.part : `\n${one.part}`);
    if (!one.summary) return;
    if (options.to === 'ndjson') await stream.write(summaryLine(one.summary));
    else summaries.push(one.summary);
  };
  await eachFile({ command: 'checksum', makeJob, files, options, stream, io, take });
  if (summaries.length > 0) await stream.write(renderSummaries(summaries, options, files.length > 1));
  return status;
}

type Told = Pick<ChecksumOutput, 'status' | 'part' | 'summary'>;

export const makeJob: MakeJob<ChecksumOptions, Told> = async (options, isOfSeveral, io) => {
  const added = await extraItems(options.schema, io);
  return async (file, stream) => {
    const report = new ChecksumOutput(options, added, isOfSeveral, stream, io);
    await report.unlessUnreadable(() => checksum(file, report));
    const { status, part, summary } = report;
    return { status, part, summary };
  };
};

async function checksum(file: string, report: ChecksumOutput): Promise<void> {
  const { options } = report;
  const place = await inputOf(file, report);
  if (isCapture(place.opened) && place.tick === undefined) {
    if (options.expect !== undefined) throw usageError('--expect is for single snapshots; captures announce their own');
    return checksumCapture(place.opened, report);
  }
  const sums = checksumsOf(place, report);
  if (options.summary) return summarise(file, sums, report);
  const line = options.to === 'ndjson' ? (sum: Checksum) => ndjson(sum, report) : text;
  for await (const some of sums) {
    await report.lines(some.map(line));
    for (const { name, crc } of some) {
      if (options.expect === undefined || options.expect === crc) continue;
      await report.note(exit.finding, `${name}: the checksum is ${crc}; expected ${options.expect}`);
    }
  }
}

const text = (sum: Checksum) => `${String(sum.crc).padStart(11)}  ${escapeText(sum.name)}`;

function ndjson({ name, tick, kind, items, crc }: Checksum, { isOfSeveral }: ChecksumOutput): string {
  if (tick === undefined) return jsonText({ file: name, kind, items, crc });
  const file = name.slice(0, name.lastIndexOf('@'));
  return jsonText({ ...(isOfSeveral ? { file } : {}), tick, kind, items, crc });
}
