import { usageError } from '../lib/errors.ts';
import { filesOf } from '../lib/input/folders.ts';
import { openInput, refuseEmpty } from '../lib/input/open.ts';
import { refuseMeaningless } from '../lib/input/refuse.ts';
import type { Io } from '../lib/io.ts';
import { type FileResult, type FilesCommand, jobOf, jsonOf, type Run, runFiles } from '../lib/run/files.ts';
import { explainLogFile } from './log.ts';
import type { ExplainOptions, Outcome } from './outcome.ts';
import { explainPair } from './pair.ts';
import { explainRecording } from './recording.ts';

export { definition } from './outcome.ts';

const command: FilesCommand<ExplainOptions, Run<ExplainOptions>, FileResult, never> = {
  name: 'explain',
  writesFolder: true,
  prepare: (run) => run,
  async read(file, run) {
    const opened = await openInput(file, run.input, run.io);
    refuseEmpty(opened);
    refuseMeaningless([opened], run.input);
    const explain = opened.format ? explainRecording : explainLogFile;
    return resultOf(await explain(opened, run), run);
  },
};

export const makeJob = jobOf(command);

function resultOf({ status, text, json, check }: Outcome, run: Run<ExplainOptions>): FileResult {
  const { to } = run.options;
  const own = { status, check: { ...check, status } };
  return to === 'junit' ? own : { ...own, text: to === 'table' ? text : jsonOf(json, run) };
}

/** `tw-snap explain FILE...` */
export async function run(args: readonly string[], options: ExplainOptions, io: Io): Promise<number> {
  const named = await filesOf(args, options, io);
  const { files } = named;
  if (options.output !== undefined && files.length > 1 && options.expect === undefined) {
    throw usageError('-o is for a single file, whose reproduction it writes');
  }
  if (options.expect === undefined) {
    return runFiles(command, named, options, io, { isSpaced: options.to === 'table' });
  }
  const [base, delta] = files;
  if (!base || !delta || files.length > 2) throw usageError('--expect requires two files: a base and a delta');
  const pair: typeof command = {
    ...command,
    read: async (_, run) => resultOf(await explainPair(base, delta, run), run),
    failed: async (_, error) => {
      throw error;
    },
  };
  return runFiles(pair, { files: [delta], multipleFiles: false }, options, io);
}
