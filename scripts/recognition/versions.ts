import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatOf } from '../../src/recording/all-formats.ts';
import type { Direction } from '../../src/recording/replay/stream.ts';
import { flippedBit, type Main, mulberry32, said } from './judged.ts';

/** A packet of a connection, after its handshake. */
interface Sent {
  readonly direction: Direction;
  readonly bytes: Uint8Array;
}

interface Connection {
  readonly version: string;
  readonly sent: readonly Sent[];
}

/** The connections of a capture whose handshake states their version. */
function connectionsOf(file: Uint8Array): Connection[] {
  const replay = formatOf(file.subarray(0, 64))!.open({ parts: true, messages: false, ticks: false });
  const all = new Map<object, { version: string; sent: Sent[] }>();
  for (const records of [replay.feed(file), replay.finish()]) {
    for (const entry of records) {
      if (entry.record !== 'packet' || !entry.stream?.hasHandshake || !entry.direction || !entry.packet) continue;
      const { stream, direction, bytes, packet } = entry;
      const known = all.get(stream) ?? { version: stream.version!, sent: [] };
      // What comes before the first chunk is the handshake.
      if (packet.kind === 'chunks' || known.sent.length > 0) known.sent.push({ direction, bytes: bytes.slice() });
      all.set(stream, known);
    }
  }
  return [...all.values()];
}

const u16 = (value: number) => [value >> 8, value & 0xff];
const u32le = (value: number) => [value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24];

/** Packets as a capture of raw IP, 40 ms apart. */
function captureOf(sent: readonly Sent[]): Uint8Array {
  const bytes = [...u32le(0xa1b2c3d4), 2, 0, 4, 0, ...u32le(0), ...u32le(0), ...u32le(65_535), ...u32le(101)];
  for (const [i, { direction, bytes: payload }] of sent.entries()) {
    const [from, to] = direction === 'to_client' ? [8303, 50_000] : [50_000, 8303];
    const size = 28 + payload.length;
    bytes.push(
      ...u32le(1_700_000_000 + Math.floor(i / 25)),
      ...u32le((i % 25) * 40_000),
      ...u32le(size),
      ...u32le(size),
    );
    bytes.push(0x45, 0, ...u16(size), 0, 0, 0, 0, 64, 17, 0, 0, 127, 0, 0, 1, 127, 0, 0, 1);
    bytes.push(...u16(from), ...u16(to), ...u16(8 + payload.length), 0, 0, ...payload);
  }
  return Uint8Array.from(bytes);
}

/** What may have happened to packets: on the way, or by a capture that keeps 96 bytes of each frame of Ethernet. */
const damages: Readonly<Record<string, (bytes: Uint8Array, random: () => number) => Uint8Array>> = {
  whole: (bytes) => bytes,
  'a bit flipped in each': flippedBit,
  'cut to 54 bytes': (bytes) => bytes.subarray(0, 54),
};

type Outcome = 'right' | 'wrong' | 'none';

/** The version that `info` gives the only connection of a capture. */
async function versionOf(main: Main, sent: readonly Sent[]): Promise<string | undefined> {
  const { output } = await said(main, captureOf(sent), ['info', '-', '-t', 'json']);
  return JSON.parse(output)[0].connections?.[0]?.version ?? undefined;
}

/** Datagrams of other programs: random bytes, text, and the same with many zeros. */
function otherDatagrams(random: () => number): Sent[] {
  const sorts = [
    () => Math.floor(random() * 256),
    () => 32 + Math.floor(random() * 95),
    () => (random() < 0.6 ? 0 : Math.floor(random() * 256)),
  ];
  const size = 4 + Math.floor(random() * 200);
  const sort = sorts[Math.floor(random() * sorts.length)]!;
  return [{ direction: 'to_server', bytes: Uint8Array.from({ length: size }, sort) }];
}

export async function measure(
  folder: string,
  main: Main,
  { seed, each, show }: { readonly seed: string; readonly each: string; readonly show: string },
): Promise<string> {
  const random = mulberry32(Number(seed));
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const connections = names
    .filter((name) => /\.pcap(?:ng)?$/.test(name))
    .flatMap((name) => connectionsOf(new Uint8Array(readFileSync(join(folder, name)))));
  const counts = new Map<string, Record<Outcome, number>>();
  let shown = Number(show);
  const count = (row: string, outcome: Outcome, sent: readonly Sent[]) => {
    const found = counts.get(row) ?? { right: 0, wrong: 0, none: 0 };
    counts.set(row, found);
    found[outcome]++;
    if (outcome !== 'right' && shown-- > 0)
      console.error(`${outcome} | ${row}\n${sent.map(({ bytes }) => Buffer.from(bytes).toString('hex')).join('\n')}`);
  };
  for (const { version, sent } of connections) {
    for (const [ends, own] of [
      ['both ends', sent],
      ['the server', sent.filter(({ direction }) => direction === 'to_client')],
      ['the client', sent.filter(({ direction }) => direction === 'to_server')],
    ] as const) {
      for (let i = 0; i < Number(each) && own.length > 0; i++) {
        const start = Math.floor(random() * own.length);
        for (const packets of [1, 2, 16]) {
          for (const [name, damage] of Object.entries(damages)) {
            const some = own.slice(start, start + packets).map((one) => ({ ...one, bytes: damage(one.bytes, random) }));
            const found = await versionOf(main, some);
            const outcome = found === undefined ? 'none' : found === version ? 'right' : 'wrong';
            count(`${version} | ${ends} | ${name} | ${packets}`, outcome, some);
          }
        }
      }
    }
  }
  for (let i = 0; i < 100 * Number(each); i++) {
    const some = otherDatagrams(random);
    count('other datagrams | | | 1', (await versionOf(main, some)) === undefined ? 'right' : 'wrong', some);
  }
  const rows = [...counts].map(([row, { right, wrong, none }]) => `| ${row} | ${right} | ${wrong} | ${none} |`);
  return [
    `${connections.length} connections`,
    '',
    '| version | sent by | packets | number | right | wrong | no connection |',
    '|---|---|---|--:|--:|--:|--:|',
    ...rows.sort(),
  ].join('\n');
}
