import { describe, expect, it } from 'vitest';
import { Repairer } from '../../src/editing/repair.ts';
import { DemoReplay } from '../../src/recording/demo/demo-replay.ts';
import { subjects } from '../../src/recording/games/subjects.ts';
import type { RecordingEntry } from '../../src/recording/replay/record.ts';
import { demos } from '../../vectors/make/played-demos.ts';
import { comparePlayed, fileOf, playVectors } from '../support/players.ts';

/** One of so many damaged demos is played here, and all by the slow test. */
const step = 10;

it.each(demos)("the vectors of `play` are played as the games' compiled players did: %s", (name) => {
  const of = playVectors.filter(({ demo, row }, i) => demo === name && (row || i % step === 0));
  expect(of.length).toBeGreaterThan(70);
  const { wrong, untold } = comparePlayed(of);
  expect(wrong).toEqual([]);
  // What no file decides is rare.
  expect(untold).toBeLessThan(0.01);
});

describe('a row that the players decide', () => {
  const played = subjects.flatMap(({ about, checks }) =>
    checks.flatMap(({ when, code, ddnet }) => (ddnet === undefined ? [[`${about}: ${when}`, code] as const] : [])),
  );

  /** What is reported, by the reader or by repair, which compares the announced checksums. */
  function codes(file: Uint8Array) {
    const all = new Set<string>();
    const note = (entry: RecordingEntry) => entry.record === 'diagnostic' && all.add(entry.diagnostic.code);
    const repairer = new Repairer(note);
    const replay = new DemoReplay({ parts: true });
    const add = (entry: RecordingEntry) => {
      note(entry);
      repairer.add(entry);
    };
    for (const entry of replay.feed(file)) add(entry);
    for (const entry of replay.finish()) add(entry);
    repairer.finish();
    return all;
  }

  it.each(played)('has a specimen, of which its code is reported: %s', (row, code) => {
    const specimens = playVectors.filter((vector) => vector.row === row);
    expect(specimens.length).toBeGreaterThan(0);
    if (code) expect(specimens.some((vector) => codes(fileOf(vector)).has(code))).toBe(true);
  });
});
