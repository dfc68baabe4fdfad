import { renderJson } from '../../src/view/json/json.ts';
import { jsonText } from '../../src/view/text/escape.ts';
import { CommandError, exit, usageError } from '../lib/errors.ts';
import { filesOf } from '../lib/input/folders.ts';
import { openInput, refuseEmpty } from '../lib/input/open.ts';
import { refuseMeaningless } from '../lib/input/refuse.ts';
import { inputOf } from '../lib/input/settings.ts';
import type { Io } from '../lib/io.ts';
import { printProblem } from '../lib/note.ts';
import { Checks, withoutName } from '../lib/output/checks.ts';
import { type OutputStyle, outputStyle } from '../lib/output/output.ts';
import { Stream } from '../lib/output/stream.ts';
import { eachFile, type MakeJob } from '../lib/parallel/many-files.ts';
import type { ExplainOptions, Outcome } from './context.ts';
import { explainLogFile } from './log.ts';
import { explainPair } from './pair.ts';
import { explainRecording } from './recording.ts';

export { definition } from './context.ts';

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
  const input = await inputOf(options, io);
  const style: OutputStyle = await outputStyle({ ...options, output: '-' }, io);
  return async (file) => {
    try {
      const opened = await openInput(file, input, io);
      refuseEmpty(opened);
      refuseMeaningless([opened], input);
      return opened.format
        ? await explainRecording(opened, options, input, style)
        : await explainLogFile(opened, style);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      await printProblem(error.message, io);
      return { status: error.status, check: { file, summary: withoutName(file, error.message), findings: [] } };
    }
  };
};
