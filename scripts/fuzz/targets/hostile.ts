import { CaptureReplay } from '../../../src/recording/capture/capture-replay.ts';
import type { RecordingEntry } from '../../../src/recording/replay/record.ts';
import { hostileCapture } from '../make/hostile-capture.ts';
import type { Random } from '../random.ts';
import type { Target } from '../target.ts';

/** Captures with forged packets: every honest snapshot is checked and matches, and no forged snapshot counts. */
export const hostile: Target = {
  name: 'hostile',
  share: 4,
  run(random, _, note) {
    checkHostile(random, (bytes) => note('hostile.pcap', bytes));
    return undefined;
  },
};

/**
 * @throws Error where a snapshot of the servers does not match, is missing or counts twice, or where a forged one
 * counts
 */
export function checkHostile(random: Random, note: (bytes: Uint8Array) => void = () => {}): number {
  const { bytes, snapshots } = hostileCapture(random);
  note(bytes);
  const found: string[] = [];
  const add = (entry: RecordingEntry) => {
    if (entry.record !== 'snapshot') return;
    const { stream, tick, verdict } = entry;
    found.push(verdict === 'ok' ? `${stream.client} ${tick}` : `${stream.client} ${tick} ${verdict}`);
  };
  const replay = new CaptureReplay();
  for (const entry of replay.feed(bytes)) add(entry);
  for (const entry of replay.finish()) add(entry);
  if (found.sort().join('\n') !== [...snapshots].sort().join('\n')) {
    const expected = new Set(snapshots);
    const seen = new Set(found);
    const missing = snapshots.filter((snapshot) => !seen.has(snapshot)).slice(0, 3);
    const extra = found.filter((text) => !expected.has(text)).slice(0, 3);
    throw new Error(`snapshots of a hostile capture: missing ${missing.join(', ')}; not sent ${extra.join(', ')}`);
  }
  return snapshots.length;
}
