import { describe, expect, it } from 'vitest';
import { DemoReplay } from '../../src/recording/demo/demo-replay.ts';
import { type LastByte, lastByteOf } from '../../src/wire/codec/huffman.ts';
import { corpusFile, hasCorpus } from '../support/corpus.ts';
import { runWriting } from '../support/run.ts';

/** The compressed full snapshots of a demo, unchanged, whose ends show the last-byte mode. */
function keyframes(
  demo: Uint8Array,
): { readonly tick: number; readonly bytes: Uint8Array; readonly lastByte: LastByte }[] {
  const found = [];
  for (const entry of new DemoReplay({ messages: false }).feed(demo)) {
    if (entry.record !== 'snapshot' || entry.kind !== 'snapshot' || !entry.payload) continue;
    const lastByte = lastByteOf(entry.payload, 0, entry.payload.length);
    if (lastByte !== undefined) found.push({ tick: entry.tick, bytes: entry.payload.slice(), lastByte });
  }
  return found.slice(0, 4);
}

async function extracted(recording: Uint8Array, tick: number | 'first'): Promise<Uint8Array> {
  const { status, bytes } = await runWriting(`extract a@${tick} -t huffman`, { a: recording });
  expect(status).toBe(0);
  return bytes;
}

describe.skipIf(!hasCorpus)('extract -t huffman (needs ../shared)', () => {
  it.each([
    ['06-ddnet-dm1-34players-client-BENCH.demo', 'extra'],
    ['07-vanilla-dm1-client.demo', 'extra'],
    ['ddnet20/06-ddnet20-coverage-finishes-client.demo', 'none'],
    ['ddnet20/06-ddnet20-128players-client-BENCH.demo', 'none'],
  ] as const)(
    'writes full snapshots of %s byte for byte as it has them: with the last byte "%s"',
    async (file, mode) => {
      const demo = corpusFile(file);
      const frames = keyframes(demo);
      expect(frames.length).toBeGreaterThan(0);
      for (const { tick, bytes, lastByte } of frames) {
        expect(lastByte).toBe(mode);
        expect(await extracted(demo, tick)).toEqual(bytes);
      }
    },
  );

  // Teeworlds 0.7.5 and DDNet 16 write the byte, DDNet 20 does not.
  it.each([
    ['07-vanilla-dm1.pcap', 'extra'],
    ['06-ddnet-race.pcap', 'extra'],
    ['ddnet20/06-ddnet20-coverage-finishes.pcap', 'none'],
    ['ddnet20/06-ddnet20-mapchange-6clients.pcap', 'none'],
  ] as const)('ends snapshots of %s as its server ends compressed packets: "%s"', async (file, mode) => {
    const capture = corpusFile(file);
    const first = JSON.parse(await decoded(capture)).tick as number;
    let seen: LastByte | undefined;
    for (let tick = first; tick < first + 1000 && seen === undefined; tick += 26) {
      const bytes = await extracted(capture, tick);
      seen = lastByteOf(bytes, 0, bytes.length);
    }
    expect(seen).toBe(mode);
  });
});

/** The first snapshot record of a capture. */
const decoded = async (capture: Uint8Array): Promise<string> =>
  (await runWriting('checksum a -t ndjson', { a: capture })).stdout.split('\n')[0]!;
