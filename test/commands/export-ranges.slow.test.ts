import { readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { corpusFile, corpusFolder, hasCorpus } from '../support/corpus.ts';
import { expectSameRows } from '../support/export-texts.ts';
import { read } from '../support/samples.ts';

const recordings = hasCorpus
  ? (readdirSync(corpusFolder, { recursive: true }) as string[])
      .filter((name) => /\.(demo|pcap|pcapng|netlog)$/.test(name))
      .sort()
  : ['recordings'];

describe('an export whose rows are divided among threads', () => {
  it.each([
    [],
    ['--changes'],
    ['--every', '30'],
    ['--every', '30', '--changes'],
    ['--tables', 'kills,players,messages,obj_character'],
    ['--type', 'character'],
  ])('writes the rows that one thread writes, with the options %s %s %s', async (...options) => {
    for (const name of ['vanilla-dm1.demo', 'vanilla-ctf-timeout.pcap']) {
      const { texts, writers } = await expectSameRows(read(name), name, [2, 3, 8], options);
      expect(Object.keys(texts).length).toBeGreaterThan(2);
      expect(writers).toEqual([2, 3, 8]);
    }
  });

  it('writes the same of a compressed recording', async () => {
    await expectSameRows(gzipSync(read('vanilla-dm1.demo')), 'a.demo.gz', [3]);
  });

  it('writes the same when the recording is damaged', async () => {
    const demo = read('vanilla-dm1.demo');
    for (let i = 0; i < 10; i++) {
      const damaged = demo.slice();
      // Places spread over the whole file: multiples of a prime.
      for (let k = 0; k <= i % 4; k++) damaged[(7919 * (4 * i + k + 1)) % demo.length]! ^= 1 << (i % 8);
      await expectSameRows(damaged, 'a.demo', [2, 3]);
    }
    for (const bytes of [demo.length - 1, 30_000, 300, 9]) await expectSameRows(demo.slice(0, bytes), 'a.demo', [2, 8]);
  });

  it.skipIf(!hasCorpus).each(recordings)('writes what one thread writes: %s (needs the recordings)', async (name) => {
    await expectSameRows(corpusFile(name), name.split('/').at(-1)!, [2, 3]);
  });
});
