import { describe, expect, it } from 'vitest';
import { ByteBuffer } from '../../../src/wire/bytes/buffers.ts';
import { codeLengths } from '../../../src/wire/codec/huffman-tables.ts';
import { packInts } from '../../../src/wire/codec/varint.ts';
import { unwrap } from '../../../src/wire/payload/encoding-layers.ts';
import { readPayload } from '../../../src/wire/payload/payload.ts';
import { Evidence, payloadEvidence, savedInBytes } from '../../../src/wire/payload/reading-evidence.ts';
import { protocolOf } from '../../../src/wire/protocol/registry.ts';

describe('evidence', () => {
  it('counts up to its best point, less 10 bits for what comes after', () => {
    const evidence = new Evidence();
    evidence.add(30);
    evidence.test([5, -20], true);
    expect(evidence.bits).toBe(35);
    evidence.test([5, -20], false);
    expect(evidence.bits).toBe(25);
    evidence.add(-100);
    expect(evidence.bits).toBe(25);
    evidence.add(130);
    expect(evidence.bits).toBe(45);
  });

  it('is negative where nothing is plausible', () => {
    const evidence = new Evidence();
    evidence.add(-50);
    expect(evidence.bits).toBe(-10);
  });
});

describe('bits saved', () => {
  it('in bytes: 8 each, less those of their Huffman code', () => {
    expect(savedInBytes(Uint8Array.of(0, 0, 1), 0, 2)).toBe(2 * (8 - codeLengths[0]!));
    expect(savedInBytes(Uint8Array.of(0, 0, 1), 2, 3)).toBe(8 - codeLengths[1]!);
  });

  it.each([0, 1, -1, 63, 64, -64, -65, 8191, 8192, 1 << 20, 2 ** 31 - 1, -(2 ** 31)])(
    'in the int %i: 32, less the Huffman codes of its varint',
    (int) => {
      // A character whose first int is this one.
      const delta = Int32Array.of(0, 1, 0, 9, 5, int, ...Array<number>(21).fill(0));
      const packed = new ByteBuffer();
      packInts(delta, 0, delta.length, packed);
      const evidenceOf = (bytes: Uint8Array, encoding: 'ints' | 'packed') =>
        payloadEvidence(readPayload(unwrap(bytes, encoding), 'delta', protocolOf('0.6')));
      const more =
        evidenceOf(new Uint8Array(delta.buffer), 'ints') - evidenceOf(packed.bytes.slice(0, packed.length), 'packed');
      // The same codes save more of 32 bits for each int than of 8 for each byte.
      expect(more).toBe(32 * delta.length - 8 * packed.length);
    },
  );
});
