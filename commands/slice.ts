import type { CompiledQuery } from '../src/analysis/query/compile.ts';
import { QuerySearch } from '../src/analysis/query/search.ts';
import { JoinedRanges } from '../src/editing/concat.ts';
import type { Losses } from '../src/editing/losses.ts';
import { type EventChoice, EventFinder, maxFound, readEventChoice } from '../src/editing/markers.ts';
import { Slicer } from '../src/editing/slice.ts';
import { type Moment, type MomentRange, secondsOf } from '../src/input/source/position.ts';
import { renderSent } from '../src/output/reports/edit.ts';
import type { GameEvent } from '../src/recording/events/event.ts';
import { type TickRange, ticksPerSecond } from '../src/wire/protocol/ticks.ts';
import { rangeIn } from './lib/input/chosen.ts';
import type { Opened } from './lib/input/opened.ts';
import { noPlayer, noSnapshot } from './lib/input/records.ts';
import { inputError, usageError } from './lib/options/errors.ts';
import { wrongEvent } from './lib/options/events.ts';
import { demoOutput, flag, type Given, parsed, player, required, text, ticks } from './lib/options/options.ts';
import { compiledOf, playerChoice } from './lib/options/selection.ts';
import { where } from './lib/options/where.ts';
import type { Io } from './lib/platform/io.ts';
import { DemoWork } from './lib/run/demo-output.ts';

type Options = Given<(typeof definition)['options']>;

const requires =
  (name: string, ...options: readonly ('around' | 'where')[]) =>
  (given: Readonly<Record<string, unknown>>) =>
    options.every((option) => given[option] === undefined)
      ? `--${name} requires ${options.map((option) => `--${option}`).join(' or ')}`
      : undefined;

export const definition = {
  usage: '[options] <file> -o <out>',
  arguments: { '<file>': "a demo, or FILE@A..B for a range of it; '-' for standard input" },
  options: {
    ticks,
    around: text(
      '--around <what>',
      'around each kill, death, finish, marker, chat:/RE/ or another event, or one: kill:3, kill:last',
    ),
    where: { ...where, about: "around all that a query selects: 'obj_character weapon=ninja'" },
    player: { ...player, refusal: requires('player', 'around') },
    before: parsed('--before <time>', 'seconds before each event (default: 5)', seconds, {
      refusal: requires('before', 'around', 'where'),
    }),
    after: parsed('--after <time>', 'seconds after each event (default: 3)', seconds, {
      refusal: requires('after', 'around', 'where'),
    }),
    join: flag('--join', 'write one demo with all ranges, instead of one demo for each', {
      refusal: requires('join', 'around', 'where'),
    }),
    carry: flag('--no-carry', 'do not repeat earlier messages that set tuning, votes, motd and other state', {
      default: true,
    }),
    ...demoOutput("the demo to write, with %d for several: cut-%d.demo; '-' for standard output"),
  },
  help: `
Examples:
  tw-snap slice match.demo --ticks 9072..9472 -o cut.demo
  tw-snap slice match.demo@0:10..0:20 -o cut.demo
  tw-snap slice match.demo --around kill:by-player --before 5s --after 3s -o frag-%d.demo
  tw-snap slice match.demo --where 'obj_character weapon=grenade' --join -o grenade.demo
  tw-snap slice match.demo --around 'chat:/gg|nice/i' --join -o talk.demo`,
};

function seconds(text: string): number {
  return required(secondsOf(text), 'seconds, as 90, 5s or 1:30');
}

interface Cut {
  readonly ranges: readonly TickRange[];
  readonly about: readonly GameEvent[];
  readonly ticks?: TickRange;
}

export async function run([path]: readonly string[], given: Options, io: Io): Promise<number> {
  const work = await DemoWork.of(given, io);
  const { around, where } = given;
  const named = await work.open(path);
  const range = given.ticks ?? rangeIn(named);
  if ([range, around, where].filter((option) => option !== undefined).length !== 1)
    throw usageError('choose what to cut out: FILE@A..B, --ticks A..B, --around WHAT or --where QUERY');
  const query = where && compiledOf(where, work.schema);
  const choice = around === undefined ? undefined : eventChoice(around);
  const opened = await named.recording({ ...work, ...everything, ticks: given.ticks });
  if (range) return write(opened, [cutOf(opened.ticks!, range)], given, work);
  if (!opened.isFile)
    throw usageError(`${opened.name}: --${choice ? 'around' : 'where'} reads the file twice; it has to be a file`);
  const cuts = choice ? await cutsAround(opened, choice, given, work) : await cutsWhere(opened, query!, given, work);
  if (cuts.length > 1 && !work.output.includes('%d')) {
    throw usageError(`this makes ${cuts.length} demos: name them with %d (-o cut-%d.demo), or make one with --join`);
  }
  return write(await work.open(opened.path), cuts, given, work);
}

/** From the first tick and to the last one is all that is there, also what damage gives other ticks. */
function cutOf(ticks: TickRange, { from, to }: MomentRange): Cut {
  const isEdge = (moment: Moment | undefined, edge: Moment['from']) =>
    moment === undefined || (moment.from === edge && moment.ticks === 0);
  const range = { from: isEdge(from, 'first') ? 0 : ticks.from, to: isEdge(to, 'last') ? Infinity : ticks.to };
  return { ranges: [range], about: [], ticks };
}

