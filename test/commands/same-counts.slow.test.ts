import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { main } from '../../commands/index.ts';
import { hostileCapture } from '../../scripts/fuzz/make/hostile-capture.ts';
import { Random } from '../../scripts/fuzz/random.ts';
import { join } from '../../src/wire/bytes/copy.ts';
import { fakeIo } from '../support/fake-io.ts';
import { read } from '../support/samples.ts';

// Damage of many kinds: all commands find the same snapshots, and have the same exit status.

const names = [
  'ddnet-ipv6.pcap',
  'vanilla-ctf-timeout.pcap',
  'duplicate-key.pcap',
  'vanilla-dm1.demo',
  'ddnet-race-player.demo',
];

type Damage = (bytes: Uint8Array, random: Random) => Uint8Array;

const flip = (bytes: Uint8Array, times: number, random: Random, end = bytes.length) => {
  const changed = bytes.slice();
  for (let i = 0; i < times; i++) changed[random.below(end)]! ^= 1 << random.below(8);
  return changed;
};
const noise = (random: Random, count: number) => Uint8Array.from({ length: count }, () => random.below(256));
const gzip = (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes));

const damages: Readonly<Record<string, Damage>> = {
  'a flipped bit': (bytes, random) => flip(bytes, 1, random),
  'twenty flipped bits': (bytes, random) => flip(bytes, 20, random),
  'a flipped bit near the beginning': (bytes, random) => flip(bytes, 1, random, Math.min(bytes.length, 400)),
  'a cut': (bytes, random) => bytes.slice(0, random.between(1, bytes.length - 1)),
  'bytes after the end': (bytes, random) => join([bytes, noise(random, 150)]),
  'a hole': (bytes, random) => {
    const at = random.below(bytes.length);
    return join([bytes.slice(0, at), bytes.slice(at + random.between(1, 3000))]);
  },
  'a piece that comes twice': (bytes, random) => {
    const at = random.below(bytes.length);
    return join([bytes.slice(0, at + random.between(1, 3000)), bytes.slice(at)]);
  },
  'noise inside': (bytes, random) => {
    const changed = bytes.slice();
    changed.set(noise(random, 200), random.below(bytes.length - 200));
    return changed;
  },
  'zeros inside': (bytes, random) => {
    const at = random.below(bytes.length);
    return bytes.slice().fill(0, at, at + random.between(1, 2000));
  },
  'a cut gzip': (bytes, random) => {
    const packed = gzip(bytes);
    return packed.slice(0, random.between(packed.length >> 2, packed.length - 1));
  },
  'a gzip with bytes after its end': (bytes, random) => join([gzip(bytes), noise(random, 20)]),
  'a gzip with a wrong checksum': (bytes) => {
    const packed = gzip(bytes);
    return packed.with(packed.length - 6, packed.at(-6)! ^ 1);
  },
};

/** The records of a libpcap file, changed in their order. */
const records = (bytes: Uint8Array, change: (all: Uint8Array[]) => Uint8Array[]) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const all: Uint8Array[] = [];
  for (let at = 24; at + 16 <= bytes.length; ) {
    const end = at + 16 + view.getUint32(at + 8, true);
    all.push(bytes.slice(at, end));
    at = end;
  }
  return join([bytes.slice(0, 24), ...change(all)]);
};

const packetDamages: Readonly<Record<string, Damage>> = {
  'packets in another order': (bytes, random) =>
    records(bytes, (all) =>
      all
        .map((bytes, i) => ({ one: bytes, at: i + random.below(8) }))
        .sort((a, b) => a.at - b.at)
        .map(({ one: bytes }) => bytes),
    ),
  'doubled packets': (bytes, random) =>
    records(bytes, (all) => all.flatMap((bytes) => (random.oneIn(5) ? [bytes, bytes] : [bytes]))),
  'lost packets': (bytes, random) => records(bytes, (all) => all.filter(() => !random.oneIn(20))),
  'packets of another capture between': (bytes, random) =>
    records(bytes, (all) => {
      const others: Uint8Array[] = [];
      records(read('duplicate-key.pcap'), (found) => {
        others.push(...found);
        return found;
      });
      return all.flatMap((bytes) => (random.oneIn(5) && others.length > 0 ? [bytes, others.shift()!] : [bytes]));
    }),
  'forged packets of a hostile capture': (_, random) => hostileCapture(random).bytes,
};

const commands = [
  ['info', '-t', 'json'],
  ['checksum', '-t', 'ndjson'],
  ['checksum', '--summary', '-t', 'json'],
  ['stats', '-t', 'json'],
  ['dump'],
  ['dump', '-t', 'ndjson'],
  ['dump', '-t', 'csv'],
  ['dump', '-t', 'hexdump'],
  ['report', '--limit', '100'],
  ['export', '--tables', 'snapshots', '-t', 'csv'],
  ['explain'],
] as const;

