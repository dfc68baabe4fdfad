import { describe, expect, it } from 'vitest';
import { main } from '../../../../commands/index.ts';
import type { Threads } from '../../../../commands/lib/parallel/worker-protocol.ts';
import { corpusFile, corpusFiles, hasCorpus } from '../../../support/corpus.ts';
import { fakeIo } from '../../../support/fake-io.ts';
import { fakeThreads } from '../../../support/fake-threads.ts';
import { read } from '../../../support/samples.ts';

/** What a command line prints of a demo, in one thread or divided among several. */
async function run(bytes: Uint8Array, line: string, jobs: number) {
  const io = fakeIo({ files: { 'a.demo': bytes } });
  let begun: ReturnType<typeof fakeThreads> | undefined;
  const threads = async (): Promise<Threads> => {
    begun = fakeThreads(io);
    return begun;
  };
  const argv = [...line.split(' '), 'a.demo', '--jobs', String(jobs)];
  const status = await main(argv, { ...io, threads });
  return { printed: { status, stdout: io.stdout.text, stderr: io.stderr.text }, parts: begun?.tasks.length ?? 1 };
}

const lines = [
  'dump -t ndjson',
  'dump -t csv --type obj_character',
  'dump -t csv --type sv_chat',
  'dump -t ndjson --type ddnet_laser',
  'checksum',
  'checksum -t ndjson',
  'checksum --summary -t json',
  'checksum -t junit',
];

/** So many threads divide a small demo at each keyframe. */
const many = 100;

describe('a demo that is divided among threads', () => {
  it.each(lines)('prints what one thread prints: %s', async (line) => {
    const demo = read('vanilla-dm1.demo');
    const divided = await run(demo, line, many);
    // 12 keyframes, and the header before the first.
    expect(divided.parts).toBe(13);
    expect(divided.printed).toEqual((await run(demo, line, 1)).printed);
  });

  it('prints the same when it is damaged', async () => {
    const demo = read('vanilla-dm1.demo');
    for (let i = 0; i < 40; i++) {
      const damaged = demo.slice();
      // Places spread over the whole file: multiples of a prime.
      for (let k = 0; k <= i % 4; k++) damaged[(7919 * (4 * i + k + 1)) % demo.length]! ^= 1 << (i % 8);
      for (const line of ['dump -t ndjson', 'checksum']) {
        expect((await run(damaged, line, many)).printed).toEqual((await run(damaged, line, 1)).printed);
      }
    }
  });

  const names = corpusFiles(/\.demo$/);
  it.skipIf(!hasCorpus).each(names)('prints what one thread prints: %s (needs the recordings)', async (name) => {
    const demo = corpusFile(name);
    for (const line of demo.length > 1_000_000 ? ['checksum'] : ['dump -t ndjson --type obj_character', 'checksum']) {
      expect((await run(demo, line, many)).printed).toEqual((await run(demo, line, 1)).printed);
    }
  });

  it('is not divided where its records depend on those before, or one thread is asked for', async () => {
    const demo = read('vanilla-dm1.demo');
    for (const line of ['dump', 'dump -t ndjson --changes', 'dump -t csv --ticks 9000..9100']) {
      expect((await run(demo, line, many)).parts).toBe(1);
    }
    expect((await run(demo, 'dump -t ndjson', 1)).parts).toBe(1);
  });
});
