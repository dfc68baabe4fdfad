import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { corpusFile, corpusFolder, hasCorpus } from '../support/corpus.ts';
import { fakeIo } from '../support/fake-io.ts';
import { fakeThreads } from '../support/fake-threads.ts';
import { read } from '../support/samples.ts';

/** The output and the files of an export with one thread, or with several that share the tables of the only recording. */
async function exported(bytes: Uint8Array, name: string, jobs: number) {
  const io = fakeIo({ files: { [name]: bytes } });
  const argv = ['export', name, '-t', 'csv', '-o', 'out', '--jobs', String(jobs)];
  const status = await main(argv, { ...io, threads: async () => fakeThreads(io) });
  const files = [...io.files].filter(([path]) => path.startsWith('out/')).sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = files.map(([path, data]) => [path, Buffer.from(data).toString('latin1')]);
  return { status, stdout: io.stdout.text, stderr: io.stderr.text, texts };
}

async function expectSame(bytes: Uint8Array, name: string, counts: readonly number[]) {
  const one = await exported(bytes, name, 1);
  for (const jobs of counts) {
    const shared = await exported(bytes, name, jobs);
    expect(shared.texts.map(([path]) => path)).toEqual(one.texts.map(([path]) => path));
    // A difference of long texts takes minutes to print.
    for (const [i, [path, text]] of shared.texts.entries()) expect(text === one.texts[i]![1], path).toBe(true);
    expect({ ...shared, texts: [] }).toEqual({ ...one, texts: [] });
  }
  return one;
}

const recordings = hasCorpus
  ? (readdirSync(corpusFolder, { recursive: true }) as string[])
      .filter((name) => /\.(demo|pcap|pcapng|netlog)$/.test(name))
      .sort()
  : ['recordings'];

describe('an export whose tables are shared among threads', () => {
  it.each(['vanilla-dm1.demo', 'vanilla-ctf-timeout.pcap'])('writes what one thread writes: %s', async (name) => {
    const { texts } = await expectSame(read(name), name, [2, 3]);
    expect(texts.length).toBeGreaterThan(5);
  });

  it('writes the same when the recording is damaged', async () => {
    const demo = read('vanilla-dm1.demo');
    for (let i = 0; i < 10; i++) {
      const damaged = demo.slice();
      // Places spread over the whole file: multiples of a prime.
      for (let k = 0; k <= i % 4; k++) damaged[(7919 * (4 * i + k + 1)) % demo.length]! ^= 1 << (i % 8);
      await expectSame(damaged, 'a.demo', [2]);
    }
    await expectSame(demo.slice(0, 300), 'a.demo', [2]);
    await expectSame(demo.slice(0, 9), 'a.demo', [2]);
  });

  it.skipIf(!hasCorpus).each(recordings)('writes what one thread writes: %s (needs the recordings)', async (name) => {
    await expectSame(corpusFile(name), name.split('/').at(-1)!, [2]);
  });
});
