import { type DemoFrame, DemoReader } from '../../../src/recording/container/demo/demo-reader.ts';
import { join } from '../../../src/wire/bytes/copy.ts';
import { littleEndian } from '../../../test/support/readers.ts';
import type { Random } from '../random.ts';
import { damaged, shuffled, spliced } from './bytes.ts';
import { type Material, makeMessage } from './packet.ts';
import { type Content, changed, compressed, encoded, intsOf, packed } from './payload.ts';
import { untrustedText } from './text.ts';

/** A chunk of a demo: its tick, its kind and its data as in the file. */
export interface Chunk {
  readonly tick: number;
  readonly kind: 'snapshot' | 'delta' | 'message';
  readonly data: Uint8Array;
}

export interface Demo {
  readonly version: number;
  readonly isSeven: boolean;
  /** The bytes before the map; the map size is written again. */
  readonly header: Uint8Array;
  readonly chunks: readonly Chunk[];
}

/** Splits a recording into its parts. */
export function partsOf(bytes: Uint8Array): Demo {
  const reader = new DemoReader();
  const chunks: Chunk[] = [];
  const addAll = ({ kind, tick, bytes, start, end }: DemoFrame) => {
    if (kind === 'snapshot' || kind === 'delta' || kind === 'message') {
      chunks.push({ kind, tick, data: bytes.slice(start, end) });
    }
  };
  for (const frame of reader.feed(bytes)) addAll(frame);
  for (const frame of reader.finish()) addAll(frame);
  const { version, netVersion, mapStart } = reader.header!;
  return { version, isSeven: netVersion.startsWith('0.7'), header: bytes.slice(0, mapStart), chunks };
}

/** Ranges of a demo that begin with a full snapshot and are small enough to be read thousands of times. */
export function stretches(demo: Demo, chunksEach: number, most: number): Demo[] {
  const found: Demo[] = [];
  for (const [i, { kind }] of demo.chunks.entries()) {
    if (kind === 'snapshot' && found.length < most) {
      found.push({ ...demo, chunks: demo.chunks.slice(i, i + chunksEach) });
    }
  }
  return found;
}

/** A recorded demo with changed chunks, header or bytes. */
export function makeDemo(random: Random, demos: readonly Demo[], material: Material): Uint8Array {
  const seed = random.pickEarly(demos);
  let chunks = seed.chunks.slice(0, random.between(1, seed.chunks.length));
  if (!random.oneIn(6))
    for (let left = random.few(); left > 0; left--) chunks = changedChunks(random, chunks, seed, material);
  const version = random.oneIn(4) ? random.between(3, 6) : seed.version;
  const map = random.oneIn(3) ? random.bytes(random.below(40)) : new Uint8Array(0);
  const header = headerOf(random, seed, version, map.length);
  const bytes = join([header, map, ...chunks.flatMap(writer(random, version))]);
  return random.oneIn(3) ? damaged(random, bytes, [random.pick(chunks)?.data ?? bytes]) : bytes;
}

function changedChunks(random: Random, chunks: readonly Chunk[], { isSeven }: Demo, material: Material): Chunk[] {
  const at = random.below(chunks.length);
  const chunk = chunks[at];
  if (!chunk || random.oneIn(3)) return shuffled(random, chunks, chunk ? [chunk] : []);
  switch (random.below(6)) {
    case 0:
      return chunks.with(at, { ...chunk, tick: random.oneIn(3) ? random.int() : chunk.tick + random.between(-60, 60) });
    case 1:
      return chunks.with(at, { ...chunk, kind: random.pick(['snapshot', 'delta', 'message']) });
    case 2:
      return chunks.with(at, { ...chunk, data: damaged(random, chunk.data) });
    case 3: {
      const message = makeMessage(random, material, isSeven ? '0.7' : '0.6');
      const padded = spliced(message, message.length, 0, new Uint8Array(-message.length & 3));
      const ints = [...new Int32Array(padded.slice().buffer)];
      return chunks.toSpliced(at, 0, {
        tick: chunk.tick,
        kind: 'message',
        data: compressed(random, packed(random, ints)),
      });
    }
    default: {
      const version = isSeven ? '0.7' : '0.6';
      const fitting = material.contents.filter((content) => content.kind === chunk.kind && content.version === version);
      if (fitting.length === 0) return chunks.toSpliced(at, 1);
      const content: Content = changed(random, random.pick(fitting), fitting);
      return chunks.with(at, { ...chunk, data: encoded(random, intsOf(content), 'huffman') });
    }
  }
}

const magicBytes = 8;

function headerOf(
  random: Random,
  { header: old, version: oldVersion }: Demo,
  version: number,
  mapSize: number,
): Uint8Array {
  const size = 176 + (version >= 4 ? 260 : 0) + (version >= 6 ? 48 : 0);
  const header = new Uint8Array(size);
  header.set(old.subarray(0, size));
  if (version >= 6 && oldVersion < 6) header.set(sha256Uuid, 176 + 260);
  header[7] = version;
  new DataView(header.buffer).setInt32(136, random.oneIn(30) ? random.int() : mapSize);
  if (random.oneIn(4)) {
    const [at, room] = random.pick([
      [magicBytes + 3, 60],
      [72, 63],
      [144, 7],
      [156, 19],
    ] as const);
    header.set(new TextEncoder().encode(untrustedText(random)).subarray(0, room), at);
  }
  if (random.oneIn(8) && version >= 4) header.set(littleEndian([random.int(), random.int()]), 176);
  return header;
}

const sha256Uuid = [0x6b, 0xe6, 0xda, 0x4a, 0xce, 0xbd, 0x38, 0x0c, 0x9b, 0x5b, 0x12, 0x89, 0xc8, 0x42, 0xd7, 0x80];

/** Writes chunks in order, with a tick marker before each new tick: a step if possible. */
function writer(random: Random, version: number): (chunk: Chunk) => Uint8Array[] {
  let last: number | undefined;
  const maxStep = version >= 5 ? 31 : 63;
  return ({ tick, kind, data }) => {
    const bytes: number[] = [];
    if (tick !== last) {
      const step = tick - (last ?? tick);
      const keyframe = kind === 'snapshot' ? 0x40 : 0;
      if (step > 0 && step <= maxStep && !keyframe) bytes.push(0x80 | (version >= 5 ? 0x20 : 0) | step);
      else bytes.push(0x80 | keyframe, tick >>> 24, (tick >>> 16) & 0xff, (tick >>> 8) & 0xff, tick & 0xff);
      last = tick;
    }
    const size = random.oneIn(60) ? random.below(70_000) : data.length;
    const head = { snapshot: 1, message: 2, delta: 3 }[kind] << 5;
    if (size < 30) bytes.push(head | size);
    else if (size < 256) bytes.push(head | 30, size);
    else bytes.push(head | 31, size & 0xff, (size >> 8) & 0xff);
    return [Uint8Array.from(bytes), data];
  };
}
