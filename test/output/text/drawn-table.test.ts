import { expect, it } from 'vitest';
import { type Column, tableLines } from '../../../src/output/text/columns.ts';
import { wordTable } from '../../../src/output/text/drawn-table.ts';
import { plainTheme, type Theme } from '../../../src/output/text/theme.ts';
import { seeded } from '../../support/seeded.ts';

const coloured: Theme = { ...plainTheme, dim: (text) => `\u001b[38;5;243m${text}\u001b[39m` };

it.each([
  ['plain', plainTheme],
  ['coloured', coloured],
])('a table of words looks as any other: %s', (_, theme) => {
  const random = seeded(49);
  const word = () => 'obj_character 12 ×256 -1 to 1'.slice(0, random() % 30).trim();
  for (let round = 0; round < 40; round++) {
    const columns = Array.from(
      { length: 1 + (random() % 6) },
      (_, i): Column<readonly string[]> => ({
        head: i === 0 ? 'name' : word() || 'x',
        ...(random() % 2 === 0 && { align: 'left' }),
        cell: (row) =>
          row[i]!.split('\n')
            .map((line) => theme.dim(line))
            .join('\n'),
      }),
    );
    const rows = Array.from({ length: random() % 30 }, () =>
      columns.map(() => (random() % 9 === 0 ? `${word()}\nb` : word())),
    );
    expect(wordTable(columns, rows, theme)).toEqual(tableLines(columns, rows, theme));
  }
});
