import { nearUnits, type PlaceTimes } from '../../analysis/stats/run-times.ts';
import { areOnOneMap, type RunMap } from '../../editing/ghost-run.ts';
import { playerOf } from '../../recording/events/players.ts';
import type { Value } from '../../wire/annotate/field-values.ts';
import { itemIn } from '../../wire/annotate/item-node.ts';
import type { Comparison } from '../../wire/snapshot/compare.ts';
import { fieldAt, intAt } from '../../wire/snapshot/item-fields.ts';
import { valueWords } from '../hexdump/item-rows.ts';
import type { TypedSnapshot } from '../json/item-json.ts';
import { type Align, type Column, columns } from '../text/columns.ts';
import { tableOf } from '../text/drawn-table.ts';
import { pathText, quotedName } from '../text/escape.ts';
import { widthOf, wrap } from '../text/layout.ts';
import { count, nonZero, thousands } from '../text/number.ts';
import { printSections } from '../text/sections.ts';
import { markOf, type Theme, type ViewStyle } from '../text/theme.ts';
import { changeRow } from './decode.ts';

/** With a title: `old.bin → new.bin`. */
type DiffOptions = ViewStyle & { readonly title: string };

const align: readonly Align[] = ['left', 'left', 'right', 'left'];
const titleWidth = 32;

/**
 * The players first, then each changed, added and removed item. With `verbose` all fields, even those that follow from
 * others.
 */
export function renderDiff(old: TypedSnapshot, now: TypedSnapshot, found: Comparison, options: DiffOptions): string {
  const { theme } = options;
  const lines: string[] = [];
  let quiet = 0;
  for (const { old: was, new: is } of found.changed) {
    const item = changedItem(old, was, now, is, options);
    if (item) for (const line of item) lines.push(line);
    else quiet++;
  }
  for (const i of found.added) lines.push(wholeItem('+', theme.added, now, i, options));
  for (const i of found.removed) lines.push(wholeItem('-', theme.removed, old, i, options));
  if (quiet > 0) lines.push(theme.dim(`~ ${count(quiet, 'item')} changed in time and speed only (-v)`));
  const title = [pathText(options.title), summary(found, options)] as const;
  return printSections([{ title }, { lines: renderPlayers(old, now, found, options) }, { lines }], options);
}

function summary(found: Comparison, options: DiffOptions): string {
  const { removed, added, changed, same, reordered } = found;
  const counts = [
    `${thousands(removed.length)} removed`,
    `${thousands(added.length)} added`,
    `${thousands(changed.length)} changed`,
    `${thousands(same)} as before`,
  ];
  if (reordered) counts.push(options.theme.warning('in another order'));
  return counts.join(', ');
}

function changedItem(
  old: TypedSnapshot,
  was: number,
  now: TypedSnapshot,
  is: number,
  options: DiffOptions,
): string[] | undefined {
  const { theme, verbose, limit } = options;
  const item = itemIn(now.types, now.snapshot, is, old.snapshot.item(was));
  const rows: string[][] = [];
  let quiet = 0;
  for (const { value, change } of item.changes()) {
    if (verbose || isSignificant(value)) rows.push(changeRow(value.label, change, theme)!);
    else quiet++;
  }
  if (rows.length === 0) return undefined;
  const lines = [`~ ${title(now, is, theme)}`.trimEnd(), ...columns(rows, align, { indent: '    ', limit })];
  if (quiet > 0) lines.push(theme.dim(`    ${count(quiet, 'more field')} (-v)`));
  return lines;
}

/**
 * Whether a change is shown by default. Ticks, fixed-point values, and positions of hooks and targets change too often.
 */
function isSignificant({ label, meaning }: Value): boolean {
  if (meaning.kind === 'tick' || meaning.kind === 'fixed') return false;
  return !/^(hook_[xy]|target_[xy])$/.test(label);
}

function wholeItem(
  mark: string,
  style: (text: string) => string,
  typed: TypedSnapshot,
  i: number,
  options: DiffOptions,
): string {
  const { theme, width, verbose } = options;
  const { snapshot, types } = typed;
  const isShown = (value: Value) => verbose || isSignificant(value);
  const words = valueWords(itemIn(types, snapshot, i), options, isShown);
  const head = `${style(mark)} ${title(typed, i, theme)}`;
  const [first = '', ...more] = wrap(words, Math.max(20, width - titleWidth - 2));
  if (!verbose) return `${head}${first}${more.length > 0 ? theme.dim(' …') : ''}`.trimEnd();
  return [`${head}${first}`.trimEnd(), ...more.map((line) => ' '.repeat(titleWidth) + line)].join('\n');
}

/** `obj_character 1 "brownbear"`, padded. */
function title({ snapshot, types, whole }: TypedSnapshot, i: number, theme: Theme): string {
  const item = types.titleOf(snapshot.keys[i]!);
  const player = playerOf(whole, types, snapshot.type(i), snapshot.id(i));
  const name = player === undefined ? '' : ` ${quotedName(player)}`;
  const pad = ' '.repeat(Math.max(2, titleWidth - 2 - item.length - widthOf(name)));
  return `${theme.strong(item)}${theme.role.text(name)}${pad}`;
}