/** A demo has one stream, and its version is detected. */
const everything = { client: undefined, version: undefined, follow: false };

function eventChoice(around: string): EventChoice {
  const choice = readEventChoice(around);
  if (choice) return choice;
  throw wrongEvent('--around', around, ', each also with :last or a number from 1');
}

const secondsBefore = 5;
const secondsAfter = 3;

/** Finds the events of a demo. Each results in a separate demo, unless they are joined in one. */
async function cutsAround(
  opened: Opened,
  { test, which }: EventChoice,
  { around, player: who, before = secondsBefore, after = secondsAfter, join = false }: Options,
  work: DemoWork,
): Promise<Cut[]> {
  const player = playerChoice(who);
  const finder = new EventFinder(test, player);
  await work.read(opened, (entry) => {
    player?.follow(entry);
    finder.add(entry);
  });
  finder.finish();
  if (player && !player.isFound) throw noPlayer(opened.name, player);
  if (finder.found.length >= maxFound) throw usageError(`${opened.name}: more than ${maxFound} events`);
  const found = which === undefined ? finder.found : [finder.only(which)].filter((found) => found !== undefined);
  if (found.length === 0) {
    const others = finder.found.reduce((sum, { events }) => sum + events.length, 0);
    const only = others > 0 ? `; the last is number ${others}` : '';
    throw inputError(`${opened.name}: there is no ${around}${only}`);
  }
  const cuts = found.map(({ tick, events }) => ({ ranges: [rangeAround(tick, before, after)], about: events }));
  if (!join) return cuts;
  return [{ ranges: joined(cuts.flatMap(({ ranges }) => ranges)), about: cuts.flatMap(({ about }) => about) }];
}

/** The ticks around all that a query selects: where they touch, one range. */
async function cutsWhere(
  opened: Opened,
  query: CompiledQuery,
  { where, before = secondsBefore, after = secondsAfter, join = false }: Options,
  work: DemoWork,
): Promise<Cut[]> {
  const ranges: TickRange[] = [];
  const search = new QuerySearch(query, ({ tick }) => {
    const last = ranges.at(-1);
    const range = rangeAround(tick, before, after);
    if (last && range.from <= last.to + 1 && range.from >= last.from)
      ranges[ranges.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else if (ranges.length < maxFound) ranges.push(range);
  });
  await work.read(opened, (entry) => search.add(entry));
  search.finish();
  if (ranges.length >= maxFound) throw usageError(`${opened.name}: more than ${maxFound} ranges`);
  if (ranges.length === 0) throw inputError(`${opened.name}: nothing matches --where ${where!.text}`);
  const all = joined(ranges);
  return join ? [{ ranges: all, about: [] }] : all.map((range) => ({ ranges: [range], about: [] }));
}

const rangeAround = (tick: number, before: number, after: number): TickRange => ({
  from: Math.max(0, tick - Math.round(before * ticksPerSecond)),
  to: tick + Math.round(after * ticksPerSecond),
});

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

async function write(
  opened: Opened,
  cuts: readonly Cut[],
  { join, carry = true, around, where }: Options,
  work: DemoWork,
): Promise<number> {
  const nameOf = (i: number) =>
    (around === undefined && where === undefined) || join ? work.output : work.output.replaceAll('%d', String(i + 1));
  for (const [i, { about }] of cuts.entries()) work.begin(nameOf(i), about);
  const { outputs } = work;
  const joined = join ? new JoinedRanges(cuts[0]!.ranges, outputs[0]!.emit) : undefined;
  const targets = cuts.map(({ about: _, ...cut }, i) => ({ ...cut, emit: joined?.add ?? outputs[i]!.emit }));
  const slicer = new Slicer(targets, { carry });
  let isDamaged = false;
  let first = Infinity;
  let last = -1;
  const isWritten = () => outputs.some(({ recorder }) => recorder.lastTick >= 0);
  const found = await work.readSure(
    opened,
    (entry) => {
      isDamaged ||= entry.record === 'diagnostic' && entry.diagnostic.severity === 'error';
      slicer.add(entry);
      if (entry.record === 'snapshot') {
        first = Math.min(first, entry.tick);
        last = Math.max(last, entry.tick);
      }
      // A range before the first tick is an error that says which ticks there are.
      return slicer.isDone && isWritten();
    },
    (ticks) => slicer.concerns(ticks),
  );
  slicer.finish();
  const { leftOut } = slicer;
  const losses: Losses = {
    ranges: [...found.ranges, ...leftOut].sort((a, b) => a.from - b.from),
    count: found.count + leftOut.length,
    snapshots: leftOut.reduce((sum, { snapshots }) => sum + snapshots, found.snapshots),
    messages: found.messages,
  };
  // A range after the end has no output, since an output is created with its first tick.
  const written = outputs.filter(({ recorder }) => recorder.lastTick >= 0);
  if (written.length === 0) {
    if (isDamaged || losses.count > 0 || last < 0)
      throw inputError(`${opened.name}: there is no snapshot in that range that can be read`);
    throw noSnapshot(opened.name, first, last);
  }
  for (const output of written) await output.finish({}, joined?.markers);
  await work.reportWritten(renderSent(joined?.sent ?? 0), written);
  return work.reportLosses(opened.name, losses);
}
