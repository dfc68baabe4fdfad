import { describe, expect, it } from 'vitest';
import { answer } from '../../vectors/adapters/tw-snap.ts';
import { questionOf } from '../../vectors/check.mjs';
import { makeVectors } from '../../vectors/make/all.ts';
import type { Vector } from '../../vectors/make/vector.ts';
import { codesInConnection } from '../support/asked-connection.ts';
import { deedIn, toleratedCases } from '../support/games-tables.ts';
import { isPlayed } from '../support/specimens.ts';

const rows = new Map(toleratedCases.map((one) => [one.row, one]));
const vectors = [...makeVectors().byLayer.values()].flat();
const withRow = vectors.flatMap((vector) => (vector.row === undefined ? [] : [[vector.row, vector] as const]));

const refusing = ['refused', 'dropped'];
const isRefusing = (cell: string) => refusing.includes(deedIn(cell));

/** What a vector says of the games, as the rows do. */
function deedsOf({ result, games }: Vector): { ddnet: string | boolean; teeworlds: string | boolean } {
  if (games) return { ddnet: games.ddnet.does, teeworlds: games.teeworlds.does };
  return { ddnet: result === 'invalid', teeworlds: result === 'invalid' };
}

/** What is told by the reader of the layer, or only where it occurs in a connection. */
function isTold(code: string, vector: Vector): boolean {
  const { codes } = answer(questionOf(vector) as never);
  return codes.includes(code as never) || codesInConnection(vector).has(code);
}

/** Those of a whole recording or connection, of which one part is what the row is about. */
const ofWholes = new Set(['play', 'ghost', 'connection']);

describe('a vector of a row', () => {
  const single = withRow.filter(([, { layer }]) => !ofWholes.has(layer));
  it.each(single.map(([row, vector]) => [vector.id, row, vector] as const))('%s: %s', (_, row, vector) => {
    const check = rows.get(row);
    expect(check, 'the row').toBeDefined();
    if (check!.code !== undefined) expect(isTold(check!.code, vector)).toBe(true);
    // What a player does is run: players.test.ts.
    if (isPlayed(row)) return;
    const { ddnet, teeworlds } = check!;
    const other = teeworlds || ddnet;
    const isDeed = vector.result === 'acceptable';
    expect(deedsOf(vector)).toEqual({
      ddnet: isDeed ? deedIn(ddnet) : isRefusing(ddnet),
      teeworlds: isDeed ? deedIn(other) : isRefusing(other),
    });
  });
});

describe('a row of connections', () => {
  const own = [...rows].flatMap(([row, { code }]) =>
    row.startsWith('connection: ') && code ? [[row, code] as const] : [],
  );
  it.each(own)('is told where it occurs: %s', (row, code) => {
    const vectors = withRow.filter(([known]) => known === row).map(([, vector]) => vector);
    expect(vectors.some((vector) => isTold(code, vector))).toBe(true);
  });
});

it('every row has a vector, and every vector a row that is there', () => {
  const known = new Set(withRow.map(([row]) => row));
  expect([...rows.keys()].filter((row) => !known.has(row))).toEqual([]);
  expect([...known].filter((row) => !rows.has(row))).toEqual([]);
});
