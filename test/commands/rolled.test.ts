import { describe, expect, it } from 'vitest';
import { CaptureReader } from '../../src/recording/container/capture/capture-reader.ts';
import { CaptureWriter } from '../../src/recording/container/capture/capture-writer.ts';
import { captureFrames } from '../support/capture-frames.ts';
import { rebuiltOf } from '../support/cuts.ts';
import { run, runWriting } from '../support/run.ts';
import { read } from '../support/samples.ts';

const capture = read('ddnet-ipv6.pcap');

/** The capture as tcpdump -C writes it: each file has the header, and as many records as fit. */
function rolled(count: number): Uint8Array[] {
  const frames = captureFrames(capture).filter(({ kind }) => kind !== 'diagnostic');
  const at = Array.from({ length: count + 1 }, (_, i) =>
    i === count ? capture.length : frames[Math.floor((i * frames.length) / count)]!.offset,
  );
  return at.slice(1).map((end, i) => Uint8Array.from([...capture.subarray(0, 24), ...capture.subarray(at[i], end)]));
}

/** More than ten, so that the order of names is none of time. */
const files = Object.fromEntries(rolled(12).map((bytes, i) => [`cap.pcap${i || ''}`, bytes]));
const names = Object.keys(files).sort();

const asPcapng = (bytes: Uint8Array) => {
  const reader = new CaptureReader(true);
  const writer = new CaptureWriter('test');
  const out: Uint8Array[] = [];
  for (const frames of [reader.feed(bytes), reader.finish()])
    for (const { kind } of frames) if (kind !== 'diagnostic') out.push(writer.write(reader.block));
  return new Uint8Array(Buffer.concat(out));
};

describe('concat of captures', () => {
  it('puts them in order of time, so that they are the capture that was divided', async () => {
    const { status, stdout, files: written } = await runWriting(`concat ${names.join(' ')} -o all.pcap`, files);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^all\.pcap {3}12 files {3}786 packets .* 446 snapshots/);
    expect(stdout).toContain('in order of time: cap.pcap, cap.pcap1, cap.pcap2');
    expect(written.get('all.pcap')).toEqual(capture);
  });

  it('joins pcap and pcapng, of any link type, as pcapng', async () => {
    const inputs = { 'a.pcap': capture, 'b.pcapng': asPcapng(read('vanilla-ctf-timeout.pcap')) };
    const { status, files: written } = await runWriting('concat b.pcapng a.pcap -o all.pcapng', inputs);
    expect(status).toBe(0);
    const all = rebuiltOf(written.get('all.pcapng')!);
    expect(all).toEqual(new Map([...rebuiltOf(capture), ...rebuiltOf(inputs['b.pcapng'])]));
    const refused = await runWriting('concat b.pcapng a.pcap -o all.pcap', inputs);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('one link type')]);
    expect(refused.files.has('all.pcap')).toBe(false);
  });

  it('says that files overlap', async () => {
    const { stdout } = await runWriting('concat a.pcap b.pcap -o all.pcap', { 'a.pcap': capture, 'b.pcap': capture });
    expect(stdout).toContain('the files overlap: packets go back in time by up to 18.9 s');
  });

  it('refuses a demo among captures', async () => {
    const { status, stderr } = await runWriting('concat a.pcap b.demo -o all.pcap', {
      'a.pcap': capture,
      'b.demo': read('vanilla-dm1.demo'),
    });
    expect([status, stderr]).toEqual([3, expect.stringContaining('b.demo: this is not a capture')]);
  });
});

describe('a rolling capture', () => {
  it('is read as one recording, which is said', async () => {
    const { status, stdout, stderr } = await run(`checksum ${names.join(' ')} -t json`, files);
    expect(status).toBe(0);
    expect(stderr).toContain('12 files are read as one, in order of time');
    const [{ file, ...all }] = JSON.parse(stdout);
    const [{ file: _, ...whole }] = JSON.parse(
      (await run('checksum cap.pcap -t json', { 'cap.pcap': capture })).stdout,
    );
    expect(all).toEqual(whole);
    expect(file).toMatch(/^cap\.pcap\{.*\}$/);
  });

  it('is one input of a command that reads one', async () => {
    const { status, files: written } = await runWriting('slice cap.pcap* --frames 1.. -o all.pcap', files);
    expect(status).toBe(0);
    expect(written.get('all.pcap')).toEqual(capture);
  });

  it('of dumpcap is found by its names', async () => {
    const [a, b] = rolled(2).map(asPcapng);
    const of = { 'c_00001_20261120110813.pcapng': a!, 'c_00002_20261120110823.pcapng': b!, 'other.pcapng': a! };
    const { stdout } = await run(`info ${Object.keys(of).join(' ')} -t ndjson`, of);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ file }) => file)).toEqual([
      'c_{00001_20261120110813,00002_20261120110823}.pcapng',
      'other.pcapng',
    ]);
    expect(lines[0].snapshots).toBe(446);
  });

  it('is none if a file is named twice, or has another name', async () => {
    const of = { 'a.pcap1': capture, 'b.pcap2': capture };
    const { stdout } = await run('info a.pcap1 a.pcap1 b.pcap2 -t ndjson', of);
    expect(stdout.trim().split('\n')).toHaveLength(3);
  });
});
