import { CaptureReplay } from '../../src/recording/capture/capture-replay.ts';
import type { Verdict } from '../../src/recording/replay/record.ts';

interface Rebuilt {
  readonly verdict: Verdict;
  /** The sum of its ints; undefined if it was not rebuilt. */
  readonly sum: number | undefined;
  readonly announced: number | undefined;
}

/** What a reader makes of the snapshots of a capture, by server, client and tick, and how often the map changed. */
export function rebuiltOf(capture: Uint8Array): Map<string, Rebuilt> {
  const found = new Map<string, Rebuilt>();
  const replay = new CaptureReplay({ messages: false });
  for (const entries of [replay.feed(capture), replay.finish()]) {
    for (const entry of entries) {
      if (entry.record !== 'snapshot') continue;
      const { stream, tick, verdict, snapshot, announced } = entry;
      found.set(`${stream.client} ${stream.mapChanges} ${tick}`, { verdict, sum: snapshot?.checksum(), announced });
    }
  }
  return found;
}
