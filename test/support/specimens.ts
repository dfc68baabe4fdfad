import { type DemoGame, demoGames } from '../../src/recording/games/demo-rules.ts';
import type { Played } from '../../src/recording/playback/demo-player.ts';
import { DemoPlayers, type GamePlayed } from '../../src/recording/playback/demo-players.ts';
import { GhostPlayers } from '../../src/recording/playback/ghost-players.ts';
import { onlyOf, specimens } from '../../vectors/make/played-demos.ts';
import { ghostSpecimens } from '../../vectors/make/played-ghosts.ts';

/** What the versions of the games do with a demo: those that play its net version, if no others are stated. */
export function playedByAll(file: Uint8Array, games?: readonly DemoGame[]): GamePlayed[] {
  const players = new DemoPlayers(games);
  players.leave(undefined);
  players.add(file);
  players.finish(undefined);
  return players.results;
}

export function loadedByAll(file: Uint8Array) {
  const players = new GhostPlayers();
  players.add(file);
  players.finish();
  return players.results;
}

/** In the words of the documentation. */
function deedOf({ outcome, skipped = 0, isOnOther }: Pick<Played, 'outcome' | 'isOnOther'> & Partial<Played>): string {
  if (outcome === 'undefined') return 'depends on memory';
  if (outcome !== 'plays') return outcome;
  if (isOnOther) return 'misread';
  return skipped > 0 ? 'skipped' : 'accepted';
}

/** `stops from 19.4 (from 17.4: refused; before: accepted)`: the last versions first. */
type AnyPlayed = { readonly game: { readonly version: string }; readonly played: Parameters<typeof deedOf>[0] };

function versionsText(all: readonly AnyPlayed[]): string {
  const changes = all
    .map(({ game, played }) => ({ from: game.version, deed: deedOf(played) }))
    .filter(({ deed }, i, deeds) => deed !== deeds[i - 1]?.deed)
    .reverse();
  const [last, ...before] = changes;
  if (before.length === 0) return last!.deed;
  const texts = before.map(({ from, deed }, i) =>
    i < before.length - 1 ? `from ${from}: ${deed}` : `before: ${deed}`,
  );
  return `${last!.deed} from ${last!.from} (${texts.join('; ')})`;
}

/** The rows of demos that no player decides, but the client after it, or the recorder. */
const notPlayed: ReadonlySet<string> = new Set(
  [
    'version 6 without the UUID of the SHA-256',
    'another map than the CRC or the SHA-256 says',
    'demo that can be read, but is not played to its end by the last DDNet, or by Teeworlds if it has its format',
    'header of 0.7, items of 0.6',
    'header of 0.6, items of 0.7',
    'header of 0.7, sizes in deltas by the table of 0.6',
    'chunk of more than 65,535 bytes',
  ].map((row) => `demo: ${row}`),
);

export const isPlayed = (row: string): boolean => /^(?:demo|ghost): /.test(row) && !notPlayed.has(row);

/** What the cells of a row say that the players decide: DDNet plays a demo of 0.6, Teeworlds one of its own. */
export function playedTexts(row: string): readonly [ddnet: string, teeworlds: string] {
  const ghost = ghostSpecimens.get(row);
  if (ghost) return [versionsText(loadedByAll(ghost)), ''];
  const specimen = specimens.get(row);
  if (!specimen) throw new Error(`no specimen of "${row}" in vectors/make`);
  const of = (name: DemoGame['game'], file: Uint8Array) =>
    versionsText(
      playedByAll(
        file,
        demoGames.filter(({ game, rules }) => game === name && (rules.knows07 || onlyOf.get(row) !== 'match')),
      ),
    );
  const ddnet = of('DDNet', specimen[onlyOf.get(row) ?? 'race']);
  const teeworlds = of('Teeworlds', specimen.match);
  return [ddnet, teeworlds === ddnet ? '' : teeworlds];
}
