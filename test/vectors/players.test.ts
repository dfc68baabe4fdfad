import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DemoReplay } from '../../src/recording/demo/demo-replay.ts';
import { GhostReplay } from '../../src/recording/demo/ghost-replay.ts';
import { TickJudge } from '../../src/recording/judge/tick-judge.ts';
import type { RecordingEntry } from '../../src/recording/replay/record.ts';
import { ghosts } from '../../vectors/make/played-ghosts.ts';
import type { Vector } from '../../vectors/make/vector.ts';
import { toleratedCases } from '../support/games-tables.ts';
import { comparePlayed, fileOf, vectorsOf } from '../support/players.ts';
import { playedBy } from '../support/plays.ts';
import { isPlayed, playedTexts } from '../support/specimens.ts';

/** One of so many damaged demos is played here, and all by the slow test. */
const step = 10;

const layers = ['play', 'ghost'] as const;

it.each(layers)("vectors of `%s` are played as the games' compiled players did", (layer) => {
  const of = vectorsOf(layer).filter(({ row }, i) => row || i % step === 0);
  expect(of.length).toBeGreaterThan(30);
  const { wrong, untold } = comparePlayed(layer, of);
  expect(wrong).toEqual([]);
  // What no file decides is rare.
  expect(untold).toBeLessThan(0.01);
});

it('the ghosts that are damaged are those of the folder `files`', () => {
  for (const [name, bytes] of Object.entries(ghosts()))
    expect(new Uint8Array(readFileSync(join(import.meta.dirname, `../../vectors/files/${name}.gho`)))).toEqual(bytes);
});

describe('a row of demos or ghosts', () => {
  // A recorder writes no chunk that is too large: the layer `demowrite`.
  const played = toleratedCases.flatMap(({ row, about, code }) =>
    (about === 'demo' || about === 'ghost') && code !== 'chunk_too_large' ? [[row, code] as const] : [],
  );

  /** What is reported, by the readers, by the players, or by the judge, which compares the announced checksums. */
  function codes(vector: Vector) {
    const file = fileOf(vector);
    const all = new Set<string>(vector.layer === 'play' ? playedBy(file).codes : []);
    const judge = new TickJudge();
    const replay = new (vector.layer === 'ghost' ? GhostReplay : DemoReplay)({ parts: true });
    const add = (entry: RecordingEntry) => {
      if (entry.record === 'diagnostic') all.add(entry.diagnostic.code);
      judge.add(entry);
    };
    for (const entry of replay.feed(file)) add(entry);
    for (const entry of replay.finish()) add(entry);
    judge.finish();
    for (const { cause } of judge.ranges) if (cause) all.add(cause.code);
    return all;
  }

  it.each(played)('has a specimen, of which its code is reported: %s', (row, code) => {
    const specimens = layers.flatMap(vectorsOf).filter((vector) => vector.row === row);
    expect(specimens.length).toBeGreaterThan(0);
    if (code) expect(specimens.some((vector) => codes(vector).has(code))).toBe(true);
  });

  it.each(toleratedCases.filter(({ row }) => isPlayed(row)))('says what the players do: $row', (one) => {
    const [ddnet, teeworlds] = playedTexts(one.row);
    // What else happens may follow.
    expect(one.ddnet.startsWith(`${ddnet}: `) ? ddnet : one.ddnet).toBe(ddnet);
    expect(one.teeworlds).toBe(teeworlds);
  });

  // The client decides after its player: what it reads the items as, and which map it loads.
  it.each([
    ['header of 0.7, items of 0.6', 'misread'],
    ['header of 0.6, items of 0.7', 'misread'],
    ['header of 0.7, sizes in deltas by the table of 0.6', 'misread'],
    ['version 6 without the UUID of the SHA-256', 'needs_map'],
    ['another map than the CRC or the SHA-256 says', 'needs_map'],
  ])('is decided by the client: %s', (row, play) => {
    expect(isPlayed(`demo: ${row}`)).toBe(false);
    const [specimen] = vectorsOf('play').filter((vector) => vector.row === `demo: ${row}`);
    expect(playedBy(fileOf(specimen!)).plays.findLast(({ game }) => game === 'DDNet')!.play).toBe(play);
  });
});
