import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { main } from '../../../commands/index.ts';
import { corpusFile, corpusFolder, hasCorpus } from '../../support/corpus.ts';
import { fakeIo } from '../../support/fake-io.ts';

const pattern = /\.(demo|pcap|pcapng|netlog)$/;
const recordings = hasCorpus
  ? ['', 'ddnet20/'].flatMap((folder) =>
      readdirSync(corpusFolder + folder)
        .filter((name) => pattern.test(name))
        .map((name) => folder + name),
    )
  : ['recordings'];

/** Faulty recordings: the first ends inside a chunk; DDNet wrote the others with the sizes of 0.6. */
const faulty: Readonly<Record<string, readonly [status: number, summary: string]>> = {
  '06-ddnet-tutorial-playerdemo-unfinished.demo': [3, 'cut short'],
  'ddnet20/07-in-06-ddnet20-playerdemo-vanny.demo': [1, '373 deltas with wrong sizes'],
  'ddnet20/07-ddnet20-replay-wrong-sizes.demo': [1, '54 deltas with wrong sizes'],
};

describe.skipIf(!hasCorpus)('of a real recording (needs ../shared)', () => {
  it.each(recordings)('%s there is nothing to explain, unless the recording has known faults', async (name) => {
    const io = fakeIo({ files: { [name]: corpusFile(name) } });
    const status = await main(['explain', name], io);
    const [first = ''] = io.stdout.text.split('\n');
    // Notes are habits of games, which do no harm.
    const [exitStatus, summary] = faulty[name] ?? [0, 'nothing to explain in|  [1-9] notes?$'];
    expect([status, first]).toEqual([exitStatus, expect.stringMatching(summary)]);
  });
});
