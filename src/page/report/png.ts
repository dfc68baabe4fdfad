import type { Inflate } from '../../recording/container/map/datafile.ts';
import { join } from '../../wire/bytes/copy.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { crc32 } from '../../wire/codec/crc32.ts';

/** Compresses with zlib. */
export type Deflate = (data: Uint8Array) => Promise<Uint8Array>;

/** An image, four bytes for each pixel: red, green, blue, alpha. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/*
 * The images of the games: PNG with eight bits for each channel, without interlacing.
 *
 *   magic[8]  chunks { length u32be  type[4]  data  crc u32be }
 *   IHDR      width u32be  height u32be  depth u8  colour u8 (0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA)  0 0 interlace u8
 *   IDAT      zlib { rows { filter u8  bytes } }       filter: each byte minus that to its left, above, both, or the nearest of them
 */

const magic = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const maxSide = 4096;
/** Those that the palette of an image has room for. */
export const maxColours = 256;
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Reads an image; undefined if it is none, damaged, too large, or in a form that the games' data does not have. */
export async function readPng(bytes: Uint8Array, inflate: Inflate): Promise<Bitmap | undefined> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 33 || magic.some((byte, i) => bytes[i] !== byte)) return undefined;
  const width = view.getUint32(16);
  const height = view.getUint32(20);
  const depth = bytes[24];
  const colour = bytes[25]!;
  const interlace = bytes[28];
  const channels = channelsOf[colour];
  if (depth !== 8 || interlace !== 0 || !channels || !width || !height || Math.max(width, height) > maxSide)
    return undefined;
  const parts: Uint8Array[] = [];
  let palette = new Uint8Array();
  let alphas = new Uint8Array();
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const data = bytes.slice(at + 8, at + 8 + length);
    if (type === 'IDAT') parts.push(data);
    if (type === 'PLTE') palette = data;
    if (type === 'tRNS') alphas = data;
    at += 12 + length;
  }
  const rows = await inflate(join(parts), (1 + width * channels) * height);
  if (!rows) return undefined;
  const plain = unfiltered(rows, width * channels, height, channels);
  if (colour === 6) return { width, height, pixels: plain };
  const pixels = new Uint8Array(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    const at = i * channels;
    const grey = plain[at]!;
    if (colour === 2) pixels.set([plain[at]!, plain[at + 1]!, plain[at + 2]!, 255], 4 * i);
    else if (colour === 3)
      pixels.set([...palette.subarray(3 * grey, 3 * grey + 3), alphas[grey] ?? 255].slice(-4), 4 * i);
    else pixels.set([grey, grey, grey, colour === 4 ? plain[at + 1]! : 255], 4 * i);
  }
  return { width, height, pixels };
}

/** Reverses the filters of rows. */
function unfiltered(rows: Uint8Array, stride: number, height: number, step: number): Uint8Array {
  const plain = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (stride + 1)]!;
    const from = y * (stride + 1) + 1;
    const to = y * stride;
    for (let x = 0; x < stride; x++) {
      const left = x >= step ? plain[to + x - step]! : 0;
      const above = y > 0 ? plain[to + x - stride]! : 0;
      const corner = x >= step && y > 0 ? plain[to + x - stride - step]! : 0;
      plain[to + x] = rows[from + x]! + predicted(filter, left, above, corner);
    }
  }
  return plain;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  return filter === 4 ? nearest(left, above, corner) : 0;
}

/** Paeth's predictor: of left, above and corner the one that is nearest to left + above − corner. */
function nearest(left: number, above: number, corner: number): number {
  const a = Math.abs(above - corner);
  const b = Math.abs(left - corner);
  const c = Math.abs(left + above - 2 * corner);
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

/** Writes an image of at most 256 colours, with a palette, which needs less than half of the bytes. */
export async function writePng({ width, height, pixels }: Bitmap, deflate: Deflate): Promise<Uint8Array> {
  const view = new DataView(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  const numbers = new Map<number, number>();
  const rows = new Uint8Array((width + 1) * height);
  for (let i = 0; i < width * height; i++) {
    const number = getOr(numbers, view.getUint32(4 * i), () => numbers.size);
    rows[i + Math.floor(i / width) + 1] = number;
  }
  if (numbers.size > maxColours) throw new Error(`${numbers.size} colours`);
  const colours = [...numbers.keys()];
  const head = new Uint8Array(13);
  const headView = new DataView(head.buffer);
  headView.setUint32(0, width);
  headView.setUint32(4, height);
  head.set([8, 3, 0, 0, 0], 8);
  const chunks = [
    chunk('IHDR', head),
    chunk(
      'PLTE',
      Uint8Array.from(colours.flatMap((colour) => [colour >>> 24, (colour >> 16) & 255, (colour >> 8) & 255])),
    ),
    chunk(
      'tRNS',
      Uint8Array.from(colours, (colour) => colour & 255),
    ),
    chunk('IDAT', await deflate(rows)),
    chunk('IEND', new Uint8Array()),
  ];
  return join([magic, ...chunks]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(
    Array.from(type, (char) => char.charCodeAt(0)),
    4,
  );
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
