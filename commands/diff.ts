import { compareRuns } from '../src/analysis/stats/run-times.ts';
import { areOnOneMap } from '../src/editing/ghost-run.ts';
import { diffJson, renderJson, type TypedSnapshot } from '../src/output/json/item-json.ts';
import { diagnosticMessage } from '../src/output/phrases/diagnostic-messages.ts';
import { renderDiff, renderRunDiff } from '../src/output/reports/diff.ts';
import { pathText } from '../src/output/text/escape.ts';
import type { RecordFilter } from '../src/recording/replay/record.ts';
import { attempt, DecodeError } from '../src/wire/bytes/diagnostic.ts';
import { protocolOf, type Schema, versions } from '../src/wire/protocol/registry.ts';
import { select, withFieldsOf } from '../src/wire/snapshot/builder.ts';
import { compare } from '../src/wire/snapshot/compare.ts';
import { createDelta } from '../src/wire/snapshot/create-delta.ts';
import { readSnapshot } from './lib/input/bases.ts';
import { inputOf } from './lib/input/input-of.ts';
import {
  type Input,
  type LoadedSnapshot,
  refuseMeaningless,
  refuseNeedlessBase,
  splitPosition,
} from './lib/input/inputs.ts';
import { withDoubt } from './lib/input/loaded.ts';
import { type Opened, type OpenedRecording, open } from './lib/input/opened.ts';
import { tellWarnings } from './lib/input/snapshots.ts';
import { CommandError, exit, inputError, usageError, withoutName } from './lib/options/errors.ts';
import { common, type Given, itemSelection, nameList, player, printing, snapshotInput } from './lib/options/options.ts';
import { filterOf, unknownName } from './lib/options/selection.ts';
import { encodings, isEncoding, type Printing, print, printEncoded, printingOf } from './lib/output/printing.ts';
import type { Io } from './lib/platform/io.ts';
import { runOf } from './lib/run/ghost-runs.ts';

type Options = Given<(typeof definition)['options']>;

/** A delta as bytes turns all of one snapshot into the other. */
const onlyWithoutEncoding = {
  refusal: ({ to }: Readonly<Record<string, unknown>>) =>
    isEncoding(`${to}`)
      ? `-t ${to} writes a whole delta: --type, --id and --ignore cannot be combined with it`
      : undefined,
};
const { type, id } = itemSelection('items of these types');

export const definition = {
  arguments: {
    '<old>': "a snapshot in any encoding, or 'empty'; or a run: a ghost or demo",
    '<new>': 'the snapshot or run to compare it with; @MOMENT is in the file of the first',
  },
  options: {
    ignore: nameList('--ignore <fields>', 'ignore changes of these fields, separated by commas', onlyWithoutEncoding),
    ...snapshotInput,
    type: { ...type, ...onlyWithoutEncoding },
    id: { ...id, ...onlyWithoutEncoding },
    ...printing(['table', 'markdown', 'json', ...encodings]),
    strict: common.strict,
    player: { ...player, about: 'the player whose runs in demos are compared (default: the recorded one)' },
  },
  help: `
Exit status: 0 if the snapshots contain the same items, 1 if they differ.

Two runs (ghosts, or the fastest run of a player in a demo) are compared at 20 places on
the way of the first, where the second first comes nearest, within three tiles.

Examples:
  tw-snap diff match.demo@0:10 @0:12
  tw-snap diff old.snap new.snap --ignore tick
  tw-snap diff old.snap new.snap -t huffman -o new.delta
  tw-snap diff best.demo today.demo --player racer`,
};

export async function run(args: readonly string[], given: Options, io: Io): Promise<number> {
  const [oldPath, second] = args as [string, string];
  const newPath = inFirst(oldPath, second, io);
  const input = await inputOf(given, io);
  const printing = await printingOf(given, io);

  const opened = await openRuns([oldPath, newPath], input);
  if (opened) {
    refuseMeaningless(opened, input);
    return diffRuns(opened, given.player, input, printing);
  }
  if (given.player !== undefined) throw usageError('--player is for two runs: ghosts or demos');

  for (const field of given.ignore ?? []) refuseUnknownField(field, input.schema);
  const old = await readSnapshot(oldPath, input);
  const now = await readSnapshot(newPath, input);
  refuseMeaningless(input.opened, input);
  refuseNeedlessBase(newPath, input);

  const { format } = printing;
  const warnings = (await tellWarnings(old, input)) + (await tellWarnings(now, input));
  const status = input.strict && warnings > 0 ? exit.finding : exit.fine;

  let isDifferent: boolean;
  if (isEncoding(format)) {
    await printEncoded(delta(old, now), format, printing);
    isDifferent = differs(compare(old.snapshot, now.snapshot));
  } else {
    const [before, after] = comparedSnapshots(old, now, filterOf(given, input.schema), given.ignore);
    const found = compare(before.snapshot, after.snapshot);
    const title = `${old.name} → ${now.name}`;
    const text =
      format === 'json'
        ? renderJson(diffJson(before, after, found))
        : printing.fit(renderDiff(before, after, found, { title, ...printing }));
    await print(text, printing);
    isDifferent = differs(found);
  }

  return Math.max(status, withDoubt(isDifferent ? exit.finding : exit.fine, old, now));
}

