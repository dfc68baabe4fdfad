import { readFileSync } from 'node:fs';
import { readDemoHeader } from '../../src/recording/container/demo/header.ts';
import { ignore } from '../../src/wire/bytes/diagnostic.ts';
import { readMessage } from '../../src/wire/packet/message.ts';
import { damagedDemo, intsOf, joined, type Piece, packedChunk, piecesOf } from '../../test/support/damaged-demos.ts';
import { packInts, sizes } from '../encode.mjs';
import { splicesOf } from './splices.ts';
import type { About, Vectors } from './vector.ts';

/** The demos that are damaged: the end of a race of 0.6, version 6, and a part of a match of 0.7, version 4. */
export const demos = ['race', 'match'] as const;
export type DemoName = (typeof demos)[number];

const read = (name: DemoName) => new Uint8Array(readFileSync(new URL(`../files/${name}.demo`, import.meta.url)));

/** A demo, and how it is changed. */
class Demo {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly pieces: readonly Piece[];
  readonly chunksStart: number;

  constructor(name: DemoName) {
    this.bytes = read(name);
    this.view = new DataView(this.bytes.buffer);
    this.chunksStart = readDemoHeader(this.bytes, ignore).chunksStart;
    this.pieces = piecesOf(this.bytes, this.chunksStart);
  }

  of(kind: Piece['kind']): readonly Piece[] {
    return this.pieces.filter((piece) => piece.kind === kind);
  }

  /** The markers with a tick of their own, which begin with a keyframe. */
  get absolute(): readonly Piece[] {
    return this.of('marker').filter(({ start, end }) => end - start === 5);
  }

  with(at: number, removed: number, ...added: readonly number[]): Uint8Array {
    return joined(this.bytes.subarray(0, at), Uint8Array.from(added), this.bytes.subarray(at + removed));
  }

  without({ start, end }: Piece): Uint8Array {
    return this.with(start, end - start);
  }

  /** With other ints in a chunk. */
  withInts(piece: Piece, change: (ints: number[]) => void): Uint8Array {
    const ints = intsOf(this.bytes, piece);
    change(ints);
    const chunk = packedChunk(piece.kind as 'snapshot' | 'delta', ints);
    return this.with(piece.start, piece.end - piece.start, ...chunk);
  }

  /** With other ints in each chunk of a kind. */
  withEach(kind: 'snapshot' | 'delta', change: (ints: readonly number[]) => number[]): Uint8Array {
    const parts = this.pieces.map((piece) =>
      piece.kind === kind
        ? packedChunk(kind, change(intsOf(this.bytes, piece)))
        : this.bytes.subarray(piece.start, piece.end),
    );
    return joined(this.bytes.subarray(0, this.chunksStart), ...parts);
  }

  /** The message that announces the last snapshot of a player's demo, with other ticks and checksums in it. */
  withAnnounced(change: (name: string, value: number) => number): Uint8Array {
    const version = new TextDecoder().decode(this.bytes.subarray(netVersionAt!, netVersionAt! + 3)) as '0.6' | '0.7';
    for (const piece of this.of('message').toReversed()) {
      const bytes = new Uint8Array(Int32Array.from(intsOf(this.bytes, piece)).buffer);
      const { type, values } = readMessage(bytes, 0, bytes.length, version);
      if (type?.name !== 'snap_single' && type?.name !== 'snap') continue;
      const kept = bytes.slice(values.at(-1)!.start);
      const head = bytes.slice(0, values[0]!.start);
      const others = values.slice(0, -1).map(({ name, value }) => change(name, Number(value)));
      const made = [...head, ...packInts(others), ...kept];
      while (made.length % 4 > 0) made.push(0);
      const chunk = packedChunk('message', [...new Int32Array(Uint8Array.from(made).buffer)]);
      return this.with(piece.start, piece.end - piece.start, ...chunk);
    }
    // A server's demo announces nothing.
    return this.bytes;
  }
}

type Change = (demo: Demo) => Uint8Array;

const withByte =
  (at: number, byte: number): Change =>
  ({ bytes }) =>
    bytes.with(at, byte);
const withInt =
  (at: number, ...values: readonly number[]): Change =>
  ({ bytes, view }) => {
    for (const [i, value] of values.entries()) view.setInt32(at + 4 * i, value);
    return bytes;
  };
const withText =
  (at: number, text: string): Change =>
  ({ bytes }) => {
    bytes.set(new TextEncoder().encode(`${text}\0`), at);
    return bytes;
  };

/** Where the fields of a header begin. */
const [versionAt, netVersionAt, mapNameAt, mapSizeAt, typeAt, lengthAt, timestampAt, markersAt, uuidAt] = [
  7, 8, 72, 136, 144, 152, 156, 176, 436,
];

