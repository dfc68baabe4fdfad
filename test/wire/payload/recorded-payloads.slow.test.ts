import { describe, expect, it } from 'vitest';
import { recognise } from '../../../src/input/source/recognise-payload.ts';
import { ByteBuffer, IntBuffer } from '../../../src/wire/bytes/buffers.ts';
import { compress, decompress } from '../../../src/wire/codec/huffman.ts';
import { readInts, writeInts } from '../../../src/wire/codec/int32.ts';
import { packInts, unpackInts } from '../../../src/wire/codec/varint.ts';
import type { Encoding } from '../../../src/wire/payload/encoding-layers.ts';
import type { Payload } from '../../../src/wire/payload/payload.ts';
import { type Protocol, protocolOf, type Version } from '../../../src/wire/protocol/registry.ts';
import { apply } from '../../../src/wire/snapshot/apply.ts';
import { createDelta } from '../../../src/wire/snapshot/create-delta.ts';
import { Delta } from '../../../src/wire/snapshot/delta.ts';
import { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { corpusFile, corpusFiles, hasCorpus } from '../../support/corpus.ts';
import { type DemoChunk, demoChunks } from '../../support/demo-chunks.ts';
import { itemsOf } from '../../support/readers.ts';

const demos = corpusFiles(/\.demo$/);

/**
 * Recognition is slow, with eighteen readings per payload: of a long demo only every nth delta is used, but all of the
 * rarer full snapshots.
 */
const recognisedPerDemo = 60;

/** The results of two independent programs, one line for each snapshot. */
interface Golden {
  readonly tick: number;
  readonly kind: 'snapshot' | 'delta';
  readonly items: number;
  readonly crc: number;
}

const bytesOf = ({ bytes, length }: ByteBuffer) => bytes.subarray(0, length);
const never = (code: string) => {
  throw new Error(code);
};

function unpacked(payload: Uint8Array): { packed: ByteBuffer; ints: IntBuffer } {
  const [packed, ints] = [new ByteBuffer(), new IntBuffer()];
  decompress(payload, 0, payload.length, packed, never, 1 << 20);
  unpackInts(packed.bytes, 0, packed.length, ints, never);
  return { packed, ints };
}

function inEncodings(payload: Uint8Array): readonly (readonly [Encoding, Uint8Array])[] {
  const { packed, ints } = unpacked(payload);
  const wide = new ByteBuffer();
  writeInts(ints.ints, 0, ints.length, wide);
  return [
    ['huffman', payload],
    ['packed', bytesOf(packed)],
    ['ints', bytesOf(wide)],
  ];
}

/**
 * Whether a payload shows its protocol: not without items, nor with items that are equal in both, such as a projectile.
 */
function reports({ body, types }: Payload, protocol: Version): boolean {
  const shape = (of: Protocol, type: number) => JSON.stringify(of.byType(type)?.fields.map(({ name }) => name));
  return itemsOf(body).some(([type]) => shape(types.protocol, type!) !== shape(protocolOf(protocol), type!));
}

/** A chunk and what it should be, in the words of a failed test. */
const named = ({ kind, tick }: DemoChunk, more: string) => `${kind} of tick ${tick}: ${more}`;

describe.skipIf(!hasCorpus)('recordings (needs ../shared)', () => {
  if (!hasCorpus) return it.todo('are held against their goldens');

  describe.each(demos)('%s', (demo) => {
    const { protocol, chunks } = demoChunks(corpusFile(demo));
    const snaps = chunks.filter(({ kind }) => kind !== 'message');
    const golden: Golden[] = new TextDecoder()
      .decode(corpusFile(`golden/${demo}.crc.ndjson`))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const step = Math.ceil(snaps.length / recognisedPerDemo);
    const some = snaps.filter(({ kind }, i) => i % step === 0 || kind === 'snapshot');
    const { sizeOf } = protocolOf(protocol);

    it('re-encodes every snapshot and delta to the same bytes', () => {
      const [packed, huffman, wide, ints] = [new ByteBuffer(), new ByteBuffer(), new ByteBuffer(), new IntBuffer()];
      const different: string[] = [];
      for (const chunk of snaps) {
        const { ints: read } = unpacked(chunk.payload);
        writeInts(read.ints, 0, read.length, wide);
        readInts(wide.bytes, 0, wide.length, ints);
        packInts(ints.ints, 0, ints.length, packed);
        compress(packed.bytes, 0, packed.length, huffman, 'extra');
        if (!Buffer.from(bytesOf(huffman)).equals(chunk.payload)) different.push(named(chunk, 'other bytes'));
      }
      expect(different).toEqual([]);
    });

    it('rebuilds every snapshot with the known checksum and number of items', () => {
      let last = new Snapshot();
      const rebuilt = snaps.map(({ kind, tick, payload }): Golden => {
        const { ints } = unpacked(payload);
        if (kind === 'snapshot') {
          last = new Snapshot();
          last.read(ints.ints, ints.length, sizeOf, never);
        } else {
          const delta = new Delta();
          delta.read(ints.ints, ints.length, sizeOf, never);
          last = apply(last, delta);
        }
        return { tick, kind: kind as Golden['kind'], items: last.count, crc: last.checksum() };
      });
      expect(rebuilt).toEqual(golden);
    });

    // The order depends on the order of the sender's items, which no delta contains.
    it('re-creates every delta with the same removed keys and updates', () => {
      let last = new Snapshot();
      const different: string[] = [];
      for (const chunk of snaps) {
        const { ints } = unpacked(chunk.payload);
        if (chunk.kind === 'snapshot') {
          last = new Snapshot();
          last.read(ints.ints, ints.length, sizeOf);
          continue;
        }
        const recorded = new Delta();
        recorded.read(ints.ints, ints.length, sizeOf);
        const next = apply(last, recorded);
        const again = createDelta(last, next, sizeOf);
        const updates = (delta: Delta) => itemsOf(delta).map(String).toSorted();
        const removed = (delta: Delta) => delta.ints.slice(3, 3 + delta.removedCount).toSorted();
        if (String(removed(again)) !== String(removed(recorded))) different.push(named(chunk, 'other removed keys'));
        if (String(updates(again)) !== String(updates(recorded))) different.push(named(chunk, 'other updates'));
        last = next;
      }
      expect(different).toEqual([]);
    });

    it(`recognises ${some.length} of ${snaps.length} in three encodings (all full ones, every ${step}th delta)`, () => {
      const wrong: string[] = [];
      for (const chunk of some) {
        const { kind, tick } = chunk;
        for (const [encoding, bytes] of inEncodings(chunk.payload)) {
          const { payload, otherReadings } = recognise(bytes, {}, protocolOf);
          const report = (more: string) => wrong.push(named(chunk, `${encoding}: ${more}`));
          if (payload.layers.encoding !== encoding) report(`read as ${payload.layers.encoding}`);
          if (payload.kind !== kind) report(`read as ${payload.kind}`);
          const readings = [payload, ...(reports(payload, protocol) ? [] : otherReadings)];
          const versions = readings.map((reading) => reading.types.protocol.version);
          if (!versions.includes(protocol)) report(`read as ${versions}, with ${payload.body.count} items`);
          for (const { code } of payload.diagnostics.all) if (!code.endsWith('_registration')) report(code);
          if (kind !== 'snapshot' || !(payload.body instanceof Snapshot)) continue;
          const found = { tick, kind, items: payload.body.count, crc: payload.body.checksum() };
          expect(golden).toContainEqual(found);
        }
      }
      expect(wrong).toEqual([]);
    });
  });
});
