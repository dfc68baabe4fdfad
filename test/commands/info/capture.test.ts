import { describe, expect, it } from 'vitest';
import { main } from '../../../commands/index.ts';
import { corpusFile, goldenCaptures, hasCorpus, samplePcap } from '../../support/corpus.ts';
import { type FakeIo, fakeIo } from '../../support/fake-io.ts';

async function info(files: Record<string, Uint8Array>, ...argv: string[]): Promise<FakeIo & { status: number }> {
  const io = fakeIo({ files });
  const status = await main(['info', ...argv], io);
  return Object.assign(io, { status });
}

const sample = { 'a.pcap': samplePcap() };

describe('info on a capture', () => {
  it('lists the connections', async () => {
    const { stdout, status } = await info(sample, 'a.pcap');
    expect(status).toBe(0);
    expect(stdout.text).toMatchInlineSnapshot(`
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
    const [wide, narrow] = [await info(sample, 'a.pcap'), await info(sample, 'a.pcap', '--width', '60')];
    expect(Math.max(...narrow.stdout.text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(60);
    const wordsOf = ({ stdout }: typeof wide) => stdout.text.split(/\s+/);
    expect(wordsOf(narrow)).toEqual(wordsOf(wide));
  });

  it('prints JSON for scripts', async () => {
    const { stdout } = await info(sample, 'a.pcap', '-t', 'json');
    const { connections, ...about } = JSON.parse(stdout.text);
    expect(about).toMatchObject({ file: 'a.pcap', format: 'pcap', datagrams: 786, snapshots: 446, diagnostics: [] });
    expect(connections).toHaveLength(1);
    expect(connections[0]).toMatchObject({
      client: '[::1]:29911',
      version: '0.6',
      player: 'six',
      snapshots: 446,
      matched: 446,
    });
    expect(connections[0].rates.map(({ mode }: { mode: string }) => mode)).toEqual(['init', 'full']);
  });

  it('prints CSV with a row for each connection', async () => {
    const { stdout } = await info(sample, 'a.pcap', '-t', 'csv');
    const [head, row, ...more] = stdout.text.trim().split('\n');
    const cells = row!.replaceAll(/"[^"]*(?:""[^"]*)*"/g, '').split(',');
    const cell = (name: string) => cells[head!.split(',').indexOf(name)];
    expect(['file', 'client', 'server', 'protocol', 'player'].map(cell)).toEqual([
      'a.pcap',
      '[::1]:29911',
      '[::1]:8304',
      '0.6',
      'six',
    ]);
    expect(more).toEqual([]);
  });

  it('names the clients that exist', async () => {
    const { stderr, status } = await info(sample, 'a.pcap', '--client', '[::1]:1');
    expect(status).toBe(2);
    expect(stderr.text).toBe('tw-snap: a.pcap: there is no client [::1]:1; there is [::1]:29911\n');
  });

  it('shows the readable part of a cut capture, and exits 3', async () => {
    const { stdout, status } = await info({ 'a.pcap': samplePcap().subarray(0, 50_000) }, 'a.pcap');
    expect(status).toBe(3);
    expect(stdout.text).toContain('damaged');
    expect(stdout.text).toContain('✗');
    expect(stdout.text).toContain('the file ends inside a record');
  });

  it.skipIf(!hasCorpus)('has a row for each capture (needs ../shared/corpus)', { timeout: 60_000 }, async () => {
    const files = Object.fromEntries(goldenCaptures().map(([name]) => [name, corpusFile(name)]));
    const { stdout, status } = await info(files, ...Object.keys(files));
    expect(status).toBe(0);
    expect(stdout.text.trim().split('\n')).toHaveLength(Object.keys(files).length + 1);
  });
});
