import { expect, it } from 'vitest';
import { gamesText } from '../../../src/output/phrases/games-phrases.ts';
import type { Code } from '../../../src/wire/bytes/diagnostic.ts';
import { deedIn, toleratedCases } from '../../support/games-tables.ts';

/** The words of a cell: what is done, or only how, which says it as well. */
const wordsIn = (cell: string) => [cell, cell.replace(`${deedIn(cell)}: `, '')];

it('what explain says of the games is what the documentation says of the first case with the code', () => {
  const ofConnections = ['message', 'packet', 'connection', 'delta'].flatMap((about) =>
    toleratedCases.filter((one) => one.about === about),
  );
  const codes = new Set(ofConnections.flatMap(({ code }) => (code === undefined ? [] : [code as Code])));
  const said = [...codes].filter((code) => gamesText(code) !== undefined);
  expect(said.length).toBeGreaterThan(20);
  for (const code of said) {
    const { ddnet, teeworlds } = ofConnections.find((one) => one.code === code)!;
    const texts = teeworlds
      ? wordsIn(ddnet).flatMap((one) => wordsIn(teeworlds).map((other) => `DDNet: ${one}; Teeworlds: ${other}`))
      : wordsIn(ddnet).map((both) => `DDNet and Teeworlds: ${both}`);
    expect(texts, code).toContain(gamesText(code));
  }
});
