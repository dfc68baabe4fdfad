import type { Command } from 'commander';
import { csvHead } from '../../src/view/csv/table-csv.ts';
import { CommandError, exit, usageError } from '../lib/errors.ts';
import { filterOf, withFilter } from '../lib/filter.ts';
import { readSchemaFile } from '../lib/input/context.ts';
import { filesOf, withInclude } from '../lib/input/folders.ts';
import { openRecording } from '../lib/input/open.ts';
import type { Io } from '../lib/io.ts';
import { printProblem } from '../lib/note.ts';
import { ticks, withFollow, withFrom, withJobs, withOutput, withStrict } from '../lib/options.ts';
import { Stream } from '../lib/output/stream.ts';
import { openRange } from '../lib/parallel/divided-demo.ts';
import type { Division } from '../lib/parallel/division.ts';
import { eachFile, type MakeJob } from '../lib/parallel/many-files.ts';
import { requireOneFile } from '../lib/refuse-options.ts';
import type { DumpContext, DumpOptions } from './context.ts';
import { outputs, rowsOf } from './outputs.ts';
import { type Dumped, dumpRecords, printNothing } from './records.ts';

export function define(command: Command): Command {
  return withFollow(withInclude(withJobs(withFilter(withStrict(withFrom(withOutput(command, Object.keys(outputs))))))))
    .argument('[file...]', "demos, captures or folders; '-' or nothing for standard input")
    .option('--changes', 'print only the items that changed (ndjson)')
    .option('--ticks <range>', 'only these ticks, A..B', ticks)
    .option('--no-messages', 'leave out messages')
    .addHelpText('after', examples);
}

const examples = `
Examples:
  tw-snap dump match.demo
  tw-snap dump match.demo -t csv --type obj_character --id 0 > path.csv
  tcpdump -U -w - udp port 8303 | tw-snap dump -`;

/** `tw-snap dump FILE...` */
export async function run(args: readonly string[], options: DumpOptions, io: Io): Promise<number> {
  refuseOptions(options);
  const stream = new Stream(options, io);
  const { files, isOfSeveral } = await filesOf(args, options, io);
  requireOneFile(options, files);
  if (options.to === 'csv' && isOfSeveral) {
    const schema = await readSchemaFile(options.schema, io);
    await stream.write(csvHead(rowsOf({ schema, selected: filterOf(options, schema) }, '').schema));
  }
  let status: number = exit.fine;
  const empty: boolean[] = [];
  const add = (one: Dumped) => {
    status = Math.max(status, one.status);
    empty.push(one.isEmpty === true);
  };
  const own = isDivisible(options) ? { division } : {};
  await eachFile({ command: 'dump', makeJob, files, isOfSeveral, options, stream, io, ...own, add });
  // Only the parts of one file together can say so.
  if (files.length < empty.length && !empty.includes(false)) await printNothing(files[0]!, io);
  await stream.end(status);
  return status;
}

/** The text of a part is up to 80 times as long. */
const division: Division = { minBytes: 8 << 20, aheadBytes: 1 << 20 };

/** Whether the output of each part of a demo does not depend on the parts before it. */
const isDivisible = ({ to, ticks }: DumpOptions) => outputs[to]!.isDivisible === true && ticks === undefined;

/** Refuses options that would have no effect. */
function refuseOptions({ to, changes, messages }: DumpOptions): void {
  if (changes && to !== 'ndjson') throw usageError(`--changes requires -t ndjson, not -t ${to}`);
  if (!messages && to === 'csv')
    throw usageError('-t csv prints messages only if --type names them: leave out --no-messages');
}

export const makeJob: MakeJob<DumpOptions, Dumped> = async (options, isOfSeveral, io) => {
  const schema = await readSchemaFile(options.schema, io);
  const selected = filterOf(options, schema);
  return async (file, stream, part) => {
    try {
      return await dump(file, { options, schema, selected, stream, isOfSeveral, part, io });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      await printProblem(error.message, io);
      return { status: error.status };
    }
  };
};

async function dump(file: string, context: DumpContext): Promise<Dumped> {
  if (context.part) {
    const opened = openRange(file, context.part, context.io);
    const dumped = await dumpRecords(opened, context);
    return { ...dumped, end: opened.end };
  }
  return dumpRecords(await openRecording(file, context.options, context.io), context);
}
