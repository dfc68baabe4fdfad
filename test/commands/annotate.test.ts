import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { fakeIo, type World } from '../support/fake-io.ts';
import { blocksOf, commentsOf } from '../support/pcapng-blocks.ts';
import { run as runLine, runWriting } from '../support/run.ts';
import { read } from '../support/samples.ts';

const sample = read('ddnet-ipv6.pcap');

const files = { 'a.pcap': sample, 'wrong.pcap': read('duplicate-key.pcap') };
const run = (line: string, more: Record<string, Uint8Array | string> = {}, world: World = {}) =>
  runWriting(`annotate ${line}`, { ...files, ...more }, world);

describe('annotate', () => {
  it('writes a file, and prints what the file contains', async () => {
    const { status, stdout, stderr, files } = await run('a.pcap -o b.pcapng');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^a\.pcap → b\.pcapng {3}786 of 786 frames {3}446 snapshots {3}94\.6 KB → \d+ KB\n$/);
    expect(commentsOf(files.get('b.pcapng')!)).toHaveLength(786);
  });

  it('reads standard input and gzip, and writes to standard output', async () => {
    const { bytes: out } = await run('a.pcap');
    for (const stdin of [sample, new Uint8Array(gzipSync(sample))]) {
      const piped = await run('-', {}, { stdin });
      expect(piped.status).toBe(0);
      expect(Buffer.compare(piped.bytes, out)).toBe(0);
    }
  });

  it('does not depend on the sizes of the pieces of its input', async () => {
    const { bytes: out } = await run('a.pcap');
    const io = fakeIo({ files });
    const open = async function* () {
      for (let at = 0; at < sample.length; at += 777) yield sample.slice(at, at + 777);
    };
    expect(await main(['annotate', 'a.pcap'], { ...io, open })).toBe(0);
    expect(Buffer.compare(io.stdout.bytes, out)).toBe(0);
  });

  it('writes a file that all other commands read like the capture', async () => {
    const { bytes: out } = await run('a.pcap');
    for (const line of ['checksum -t ndjson', 'dump -t ndjson', 'stats -t json']) {
      const printed: string[] = [];
      for (const bytes of [sample, out]) {
        const { status, stdout } = await runLine(`${line} x.pcap`, { 'x.pcap': bytes });
        expect(status).toBe(0);
        printed.push(stdout.replace(/"format":"pcap(ng)?","size":\d+,/, ''));
      }
      expect(printed[1]).toBe(printed[0]);
    }
  });

  it('exits 1 for a mismatch and 3 for damage, and writes the readable part', async () => {
    const wrong = await run('wrong.pcap -o b.pcapng');
    expect(wrong.status).toBe(1);
    expect(wrong.stdout).toContain('mismatched');
    const cut = await run('cut.pcap -o b.pcapng', { 'cut.pcap': sample.slice(0, 50_000) });
    expect(cut.status).toBe(3);
    expect(cut.stderr).toContain('truncated_record');
    expect(commentsOf(cut.files.get('b.pcapng')!).length).toBeGreaterThan(300);
  });

  it('refuses input that is not a capture, and a terminal as output', async () => {
    const demo = await run('a.demo -o b', { 'a.demo': read('vanilla-dm1.demo') });
    expect([demo.status, demo.stderr]).toEqual([3, 'tw-snap: a.demo: this is not a capture (pcap or pcapng)\n']);
    expect(demo.files.has('b')).toBe(false);
    const terminal = await run('a.pcap', {}, { terminal: true });
    expect(terminal.status).toBe(2);
    const client = await run('a.pcap --client 10.0.0.1:1 -o b');
    expect([client.status, client.files.has('b')]).toEqual([2, false]);
  });

  it('reports how many frames have no room for all comments', async () => {
    const { bytes: out } = await run('a.pcap');
    expect(Math.max(...blocksOf(out).map(({ bytes }) => bytes.length))).toBeLessThan(4 * 65_536);
  });
});

describe('annotate --lua', () => {
  it('prints the post-dissector, with the items of a schema', async () => {
    const mod = '{"items":[{"name":"my_item","uuid_name":"my@mod.example","fields":{"power":"int"}}]}';
    const plain = await run('--lua');
    const withMod = await run('--lua --schema mod.json', { 'mod.json': mod });
    expect([plain.status, withMod.status]).toEqual([0, 0]);
    expect(plain.stdout).not.toContain('my_item');
    expect(withMod.stdout).toContain('my_item.power:i');
    expect(withMod.stdout).toContain('["my_item"] = "power"');
  });

  it('refuses options that have no effect with --lua', async () => {
    for (const extra of ['a.pcap', '--client x', '--no-values', '--strict', '--type obj_character']) {
      const { status, stderr } = await run(`--lua ${extra}`);
      expect([status, stderr]).toEqual([2, expect.stringContaining('--lua does not go with ')]);
    }
  });
});
