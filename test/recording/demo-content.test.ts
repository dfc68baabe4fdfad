import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DemoReplay } from '../../src/recording/demo.ts';
import type { RecordingEntry } from '../../src/recording/record.ts';
import { corpusFile, hasCorpus } from '../support/corpus.ts';
import { read } from '../support/samples.ts';

interface Checksum {
  readonly tick: number;
  readonly items: number;
  readonly crc: number;
}

/** The checksums of a demo, and the codes of its diagnostics. */
function replayed(bytes: Uint8Array, pieceBytes = bytes.length) {
  const replay = new DemoReplay();
  const sums: Checksum[] = [];
  const codes: string[] = [];
  let header: string | undefined;
  const add = (entries: Iterable<RecordingEntry>) => {
    for (const entry of entries) {
      if (entry.record === 'header') header = entry.stream.protocol.version;
      if (entry.record === 'diagnostic') codes.push(entry.diagnostic.code);
      if (entry.record !== 'snapshot') continue;
      const { tick, snapshot } = entry;
      sums.push({ tick, items: snapshot!.count, crc: snapshot!.checksum() });
    }
  };
  for (let at = 0; at < bytes.length; at += pieceBytes) add(replay.feed(bytes.subarray(at, at + pieceBytes)));
  add(replay.finish());
  return { sums, codes, header };
}

const golden = (name: string): Checksum[] =>
  readFileSync(new URL(`../../../shared/corpus/ddnet20/golden/${name}.crc.ndjson`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Checksum)
    .map(({ tick, items, crc }) => ({ tick, items, crc }));

describe.skipIf(!hasCorpus)('demos of 0.7 that DDNet writes (needs ../shared/corpus)', () => {
  const vanny = '07-in-06-ddnet20-playerdemo-vanny.demo';

  it.each([100_000, 1000])('a 0.7 demo under a 0.6 header has its golden checksums, in pieces of %i bytes', (size) => {
    const { sums, codes, header } = replayed(corpusFile(`ddnet20/${vanny}`), size);
    expect(sums).toEqual(golden(vanny));
    expect([header, codes]).toEqual(['0.7', ['content_of_07']]);
  });

  it('a replay with the sizes of 0.6 has the snapshots of the same replay with correct sizes', () => {
    const { sums, codes } = replayed(corpusFile('ddnet20/07-ddnet20-replay-wrong-sizes.demo'));
    const whole = golden('07-ddnet20-replay-whole.demo');
    // A tick without a snapshot repeats the one before.
    const truth = sums.map(({ tick }) => ({ ...whole.findLast((one) => one.tick <= tick)!, tick }));
    const differing = sums.filter((sum, i) => JSON.stringify(sum) !== JSON.stringify(truth[i]));
    expect(differing.map(({ tick }) => tick)).toEqual([]);
    expect(codes).toEqual(['sizes_of_06']);
  });
});

it('a 0.6 demo is read as 0.6', () => {
  const { codes, header } = replayed(read('ddnet-race-player.demo'));
  expect([header, codes]).toEqual(['0.6', []]);
});
