import { demoChunks } from './demo-chunks.ts';
import { seeded } from './seeded.ts';

/** One way to damage a file. */
export interface Damage {
  readonly kind: string;
  readonly bytes: Uint8Array;
  /** The changed bytes of the file; with `start === end`, a position between two bytes. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
}

const most = 2000;

/**
 * Damages the chunks of a demo, `file[start, …)`, as the seed selects: flipped bits and bytes, runs of zeros, ones or
 * random bytes, bytes that are gone, are new or come twice, blocks in each other's place, an early end.
 */
export function damaged(file: Uint8Array, start: number, seed: number): Damage {
  const random = seeded(0x9e3779b9 ^ (seed * 2654435761));
  for (let i = 0; i < 8; i++) random();
  const below = (limit: number) => random() % limit;
  const at = start + below(file.length - start);
  const size = Math.min(1 + below(2 ** (1 + below(11))), most, file.length - at);
  const bytes = file.slice();
  const run = () => bytes.subarray(at, at + size);
  const kind = kinds[seed % kinds.length]!;
  const range = (length: number) => [{ start: at, end: at + length }];
  switch (kind) {
    case 'bit':
      bytes[at]! ^= 1 << below(8);
      return { kind, bytes, ranges: range(1) };
    case 'byte':
      bytes[at]! ^= 1 + below(255);
      return { kind, bytes, ranges: range(1) };
    case 'zeros':
      run().fill(0);
      return { kind, bytes, ranges: range(size) };
    case 'ones':
      run().fill(0xff);
      return { kind, bytes, ranges: range(size) };
    case 'noise':
      for (const i of run().keys()) bytes[at + i] = below(256);
      return { kind, bytes, ranges: range(size) };
    case 'gone':
      return { kind, bytes: joined(file.subarray(0, at), file.subarray(at + size)), ranges: range(size) };
    case 'new': {
      const added = Uint8Array.from({ length: size }, () => below(256));
      return { kind, bytes: joined(file.subarray(0, at), added, file.subarray(at)), ranges: range(0) };
    }
    case 'twice':
      return {
        kind,
        bytes: joined(file.subarray(0, at + size), file.subarray(at)),
        ranges: [{ start: at + size, end: at + size }],
      };
    case 'swapped': {
      const from = start + below(file.length - start - size);
      bytes.set(file.subarray(from, from + size), at);
      bytes.set(file.subarray(at, at + size), from);
      return { kind, bytes, ranges: [...range(size), { start: from, end: from + size }] };
    }
    default:
      return { kind, bytes: file.slice(0, at), ranges: range(file.length - at) };
  }
}

export const kinds = ['bit', 'byte', 'zeros', 'ones', 'noise', 'gone', 'new', 'twice', 'swapped', 'cut'] as const;

const joined = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

/**
 * The ticks of the snapshots that damage leaves readable: neither their chunk, nor its marker, nor those of the deltas
 * and the full snapshot before them are touched.
 * @param announces whether a message of the tick may have its checksum: then none of them is touched either
 */
export function readableTicks(file: Uint8Array, { ranges }: Damage, announces = false): Set<number> {
  const ticks = new Set<number>();
  let isGood = false;
  let at = 0;
  for (const { kind, tick, payload } of demoChunks(file).chunks) {
    const end = payload.byteOffset + payload.length - file.byteOffset;
    if (kind === 'message') {
      const own = end - payload.length - 4;
      if (announces && ranges.some((range) => range.start < end && Math.max(range.end, range.start + 1) > own))
        ticks.delete(tick);
      continue;
    }
    const isTouched = ranges.some((range) => range.start < end && Math.max(range.end, range.start + 1) > at);
    // What comes before a full snapshot does not matter to it, but for its marker and head.
    const own = end - payload.length - 8;
    if (kind === 'snapshot')
      isGood = !ranges.some(({ start, end: last }) => start < end && Math.max(last, start + 1) > own);
    else if (isTouched) isGood = false;
    if (isGood) ticks.add(tick);
    at = end;
  }
  return ticks;
}
