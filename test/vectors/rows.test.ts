import { describe, expect, it } from 'vitest';
import { type Conduct, detailOf, type GameCheck, type PlayedCheck } from '../../src/recording/games/check.ts';
import { subjects } from '../../src/recording/games/subjects.ts';
import { answer } from '../../vectors/adapters/tw-snap.ts';
import { questionOf } from '../../vectors/check.mjs';
import { makeVectors } from '../../vectors/make/all.ts';
import type { Vector } from '../../vectors/make/vector.ts';

const rows = new Map(
  subjects.flatMap(({ about, checks }) =>
    checks.map((check): [string, GameCheck | PlayedCheck] => [`${about}: ${check.when}`, check]),
  ),
);
const vectors = [...makeVectors().byLayer.values()].flat();
const withRow = vectors.flatMap((vector) => (vector.row === undefined ? [] : [[vector.row, vector] as const]));

const refusing = ['refused', 'dropped'];
const isRefusing = (conduct: Conduct) => refusing.includes(detailOf(conduct).does);

/** What a vector says of the games, as `src/recording/games` does. */
function deedsOf({ result, games }: Vector): { ddnet: string | boolean; teeworlds: string | boolean } {
  if (games) return { ddnet: games.ddnet.does, teeworlds: games.teeworlds.does };
  return { ddnet: result === 'invalid', teeworlds: result === 'invalid' };
}

describe('a vector of a row', () => {
  it.each(withRow.map(([row, vector]) => [vector.id, row, vector] as const))('%s: %s', (_, row, vector) => {
    const check = rows.get(row);
    expect(check, 'the row').toBeDefined();
    const { code } = check!;
    if (code !== undefined && vector.layer !== 'play' && vector.layer !== 'ghost')
      expect(answer(questionOf(vector) as never).codes).toContain(code);
    // What a player does is not stated in a row: players.test.ts.
    if (check!.ddnet === undefined) return;
    const { ddnet, teeworlds = ddnet } = check!;
    const isDeed = vector.result === 'acceptable';
    expect(deedsOf(vector)).toEqual({
      ddnet: isDeed ? detailOf(ddnet).does : isRefusing(ddnet),
      teeworlds: isDeed ? detailOf(teeworlds).does : isRefusing(teeworlds),
    });
  });
});

// Those of recordings and connections get theirs with the readers of these. The others need more than one input: who sent
// a message and when, or a connection that says its version.
it('these rows have none', () => {
  const known = new Set(withRow.map(([row]) => row));
  const without = [...rows.keys()].filter((row) => !known.has(row));
  expect(without.filter((row) => !/^(demo|ghost|connection): /.test(row))).toMatchInlineSnapshot(`
    [
      "int: unpacked ints whose number of bytes is not a multiple of 4",
      "item: 0.7: item of a type for demos in a connection",
      "message: server's message from a client, or a client's from a server",
      "message: number that no game uses: snap_small",
      "message: 0.6: sv_extraprojectile, which servers of DDNet before 16.0 and of Teeworlds before 0.6.4 send for shots",
      "message: number of the other version",
      "message: number without the bit of system messages",
      "message: ready or enter_game before info, info after enter_game",
      "message: snapshot of less than 1 or more than 64 parts, or a part that is not among these",
      "message: message of a client in a chunk that is not vital, other than input, ping and ping_ex",
      "packet: server information of more than 1,400 bytes, cut to these",
    ]
  `);
  const later = Object.fromEntries(
    ['demo', 'ghost', 'connection'].map((about) => [
      about,
      without.filter((row) => row.startsWith(`${about}: `)).length,
    ]),
  );
  expect(later).toMatchInlineSnapshot(`
    {
      "connection": 6,
      "demo": 10,
      "ghost": 0,
    }
  `);
});
