import { expect, it } from 'vitest';
import { renderDiff } from '../../../src/output/reports/diff.ts';
import { plainTheme } from '../../../src/output/text/theme.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { compare } from '../../../src/wire/snapshot/compare.ts';
import { ItemTypes } from '../../../src/wire/snapshot/item-types.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { type MadeItem, Recording } from '../../support/recording.ts';

const snapshot = (...items: readonly MadeItem[]): Snapshot => {
  const record = new Recording('0.7')
    .tick(1)
    .snapshot(...items)
    .records.at(-1)!;
  if (record.record !== 'snapshot') throw new Error('no snapshot');
  return record.snapshot!;
};

const reported = (old: readonly MadeItem[], now: readonly MadeItem[]) => {
  const side = (snapshot: Snapshot) => ({
    snapshot: snapshot,
    whole: snapshot,
    types: new ItemTypes(protocolOf('0.7')).onSnapshot(snapshot),
  });
  const [before, after] = [snapshot(...old), snapshot(...now)];
  const style = { title: 'old → new', theme: plainTheme, width: 200, verbose: false };
  const sections = renderDiff(side(before), side(after), compare(before, after), style).trimEnd().split('\n\n');
  // After the title, and before the items.
  return sections.length < 3 ? [] : sections[1]!.split('\n');
};

const name: MadeItem = ['obj_de_client_info', 0, { name: 'ann' }];
const character = (fields: Readonly<Record<string, number>>, id = 0): MadeItem => ['obj_character', id, fields];

it('lists who moved, in tiles of 32', () => {
  const from = (x: number, y: number) => reported([name, character({ x: 320, y: 320 })], [name, character({ x, y })]);
  expect(from(352, 320)).toEqual(['  "ann"   moved 1.00 right']);
  expect(from(288, 304)).toEqual(['  "ann"   moved 1.00 left, 0.50 up']);
  expect(from(320, 336)).toEqual(['  "ann"   moved 0.50 down']);
});

it('lists who was hit, and what was gained', () => {
  const of = (was: Readonly<Record<string, number>>, is: Readonly<Record<string, number>>) =>
    reported([character(was, 4)], [character(is, 4)]).map((line) => line.replace(/ {2,}/g, '  '));
  expect(of({ health: 10 }, { health: 4 })).toEqual(['  player 4  health 10 → 4 (hit)']);
  expect(of({ health: 4, armor: 1 }, { health: 10, armor: 2 })).toEqual(['  player 4  health 4 → 10  armor 1 → 2']);
  // None of a player's items changed.
  expect(of({ tick: 1 }, { tick: 2 })).toEqual([]);
});

it('lists who joined and left, in the order of their numbers', () => {
  const info = (id: number): MadeItem => ['obj_player_info', id];
  const lines = reported([character({}, 3), info(2), character({}, 2)], [character({}, 3), character({}, 1), info(1)]);
  expect(lines.map((line) => line.trim())).toEqual([
    'player 1   appears',
    'player 1   joined',
    'player 2   left',
    'player 2   died or out of sight',
  ]);
});
