import { finishScore } from '../../wire/protocol/enums.ts';

/**
 * What the score of a player counts. In a race it is the best time: DDNet's servers of 0.6 send minus the seconds, and
 * -9999 without a time; servers of 0.7 send milliseconds, and -1 without.
 *
 * Source: `CPlayer::Snap` of DDNet's server, `CScoreboard::RenderScoreboard` of the clients.
 */
export type ScoreUnit = 'points' | 'seconds' | 'milliseconds';

/** The best time in seconds; undefined for a player without one. The unit is that of a race. */
export function bestTime(score: number, unit: Exclude<ScoreUnit, 'points'>): number | undefined {
  if (unit === 'milliseconds') return score < 0 ? undefined : score / 1000;
  return score in finishScore ? undefined : Math.abs(score);
}

/** Sorts scores, the best first. Milliseconds are the only ones of which the lowest is best. */
export function byScore(a: number, b: number, unit: ScoreUnit): number {
  const rank = (score: number) => (unit !== 'milliseconds' ? score : score < 0 ? -Infinity : -score);
  return a === b ? 0 : rank(b) - rank(a) || 0;
}
