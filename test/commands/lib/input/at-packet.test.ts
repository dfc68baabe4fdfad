import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CaptureReader } from '../../../../src/recording/container/capture/capture-reader.ts';
import { execFileSync, hasTool, tool } from '../../../support/host.ts';
import { recordsOf, runWriting } from '../../../support/run.ts';
import { read } from '../../../support/samples.ts';

const pcap = read('ddnet-ipv6.pcap');
const demo = read('vanilla-dm1.demo');

const run = (line: string) => runWriting(line, { 'a.pcap': pcap, 'm.demo': demo, 'b.pcap#3': pcap });

const ndjson = async (line: string) => recordsOf((await run(`${line} -t ndjson`)).stdout);

/** The payloads of the UDP datagrams by the numbers of their packets. */
const payloads = new Map<number, Uint8Array>();
for (const { kind, number, bytes, start, end } of new CaptureReader().feed(pcap)) {
  if (kind === 'datagram') payloads.set(number, bytes.slice(start, end));
}

describe('FILE#N', () => {
  it('is the payload of the datagram with this number: extract writes it', async () => {
    for (const number of [1, 5, 101, 786]) {
      const { status, bytes } = await run(`extract a.pcap#${number}`);
      expect(status).toBe(0);
      expect(new Uint8Array(bytes)).toEqual(payloads.get(number));
    }
  });

  it.skipIf(!hasTool('tshark'))('counts as Wireshark does (needs tshark)', () => {
    const path = join(import.meta.dirname, '../../../../samples/ddnet-ipv6.pcap');
    const args = ['-r', path, '-Y', 'udp', '-T', 'fields', '-e', 'frame.number', '-e', 'udp.payload'];
    const lines = execFileSync(tool('tshark'), args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .trim()
      .split('\n');
    const theirs = lines.map((line) => line.split('\t'));
    const ours = [...payloads].map(([number, bytes]) => [String(number), Buffer.from(bytes).toString('hex')]);
    expect(ours).toEqual(theirs);
  });

  it('is decoded with the base that the client had', async () => {
    const { status, stdout, stderr } = await run('decode a.pcap#101');
    expect(status).toBe(0);
    expect(stderr).toBe('tw-snap: a.pcap#101: [::1]:8304 > [::1]:29911\n');
    expect(stdout).toMatch(/crc=\d+ \(matches\)/);
    expect(stdout).toMatch(/tick=4 \(\d+ → \d+\)/);
  });

  it('has the checksum of the snapshot that it completes', async () => {
    const [line] = await ndjson('checksum a.pcap --ticks 33948..33948');
    expect(line).toMatchObject({ frame: 101, tick: 33948, ok: true });
    const { stdout } = await run('checksum a.pcap#101');
    expect(stdout.trim()).toBe(`${line.crc}  a.pcap#101`);
  });

  it('is a snapshot for diff: the one that the packet completes', async () => {
    const { status, stdout } = await run('diff a.pcap#101 a.pcap@33948 -t json');
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { removed: [], added: [], changed: [] }]);
  });

  it.each([
    ['decode', 'a.pcap#787', 'a.pcap: there is no packet 787; the last datagram before it is 786'],
    ['decode', 'm.demo#5', 'm.demo: a demo has no packets (#5); FILE@MOMENT names a snapshot'],
    ['extract', 'a.pcap#5', 'a.pcap#5 is one packet; --client cannot be combined with it', '--client', '[::1]:29911'],
    ['extract', 'a.pcap#5', 'name one thing to extract: --map, --demo, --ghost, FILE@MOMENT or FILE#N', '--map'],
  ])('%s %s is refused: %s', async (command, path, message, ...more) => {
    const { status, stderr } = await run(`${command} ${path} ${more.join(' ')}`);
    expect([status, stderr]).toEqual([2, `tw-snap: ${message}\n`]);
  });

  it('is a file of that name where there is one', async () => {
    const { stdout } = await run('info b.pcap#3');
    expect(stdout).toContain('786');
  });
});

describe('the number of the packet', () => {
  it('is in every record of dump: the number of the packet that contains the record', async () => {
    const records = await ndjson('dump a.pcap');
    const frames = records.map(({ frame }) => frame);
    expect(frames.every((frame) => payloads.has(frame))).toBe(true);
    const entry = records.find(({ record, tick }) => record === 'snapshot' && tick === 33948);
    expect(entry.frame).toBe(101);
  });

  it('is in every line of the timeline, as a range where a line sums up a second', async () => {
    const { stdout } = await run('dump a.pcap --width 100');
    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^ +frame +time +client/);
    const begins = lines.filter((line) => /\d:\d\d\.\d\d/.test(line));
    expect(begins.length).toBeGreaterThan(20);
    for (const line of begins) expect(line).toMatch(/^ *\d+(-\d+)? +\d+:/);
  });

  it('is a column of the CSV', async () => {
    const { stdout } = await run('dump a.pcap -t csv --ticks 33948..33948');
    const rows = stdout.trimEnd().split('\n');
    expect(rows[0]).toMatch(/^file,stream,session,client,seconds,time,frame,/);
    for (const row of rows.slice(1)) expect(row.split(',')[6]).toBe('101');
  });

  it('is in the message about a cut packet', async () => {
    // The fifth record: 24 bytes of header, then records of 16 bytes and their data. Its last 20 bytes were not
    // recorded.
    let at = 24;
    const view = new DataView(pcap.buffer, pcap.byteOffset);
    for (let i = 1; i < 5; i++) at += 16 + view.getUint32(at + 8, true);
    const recorded = view.getUint32(at + 8, true);
    const end = at + 16 + recorded;
    const cut = new Uint8Array([...pcap.subarray(0, end - 20), ...pcap.subarray(end)]);
    new DataView(cut.buffer).setUint32(at + 8, recorded - 20, true);
    const { stderr } = await runWriting('checksum cut.pcap', { 'cut.pcap': cut });
    expect(stderr).toMatch(new RegExp(`at 0x${at.toString(16).padStart(4, '0')}, frame 5: `));
  });
});
