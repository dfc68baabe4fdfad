import { describe, expect, it } from 'vitest';
import { readReportData, writeReportData } from '../../../src/page/report/report-data.ts';
import { OpenTrack, TrackReader } from '../../../src/page/report/track.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';
import { corpusFile, goldenCaptures, hasCorpus, smallCaptures } from '../../support/corpus.ts';
import { dumped, report, reportDataOf } from '../../support/report.ts';
import { read } from '../../support/samples.ts';
import { seeded } from '../../support/seeded.ts';

/** Checksums by tick of the tracks in a report, read in a random order. */
async function checksumsOf(file: Uint8Array, ...args: string[]): Promise<(readonly [number, number | undefined])[][]> {
  const { page } = await report(file, `--limit 100 ${args.join(' ')}`);
  return reportDataOf(page).tracks.map((track) => {
    const reader = new TrackReader(track);
    const random = seeded(1);
    const order = track.snapshots.map((_, i) => [random(), i] as const).sort(([a], [b]) => a - b);
    const sums = new Map(order.map(([, i]) => [i, reader.snapshot(i)?.checksum()]));
    return track.snapshots.flatMap(({ tick, shown }, i) => (shown ? [[tick, sums.get(i)] as const] : []));
  });
}

const dumpedChecksums = async (file: Uint8Array, ...args: string[]) =>
  (await dumped(file, `--no-messages ${args.join(' ')}`))
    .filter(({ record }) => record === 'snapshot')
    .map(({ tick, crc }) => [tick, crc]);

describe('a track, in any order, has the snapshots of', () => {
  it.each(['vanilla-dm1.demo', 'ddnet-race-player.demo'])('%s', async (name) => {
    expect(await checksumsOf(read(name))).toEqual([await dumpedChecksums(read(name))]);
  });

  it('some ticks of a demo', async () => {
    const range = ['--ticks', '9001..9777'];
    expect(await checksumsOf(read('vanilla-dm1.demo'), ...range)).toEqual([
      await dumpedChecksums(read('vanilla-dm1.demo'), ...range),
    ]);
  });

  it('a capture', async () => {
    const [sums] = await checksumsOf(read('ddnet-ipv6.pcap'));
    const expected = (await dumped(read('ddnet-ipv6.pcap'), '--no-messages')).filter(
      ({ record }) => record === 'snapshot',
    );
    expect(sums).toEqual(expected.map(({ tick, crc }) => [tick, crc]));
  });

  it.skipIf(!hasCorpus)('demos of the corpus, as other programs have them (needs ../shared)', async () => {
    for (const name of ['07-vanilla-dm2-loss-client', '06-ddnet-race-playerdemo-racer']) {
      const golden = new TextDecoder()
        .decode(corpusFile(`golden/${name}.demo.crc.ndjson`))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      const [sums] = await checksumsOf(corpusFile(`${name}.demo`));
      expect(sums).toEqual(golden.map(({ tick, crc }) => [tick, crc]));
    }
  });

  it.skipIf(!hasCorpus)('a capture with a map change: as many as were announced (needs ../shared)', async () => {
    for (const [name, { ok, empty }] of goldenCaptures(smallCaptures)) {
      const tracks = await checksumsOf(corpusFile(name));
      const rebuilt = tracks.flat().filter(([, sum]) => sum !== undefined);
      expect([name, rebuilt.length]).toEqual([name, ok + empty]);
    }
  });
});

describe('report data', () => {
  it('is the same after it was written and read', async () => {
    const { page } = await report(read('ddnet-ipv6.pcap'));
    const reportData = reportDataOf(page);
    const again = readReportData(writeReportData(reportData));
    expect(again).toEqual(reportData);
    expect(again.tracks[0]!.messages.length).toBeGreaterThan(20);
  });
});

it('counts more of a message than its few bytes, since a page keeps at most so many', () => {
  const track = new OpenTrack('', protocolOf('0.6'));
  for (let i = 0; i < 1000; i++) track.addMessage(1, Uint8Array.of(6, 1, 1, 0x67, 0));
  expect(track.bytes).toBeGreaterThan(64_000);
});
