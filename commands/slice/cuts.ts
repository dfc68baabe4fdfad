import type { CompiledQuery } from '../../src/analysis/query/compile.ts';
import { QuerySearch } from '../../src/analysis/query/search.ts';
import { type EventChoice, EventFinder, maxFound, readEventChoice } from '../../src/editing/markers.ts';
import type { Moment, MomentRange } from '../../src/input/source/position.ts';
import { thousands } from '../../src/output/text/number.ts';
import type { GameEvent } from '../../src/recording/events/event.ts';
import type { RecordingEntry } from '../../src/recording/replay/record.ts';
import { type TickRange, ticksPerSecond } from '../../src/wire/protocol/ticks.ts';
import { noPlayer } from '../lib/input/records.ts';
import { inputError, usageError } from '../lib/options/errors.ts';
import { wrongEvent } from '../lib/options/events.ts';
import { playerChoice } from '../lib/options/selection.ts';
import type { Options } from './definition.ts';

/** What becomes one file. */
export interface Cut {
  readonly ranges: readonly TickRange[];
  readonly about: readonly GameEvent[];
  readonly ticks?: TickRange;
}

/** From the first tick and to the last one is all that is there, also what damage gives other ticks. */
export function cutOf(ticks: TickRange, { from, to }: MomentRange): Cut {
  const isEdge = (moment: Moment | undefined, edge: Moment['from']) =>
    moment === undefined || (moment.from === edge && moment.ticks === 0);
  const range = { from: isEdge(from, 'first') ? 0 : ticks.from, to: isEdge(to, 'last') ? Infinity : ticks.to };
  return { ranges: [range], about: [], ticks };
}

/** A recording in which something is searched: its name, and how its records are read. */
interface Searched {
  readonly name: string;
  read(add: (entry: RecordingEntry) => void): Promise<void>;
}

/** The cuts that `--around` or `--where` asks for, each a file of its own unless they are joined. */
export async function findCuts(searched: Searched, given: Options, query: CompiledQuery | undefined): Promise<Cut[]> {
  const { around, output } = given;
  const cuts = query ? await cutsWhere(searched, query, given) : await cutsAround(searched, readChoice(around!), given);
  if (cuts.length > 1 && !output?.includes('%d')) {
    throw usageError(`this makes ${cuts.length} files: name them with %d (-o cut-%d.demo), or make one with --join`);
  }
  return cuts;
}

function readChoice(around: string): EventChoice {
  const choice = readEventChoice(around);
  if (choice) return choice;
  throw wrongEvent('--around', around, ', each also with :last or a number from 1');
}

const secondsBefore = 5;
const secondsAfter = 3;

/** Finds events. Each results in a separate file, unless they are joined in one. */
async function cutsAround(
  { name, read }: Searched,
  { test, which }: EventChoice,
  { around, player: who, before = secondsBefore, after = secondsAfter, join = false }: Options,
): Promise<Cut[]> {
  const player = playerChoice(who);
  const finder = new EventFinder(test, player);
  const first = new FirstTick(name);
  await read((entry) => {
    first.add(entry);
    player?.follow(entry);
    finder.add(entry);
  });
  finder.finish();
  if (player && !player.isFound) throw noPlayer(name, player);
  const one = which === undefined ? undefined : finder.only(which);
  if (finder.found.length >= maxFound && (which === 'last' || !one)) {
    const advice = 'choose those of one --player, or one as kill:3, or cut a part out first with --ticks';
    throw usageError(`${name}: ${thousands(maxFound)} events or more; ${advice}`);
  }
  const found = which === undefined ? finder.found : one ? [one] : [];
  if (found.length === 0) {
    const others = finder.found.reduce((sum, { events }) => sum + events.length, 0);
    const only = others > 0 ? `; the last is number ${others}` : '';
    throw inputError(`${name}: there is no ${around}${only}`);
  }
  const cuts = found.map(({ tick, events }) => ({ ranges: [first.rangeAround(tick, before, after)], about: events }));
  if (!join) return cuts;
  return [{ ranges: joined(cuts.flatMap(({ ranges }) => ranges)), about: cuts.flatMap(({ about }) => about) }];
}

/** The ticks around all that a query selects: where they touch, one range. */
async function cutsWhere(
  { name, read }: Searched,
  query: CompiledQuery,
  { where, before = secondsBefore, after = secondsAfter, join = false }: Options,
): Promise<Cut[]> {
  const ranges: TickRange[] = [];
  const first = new FirstTick(name);
  let isBefore = false;
  const search = new QuerySearch(query, ({ tick }) => {
    isBefore ||= tick < 0;
    if (tick < 0) return;
    const last = ranges.at(-1);
    const range = first.rangeAround(tick, before, after);
    if (last && range.from <= last.to + 1 && range.from >= last.from)
      ranges[ranges.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else if (ranges.length < maxFound) ranges.push(range);
  });
  await read((entry) => {
    first.add(entry);
    search.add(entry);
  });
  search.finish();
  if (isBefore) ranges.unshift(first.rangeAround(-1, before, after));
  if (ranges.length >= maxFound)
    throw usageError(`${name}: ${thousands(maxFound)} ranges or more; cut a part out first with --ticks`);
  if (ranges.length === 0) throw inputError(`${name}: nothing matches --where ${where!.text}`);
  const all = joined(ranges);
  return join ? [{ ranges: all, about: [] }] : all.map((range) => ({ ranges: [range], about: [] }));
}

/** The first tick of a recording: what comes before it is cut with the beginning. */
class FirstTick {
  readonly #name: string;
  #tick: number | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  add(entry: RecordingEntry): void {
    if (entry.record === 'tick' || entry.record === 'snapshot') this.#tick ??= entry.tick;
  }

  /** @param tick -1 before the first */
  rangeAround(tick: number, before: number, after: number): TickRange {
    const first = this.#tick;
    if (first === undefined) throw inputError(`${this.#name}: no snapshot is near it; --frames cuts without ticks`);
    const to = Math.max(tick, first) + Math.round(after * ticksPerSecond);
    return { from: tick < 0 ? 0 : Math.max(0, tick - Math.round(before * ticksPerSecond)), to };
  }
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
