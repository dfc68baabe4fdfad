import { bestTime, type ScoreUnit } from '../../recording/events/score.ts';
import { finishScore } from '../../wire/protocol/enums.ts';
import { clock, thousands } from './number.ts';

/** In whole seconds, as the games show it: `1:23`. */
export const secondsText = (seconds: number) => clock(seconds).replace(/\.\d+$/, '');

/** `7`, `1:23` or `1:23.45` for the best time of a race, `no time`. */
export function scoreText(score: number, unit: ScoreUnit): string {
  // Servers before the item that tells the unit send times, too.
  if (unit === 'points') return score in finishScore ? 'no time' : thousands(score);
  const seconds = bestTime(score, unit);
  if (seconds === undefined) return 'no time';
  return unit === 'seconds' ? secondsText(seconds) : clock(seconds);
}
