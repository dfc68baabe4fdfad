import { describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { type LastByte, lastByteOf } from '../../src/codec/huffman.ts';
import { DemoReplay } from '../../src/recording/demo.ts';
import { corpusFile, hasCorpus } from '../support/corpus.ts';
import { fakeIo } from '../support/fake-io.ts';

/** The compressed full snapshots of a demo whose end shows the mode, as it has them. */
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

async function extracted(demo: Uint8Array, tick: number, ...options: string[]): Promise<Uint8Array> {
  const io = fakeIo({ files: { 'a.demo': demo } });
  expect(await main(['extract', `a.demo@${tick}`, '-t', 'huffman', ...options], io)).toBe(0);
  return io.stdout.bytes;
}

describe.skipIf(!hasCorpus)('extract -t huffman (needs ../shared/corpus)', { timeout: 60_000 }, () => {
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
        const [none, extra] = [
          await extracted(demo, tick, '--last-byte', 'none'),
          await extracted(demo, tick, '--last-byte', 'extra'),
        ];
        expect([...extra]).toEqual([...none, 0]);
      }
    },
  );
});
