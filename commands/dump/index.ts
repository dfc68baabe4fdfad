import { csvHead } from '../../src/view/csv/table-csv.ts';
import { CommandError, exit } from '../lib/errors.ts';
import { filesOf } from '../lib/input/folders.ts';
import { openRecording } from '../lib/input/open.ts';
import { requireOneFile } from '../lib/input/refuse.ts';
import { inputOf, readSchemaFile } from '../lib/input/settings.ts';
import type { Io } from '../lib/io.ts';
import { printProblem } from '../lib/note.ts';
import { Stream } from '../lib/output/stream.ts';
import { openRange } from '../lib/parallel/divided-demo.ts';
import type { Division } from '../lib/parallel/division.ts';
import { eachFile, type MakeJob } from '../lib/parallel/many-files.ts';
import { filterOf } from '../lib/selection.ts';
import type { DumpContext, DumpOptions } from './context.ts';
import { outputs, rowsOf } from './outputs.ts';
import { type Dumped, dumpRecords, printNothing } from './records.ts';

export { definition } from './context.ts';

/** `tw-snap dump FILE...` */
export async function run(args: readonly string[], options: DumpOptions, io: Io): Promise<number> {
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

export const makeJob: MakeJob<DumpOptions, Dumped> = async (options, isOfSeveral, io) => {
  const input = await inputOf(options, io);
  const selected = filterOf(options, input.schema);
  return async (file, stream, part) => {
    try {
      return await dump(file, { options, input, schema: input.schema, selected, stream, isOfSeveral, part, io });
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
  return dumpRecords(await openRecording(file, context.input), context);
}
