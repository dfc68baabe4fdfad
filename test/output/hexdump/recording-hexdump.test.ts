import { expect, it } from 'vitest';
import { RecordingHexdump } from '../../../src/output/hexdump/recording-hexdump.ts';
import { plainTheme } from '../../../src/output/text/theme.ts';
import { DemoReader } from '../../../src/recording/container/demo/demo-reader.ts';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import { read } from '../../support/samples.ts';

const recording = read('vanilla-dm1.demo');

/** Offsets of the chunks of a kind, each under its tick marker. */
function chunksAt(kind: 'snapshot' | 'delta', most: number): { readonly marker: number; readonly end: number }[] {
  const found: { marker: number; end: number }[] = [];
  let marker = 0;
  for (const frame of new DemoReader().feed(recording)) {
    if (frame.kind === 'tick') marker = frame.offset;
    if (frame.kind === kind && found.length < most) {
      found.push({ marker, end: frame.dataOffset + frame.end - frame.start });
    }
  }
  return found;
}

it('shows deltas without a snapshot before them as differences', () => {
  const [snapshot] = chunksAt('snapshot', 1);
  const [, second] = chunksAt('delta', 2);
  const bytes = new Uint8Array(
    Buffer.concat([recording.subarray(0, snapshot!.marker), recording.subarray(snapshot!.end, second!.end)]),
  );
  // A tick step needs an absolute tick before it, which is in the kept marker.
  const whole = new Uint8Array(
    Buffer.concat([
      bytes.subarray(0, snapshot!.marker),
      recording.subarray(snapshot!.marker, snapshot!.marker + 5),
      bytes.subarray(snapshot!.marker),
    ]),
  );
  const filter = { all: true, item: () => true, message: () => true };
  const view = new RecordingHexdump({ theme: plainTheme, width: 100, verbose: false, filter, messages: true });
  const replay = new DemoReplay({ parts: true });
  let text = '';
  for (const entries of [replay.feed(whole), replay.finish()]) {
    for (const entry of entries) text += view.add(entry, true);
  }
  text += view.finish();
  expect(text.match(/chunk=delta/g)).toHaveLength(2);
  expect(text).not.toContain('→');
});
