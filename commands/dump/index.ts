import { isInRange, type TickRange } from '../../src/protocol/ticks.ts';
import type { DiagnosticEntry, RecordingEntry, Stream as RecordStream } from '../../src/recording/record.ts';
import { csvHead } from '../../src/view/csv/csv.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { count } from '../../src/view/text/number.ts';
import { findingLine } from '../../src/view/text/recording-phrases.ts';
import { entryStatus, exit } from '../lib/errors.ts';
import { filesOf } from '../lib/input/folders.ts';
import { type Opened, openRecording } from '../lib/input/open.ts';
import type { Io } from '../lib/io.ts';
import { printNote, printProblem } from '../lib/note.ts';
import type { Stream } from '../lib/output/stream.ts';
import { type FileResult, type FilesCommand, jobOf, runFiles } from '../lib/run/files.ts';
import { readRecording } from '../lib/run/recording.ts';
import { filterOf } from '../lib/selection.ts';
import { type DumpOptions, type DumpRun, outputs, rowsOf } from './outputs.ts';

export { definition } from './outputs.ts';

interface Dumped extends FileResult {
  /** Whether nothing matches --type and --id. */
  readonly isEmpty: boolean;
}

const command: FilesCommand<DumpOptions, DumpRun, FileResult, Dumped> = {
  name: 'dump',
  prepare: (run) => ({ ...run, selected: filterOf(run.options, run.input.schema) }),
  async read(file, run, stream) {
    const opened = await openRecording(file, run.input);
    const { status, isEmpty } = await dump(opened, run, stream);
    if (isEmpty) await printNothing(opened.name, run.io);
    return { status };
  },
  parts: {
    // The output of each part does not depend on the parts before it. The text of a part is up to 80 times as long.
    division: ({ to, ticks }) =>
      outputs[to]!.isDivisible && ticks === undefined ? { minBytes: 8 << 20, aheadBytes: 1 << 20 } : undefined,
    read: (opened, run, stream) => dump(opened, run, stream, opened.range.start === undefined),
    async join(file, parts, run) {
      if (parts.every(({ isEmpty }) => isEmpty)) await printNothing(file, run.io);
      return { status: Math.max(...parts.map(({ status }) => status)) };
    },
  },
};

export const makeJob = jobOf(command);

/** `tw-snap dump FILE...` */
export async function run(args: readonly string[], options: DumpOptions, io: Io): Promise<number> {
  const named = await filesOf(args, options, io);
  return runFiles(command, named, options, io, {
    begin: (stream, run) =>
      options.to === 'csv' && named.multipleFiles ? stream.write(csvHead(rowsOf(run, '').schema)) : undefined,
  });
}

/** Prints the records of a recording as they arrive: whenever the input pauses, all of it has been printed. */
async function dump(opened: Opened, run: DumpRun, stream: Stream, isFirst = true): Promise<Dumped> {
  const { options, input, selected, multipleFiles, printing, io } = run;
  const name = escapeText(opened.name);
  const output = outputs[options.to]!;
  const messages = options.messages === true && (selected.all || selected.namesMessages);
  const view = output.open(run, opened.name, isFirst);
  await stream.write(view.begin?.() ?? '');
  const hasHeading = multipleFiles && output.isForPeople === true;
  if (hasHeading) await stream.write(`${printing.theme.strong(name)}\n`);
  const range = options.ticks && new TickFilter(options.ticks);
  let status: number = exit.fine;
  let printed = 0;
  const counts = { snapshot: 0, message: 0, mismatch: 0 };
  const add = (entry: RecordingEntry): Promise<void> | undefined => {
    if (entry.record === 'snapshot' || entry.record === 'message') counts[entry.record]++;
    if (entry.record === 'snapshot' && entry.verdict === 'mismatch') counts.mismatch++;
    status = Math.max(status, entryStatus(entry, options.strict));
    return entry.record === 'diagnostic' ? printFinding(entry) : print(entry);
  };
  const print = (entry: RecordingEntry) => {
    const isShown = range?.has(entry) ?? true;
    if (!isShown && !output.needsContext) return undefined;
    const text = view.add(entry, isShown);
    if (text.length > 0 && (entry.record === 'snapshot' || entry.record === 'message')) printed++;
    return stream.write(text);
  };
  /** Findings are also printed on standard error if the output may not be visible. */
  const printFinding = async (entry: DiagnosticEntry) => {
    if (!output.isForPeople || !io.stdout.isTerminal) await printProblem(`${name}: ${findingLine(entry)}`, io);
    await print(entry);
  };
  const afterPiece = async () => {
    await stream.write(view.flush?.() ?? '');
    await stream.flush();
  };
  const afterAll = async () => {
    await stream.write(view.finish?.() ?? '');
    if (hasHeading) await stream.write('\n');
  };
  const parts = output.needsParts === true;
  const wanted = { messages: messages || parts, parts, range: options.ticks };
  const { failure } = await readRecording(opened, input, wanted, () => ({ add, afterPiece, afterAll }));
  if (failure) throw failure;
  if (options.follow) await printNote(`${name}: ${countsText(counts)}`, io);
  return { status, isEmpty: printed === 0 && !selected.all && !parts };
}

const printNothing = (name: string, io: Io) => printNote(`${escapeText(name)}: nothing matches --type and --id`, io);

/** `446 snapshots, 786 messages, 2 checksums mismatched` */
function countsText({
  snapshot,
  message,
  mismatch,
}: Readonly<Record<'snapshot' | 'message' | 'mismatch', number>>): string {
  const parts = [count(snapshot, 'snapshot'), count(message, 'message')];
  return [...parts, ...(mismatch > 0 ? [`${count(mismatch, 'checksum')} mismatched`] : [])].join(', ');
}

/**
 * Selects ticks: in a capture, records that arrive while the last snapshot of their connection has one of the ticks.
 */
class TickFilter {
  readonly #range: TickRange;
  readonly #ticks = new Map<RecordStream, number>();

  constructor(range: TickRange) {
    this.#range = range;
  }

  has(entry: RecordingEntry): boolean {
    const { stream, record } = entry;
    if (entry.record === 'chunk') return entry.chunk.tick < 0 || this.#contains(entry.chunk.tick);
    if (entry.time === undefined) return !('tick' in entry) || this.#contains(entry.tick);
    if (!stream) return true;
    if (record === 'drop') this.#ticks.delete(stream);
    if (record === 'snapshot') this.#ticks.set(stream, entry.tick);
    return this.#contains(this.#ticks.get(stream) ?? 0);
  }

  #contains(tick: number): boolean {
    return isInRange(tick, this.#range);
  }
}
