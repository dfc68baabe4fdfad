import { type GhostPlayed, GhostPlayers } from './ghost-players.ts';
import { type Found, GamePlays, joined, nothing } from './plays.ts';

/** What the games do with a ghost: its map is taken to be the one that is played. */
export class GhostPlays extends GamePlays {
  readonly players = new GhostPlayers();

  finish(): void {
    this.players.finish();
    this.rows = joined(this.players.results.map(({ game, played }) => ({ game, found: foundOfGhost(played) })));
  }
}

function foundOfGhost({ outcome, sentence, offset, isOnOther }: GhostPlayed): Found {
  if (outcome === 'plays') return { ...nothing, play: isOnOther ? 'misread' : outcome, seeks: true };
  const play = outcome === 'undefined' ? 'unknown' : outcome;
  return { ...nothing, play, sentence, ...(play !== 'refused' && { offset }), seeks: true };
}
