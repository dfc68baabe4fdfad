import { DemoWriter, writeDemoHeader } from '../../src/recording/container/demo/demo-writer.ts';
import { type DemoHeader, readDemoHeader } from '../../src/recording/container/demo/header.ts';
import { ByteBuffer, IntBuffer } from '../../src/wire/bytes/buffers.ts';
import { ignore } from '../../src/wire/bytes/diagnostic.ts';
import { decompress } from '../../src/wire/codec/huffman.ts';
import { unpackInts } from '../../src/wire/codec/varint.ts';
import { damaged } from './demo-damage.ts';
import { seeded } from './seeded.ts';

/** A piece of a demo: a marker, or a chunk with its head. */
export interface Piece {
  readonly kind: 'marker' | 'unknown' | 'snapshot' | 'message' | 'delta';
  readonly start: number;
  readonly dataStart: number;
  readonly end: number;
}

/**
 * A demo that is damaged as the seed says: its chunks without a look at what they are, its header, its tick markers, or
 * the ints in its snapshots and deltas, which are packed again as a game packs them.
 */
export function damagedDemo(file: Uint8Array, seed: number): Uint8Array {
  const { chunksStart } = readDemoHeader(file, ignore);
  if (seed % 3 < 2) return damaged(file, chunksStart, Math.floor(seed / 3) * 2 + (seed % 3)).bytes;
  const random = seeded(0x2545f491 ^ ((seed + 1) * 0x9e3779b1));
  for (let i = 0; i < 8; i++) random();
  const below = (limit: number) => random() % limit;
  const ways = [withOtherHeader, withOtherTicks, withOtherInts, withOtherInts, withOtherInts];
  return ways[Math.floor(seed / 3) % ways.length]!(file, chunksStart, below);
}

type Below = (limit: number) => number;

const odd = (below: Below) =>
  [0, -1, 1, 2, 5, 64, 255, 1024, 16384, 32768, 65536, 0x7fffffff, -0x80000000, below(1 << 16), -below(1 << 20)][
    below(15)
  ]!;

function withOtherHeader(file: Uint8Array, chunksStart: number, below: Below): Uint8Array {
  const bytes = file.slice();
  const view = new DataView(bytes.buffer);
  switch (below(8)) {
    case 0:
      bytes[7] = [0, 2, 3, 4, 5, 7, 255][below(7)]!;
      return bytes;
    case 1:
      bytes.fill(0x41, 8, 72);
      return bytes;
    case 2:
      bytes[72 + below(3)] = 0xff;
      return bytes;
    case 3:
      view.setInt32(136, view.getInt32(136) + 1 + below(200));
      return bytes;
    case 4:
      view.setInt32(136, -1 - below(600));
      return bytes;
    case 5:
      bytes[below(7)]! ^= 0x20;
      return bytes;
    case 6:
      return bytes.subarray(0, below(chunksStart));
    default:
      bytes[436 + below(16)]! ^= 1;
      return bytes;
  }
}

function withOtherTicks(file: Uint8Array, chunksStart: number, below: Below): Uint8Array {
  const bytes = file.slice();
  const view = new DataView(bytes.buffer);
  const pieces = piecesOf(file, chunksStart);
  const markers = pieces.filter(({ kind, start, end }) => kind === 'marker' && end - start === 5);
  const { start, end } = markers[below(3) ? below(markers.length) : 0]!;
  const without = (from: number, to: number) => joined(bytes.subarray(0, from), bytes.subarray(to));
  const first = pieces.find(({ kind }) => kind === 'snapshot')!;
  switch (below(7)) {
    case 0:
      view.setInt32(start + 1, -1 - below(1 << 30));
      return bytes;
    case 1:
      view.setInt32(start + 1, 0x7fffff00);
      return bytes;
    case 2:
      view.setInt32(start + 1, view.getInt32(start + 1) - 500);
      return bytes;
    case 3:
      return without(start, end);
    case 4:
      return without(first.start, first.end);
    case 5:
      for (const marker of markers) bytes[marker.start]! &= ~0x40;
      return bytes;
    default:
      for (const marker of markers) bytes[marker.start]! &= ~0x40;
      return without(first.start, first.end + below(2) * (bytes.length - first.end - below(2000)));
  }
}