function renderPlayers(
  old: TypedSnapshot,
  now: TypedSnapshot,
  found: Comparison,
  { theme, limit }: Pick<ViewStyle, 'theme' | 'limit'>,
): string[] {
  const rows: { readonly id: number; readonly cells: readonly string[] }[] = [];
  const add = (typed: TypedSnapshot, i: number, ...cells: string[]) =>
    rows.push({ id: typed.snapshot.id(i), cells: [player(typed, i, theme), ...cells, '', '', ''].slice(0, 4) });
  for (const { old: was, new: is } of found.changed) {
    if (nameOf(now, is) !== 'obj_character') continue;
    const before = (name: string) => fieldOf(old, was, name);
    const after = (name: string) => fieldOf(now, is, name);
    const cells = [
      // As a delta has it, and the rows below: a difference wraps.
      moved((after('x') - before('x')) | 0, (after('y') - before('y')) | 0),
      ...['health', 'armor'].map((name) => points(name, before(name), after(name))),
    ];
    if (cells.some((cell) => cell !== '')) add(now, is, ...cells);
  }
  for (const i of found.added) {
    if (nameOf(now, i) === 'obj_character') add(now, i, theme.added('appears'));
    if (nameOf(now, i) === 'obj_player_info') add(now, i, theme.added('joined'));
  }
  for (const i of found.removed) {
    if (nameOf(old, i) === 'obj_character') add(old, i, theme.removed('died or out of sight'));
    if (nameOf(old, i) === 'obj_player_info') add(old, i, theme.removed('left'));
  }
  const sorted = rows.sort((a, b) => a.id - b.id).map(({ cells }) => cells);
  return columns(sorted, ['left', 'left', 'left', 'left'], { limit });
}

const unitsPerTile = 32;

function moved(dx: number, dy: number): string {
  const tiles = (units: number, way: string) => [units, `${(units / unitsPerTile).toFixed(2)} ${way}`] as const;
  const parts = nonZero(tiles(-dx, 'left'), tiles(dx, 'right'), tiles(-dy, 'up'), tiles(dy, 'down'));
  return parts.length > 0 ? `moved ${parts.join(', ')}` : '';
}

function points(name: string, was: number, is: number): string {
  if (was === is) return '';
  return `${name} ${was} → ${is}${name === 'health' && is < was ? ' (hit)' : ''}`;
}

function player({ snapshot, types, whole }: TypedSnapshot, i: number, theme: Theme): string {
  const id = snapshot.id(i);
  const name = playerOf(whole, types, snapshot.type(i), id);
  return theme.role.text(name === undefined ? `player ${id}` : quotedName(name));
}

const nameOf = ({ snapshot, types }: TypedSnapshot, i: number) => types.of(snapshot.type(i))?.name;

function fieldOf({ snapshot, types }: TypedSnapshot, i: number, name: string): number {
  const type = types.of(snapshot.type(i));
  return type ? intAt(snapshot, i, fieldAt(type, name)) : 0;
}

const seconds = (value: number | undefined) => (value === undefined ? '' : value.toFixed(2));
const signed = (value: number | undefined, theme: Theme) => {
  if (value === undefined) return '';
  const text = `${value > 0 ? '+' : ''}${value.toFixed(2)}`;
  return Math.abs(value) < 0.005 ? '0.00' : (value > 0 ? theme.error : theme.added)(text);
};

/**
 * `! the runs are on different maps: Kobra (sha256 b2b2b2b2…), Kobra (sha256 a1a1a1a1…)`; undefined if they are on one.
 */
function mapNote({ first, second }: RunMaps, theme: Theme): string | undefined {
  const isOne = areOnOneMap(first, second);
  if (isOne) return undefined;
  const left = mapText(first);
  const right = mapText(second);
  const same = `${left} and ${right}: the files have no sum in common that tells whether it is one map`;
  return `${markOf('warning', theme)} ${isOne === false ? `the runs are on different maps: ${left}, ${right}` : same}`;
}

function mapText({ name, crc, sha256 }: RunMap): string {
  const sum =
    sha256 === undefined ? crc && `crc ${crc.toString(16).padStart(8, '0')}` : `sha256 ${sha256.slice(0, 8)}…`;
  return `${pathText(name)}${sum ? ` (${sum})` : ''}`;
}

interface RunMaps {
  readonly first: RunMap;
  readonly second: RunMap;
}

export function renderRunDiff(places: readonly PlaceTimes[], title: string, style: ViewStyle, maps: RunMaps): string {
  const { theme } = style;
  const note = mapNote(maps, theme);
  const difference = ({ first, second }: PlaceTimes) => (second === undefined ? undefined : second - first);
  const columns: readonly Column<PlaceTimes>[] = [
    { head: 'way', cell: ({ way }) => `${(100 * way).toFixed(0)}%` },
    { head: 'x, y in tiles', cell: ({ x, y }) => `${(x / 32).toFixed(1)}, ${(y / 32).toFixed(1)}` },
    { head: 'first', cell: ({ first }) => seconds(first) },
    { head: 'second', cell: ({ second }) => seconds(second) },
    { head: 'difference', cell: (place) => signed(difference(place), theme) },
    { head: 'lost here', cell: ({ lost }) => signed(lost, theme) },
  ];
  const [most] = [...places].sort((a, b) => (b.lost ?? 0) - (a.lost ?? 0));
  const end = places.findLast((place) => place.second !== undefined);
  const apart = places.filter(({ second }) => second === undefined).length;
  const behind = end && difference(end)!;
  const notes = [
    behind === undefined
      ? 'the runs have no place in common'
      : `at the last common place the second run is ${Math.abs(behind).toFixed(2)} s ${behind > 0 ? 'slower' : 'faster'}`,
    ...(most?.lost && most.lost > 0.005
      ? [`most was lost before ${(100 * most.way).toFixed(0)}% of the way: ${seconds(most.lost)} s`]
      : []),
    ...(apart > 0 ? [`at ${apart} places the second run is more than ${nearUnits / 32} tiles away`] : []),
  ];
  const lines = note === undefined ? [] : [{ lines: [note] }];
  return printSections([{ title: [title] }, ...lines, { table: tableOf(columns, places) }, { lines: notes }], style);
}
