import type { Command } from 'commander';
import { escapeText, jsonText } from '../src/view/escape.ts';
import { checksumCapture } from './checksum-capture.ts';
import { checkLists } from './checksum-list.ts';
import { type ChecksumOptions, Report } from './checksum-report.ts';
import { Summaries, summarise } from './checksum-summary.ts';
import { isCapture, placeOf, type Sum, sumsOf } from './checksum-sums.ts';
import { exit, usageError } from './errors.ts';
import { addedItems } from './input.ts';
import type { Io } from './io.ts';
import { crc, ticks, withInput, withOutput } from './options.ts';

export function define(command: Command): Command {
  return withInput(withOutput(command, ['text', 'ndjson', 'json']))
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
  const added = await addedItems(options.schema, io);
  const files = args.length > 0 ? args : ['-'];
  const report = new Report(options, added, files.length > 1, io);
  if (options.check) await checkLists(files, report);
  else {
    const summaries = new Summaries(report);
    for (const file of files) await report.unlessUnreadable(() => checksum(file, summaries, report));
    await summaries.end();
  }
  await report.end();
  return report.status;
}

async function checksum(file: string, summaries: Summaries, report: Report): Promise<void> {
  const { options } = report;
  const place = await placeOf(file, report);
  if (isCapture(place.opened) && place.tick === undefined) {
    if (options.expect !== undefined) throw usageError('--expect is for single snapshots; captures announce their own');
    return checksumCapture(place.opened, summaries, report);
  }
  const sums = sumsOf(place, report);
  if (options.summary) return summarise(file, sums, summaries);
  for await (const sum of sums) {
    await report.line(options.to === 'ndjson' ? ndjson(sum, report) : text(sum));
    if (options.expect !== undefined && options.expect !== sum.crc) {
      await report.say(exit.finding, `${sum.name}: the checksum is ${sum.crc}; expected ${options.expect}`);
    }
  }
}

const text = (sum: Sum) => `${String(sum.crc).padStart(11)}  ${escapeText(sum.name)}`;

function ndjson({ name, tick, kind, items, crc }: Sum, { isOfSeveral }: Report): string {
  if (tick === undefined) return jsonText({ file: name, kind, items, crc });
  const file = name.slice(0, name.lastIndexOf('@'));
  return jsonText({ ...(isOfSeveral ? { file } : {}), tick, kind, items, crc });
}
