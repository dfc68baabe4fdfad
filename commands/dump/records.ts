import { isInRange, type TickRange } from '../../src/protocol/ticks.ts';
import { type DiagnosticEntry, isOfClient, type RecordingEntry, type Stream } from '../../src/recording/record.ts';
import { escapeText } from '../../src/view/text/escape.ts';
import { count } from '../../src/view/text/number.ts';
import { findingLine } from '../../src/view/text/recording-phrases.ts';
import { exit } from '../lib/errors.ts';
import { entryStatus } from '../lib/health-status.ts';
import { type Opened, openReplay } from '../lib/input/open.ts';
import { readRecords } from '../lib/input/read-records.ts';
import { refuseIneffective } from '../lib/input/refuse.ts';
import type { Io } from '../lib/io.ts';
import { printNote, printProblem } from '../lib/note.ts';
import { outputStyle } from '../lib/output/output.ts';
import type { PartResult } from '../lib/parallel/many-files.ts';
import { TickCheck } from '../lib/selection.ts';
import type { DumpContext } from './context.ts';
import { outputs } from './outputs.ts';

export interface Dumped extends PartResult {
  readonly status: number;
  /** Whether nothing matches --type and --id. */
  readonly isEmpty?: boolean;
}

/** Prints the records of a recording as they arrive: whenever the input pauses, all of it has been printed. */
export async function dumpRecords({ name, format, pieces }: Opened, context: DumpContext): Promise<Dumped> {
  const { options, input, selected, stream } = context;
  const messages = options.messages && (selected.all || selected.namesMessages);
  const output = outputs[options.to]!;
  const replay = openReplay({ format }, input, {
    messages: messages === true || output.needsParts === true,
    parts: output.needsParts === true,
  });
  const view = await output.open(context, name);
  const ticks = new TickCheck(options.ticks);
  await stream.write(view.begin?.() ?? '');
  const hasHeading = context.isOfSeveral && output.isForPeople === true;
  if (hasHeading) await stream.write(`${(await outputStyle(options, context.io)).theme.strong(escapeText(name))}\n`);
  const range = options.ticks && new TickFilter(options.ticks);
  let status: number = exit.fine;
  let printed = 0;
  const counts = { snapshot: 0, message: 0, mismatch: 0 };
  const { client } = options;
  const add = (entry: RecordingEntry): Promise<void> | undefined => {
    if (!isOfClient(entry.stream, client)) return undefined;
    if (entry.record === 'snapshot') ticks.add(entry.tick);
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
    if (!output.isForPeople || !context.io.stdout.isTerminal) {
      await printProblem(`${escapeText(name)}: ${findingLine(entry)}`, context.io);
    }
    await print(entry);
  };
  const { failure } = await readRecords({ pieces }, replay, add, async () => {
    await stream.write(view.flush?.() ?? '');
    await stream.flush();
  });
  await stream.write(view.finish?.() ?? '');
  if (hasHeading) await stream.write('\n');
  if (failure) throw failure;
  if (options.follow) await printNote(`${escapeText(name)}: ${countsText(counts)}`, context.io);
  refuseIneffective(name, input, replay);
  ticks.require(name);
  const isEmpty = printed === 0 && !selected.all && output.needsParts !== true;
  if (isEmpty && !context.part) await printNothing(name, context.io);
  return { status, isEmpty };
}

export const printNothing = (name: string, io: Io) =>
  printNote(`${escapeText(name)}: nothing matches --type and --id`, io);

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
  readonly #ticks = new Map<Stream, number>();

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
