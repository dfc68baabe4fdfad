import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { corpusFile, corpusFolder, hasCorpus } from '../../../support/corpus.ts';
import { many, runDivided } from '../../../support/divided.ts';
import { read } from '../../../support/samples.ts';

/** All demos of a folder and of its subfolders. */
const names = hasCorpus
  ? (readdirSync(corpusFolder, { recursive: true }) as string[]).filter((name) => name.endsWith('.demo')).sort()
  : ['recordings'];

describe('a demo that is divided among threads', () => {
  it('prints the same when it is damaged', async () => {
    const demo = read('vanilla-dm1.demo');
    for (let i = 0; i < 40; i++) {
      const damaged = demo.slice();
      // Positions all over the file: multiples of a prime.
      for (let k = 0; k <= i % 4; k++) damaged[(7919 * (4 * i + k + 1)) % demo.length]! ^= 1 << (i % 8);
      for (const line of ['dump -t ndjson', 'dump -t ndjson --changes', 'checksum', 'info -t json', 'stats -t json']) {
        expect((await runDivided(damaged, line, many)).printed).toEqual((await runDivided(damaged, line, 1)).printed);
      }
    }
  });

  it.skipIf(!hasCorpus).each(names)('prints what one thread prints: %s (needs the recordings)', async (name) => {
    const demo = corpusFile(name);
    const short = ['checksum', 'info -t json', 'stats -t json'];
    for (const line of demo.length > 1_000_000 ? short : ['dump -t ndjson --changes --type obj_character', ...short]) {
      expect((await runDivided(demo, line, many)).printed).toEqual((await runDivided(demo, line, 1)).printed);
    }
  });
});