/** A field that no item has would leave out nothing, and nobody would know. */
function refuseUnknownField(word: string, schema: Schema): void {
  const fields = versions.flatMap((version) => protocolOf(version, schema).items.flatMap(({ fields }) => fields));
  const names = [...new Set(fields.map(({ name }) => name))].map((name) => ({ name }));
  if (!names.some(({ name }) => name === word)) throw unknownName('field', word, [names], ' (--ignore)');
}

/** `@B` and `#B` are in the file of the first argument: `diff FILE@A @B`. */
function inFirst(first: string, second: string, io: Io): string {
  const file = splitPosition(first, io).path;
  return /^[@#]/.test(second) && file !== '-' && !io.exists(second) ? `${file}${second}` : second;
}

/** Two ghosts or demos without a position in them, one of them a ghost or with --player; undefined for snapshots. */
async function openRuns(paths: readonly [string, string], input: Input) {
  if (paths.some((path) => path === 'empty' || splitPosition(path, input.io).path === '-')) return undefined;
  const old = await open(paths[0], input);
  const now = await open(paths[1], input);
  const isRun = ({ format, position }: Opened) => !position && (format?.isRun || format?.hasTicks);
  return isRun(old) && isRun(now) ? ([old, now] as OpenedRecording[]) : undefined;
}

/** The run of a player, whom `--player` names; without one, a demo may well be meant to be compared at a moment. */
async function runIn(opened: OpenedRecording, player: string | undefined, input: Input) {
  try {
    return await runOf(opened, player, input);
  } catch (error) {
    if (!(error instanceof CommandError) || player !== undefined || opened.format.isRun) throw error;
    const moment = `name a moment of each demo, as ${opened.name}@0:30, or runs that finish`;
    throw usageError(`${opened.name}: ${moment}: ${withoutName(pathText(opened.name), error.message)}`);
  }
}

async function diffRuns(opened: readonly OpenedRecording[], player: string | undefined, input: Input, style: Printing) {
  const left = await runIn(opened[0]!, player, input);
  const right = await runIn(opened[1]!, player, input);
  const places = compareRuns(left, right);
  const title = opened.map(({ name }) => pathText(name)).join(' → ');
  const { format } = style;
  if (isEncoding(format)) throw usageError(`-t ${format} is for snapshots; runs are compared as a table or JSON`);

  const rows = places.map((place) => ({ ...place, second: place.second ?? null, lost: place.lost ?? null }));
  const maps = { first: left.map, second: right.map };
  const isOneMap = areOnOneMap(left.map, right.map);
  const json = { kind: 'runs', first: left.player, second: right.player, same_map: isOneMap ?? null, places: rows };
  await print(format === 'json' ? renderJson(json) : style.fit(renderRunDiff(places, title, style, maps)), style);

  // Times are shown in hundredths of a second: a smaller difference is none.
  const isAnotherTime = ({ first, second }: (typeof places)[0]) =>
    second === undefined || Math.abs(second - first) > 0.005;
  const isDifferent = isOneMap === false || places.some(isAnotherTime);
  return isDifferent ? exit.finding : exit.fine;
}

function delta(old: LoadedSnapshot, now: LoadedSnapshot) {
  const made = attempt(() => createDelta(old.snapshot, now.snapshot, now.payload.types.protocol.sizeOf));
  if (!(made instanceof DecodeError)) return made;
  throw inputError(`no delta can turn one into the other: ${diagnosticMessage(made)}`);
}

/** The selected items of both snapshots. Ignored fields of the new one get their old values. */
function comparedSnapshots(
  old: LoadedSnapshot,
  now: LoadedSnapshot,
  isSelected: RecordFilter,
  ignored: readonly string[] | undefined,
): [TypedSnapshot, TypedSnapshot] {
  const typedSnapshot = ({ snapshot: whole, payload: { types } }: LoadedSnapshot): TypedSnapshot => {
    if (isSelected.all) return { snapshot: whole, types, whole };
    return { snapshot: select(whole, (type, id) => isSelected.item(types, type, id)), types, whole };
  };

  const before = typedSnapshot(old);
  const after = typedSnapshot(now);
  if (!ignored) return [before, after];
  return [before, { ...after, snapshot: withFieldsOf(before.snapshot, after.snapshot, after.types, new Set(ignored)) }];
}

const differs = ({ removed, added, changed, reordered }: ReturnType<typeof compare>) =>
  removed.length + added.length + changed.length > 0 || reordered;