/** A map of 56 bytes, where the header has another sum, and may have another size. */
const withMap =
  (size: number): Change =>
  (demo) => {
    demo.view.setInt32(mapSizeAt!, size);
    const map = new Uint8Array(56);
    map.set(new TextEncoder().encode('DATA'));
    map.set([4, 0, 0, 0, 40], 4);
    return demo.with(demo.chunksStart, 0, ...map);
  };

/** A delta of 0.7 as who knows only the sizes of 0.6 writes it: sizes are left out and stated by that table. */
function withSizesOf06(ints: readonly number[]): number[] {
  const [removed, updates] = ints as [number, number];
  let at = 3 + removed;
  const made = ints.slice(0, at);
  for (let i = 0; i < updates; i++) {
    const [type, id] = [ints[at]!, ints[at + 1]!];
    const agreed = sizes['0.7'][type] ?? 0;
    const size = agreed > 0 ? agreed : ints[at + 2]!;
    at += agreed > 0 ? 2 : 3;
    made.push(type, id, ...((sizes['0.6'][type] ?? 0) > 0 ? [] : [size]), ...ints.slice(at, at + size));
    at += size;
  }
  return made;
}

/**
 * A specimen of each row of the demos in `docs/formats/tolerated.md` that a demo player decides: what the games do with
 * it is run. The column of DDNet is that of the race, unless the match is named, the column of Teeworlds that of the match.
 */
const changes: Readonly<Record<string, Change>> = {
  'other magic': withByte(0, 0x41),
  'version below 3': withByte(versionAt!, 2),
  'version 7, a draft': withByte(versionAt!, 7),
  'version above 7': withByte(versionAt!, 8),
  'header ends early': ({ bytes }) => bytes.subarray(0, 300),
  'text field of the header without a NUL, or not UTF-8': withByte(mapNameAt!, 0xff),
  'net version that begins with neither 0.6 nor 0.7': withText(netVersionAt!, '0.5 b67d1f1a1eea234e'),
  'net version of 0.7 with another hash than 0.7.5 has, in version 4 of the format': withText(
    netVersionAt!,
    '0.7 0123456789abcdef',
  ),
  'type is neither `client` nor `server`': withText(typeAt!, 'nothing'),
  'negative length': withInt(lengthAt!, -5),
  'length that differs from that of the ticks by more than 2 seconds, and is not 0': withInt(lengthAt!, 500),
  'more than 64 markers, or a negative number': withInt(markersAt!, 65),
  'marker before the first tick or after the last one': withInt(markersAt!, 1, 1),
  'two markers of one tick': (demo) => {
    const tick = demo.view.getInt32(demo.absolute.at(-1)!.start + 1);
    return withInt(markersAt!, 2, tick, tick)(demo);
  },
  'size of the map that the header of the map contradicts, with a keyframe where the map ends by its own header':
    withMap(156),
  'negative size of the map': withInt(mapSizeAt!, -1),
  'file ends in the map': withInt(mapSizeAt!, 100_000),
  'no tick marker that announces a full snapshot': ({ bytes, absolute }) => {
    for (const { start } of absolute) bytes[start]! &= ~0x40;
    return bytes;
  },
  'fewer than two tick markers': (demo) => demo.bytes.subarray(0, demo.of('marker')[1]!.start),
  'file ends in a chunk': ({ bytes, pieces }) =>
    bytes.subarray(0, pieces.findLast(({ kind }) => kind !== 'marker')!.end - 1),
  'chunk of type 0': (demo) => {
    const { start, end } = demo.of('delta')[0]!;
    const chunk = demo.bytes.slice(start, end);
    chunk[0]! &= 0x1f;
    return demo.with(start, 0, ...chunk);
  },
  'chunk of size 0': (demo) => demo.with(demo.of('marker')[1]!.start, 0, 0x40),
  'tick below 0, or from 0x6fffffff on': (demo) => withInt(demo.absolute[0]!.start + 1, -5)(demo),
  'step before the first absolute tick': (demo) =>
    demo.with(demo.absolute[0]!.start, 5, 0xc2 | (demo.bytes[versionAt!]! >= 5 ? 0x20 : 0)),
  'no tick marker before the first snapshot, and then a step': (demo) => demo.without(demo.absolute[0]!),
  'absolute tick that is not higher than the last one': (demo) =>
    withInt(demo.absolute[1]!.start + 1, demo.view.getInt32(demo.absolute[0]!.start + 1))(demo),
  'delta before the first snapshot': (demo) => demo.without(demo.of('snapshot')[0]!),
  'Huffman or varint error in a chunk': (demo) => {
    const { dataStart, end } = demo.of('delta')[1]!;
    return demo.bytes.fill(0xff, dataStart, end);
  },
  'delta or snapshot that is refused': (demo) =>
    demo.withInts(demo.of('delta')[1]!, (ints) => {
      ints[1] = 100;
    }),
  // A UUID and the sum.
  'version 6 without the UUID of the SHA-256': (demo) => demo.with(uuidAt!, 48),
  'another map than the CRC or the SHA-256 says': withMap(56),
  'demo that can be read, but is not played to its end by the last DDNet, or by Teeworlds if it has its format':
    withByte(timestampAt!, 0xff),
  'header of 0.7, items of 0.6': withText(netVersionAt!, '0.7 802f1be60a05665f'),
  'header of 0.6, items of 0.7': withText(netVersionAt!, '0.6 626fce9a778df4d4'),
  'header of 0.7, sizes in deltas by the table of 0.6': (demo) => demo.withEach('delta', (ints) => withSizesOf06(ints)),
  'two snapshots for a tick marker': (demo) => {
    const { start, end } = demo.of('snapshot')[0]!;
    return demo.with(end, 0, ...demo.bytes.subarray(start, end));
  },
  "another checksum than the server announced, in a player's demo": (demo) =>
    demo.withInts(demo.of('delta').at(-1)!, (ints) => {
      ints[ints.length - 1]! += 1;
    }),
  "the checksum that the server announced for another tick, in a player's demo": (demo) =>
    demo.withAnnounced((name, value) => (name === 'tick' ? value + 1 : value)),
  "beside it the checksum of another tick, which is not its own, in a player's demo": (demo) =>
    demo.withAnnounced((name, value) => (name === 'tick' || name === 'crc' ? value + 1 : value)),
  "an announced checksum without a snapshot of its tick, in a player's demo": (demo) =>
    demo.without(demo.of('delta').at(-1)!),
};

