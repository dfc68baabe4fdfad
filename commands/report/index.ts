import { type Command, InvalidArgumentError } from 'commander';
import { type PageParts, renderPage } from '../../src/report/page.ts';
import { type Finding, writeReportData } from '../../src/report/report-data.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { count } from '../../src/view/text/number.ts';
import { size } from '../../src/view/text/units.ts';
import { exit, usageError } from '../lib/errors.ts';
import { inputContext } from '../lib/input/context.ts';
import { openInput } from '../lib/input/open.ts';
import { splitPosition } from '../lib/input/position.ts';
import type { Io } from '../lib/io.ts';
import { printNote, printProblem } from '../lib/note.ts';
import { ticks, withInput, withStrict } from '../lib/options.ts';
import { hyperlink, print } from '../lib/output/output.ts';
import { refuseMeaningless } from '../lib/refuse-options.ts';
import { Budget } from './budget.ts';
import type { ReportOptions } from './context.ts';
import { reportPayload } from './payload.ts';
import { reportRecording } from './recording.ts';

const megabyte = 1_000_000;
/** Findings that are printed beside the page. */
const maxPrinted = 5;

export function define(command: Command): Command {
  return withStrict(withInput(command))
    .argument('[file]', "a demo, capture or single payload; '-' or nothing for standard input")
    .option('-o, --output <file>', 'the page to write (default: standard output)')
    .option('--ticks <range>', 'only these ticks, A..B', ticks)
    .option('--limit <megabytes>', 'the largest page to write, in megabytes', megabytes, 8)
    .option('--empty', 'a page without a recording: files are dropped on it, or bytes pasted')
    .option('--map <file>', 'draw this map, instead of the one in the demo')
    .option('--base <file>', "the base of a single delta, or 'empty'")
    .addHelpText('after', examples);
}

const examples = `
Examples:
  tw-snap report match.demo -o match.html
  tw-snap report match.demo --ticks 9938..10938 -o fight.html
  tw-snap report server.pcap -o server.html
  tw-snap report --empty -o index.html`;

function megabytes(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 500)) throw new InvalidArgumentError('Expected a number of megabytes, up to 500.');
  return value;
}

/** `tw-snap report FILE -o page.html` */
export async function run([path]: readonly (string | undefined)[], options: ReportOptions, io: Io): Promise<number> {
  if (io.stdout.isTerminal && options.output === undefined) {
    throw usageError('a page is not for a terminal: name a file with -o');
  }
  if (options.empty) return writeEmpty(path, options, io);
  const { schema } = await inputContext(options, io);
  const { path: file, position } = splitPosition(path, io);
  const opened = await openInput(file, options, io);
  refuseMeaningless([opened], options);
  if (options.map !== undefined && (!opened.format || position)) throw usageError('--map is for demos and captures');
  const budget = new Budget(escapeText(opened.name), options.limit * megabyte, options.ticks);
  const context = { options, schema, io, budget, opened: [] };
  const { format } = opened;
  const { reportData, status } =
    format && !position
      ? await reportRecording({ ...opened, format }, context)
      : await reportPayload(opened, context, position);
  const { script, style } = await io.pageProgram();
  const data = await packed(writeReportData(reportData), io);
  const page = await pageOf({ title: `${reportData.name} · tw-snap`, script, style, reportData: data }, io);
  if (page.length > budget.limit) throw budget.exceeded(`it would have ${size(page.length)}`);
  await print(page, options, io);
  if (options.output !== undefined && io.stderr.isTerminal) {
    await printNote(`${await hyperlink(options.output, io)}   ${size(page.length)}`, io);
  }
  return conclude(escapeText(opened.name), reportData.findings, status, options, io);
}

/** Writes the page that opens what is dropped on it. */
async function writeEmpty(path: string | undefined, options: ReportOptions, io: Io): Promise<number> {
  const others = [path, options.map, options.base, options.ticks, options.schema, options.client];
  if (others.some((one) => one !== undefined))
    throw usageError('--empty makes a page without an input: only -o is for it');
  const { emptyScript: script, style } = await io.pageProgram();
  await print(await pageOf({ title: 'tw-snap', script, style, reportData: '' }, io), options, io);
  return exit.fine;
}

const pageOf = async (parts: Omit<PageParts, 'program'>, io: Io) =>
  renderPage({ ...parts, program: await packed(new TextEncoder().encode(parts.script), io) });

/** Bytes as they are in a page: compressed, in base64. */
const packed = async (bytes: Uint8Array, io: Io) => Buffer.from(await io.gzip(bytes)).toString('base64');

/** What is wrong is printed, too, for those who do not open the page. */
async function conclude(
  name: string,
  findings: readonly Finding[],
  status: number,
  { strict }: ReportOptions,
  io: Io,
): Promise<number> {
  for (const { text } of findings.slice(0, maxPrinted)) await printProblem(`${name}: ${text}`, io);
  const more = findings.length - maxPrinted;
  if (more > 0) await printProblem(`${name}: ${count(more, 'more finding')} in the page`, io);
  return status === exit.fine && strict && findings.length > 0 ? exit.finding : status;
}
