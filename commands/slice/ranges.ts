import { EventFinder, type EventKind, type FoundEvents, maxFound, readEventKind } from '../../src/edit/markers.ts';
import type { GameEvent } from '../../src/events/event.ts';
import type { Schema } from '../../src/protocol/schema.ts';
import { type TickRange, ticksPerSecond } from '../../src/protocol/ticks.ts';
import type { RecordingEntry } from '../../src/recording/record.ts';
import { readDemo } from '../lib/demo/read-demo.ts';
import { usageError } from '../lib/errors.ts';
import type { Opened } from '../lib/input/open.ts';

export interface RangeOptions {
  readonly ticks?: TickRange;
  readonly from?: number;
  readonly to?: number;
  readonly around?: string;
  readonly before?: number;
  readonly after?: number;
  readonly join?: boolean;
}

/** The ranges of one demo to be written, in ticks. */
export interface Cut {
  readonly ranges: readonly TickRange[];
  readonly about: readonly GameEvent[];
}

/** The events to search for, or the ticks; they are relative to the first tick if a time was given. */
export function choiceOf(
  options: RangeOptions,
): { readonly ticks: TickRange; readonly fromFirstTick: boolean } | EventKind {
  const { ticks, from = 0, to = Infinity, around } = options;
  const hasTime = options.from !== undefined || options.to !== undefined;
  if (Number(ticks !== undefined) + Number(hasTime) + Number(around !== undefined) !== 1) {
    throw usageError('choose what to cut out: --ticks A..B, --from and --to, or --around WHAT');
  }
  if (around !== undefined) {
    const kind = readEventKind(around);
    if (kind) return kind;
    throw usageError(`--around expects kill, death, finish, marker or chat:/RE/, not '${around}'`);
  }
  for (const name of ['before', 'after', 'join'] as const) {
    if (options[name] !== undefined) throw usageError(`--${name} requires --around`);
  }
  const range = ticks ?? { from: Math.round(from * ticksPerSecond), to: Math.round(to * ticksPerSecond) };
  if (range.from > range.to) throw usageError('the range ends before it begins');
  return { ticks: range, fromFirstTick: ticks === undefined };
}

const [secondsBefore, secondsAfter] = [5, 3];

/** Finds the events of a demo. Each results in a separate demo, unless they are joined in one. */
export async function cutsAround(
  opened: Opened,
  kind: EventKind,
  { before = secondsBefore, after = secondsAfter, join = false }: RangeOptions,
  schema: Schema,
): Promise<Cut[]> {
  const finder = new EventFinder(kind);
  const add = (entry: RecordingEntry): undefined => {
    finder.add(entry);
  };
  await readDemo(opened, schema, { add });
  finder.finish();
  if (finder.found.length >= maxFound) throw usageError(`${opened.name}: more than ${maxFound} events`);
  const rangeOf = ({ tick }: FoundEvents) => ({
    from: Math.max(0, tick - Math.round(before * ticksPerSecond)),
    to: tick + Math.round(after * ticksPerSecond),
  });
  const cuts = finder.found.map((one) => ({ ranges: [rangeOf(one)], about: one.events }));
  if (!join || cuts.length === 0) return cuts;
  return [{ ranges: joined(cuts.flatMap(({ ranges }) => ranges)), about: cuts.flatMap(({ about }) => about) }];
}

/** Sorted ranges; those that touch are merged. */
function joined(ranges: readonly TickRange[]): TickRange[] {
  const all: TickRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && range.from <= last.to + 1) all[all.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else all.push(range);
  }
  return all;
}
