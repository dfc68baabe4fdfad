import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../../commands/index.ts';
import { newFile } from '../../../commands/lib/platform/growing.ts';
import { processIo } from '../../../commands/lib/platform/io.ts';
import { fakeIo } from '../../support/fake-io.ts';
import { read } from '../../support/samples.ts';

const demo = read('vanilla-dm1.demo');

it('--follow prints the existing contents, and later additions as they arrive', async () => {
  const io = fakeIo({ files: { 'm.demo': demo } });
  let before = '';
  const open: typeof io.open = async function* (_, __, isGrowing) {
    expect(isGrowing).toBe(true);
    yield demo.slice(0, 20_000);
    before = io.stdout.text;
    yield demo.slice(20_000);
  };
  await main(['dump', 'm.demo', '--follow'], { ...io, open });
  expect(before).toContain('full snapshot');
  const whole = fakeIo({ files: { 'm.demo': demo } });
  await main(['dump', 'm.demo'], whole);
  expect(io.stdout.text).toBe(whole.stdout.text);
});

it('without --follow no file is waited for', async () => {
  const io = fakeIo({ files: { 'm.demo': demo } });
  const asked: unknown[] = [];
  const open: typeof io.open = (path, from, isGrowing) => {
    asked.push(isGrowing);
    return io.open(path, from);
  };
  for (const line of ['m.demo', 'info m.demo', 'stats m.demo', 'decode m.demo@first', 'slice m.demo --ticks 1.. -o x'])
    await main(line.split(' '), { ...io, open });
  expect([asked.length > 4, asked.some(Boolean)]).toEqual([true, false]);
});

it('a growing file is read beyond its former end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tw-snap-'));
  const path = join(folder, 'growing');
  writeFileSync(path, 'first');
  const pieces = processIo().open(path, 0, true)[Symbol.asyncIterator]();
  expect(Buffer.from((await pieces.next()).value).toString()).toBe('first');
  const next = pieces.next();
  appendFileSync(path, 'second');
  expect(Buffer.from((await next).value).toString()).toBe('second');
  await pieces.return?.();
  rmSync(folder, { recursive: true });
});

it('--follow is refused for several files', async () => {
  const io = fakeIo({ files: { 'a.demo': demo, 'b.demo': demo } });
  expect(await main(['dump', 'a.demo', 'b.demo', '--follow'], io)).toBe(2);
});

/** A platform on which a file arrives in these pieces. */
function growing(pieces: readonly Uint8Array[]) {
  const io = fakeIo({ files: { 'm.pcap': capture } });
  return Object.assign(io, {
    open: async function* () {
      yield* pieces;
    },
  });
}

const capture = read('ddnet-ipv6.pcap');
/** The header of a pcap file has 24 bytes, and each record its length at byte 8. */
function endOfFrame(number: number): number {
  const view = new DataView(capture.buffer, capture.byteOffset);
  let at = 24;
  for (let i = 0; i < number; i++) at += 16 + view.getUint32(at + 8, true);
  return at;
}

describe('a capture that is rotated', () => {
  const cut = endOfFrame(400);
  const next = Buffer.concat([capture.subarray(0, 24), capture.subarray(cut)]);

  it('continues with the same connections: no base is missing', async () => {
    const io = growing([capture.slice(0, cut), newFile, next]);
    expect(await main(['checksum', 'm.pcap', '--follow', '--strict', '--summary'], io)).toBe(0);
    expect(io.stdout.text).toBe('m.pcap   healthy      446 snapshots: 446 match\n');
  });

  it('may end without a new file', async () => {
    const io = growing([capture, newFile]);
    expect(await main(['checksum', 'm.pcap', '--follow', '--summary'], io)).toBe(0);
    expect(io.stdout.text).toBe('m.pcap   healthy      446 snapshots: 446 match\n');
  });
});

it('a replaced demo is read from its beginning', async () => {
  const io = growing([demo, newFile, demo]);
  const once = fakeIo({ files: { 'm.demo': demo } });
  await main(['checksum', 'm.demo', '--list'], once);
  expect(await main(['checksum', 'm.demo', '--list', '--follow'], io)).toBe(0);
  expect(io.stdout.text.replaceAll('m.pcap', 'm.demo')).toBe(once.stdout.text.repeat(2));
});

it('checksum --follow reports a mismatch immediately, and the counts at the end', async () => {
  const wrong = read('duplicate-key.pcap');
  const io = fakeIo({ files: { 'm.pcap': wrong } });
  let before = '';
  const open = async function* () {
    yield wrong.slice(0, -100);
    before = io.stdout.text;
    yield wrong.slice(-100);
  };
  expect(await main(['checksum', 'm.pcap', '--follow'], Object.assign(io, { open }))).toBe(1);
  expect(before.match(/^✗ .* tick 226 on base 220/gm)).toHaveLength(1);
  expect(before).not.toContain('matched');
  expect(io.stdout.text.match(/^✗ .* tick 226 on base 220/gm)).toHaveLength(1);
  expect(io.stdout.text).toMatch(/10\.0\.0\.7:50000 +0\.6 +45 +25 +0 +0 +20\n/);
});

it('dump --follow prints the counts at the end', async () => {
  const io = growing([capture]);
  await main(['dump', 'm.pcap', '--follow'], io);
  expect(io.stderr.text).toBe('tw-snap: m.pcap: 446 snapshots, 692 messages\n');
});
