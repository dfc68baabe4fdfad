import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hostileCapture } from '../../../../scripts/fuzz/make/hostile-capture.ts';
import { Random } from '../../../../scripts/fuzz/random.ts';
import { file } from '../../../support/bytes.ts';
import { ipv4, pcapHeader, pcapRecord, someTime, udp } from '../../../support/capture-builder.ts';
import { corpusFile, corpusFolder, hasCorpus } from '../../../support/corpus.ts';
import { runDivided } from '../../../support/divided.ts';
import { interleaved } from '../../../support/interleaved.ts';
import { read } from '../../../support/samples.ts';

const lines = [
  ...['dump -t ndjson', 'dump -t csv --type obj_character', 'checksum -v', 'checksum -t ndjson'],
  ...['stats -t json', 'stats -t csv', 'stats -t csv --by player', 'stats --strict --by field', 'stats --by second'],
];

/** Checks all outputs, and returns the reasons why the capture was read as one. */
async function check(capture: Uint8Array, jobs: number): Promise<string[]> {
  const reasons: string[] = [];
  for (const line of lines) {
    const { errors, printed } = await runDivided(capture, line, jobs, 'a.pcap');
    expect(printed).toEqual((await runDivided(capture, line, 1, 'a.pcap')).printed);
    reasons.push(...errors.map((error) => (error as Error).message));
  }
  return reasons;
}

const names = hasCorpus
  ? (readdirSync(corpusFolder, { recursive: true }) as string[]).filter((name) => /pcap(ng)?$/.test(name)).sort()
  : ['recordings'];

describe('a capture that is divided among threads', { timeout: 120_000 }, () => {
  it.skipIf(!hasCorpus).each(names)('prints what one thread prints: %s (needs the recordings)', async (name) => {
    expect(await check(corpusFile(name), 3)).toEqual([]);
  });

  it('prints what one thread prints with forged packets, damage, and clients who share an address', async () => {
    const reasons: string[] = [];
    for (let i = 0; i < 60; i++) {
      const random = new Random(77, i);
      const sessions = Array.from({ length: 6 }, () => ({
        bytes: hostileCapture(random).bytes,
        client: random.between(1, 5),
        server: random.between(1, 2),
      }));
      const capture = interleaved(sessions, i);
      for (let k = 0; k < i % 3; k++) capture[random.below(capture.length)]! ^= 1 << random.below(8);
      reasons.push(...(await check(capture, 2 + (i % 3))));
    }
    // Most of them can be divided, but not all.
    expect(reasons.length).toBeGreaterThan(0);
    expect(reasons.length).toBeLessThan(15 * lines.length);
  });

  it('is read as one if there are more flows than are followed, after the sample that shows the clients', async () => {
    const bytes = read('ddnet-ipv6.pcap');
    const clients = interleaved([1, 2, 3].map((client) => ({ bytes, client }))).subarray(24);
    const many = Array.from({ length: 2100 }, (_, i) => {
      const ends = { source: [10, 2, i >> 8, i & 255], destination: [10, 0, 0, 1] };
      return pcapRecord(ipv4(udp([16, 0, 0, 1, 2, 3], 40_000, 8303), ends), { seconds: someTime, fraction: 0 });
    });
    const before = Array.from({ length: Math.ceil((4 << 20) / clients.length) + 1 }, () => [...clients]);
    const capture = file(pcapHeader({ linkType: 101 }), ...before, ...many, [...clients]);
    expect(new Set(await check(capture, 2))).toEqual(
      new Set(['the parts do not know which flows were silent for longest']),
    );
  });
});
