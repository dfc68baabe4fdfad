import { codeBits, codeLengths, eof } from '../../src/wire/codec/huffman-tables.ts';
import type { Delta } from '../../src/wire/snapshot/delta.ts';
import type { Snapshot } from '../../src/wire/snapshot/snapshot.ts';

// Slow reference implementations of the core, written from the description of the formats.

const symbols = new Map<number, number>(
  Array.from(codeLengths, (length, symbol) => [codeBits[symbol]! | (1 << length), symbol]),
);
const longest = 15;

/**
 * The output up to the end symbol and the bit after it; -1 if the bits end before it or in it, which no game accepts.
 */
export function decompressSlowly(src: Uint8Array, limit: number): { readonly bytes: number[]; readonly bit: number } {
  const bytes: number[] = [];
  const last = 8 * src.length;
  for (let at = 0; at < last; ) {
    let code = 0;
    let length = 0;
    let symbol: number | undefined;
    while (symbol === undefined && length < longest) {
      const bit = at + length;
      code |= (((src[bit >>> 3] ?? 0) >>> (bit & 7)) & 1) << length++;
      symbol = symbols.get(code | (1 << length));
    }
    if (symbol === eof) return { bytes, bit: at + length > last ? -1 : at + length };
    if (symbol === undefined || at + length > last || bytes.length >= limit) break;
    bytes.push(symbol);
    at += length;
  }
  return { bytes, bit: -1 };
}

/** All complete varints. */
export function unpackSlowly(src: Uint8Array): number[] {
  const ints: number[] = [];
  for (let at = 0; at < src.length; ) {
    let value = BigInt(src[at]! & 0x3f);
    const negative = (src[at]! & 0x40) !== 0;
    let length = 1;
    let shift = 6n;
    while (src[at + length - 1]! & 0x80 && length < 5) {
      const byte = src[at + length];
      if (byte === undefined) return ints;
      value |= BigInt(byte & (length === 4 ? 0x0f : 0x7f)) << shift;
      shift += 7n;
      length++;
    }
    const int = Number(BigInt.asIntN(32, value));
    ints.push(negative ? ~int : int);
    at += length;
  }
  return ints;
}

export type Items = (readonly [key: number, data: readonly number[]])[];

/** The result of applying a delta to a snapshot, or the reason why it fails. */
export function applySlowly(base: Snapshot, delta: Delta): Items | 'size_differs' {
  const removed = new Set(Array.from({ length: delta.removedCount }, (_, i) => delta.removedKey(i)));
  const old = new Map<number, readonly number[]>();
  const result: { key: number; data: readonly number[] }[] = [];
  const places = new Map<number, (typeof result)[0]>();
  for (let i = 0; i < base.count; i++) {
    const key = base.keys[i]!;
    const item = { key, data: [...base.item(i)] };
    if (!old.has(key)) old.set(key, item.data);
    if (removed.has(key)) continue;
    result.push(item);
    if (!places.has(key)) places.set(key, item);
  }
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    const was = old.get(key);
    let place = places.get(key);
    const differences = [...delta.item(i)];
    const size = was?.length ?? place?.data.length ?? differences.length;
    if (differences.length !== size) return 'size_differs';
    if (!place) {
      place = { key, data: differences };
      places.set(key, place);
      result.push(place);
    }
    place.data = differences.map((difference, k) => (difference + (was?.[k] ?? 0)) | 0);
  }
  return result.map(({ key, data }) => [key, data] as const);
}

export const sumSlowly = (items: Items) =>
  items.reduce((sum, [, data]) => data.reduce((all, int) => (all + int) | 0, sum), 0);
