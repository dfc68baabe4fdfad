import { describe, expect, it } from 'vitest';
import { GhostReplay } from '../../../src/recording/demo/ghost-replay.ts';
import { RecordingSummary } from '../../../src/recording/summary/recording-summary.ts';
import { chunksOf, damagedGhost, ghosts } from '../../../vectors/make/played-ghosts.ts';
import { playTexts } from '../../support/plays.ts';

function summaryOf(file: Uint8Array, pieceBytes: number = file.length) {
  const replay = new GhostReplay();
  const summary = new RecordingSummary(replay);
  for (let at = 0; at < file.length; at += pieceBytes)
    for (const entry of replay.feed(file.subarray(at, at + pieceBytes))) summary.add(entry);
  for (const entry of replay.finish()) summary.add(entry);
  return summary;
}

const playsOf = (file: Uint8Array, pieceBytes?: number) => playTexts(summaryOf(file, pieceBytes).plays);

describe('what DDNet does with a ghost', () => {
  it('of each version: it plays, but the next item of another type ends it in version 4', () => {
    const { run, run5, run4 } = ghosts();
    for (const file of [run, run5, run4]) expect(playsOf(file)).toEqual(['DDNet 16.4: plays']);
    // A skin before the characters.
    const { start, end } = chunksOf(run).find(({ type }) => type === 0)!;
    const chunk = run.subarray(start, end);
    const withSkin = new Uint8Array(Buffer.concat([run4.subarray(0, 101), chunk, run4.subarray(101)]));
    expect(playsOf(withSkin)).toEqual([
      'DDNet 16.4 to 19.9: plays',
      'DDNet 19.9: crashes (Type mismatch between current and last item)',
    ]);
  });

  it('makes it unplayable if it can be read and is refused', () => {
    const file = ghosts().run;
    file.fill(0, 93, 101);
    const summary = summaryOf(file);
    expect(playTexts(summary.plays)).toEqual(["DDNet 16.4: refused (number of ticks '0' is invalid)"]);
    expect(summary.diagnostics.map(({ code }) => code)).toEqual(['ghost_unfinished', 'not_played']);
    expect(summary.health.state).toBe('unplayable');
  });

  it('is the same in pieces', () => {
    for (let seed = 0; seed < 60; seed++) {
      for (const whole of Object.values(ghosts())) {
        const file = damagedGhost(whole, seed);
        expect(playsOf(file, 7), `seed ${seed}`).toEqual(playsOf(file));
      }
    }
  });
});
