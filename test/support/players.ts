import { demoGames } from '../../src/recording/games/demo-rules.ts';
import { questionOf } from '../../vectors/check.mjs';
import { fromHex } from '../../vectors/encode.mjs';
import { digestOf } from '../../vectors/games/answer.mjs';
import { type Played, readPlayed, tags } from '../../vectors/games/players.mjs';
import { makeVectors } from '../../vectors/make/all.ts';
import type { Vector } from '../../vectors/make/vector.ts';
import { playedByAll } from './specimens.ts';

const players = readPlayed();
export const playVectors: readonly Vector[] = makeVectors().byLayer.get('play')!;
const order = tags.map(([tag]) => tag);

/** What a tag did: the last answer from it on. */
function playedBy(tag: string, played: readonly Played[]): Played {
  const teeworlds = played.at(-1)!;
  if (tag === teeworlds.tag) return teeworlds;
  return played.slice(0, -1).findLast((answer) => order.indexOf(answer.tag) <= order.indexOf(tag))!;
}

export const fileOf = (vector: Vector) => fromHex(questionOf(vector).in ?? '');

/** What differs from what the games did, and how many versions do not tell. */
function compare(vector: Vector): { readonly wrong: readonly string[]; readonly untold: number } {
  const results = playedByAll(fileOf(vector), demoGames);
  const wrong: string[] = [];
  let untold = 0;
  for (const [tag, version] of tags) {
    const { played: own } = results.find(({ game }) => game.version === version)!;
    const { tag: _, ...expected } = playedBy(tag, players.get(digestOf(vector))!);
    if (own.outcome === 'undefined') {
      untold++;
      continue;
    }
    const { outcome, sentence: said, tick, offset, skipped } = own;
    // What is left out of snapshots that another demo begins is not told.
    const all = { outcome, said, tick, offset, skipped: own.isOnOther ? expected.skipped : skipped };
    const found = Object.fromEntries(Object.keys(expected).map((key) => [key, all[key as keyof typeof all]]));
    if (JSON.stringify(found) !== JSON.stringify(expected))
      wrong.push(`${tag}: ${JSON.stringify(found)}, the game: ${JSON.stringify(expected)}`);
  }
  return { wrong, untold };
}

/** What is wrong with how some vectors are played, and the part of answers that no file decides. */
export function comparePlayed(of: readonly Vector[]) {
  const found = of.map((vector) => ({ id: vector.id, about: vector.row ?? vector.note, ...compare(vector) }));
  const untold = found.reduce((sum, { untold: count }) => sum + count, 0);
  return { wrong: found.filter(({ wrong }) => wrong.length > 0), untold: untold / (found.length * tags.length) };
}
