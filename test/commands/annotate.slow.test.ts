import { describe, expect, it } from 'vitest';
import { corpusFile, hasCorpus } from '../support/corpus.ts';
import { annotatedValues, dumpedValues, hasTsharkWithLua } from '../support/tshark.ts';

const recordings = [
  '07-vanilla-dm1.pcapng',
  '06-ddnet-loss.pcap',
  '07-on-ddnet-sixup-manyplayers.pcap',
  'ddnet20/06-ddnet20-mapchange-6clients.pcap',
];

describe.skipIf(!hasTsharkWithLua || !hasCorpus)('in tshark (needs tshark with Lua and ../shared/corpus)', () => {
  it.each(recordings)('%s has the values of dump in every snapshot', async (name) => {
    const bytes = corpusFile(name);
    const shown = await annotatedValues(bytes);
    expect(shown.length).toBeGreaterThan(1000);
    expect(shown).toEqual(await dumpedValues(bytes));
  });
});
