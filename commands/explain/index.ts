import type { Command } from 'commander';
import { renderJson } from '../../src/view/json/json.ts';
import { jsonText } from '../../src/view/text/escape.ts';
import { CommandError, exit, usageError } from '../lib/errors.ts';
import { inputContext } from '../lib/input/context.ts';
import { filesOf, withInclude } from '../lib/input/folders.ts';
import { openInput, refuseEmpty } from '../lib/input/open.ts';
import type { Io } from '../lib/io.ts';
import { printProblem } from '../lib/note.ts';
import { crc, withInput, withJobs, withLook, withTo } from '../lib/options.ts';
import { Checks, withAnnotations, withoutName } from '../lib/output/checks.ts';
import { type OutputStyle, outputStyle } from '../lib/output/output.ts';
import { Stream } from '../lib/output/stream.ts';
import { eachFile, type MakeJob } from '../lib/parallel/many-files.ts';
import { refuseMeaningless } from '../lib/refuse-options.ts';
import type { ExplainOptions, Outcome } from './context.ts';
import { explainLogFile } from './log.ts';
import { explainPair } from './pair.ts';
import { explainRecording } from './recording.ts';

export function define(command: Command): Command {
  const input = withAnnotations(withInclude(withJobs(withInput(command))))
    .argument(
      '[file...]',
      "captures, demos, folders, client logs; or a base and a delta; '-' or nothing for standard input",
    )
    .option('--expect <crc>', 'the checksum that was announced for the result of base and delta', crc);
  const output = withTo(input, ['table', 'json', 'ndjson', 'junit']).option(
    '-o, --output <dir>',
    'a folder for a minimal reproduction: base, delta and README',
  );
  return withLook(output)
    .option('-v, --verbose', 'show all failures and all tested hypotheses')
    .addHelpText('after', help);
}

const help = `
Names the cause of each failure with the item, the evidence, and the code that
the author of the server should check. A cause is accepted only if it explains
all consecutive failures and is unlikely to fit by chance.

Exit status: 0 nothing to explain, 1 failures, explained or not, 3 unreadable input.

Examples:
  tw-snap explain server.pcap
  tw-snap explain faulty.pcap -o case
  tw-snap explain base.snap next.delta --expect 333080975
  tw-snap explain client.log`;

/** `tw-snap explain FILE...` */
export async function run(args: readonly string[], options: ExplainOptions, io: Io): Promise<number> {
  const { files, isOfSeveral } = await filesOf(args, options, io);
  const stream = new Stream({}, io);
  if (options.output !== undefined && files.length > 1 && options.expect === undefined) {
    throw usageError('-o is for a single file, whose reproduction it writes');
  }
  if (options.expect !== undefined) {
    const [base, delta] = files;
    if (!base || !delta || files.length > 2) throw usageError('--expect requires two files: a base and a delta');
    const outcome = await explainPair(base, delta, options, io);
    await print([outcome], options, false, stream, io);
    return outcome.status;
  }
  const outcomes: (Outcome | Failed)[] = [];
  let status: number = exit.fine;
  const add = (outcome: Outcome | Failed) => {
    status = Math.max(status, outcome.status);
    outcomes.push(outcome);
  };
  await eachFile({ command: 'explain', makeJob, files, options, stream, io, add });
  await print(outcomes, options, isOfSeveral, stream, io);
  return status;
}

async function print(
  outcomes: readonly (Outcome | Failed)[],
  options: ExplainOptions,
  isOfSeveral: boolean,
  stream: Stream,
  io: Io,
): Promise<void> {
  const read = outcomes.filter((one) => 'text' in one);
  if (read.length > 0) await stream.write(render(read, options, isOfSeveral));
  const checks = new Checks('explain', options, io);
  for (const { status, check } of outcomes) checks.add({ ...check, status });
  await checks.finish(stream);
  await stream.end();
}

function render(outcomes: readonly Outcome[], { to }: ExplainOptions, isOfSeveral: boolean): string {
  if (to === 'junit') return '';
  if (to === 'ndjson') return outcomes.map(({ json }) => `${jsonText(json)}\n`).join('');
  if (to === 'table') return outcomes.map(({ text }) => text).join('\n');
  if (!isOfSeveral) return renderJson(outcomes[0]!.json);
  return `[${outcomes.map(({ json }) => jsonText(json)).join(',\n ')}]\n`;
}

/** The result for an unreadable input. */
type Failed = Pick<Outcome, 'status' | 'check'>;

export const makeJob: MakeJob<ExplainOptions, Outcome | Failed> = async (options, _, io) => {
  const context = await inputContext(options, io);
  const style: OutputStyle = await outputStyle({ ...options, output: '-' }, io);
  return async (file) => {
    try {
      const opened = await openInput(file, options, io);
      refuseEmpty(opened);
      refuseMeaningless([opened], options);
      return opened.format
        ? await explainRecording(opened, options, context, style)
        : await explainLogFile(opened, style);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      await printProblem(error.message, io);
      return { status: error.status, check: { file, summary: withoutName(file, error.message), findings: [] } };
    }
  };
};
