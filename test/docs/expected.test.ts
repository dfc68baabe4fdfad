import { expect, it } from 'vitest';
import { answers, type Expectation, itemRows, order, wholeRows } from '../../src/recording/games/expectations.ts';
import { tableBelow } from '../support/games-tables.ts';

const marks = { wrong: '✗', warning: '!', note: '·' } as const;
const codes = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
const coded = (rows: readonly Expectation[]) => rows.map(({ code, weight }) => [`\`${code}\` ${marks[weight]}`]);

/** The columns of each table that the rows have, too; what is expected, and what is normal, is for people. */
it.each([
  [
    'Answers',
    [0, 1, 2, 3],
    answers.map(({ after, by, answers: all, weight }) => [
      codes([after]),
      by === 'both' ? 'client or server' : by,
      codes(all),
      marks[weight],
    ]),
  ],
  [
    'Order',
    [0, 1, 2],
    order.map(({ message, place, weight }) => [
      codes([message]),
      place === 'before_info' ? 'after `info`' : 'before `enter_game`',
      marks[weight],
    ]),
  ],
  ['Snapshots', [1], coded(Object.values(itemRows))],
  ['Recordings', [1], coded(Object.values(wholeRows))],
] as const)(
  'docs/formats/expected.md has the rows of src/recording/games/expectations.ts: %s',
  (heading, columns, rows) => {
    const written = tableBelow('expected.md', heading);
    expect(written.map((cells) => columns.map((column) => cells[column]))).toEqual(rows);
    expect(written.every((cells) => cells.at(-1) !== '')).toBe(true);
  },
);