const lines = (text: string, isCounted: (line: string) => boolean) => text.split('\n').filter(isCounted).length;

/** The number of snapshots that each command reports, and its exit status. */
async function results(name: string, bytes: Uint8Array) {
  const statuses: Record<string, number> = {};
  const counts: Record<string, number> = {};
  for (const [command, ...args] of commands) {
    const io = fakeIo({ files: { [name]: bytes } });
    const key = [command, ...args].join(' ');
    statuses[key] = await main([command, name, ...args], io);
    expect(io.stderr.text).not.toMatch(/internal error|\.ts:\d/);
    const out = io.stdout.text;
    if (out === '') continue;
    if (command === 'info' || key.startsWith('checksum --summary')) counts[key] = JSON.parse(out)[0].snapshots;
    if (key === 'dump -t ndjson') {
      counts[key] = lines(out, (line) => line.startsWith('{"record":"snapshot"') && !line.includes('"kind":"empty"'));
    }
    if (command === 'export') counts[key] = lines(out, (line) => line !== '' && !line.includes(',empty,')) - 1;
  }
  return { statuses, counts };
}

/**
 * The commands that write demos or captures. `same`: the exit status of `info`, since everything readable is written
 * and the rest is reported. `part`: also 0 if the requested part is not damaged, and 1 if only that part has another
 * checksum than announced. `repair`: 1 if something was lost, 3 if the input cannot be read. Where no checksum is
 * announced, what the others only warn of is a sign of damage.
 */
const writing: readonly [expected: 'same' | 'part' | 'repair', kind: 'demo' | 'pcap', ...args: string[]][] = [
  ['part', 'demo', 'slice', 'FILE', '--ticks', '0..2000000', '-o', 'out'],
  ['same', 'demo', 'edit', 'FILE', '--strip', 'chat', '-o', 'out'],
  ['same', 'demo', 'concat', 'FILE', 'whole.demo', '-o', 'out'],
  ['repair', 'demo', 'repair', 'FILE', '-o', 'out'],
  ['part', 'demo', 'extract', 'FILE@first', '-o', 'out'],
  ['part', 'demo', 'extract', 'FILE@last', '-o', 'out'],
  ['same', 'pcap', 'annotate', 'FILE', '-o', 'out'],
  ['part', 'pcap', 'extract', 'FILE', '--demo', '-o', 'out'],
  ['part', 'pcap', 'extract', 'FILE@first', '-o', 'out'],
  ['part', 'pcap', 'extract', 'FILE#5', '-o', 'out'],
];

const allowed = {
  same: (status: number) => [status],
  part: (status: number, text: string) => [0, status, ...(text.includes('was announced') ? [1] : [])],
  repair: (status: number, _: string, hasChecksums: boolean) =>
    status === 3 ? [1, 3] : hasChecksums ? [status] : [status, 1],
};

async function checkWriting(name: string, bytes: Uint8Array, status: number): Promise<void> {
  for (const [expected, kind, ...args] of writing) {
    if (!name.endsWith(kind)) continue;
    const io = fakeIo({
      files: { [name]: bytes, 'whole.demo': read(name.endsWith('demo') ? name : 'vanilla-dm1.demo') },
    });
    const command = args.map((arg) => arg.replace('FILE', name));
    const found = await main(command, io);
    expect(io.stderr.text).not.toMatch(/internal error|\.ts:\d/);
    expect([
      command,
      status,
      allowed[expected](status, io.stderr.text, name === 'ddnet-race-player.demo').includes(found) ? 'right' : found,
      io.stderr.text,
    ]).toEqual([command, status, 'right', io.stderr.text]);
  }
}

describe.each(names)('%s', (name) => {
  const kinds = { ...damages, ...(name === 'ddnet-ipv6.pcap' ? packetDamages : {}) };
  it.each(Object.keys(kinds))('with %s: the same counts and exit status in every command', async (kind) => {
    for (const seed of [1, 2]) {
      const bytes = kinds[kind]!(read(name), new Random(seed, 0));
      const { statuses, counts } = await results(name, bytes);
      const [status] = Object.values(statuses);
      // A hostile capture has many clients, and these commands require one.
      if (!kind.startsWith('forged')) await checkWriting(name, bytes, status!);
      // Only explain searches for faults that do not change a checksum.
      const compared = Object.entries(statuses).filter(
        ([command, value]) => command !== 'explain' || status !== 0 || value !== 1,
      );
      expect([seed, Object.fromEntries(compared)]).toEqual([
        seed,
        Object.fromEntries(compared.map(([command]) => [command, status])),
      ]);
      expect(new Set(Object.values(counts)).size, JSON.stringify(counts)).toBeLessThanOrEqual(1);
    }
  });
});
