import { describe, expect, it } from 'vitest';
import { corpusFile, goldenCaptures, hasCorpus, samplePcap, smallCaptures } from '../../support/corpus.ts';
import { run } from '../../support/run.ts';

describe('info on a capture', () => {
  it('shows the readable part of a cut capture, and exits 3', async () => {
    const { stdout, status } = await run('info a.pcap', { 'a.pcap': samplePcap().subarray(0, 50_000) });
    expect(status).toBe(3);
    expect(stdout).toContain('damaged');
    expect(stdout).toContain('✗');
    expect(stdout).toContain('the file ends inside a record');
  });

  it.skipIf(!hasCorpus)('has a row for each capture (needs ../shared)', async () => {
    const files = Object.fromEntries(goldenCaptures(smallCaptures).map(([name]) => [name, corpusFile(name)]));
    const { stdout, status } = await run(['info', ...Object.keys(files)], files);
    expect(status).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(Object.keys(files).length + 1);
  });
});
