import { describe, expect, it } from 'vitest';
import { corpusFile, goldenCaptures, hasCorpus, samplePcap } from '../../support/corpus.ts';
import { run } from '../../support/run.ts';

const sample = { 'a.pcap': samplePcap() };

describe('info on a capture', () => {
  it('lists the connections', async () => {
    const { stdout, status } = await run('info a.pcap', sample);
    expect(status).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "a.pcap   pcap, 94.6 KB, 0:18.89, healthy
        recorded      2026-11-20 11:42:38 UTC
        datagrams     786    2 connectionless
        connections   1      all to [::1]:8304

      [::1]:29911   six   0.6
        time          0:00.00 to 0:18.89, closed by the client
        sent          333 packets, 8.1 KB  324 input, 2 cl_say, 1 client_version, 1 info, 1 ready,
                      1 cl_startinfo, 6 more kinds
        received      451 packets, 20.3 KB  324 input_timing, 9 sv_chat, 6 sv_voteoptionlistadd,
                      5 sv_tuneparams, 2 sv_record, 1 rcon_type, 9 more kinds
        loss          none seen
        snapshots     446    3 full, 443 deltas, at most 26 items, 363 bytes
        checksums     all match
        rates         5/s for 0.4 s, 25/s for 17.7 s
      "
    `);
  });

  it('fits narrow terminals', async () => {
    const [wide, narrow] = [await run('info a.pcap', sample), await run('info a.pcap --width 60', sample)];
    expect(Math.max(...narrow.stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(60);
    const wordsOf = ({ stdout }: typeof wide) => stdout.split(/\s+/);
    expect(wordsOf(narrow)).toEqual(wordsOf(wide));
  });

  it('names the clients that exist', async () => {
    const { stderr, status } = await run('info a.pcap --client [::1]:1', sample);
    expect(status).toBe(2);
    expect(stderr).toBe('tw-snap: a.pcap: there is no client [::1]:1; there is [::1]:29911\n');
  });

  it('shows the readable part of a cut capture, and exits 3', async () => {
    const { stdout, status } = await run('info a.pcap', { 'a.pcap': samplePcap().subarray(0, 50_000) });
    expect(status).toBe(3);
    expect(stdout).toContain('damaged');
    expect(stdout).toContain('✗');
    expect(stdout).toContain('the file ends inside a record');
  });

  it.skipIf(!hasCorpus)('has a row for each capture (needs ../shared/corpus)', { timeout: 60_000 }, async () => {
    const files = Object.fromEntries(goldenCaptures().map(([name]) => [name, corpusFile(name)]));
    const { stdout, status } = await run(['info', ...Object.keys(files)], files);
    expect(status).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(Object.keys(files).length + 1);
  });
});
