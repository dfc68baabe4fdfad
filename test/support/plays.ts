import { CheckedDemoReplay } from '../../src/recording/demo/checked-demo.ts';
import type { GamePlay } from '../../src/recording/playback/plays.ts';
import type { ReadOptions } from '../../src/recording/replay/replay.ts';
import { RecordingSummary } from '../../src/recording/summary/recording-summary.ts';

/** What the games do with a demo, and the codes of what is wrong with it. */
export function playedBy(file: Uint8Array, options: ReadOptions = {}, pieceBytes: number = file.length) {
  const replay = new CheckedDemoReplay(options);
  const summary = new RecordingSummary(replay);
  for (let at = 0; at < file.length; at += pieceBytes)
    for (const entry of replay.feed(file.subarray(at, at + pieceBytes))) summary.add(entry);
  for (const entry of replay.finish()) summary.add(entry);
  return { plays: summary.plays, codes: summary.diagnostics.map(({ code }) => code), health: summary.health.state };
}

/** `DDNet 16.4 to 19.2: plays`, `DDNet 19.2: refused (Error scanning demo file)` */
export const playTexts = (plays: readonly GamePlay[]): string[] =>
  plays.map(({ game, from, before, play, code, sentence, seeks }) => {
    const versions = before === undefined ? from : `${from} to ${before}`;
    const why = sentence ?? code;
    return `${game} ${versions}: ${play}${why ? ` (${why})` : ''}${seeks ? '' : ', jumping crashes'}`;
  });
