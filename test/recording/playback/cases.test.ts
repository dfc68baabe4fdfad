import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { playedBy } from '../../support/plays.ts';

const folder = join(import.meta.dirname, '../../../../shared/cases');

// Each answer is that of the games' compiled demo players.
it.skipIf(!existsSync(folder)).each([
  [
    'reports/c64-hole.demo',
    ['DDNet 16.4 stops 420 24258', 'DDNet 17.4 refused', 'DDNet 19.4 stops 420 24258'],
    'Error during network decompression',
  ],
  ['reports/c58-zeros-tail.demo', ['DDNet 16.4 stops -1 8095', 'DDNet 19.2 refused'], 'Error scanning demo file'],
  ['five/no-keyframe.demo.gz', ['DDNet 16.4 misread', 'DDNet 19.2 refused'], 'Error scanning demo file'],
  [
    'five/no-keyframe-and-cut.demo.gz',
    ['DDNet 16.4 stops 2246 190230', 'DDNet 19.2 refused'],
    'Error scanning demo file',
  ],
  [
    'five/version-6-of-0.7.demo',
    ['DDNet 18.5 needs_map', 'Teeworlds 0.7.5 refused'],
    'demo version 6 is not supported',
  ],
])('%s is played as the games play it (needs ../shared)', (name, expected, sentence) => {
  const bytes = readFileSync(join(folder, name));
  const { plays } = playedBy(new Uint8Array(name.endsWith('.gz') ? gunzipSync(bytes) : bytes));
  const rows = plays.map(({ game, from, play, tick, offset }) =>
    [game, from, play, ...(tick === undefined ? [] : [tick, offset])].join(' '),
  );
  expect(rows).toEqual(expected);
  expect(plays.at(-1)!.sentence).toBe(sentence);
});
