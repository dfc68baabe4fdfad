import { playerOf } from '../../recording/players.ts';
import type { Comparison } from '../../snapshot/compare.ts';
import { fieldAt, intAt } from '../../snapshot/item-fields.ts';
import { columns } from '../text/layout.ts';
import type { Theme, ViewStyle } from '../text/theme.ts';
import { quotedName } from '../text/untrusted-text.ts';
import type { TypedSnapshot } from './typed-snapshot.ts';

/** Returns a line for each player who moved, was hit, appeared or left. */
export function renderPlayers(
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
    const field = (name: string) => [fieldOf(old, was, name), fieldOf(now, is, name)] as const;
    const cells = [moved(field('x'), field('y')), points('health', field('health')), points('armor', field('armor'))];
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
  return columns(
    rows.sort((a, b) => a.id - b.id).map(({ cells }) => cells),
    ['left', 'left', 'left', 'left'],
    { limit },
  );
}

const unitsPerTile = 32;

type Pair = readonly [number, number];

function moved(x: Pair, y: Pair): string {
  const [dx, dy] = [x, y].map(([was, is]) => (is - was) / unitsPerTile) as [number, number];
  if (dx === 0 && dy === 0) return '';
  const parts = [
    dx === 0 ? '' : `${Math.abs(dx).toFixed(2)} ${dx < 0 ? 'left' : 'right'}`,
    dy === 0 ? '' : `${Math.abs(dy).toFixed(2)} ${dy < 0 ? 'up' : 'down'}`,
  ];
  return `moved ${parts.filter((part) => part !== '').join(', ')}`;
}

function points(name: string, [was, is]: Pair): string {
  if (was === is) return '';
  return `${name} ${was} → ${is}${name === 'health' && is < was ? ' (hit)' : ''}`;
}

function player({ snapshot, types, whole }: TypedSnapshot, i: number, theme: Theme): string {
  const id = snapshot.id(i);
  const name = playerOf(whole, types, snapshot.type(i), id);
  return theme.role.text(name === undefined ? `player ${id}` : quotedName(name));
}

function nameOf({ snapshot, types }: TypedSnapshot, i: number): string | undefined {
  return types.of(snapshot.type(i))?.name;
}

function fieldOf({ snapshot, types }: TypedSnapshot, i: number, name: string): number {
  const type = types.of(snapshot.type(i));
  return type ? intAt(snapshot, i, fieldAt(type, name)) : 0;
}