/** Ints of one to six snapshots or deltas: any, their counts, lost or new ones, a type, the kind of the chunk. */
function withOtherInts(file: Uint8Array, chunksStart: number, below: Below): Uint8Array {
  const pieces = piecesOf(file, chunksStart);
  const chunks = pieces.filter(({ kind }) => kind === 'snapshot' || kind === 'delta');
  const chosen = new Map<number, Uint8Array>();
  for (let n = 1 + below(6); n > 0; n--) {
    const chunk = below(3) ? chunks[below(chunks.length)]! : chunks[0]!;
    const ints = intsOf(file, chunk);
    const at = below(ints.length);
    switch (below(5)) {
      case 0:
        ints[at] = odd(below);
        break;
      case 1:
        ints[below(Math.min(ints.length, 6))] = odd(below);
        break;
      case 2:
        ints.splice(at, 1 + below(4));
        break;
      case 3:
        ints.splice(at, 0, ...Array.from({ length: 1 + below(6) }, () => odd(below)));
        break;
      default: {
        const item = chunk.kind === 'delta' ? 3 + ints[0]! : 2 + ints[1]! + ints[2 + below(ints[1]!)]! / 4;
        const type = below(3) ? below(30) : odd(below);
        ints[item] = chunk.kind === 'delta' ? type : (type << 16) | below(64);
      }
    }
    const kind = below(8)
      ? (chunk.kind as 'snapshot' | 'delta')
      : (['snapshot', 'delta', 'message'] as const)[below(3)]!;
    chosen.set(chunk.start, packedChunk(kind, ints));
  }
  const parts = pieces.map(({ start, end }) => chosen.get(start) ?? file.subarray(start, end));
  return joined(file.subarray(0, chunksStart), ...parts);
}

/** A chunk of ints, packed as a game packs it. */
export function packedChunk(kind: 'snapshot' | 'delta' | 'message', ints: readonly number[]): Uint8Array {
  const writer = new DemoWriter(6);
  writer.chunk(kind, writer.encode(Int32Array.from(ints), ints.length).slice());
  return writer.flush();
}

const bytes = new ByteBuffer();
const unpacked = new IntBuffer();

export function intsOf(file: Uint8Array, { dataStart, end }: Piece): number[] {
  decompress(file, dataStart, end, bytes, ignore, 1 << 16);
  unpackInts(bytes.bytes, 0, bytes.length, unpacked, ignore);
  return [...unpacked.ints.subarray(0, unpacked.length)];
}

/** The pieces of an undamaged demo. */
export function piecesOf(file: Uint8Array, chunksStart: number): Piece[] {
  const pieces: Piece[] = [];
  for (let start = chunksStart; start < file.length; ) {
    const head = file[start]!;
    const isStep = file[7]! >= 5 ? head & 0x20 : head & 0x3f;
    const size = head & 0x1f;
    let dataStart = start + (isStep ? 1 : 5);
    let end = dataStart;
    if (!(head & 0x80)) {
      dataStart = start + (size < 30 ? 1 : size - 28);
      end = dataStart + (size < 30 ? size : size === 30 ? file[start + 1]! : file[start + 1]! + 256 * file[start + 2]!);
    }
    const kind = head & 0x80 ? 'marker' : (['unknown', 'snapshot', 'message', 'delta'] as const)[head >> 5]!;
    pieces.push({ kind, start, dataStart, end });
    start = end;
  }
  return pieces;
}

export const joined = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

/** The demo with another header. From version 5 on, a step has a bit of its own. */
export function withHeader(file: Uint8Array, stated: Partial<DemoHeader>): Uint8Array {
  const own = readDemoHeader(file, ignore);
  const header = { ...own, ...stated };
  const made = joined(writeDemoHeader(header), file.subarray(own.mapStart));
  if (own.version >= 5 || header.version < 5) return made;
  const moved = made.length - file.length;
  for (const { kind, start, end } of piecesOf(file, own.chunksStart))
    if (kind === 'marker' && end - start === 1) made[start + moved]! |= 0x20;
  return made;
}
