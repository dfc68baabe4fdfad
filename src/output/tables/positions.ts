import type { Players } from '../../recording/events/players.ts';
import type { ItemType } from '../../wire/protocol/item.ts';
import type { ChosenItems } from '../../wire/snapshot/chosen-items.ts';
import { fieldAt } from '../../wire/snapshot/item-fields.ts';
import { type Batch, type CellValue, type ColumnValues, column, optional, type TableSchema } from './batch.ts';
import { originColumns, teamColumn, tickColumn } from './tables.ts';

/** The item that has the places of players, also in ghosts. */
export const characterItem = 'obj_character';

const placeColumns = [
  column('player_id', 'int', 'client number of the player'),
  optional('player_name', 'text', 'null if it is not known'),
  teamColumn,
  column('x', 'int', 'from the left of the map, 32 units are a tile'),
  column('y', 'int', 'from the top of the map, 32 units are a tile'),
  column(
    'position_tick',
    'int',
    'tick at which the player was there: before tick where the server lets clients predict the way, as of a fall',
  ),
];

/** Tidy positions: each tick and player has one row, which is complete without another table. */
export const positionsTable: TableSchema = {
  name: 'positions',
  about: 'each player who is alive in a snapshot, with name and place',
  columns: [...originColumns, tickColumn, ...placeColumns],
};

/** Adds a row for each of some characters. `origin` ends with the tick of their snapshot. */
export function addPositions(
  batch: Batch,
  type: ItemType,
  origin: readonly CellValue[],
  items: ChosenItems,
  players: Players,
): void {
  const { count } = items;
  const row = batch.addRows(count);
  for (const [i, value] of origin.entries()) batch.columns[i]!.fill(row, count, value);
  const [ids, names, teams, xs, ys, ticks] = batch.columns.slice(origin.length) as unknown as Six<ColumnValues>;
  items.copyIds(ids.numbers, row);
  items.copyInts(fieldAt(type, 'x')!, xs.numbers, row, 0);
  items.copyInts(fieldAt(type, 'y')!, ys.numbers, row, 0);
  items.copyInts(fieldAt(type, 'tick')!, ticks.numbers, row, 0);
  for (let i = row; i < row + count; i++) {
    const client = ids.numbers[i]!;
    names.set(i, players.nameOf(client));
    teams.set(i, players.teamOf(client));
    // It is 0 while a game is paused.
    if (ticks.numbers[i] === 0) ticks.numbers[i] = origin.at(-1) as number;
  }
}

type Six<One> = readonly [One, One, One, One, One, One];
