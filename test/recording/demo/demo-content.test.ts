import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DemoReader } from '../../../src/recording/container/demo/demo-reader.ts';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import type { RecordingEntry } from '../../../src/recording/replay/record.ts';
import { corpusFile, hasCorpus } from '../../support/corpus.ts';
import { contentsOf, repaired, withoutMap } from '../../support/edit.ts';
import { read } from '../../support/samples.ts';

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
  readFileSync(new URL(`../../../../shared/corpus/ddnet20/golden/${name}.crc.ndjson`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Checksum)
    .map(({ tick, items, crc }) => ({ tick, items, crc }));

describe.skipIf(!hasCorpus)('demos of 0.7 that DDNet writes (needs ../shared)', () => {
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
    const truth = sums.map(({ tick }) => ({ ...whole.findLast((checksum) => checksum.tick <= tick)!, tick }));
    const differing = sums.filter((sum, i) => JSON.stringify(sum) !== JSON.stringify(truth[i]));
    expect(differing.map(({ tick }) => tick)).toEqual([]);
    expect(codes).toEqual(['sizes_of_06']);
  });
});

it('a 0.6 demo is read as 0.6', () => {
  const { codes, header } = replayed(read('ddnet-race-player.demo'));
  expect([header, codes]).toEqual(['0.6', []]);
});

it.skipIf(!hasCorpus)(
  'a server demo without its map: messages of both versions, and no checksum is compared (needs ../shared)',
  () => {
    const file = corpusFile('ddnet20/06-07-mixed-ddnet20-coverage-server.demo');
    const readings = [file, withoutMap(file)].map((bytes) => {
      const replay = new DemoReplay();
      const names = new Map<string, number>();
      for (const entries of [replay.feed(bytes), replay.finish()]) {
        for (const entry of entries) {
          if (entry.record !== 'message') continue;
          const name = entry.message.type?.name ?? 'unknown';
          names.set(name, (names.get(name) ?? 0) + 1);
        }
      }
      return { names, announces: replay.streams[0]!.announcesChecksums };
    });
    expect(readings[1]).toEqual(readings[0]);
    expect(readings[0]!.announces).toBe(false);
    // 3,880 of its messages are of 0.7, nearly all of them these two.
    expect(readings[0]!.names.get('input_timing')).toBeGreaterThan(1000);
  },
);

it('a player demo is one whatever its header says, and its messages are compared', () => {
  const file = read('ddnet-race-player.demo');
  for (const bytes of [file, withoutMap(file, { type: 'client' })]) {
    const replay = new DemoReplay();
    const entries = [...replay.feed(bytes)];
    expect(entries.length).toBeGreaterThan(0);
    expect(replay.streams[0]).toMatchObject({ announcesChecksums: true, mixesVersions: false });
  }
});

describe('a demo of 0.6 whose header says 0.7', () => {
  const file = read('ddnet-race-player.demo');
  const renamed = withoutMap(file, { netVersion: '0.7 802f1be60a05665f' });

  it.each([100_000, 1000])('has the same snapshots, in pieces of %i bytes', (size) => {
    const { sums, codes, header } = replayed(renamed, size);
    expect([header, codes]).toEqual(['0.6', ['content_of_06']]);
    expect(sums).toEqual(replayed(file).sums);
  });

  it('has the same messages, and their checksums are compared', () => {
    const replay = new DemoReplay();
    for (const entries of [replay.feed(renamed), replay.finish()]) for (const _ of entries);
    expect(replay.streams[0]).toMatchObject({ announcesChecksums: true, mixesVersions: false });
    const [found, truth] = [renamed, file].map((bytes) => contentsOf(bytes).messages);
    expect(found).toEqual(truth);
  });

  it('is read from the middle as from the beginning', () => {
    const { header } = contentsOf(renamed);
    const frames = new DemoReader();
    frames.add(renamed);
    const starts: [number, number][] = [];
    for (let frame = frames.next(); frame; frame = frames.next())
      if (frame.kind === 'snapshot') starts.push([frame.tick, frame.offset]);
    const [tick, offset] = starts.at(-1)!;
    const replay = new DemoReplay({}, DemoReader.startingAt(header, tick, offset));
    const sums: Checksum[] = [];
    for (const entries of [replay.feed(renamed.subarray(offset)), replay.finish()])
      for (const entry of entries)
        if (entry.record === 'snapshot')
          sums.push({ tick: entry.tick, items: entry.snapshot!.count, crc: entry.snapshot!.checksum() });
    expect(sums).toEqual(replayed(file).sums.filter((sum) => sum.tick >= tick));
    expect(replay.protocol.version).toBe('0.6');
  });

  it('is repaired: the header then says 0.6', () => {
    const { header, diagnostics } = contentsOf(repaired(renamed).bytes);
    expect([header.netVersion, diagnostics]).toEqual(['0.6 626fce9a778df4d4', []]);
  });
});

it.each(['', '0.6 626fce9a778df4d4', '0.5 b67d1f1a1eea234e'])(
  'a demo of 0.7 whose header says "%s" has the same snapshots',
  (netVersion) => {
    const file = read('vanilla-dm1.demo');
    const { sums, codes, header } = replayed(withoutMap(file, { netVersion }));
    expect(header).toBe('0.7');
    // Only DDNet plays what has another net version, and reads it as 0.6.
    expect(codes).toEqual(['content_of_07', ...(netVersion.startsWith('0.6') ? [] : ['net_version'])]);
    expect(sums).toEqual(replayed(file).sums);
  },
);