/** The same demo in an older version of the format, whose header is shorter. */
const inVersion =
  (version: 3 | 4 | 5): Change =>
  (demo) => {
    demo.bytes[versionAt!] = version;
    const end = version === 3 ? markersAt! : uuidAt!;
    return demo.with(end, demo.chunksStart - demo.view.getInt32(mapSizeAt!) - end);
  };
const lastTick =
  (tick: number): Change =>
  (demo) =>
    withInt(demo.absolute.at(-1)!.start + 1, tick)(demo);

/** Changes that no row names. */
const others: Readonly<Record<string, Change>> = {
  'version 3: no markers in the header': inVersion(3),
  'version 4: steps have six bits': inVersion(4),
  'version 5: steps have five bits, and there is no SHA-256': inVersion(5),
  'version 5, with the SHA-256 of version 6, which is read as the map': withByte(versionAt!, 5),
  'the size of the map is so negative that it leads before the file': withInt(mapSizeAt!, -100_000),
  'the last absolute tick is the highest one': lastTick(0x6ffffffe),
  'the last absolute tick is one too high': lastTick(0x6fffffff),
  'the file ends in an absolute tick': ({ bytes, absolute }) => bytes.subarray(0, absolute.at(-1)!.start + 3),
  'the file ends in the size of a chunk': ({ bytes, pieces }) => {
    const long = pieces.findLast(({ kind, start, dataStart }) => kind !== 'marker' && dataStart - start > 1)!;
    return bytes.subarray(0, long.start + 1);
  },
};

/** Rows of which only one of the demos is a specimen: by the version of its items, or of its format. */
export const onlyOf: ReadonlyMap<string, DemoName> = new Map([
  ['demo: net version of 0.7 with another hash than 0.7.5 has, in version 4 of the format', 'match'],
  ['demo: header of 0.6, items of 0.7', 'match'],
  ['demo: header of 0.7, sizes in deltas by the table of 0.6', 'match'],
  ['demo: header of 0.7, items of 0.6', 'race'],
  ['demo: version 6 without the UUID of the SHA-256', 'race'],
]);

/** The rows that have a specimen, and it, made from each demo. */
export const specimens: ReadonlyMap<string, Readonly<Record<DemoName, Uint8Array>>> = new Map(
  Object.entries(changes).map(([row, change]) => [
    `demo: ${row}`,
    { race: change(new Demo('race')), match: change(new Demo('match')) },
  ]),
);

/** Damaged demos of each sample. */
const seeds = 450;

/** Whole demos, a specimen of each row, and damage by seed. */
export function makePlayedDemos(vectors: Vectors): void {
  const play = (name: DemoName, file: Uint8Array, about: About) =>
    vectors.played(
      'play',
      { file: `${name}.demo`, splices: splicesOf(read(name), file) },
      { ...about, source: 'CDemoPlayer in demo.cpp' },
    );
  for (const name of demos) {
    play(name, read(name), { note: 'as it is' });
    for (const [row, files] of specimens) if ((onlyOf.get(row) ?? name) === name) play(name, files[name], { row });
    for (let seed = 0; seed < seeds; seed++) play(name, damagedDemo(read(name), seed), { note: `damage ${seed}` });
  }
  for (const name of demos)
    for (const [note, change] of Object.entries(others)) play(name, change(new Demo(name)), { note });
}
