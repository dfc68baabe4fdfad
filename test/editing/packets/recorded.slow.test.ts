import { describe, expect, it } from 'vitest';
import { corpusFile, corpusFiles, hasCorpus } from '../../support/corpus.ts';
import { rebuiltOf } from '../../support/cuts.ts';
import { runWriting } from '../../support/run.ts';

/** Verdicts by tick and map; the clients have other addresses, and the sums other names. */
const verdictsOf = (capture: Uint8Array) =>
  [...rebuiltOf(capture)].map(([key, { verdict }]) => `${key.replace(/^\S+ /, '')} ${verdict}`).sort();

describe('each recorded capture', () => {
  it.skipIf(!hasCorpus).each(corpusFiles(/\.pcap(?:ng)?$/))(
    'anonymised, has the snapshots of %s with the same verdicts (needs ../shared)',
    async (name) => {
      const input = corpusFile(name);
      const { status, files } = await runWriting('edit in.pcap --anonymise -o out.pcapng', { 'in.pcap': input });
      expect(status).toBe(0);
      const before = verdictsOf(input);
      expect(before.length).toBeGreaterThan(100);
      expect(verdictsOf(files.get('out.pcapng')!)).toEqual(before);
    },
  );
});
