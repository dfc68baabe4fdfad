import { expect, it } from 'vitest';
import { scoreText } from '../../../src/output/phrases/event-phrases.ts';
import { byScore } from '../../../src/recording/events/score.ts';

// Source: CPlayer::Snap of DDNet's server: minus the whole seconds and -9999 in 0.6, milliseconds and -1 in 0.7.
it.each([
  [1234, 'points', '1,234'],
  [-3, 'points', '-3'],
  [-83, 'seconds', '1:23'],
  [-3700, 'seconds', '1:01:40'],
  [-9999, 'seconds', 'no time'],
  [83_450, 'milliseconds', '1:23.45'],
  [-1, 'milliseconds', 'no time'],
] as const)('%i in %s: %s', (score, unit, text) => {
  expect(scoreText(score, unit)).toBe(text);
});

it('sorts the best score first, and those without a time last', () => {
  const sorted = (scores: number[], unit: Parameters<typeof byScore>[2]) => scores.sort((a, b) => byScore(a, b, unit));
  expect(sorted([3, -1, 7], 'points')).toEqual([7, 3, -1]);
  expect(sorted([-9999, -83, -60], 'seconds')).toEqual([-60, -83, -9999]);
  expect(sorted([-1, 83_450, 9870], 'milliseconds')).toEqual([9870, 83_450, -1]);
});
