import { demoGames } from '../../src/recording/games/demo-rules.ts';
import { questionOf } from '../../vectors/check.mjs';
import { fromHex } from '../../vectors/encode.mjs';
import { digestOf } from '../../vectors/games/answer.mjs';
import { type Played, players, readPlayed } from '../../vectors/games/players.mjs';
import { makeVectors } from '../../vectors/make/all.ts';
import type { PlayedLayer, Vector } from '../../vectors/make/vector.ts';
import { loadedByAll, playedByAll } from './specimens.ts';

const made = makeVectors();
const answers = { play: readPlayed('play'), ghost: readPlayed('ghost') };

export const vectorsOf = (layer: PlayedLayer): readonly Vector[] => made.byLayer.get(layer)!;

export const fileOf = (vector: Vector): Uint8Array => fromHex(questionOf(vector).in ?? '');

/** What a tag did: the last answer from it on. */
function playedBy(tag: string, layer: PlayedLayer, played: readonly Played[]): Played {
  const order = players[layer]!.tags.map(([name]) => name);
  // The answer of Teeworlds comes after those of DDNet, if there is one.
  if (tag === played.at(-1)!.tag) return played.at(-1)!;
  const isBefore = (answer: Played) => answer.tag !== '0.7.5' && order.indexOf(answer.tag) <= order.indexOf(tag);
  return played.findLast(isBefore)!;
}

const resultsOf = (layer: PlayedLayer, file: Uint8Array) =>
  layer === 'ghost' ? loadedByAll(file) : playedByAll(file, demoGames);

/** What differs from what the games did, and how many versions do not tell. */
function compare(layer: PlayedLayer, vector: Vector): { readonly wrong: readonly string[]; readonly untold: number } {
  const results = resultsOf(layer, fileOf(vector));
  const played = answers[layer].get(digestOf(vector))!;
  const wrong: string[] = [];
  let untold = 0;
  for (const [tag, version] of players[layer]!.tags) {
    const own = results.find(({ game }) => game.version === version)!.played;
    const { tag: _, ...expected } = playedBy(tag, layer, played);
    if (own.outcome === 'undefined') {
      untold++;
      continue;
    }
    const isOnOther = own.isOnOther && 'skipped' in expected;
    // What is left out of snapshots that another demo begins is not told.
    const all: object = { ...own, said: own.sentence, ...(isOnOther && { skipped: expected.skipped }) };
    const found = Object.fromEntries(Object.keys(expected).map((key) => [key, all[key as keyof typeof all]]));
    if (JSON.stringify(found) !== JSON.stringify(expected))
      wrong.push(`${tag}: ${JSON.stringify(found)}, the game: ${JSON.stringify(expected)}`);
  }
  return { wrong, untold };
}

/** What is wrong with how some vectors are played, and the part of answers that no file decides. */
export function comparePlayed(layer: PlayedLayer, of: readonly Vector[]) {
  const found = of.map((vector) => ({
    id: vector.id,
    about: vector.row ?? vector.note,
    ...compare(layer, vector),
  }));
  const untold = found.reduce((sum, { untold: count }) => sum + count, 0);
  return {
    wrong: found.filter(({ wrong }) => wrong.length > 0),
    untold: untold / (found.length * players[layer]!.tags.length),
  };
}
