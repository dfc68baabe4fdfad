import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteBuffer } from '../../../src/wire/bytes/buffers.ts';
import { bitOffsets, compress, decompress, endsWithEof, type LastByte } from '../../../src/wire/codec/huffman.ts';
import { codeBits, codeLengths, eof } from '../../../src/wire/codec/huffman-tables.ts';
import { firstHuffman, firstPacked } from '../../support/first.ts';
import { bytes, codesOf, diagnosticsInFull } from '../../support/readers.ts';

const reference = new URL('../../../../shared/protocol/huffman-codes.json', import.meta.url);
const plenty = 1 << 20;
const modes: readonly LastByte[] = ['extra', 'none'];

function unpack(src: Uint8Array, { start = 0, end = src.length, limit = plenty } = {}) {
  const out = new ByteBuffer();
  let bit: number | undefined;
  const codes = codesOf((warn) => {
    bit = decompress(src, start, end, out, warn, limit);
  });
  return { output: out.bytes.slice(0, out.length), bit, codes };
}

function pack(src: Uint8Array, lastByte: LastByte, start = 0, end = src.length): Uint8Array {
  const out = new ByteBuffer();
  compress(src, start, end, out, lastByte);
  return out.bytes.slice(0, out.length);
}

/** A symbol's code as a string of bits, in the order of the stream. */
const codeOf = (symbol: number) =>
  Array.from({ length: codeLengths[symbol]! }, (_, i) => (codeBits[symbol]! >>> i) & 1).join('');

describe('codes', () => {
  it.skipIf(!existsSync(reference))('are those of protocol/huffman-codes.json (needs ../shared)', () => {
    const codes: string[] = JSON.parse(readFileSync(reference, 'utf8'));
    expect(Array.from({ length: 257 }, (_, symbol) => codeOf(symbol))).toEqual(codes);
  });

  it('are 257 codes of 1 to 15 bits, none a prefix of another', () => {
    expect([codeLengths.length, codeBits.length, eof]).toEqual([257, 257, 256]);
    expect([Math.min(...codeLengths), Math.max(...codeLengths)]).toEqual([1, 15]);
    // Kraft's sum: the codes fill the tree, so every stream of bits consists of symbols.
    expect(codeLengths.reduce((sum, length) => sum + 2 ** -length, 0)).toBe(1);
    expect(codeOf(0)).toBe('1');
    expect(codeOf(eof)).toBe('010100011101100');
  });
});

describe('streams', () => {
  it('of the 43 bytes follows the table', () => {
    for (const mode of modes) expect(pack(firstPacked, mode)).toEqual(firstHuffman);
    expect(unpack(firstHuffman)).toEqual({ output: firstPacked, bit: 193, codes: [] });
  });

  it('of a part begin and end at the stated offsets', () => {
    expect(pack(bytes('05 00 00 05'), 'none', 1, 3)).toEqual(bytes('2b 6e 00'));
    expect(unpack(bytes('77 15 37 00 77'), { start: 1, end: 4 })).toEqual({ output: bytes('00'), bit: 24, codes: [] });
    expect(unpack(bytes('77 15 37 77'), { start: 1, end: 3 })).toEqual({ output: bytes('00'), bit: 24, codes: [] });
  });
});

describe('the end', () => {
  it.each([
    ['15 37 00 07 07', ['huffman_after_eof', 24, { bytes: 2 }]],
    ['8a 9b', ['huffman_padding', 15, {}]],
    ['ff', ['error', 'huffman_no_eof', 8, { bytes: 8 }]],
    ['ff 57 dc', ['error', 'huffman_no_eof', 24, { bytes: 11 }]],
  ])('%s: the diagnostic has its numbers', (hex, reported) => {
    const src = bytes(hex);
    expect(diagnosticsInFull((warn) => void decompress(src, 0, src.length, new ByteBuffer(), warn, plenty))).toEqual([
      reported,
    ]);
  });
});

describe('the limit', () => {
  it('applies inside a long stream', () => {
    const long = bytes('ff '.repeat(1000));
    for (const limit of [100, 101, 102, 103, 7999]) {
      expect(unpack(long, { limit })).toMatchObject({
        output: new Uint8Array(limit),
        codes: [`error: huffman_output_full ${limit}`],
      });
    }
    expect(unpack(long, { limit: 8000 })).toMatchObject({ codes: ['error: huffman_no_eof 8000'] });
  });
});

describe('bit offsets', () => {
  it('are the sums of the code lengths, the end symbol last', () => {
    expect([...bitOffsets(bytes('00 01 00 00'))]).toEqual([0, 1, 5, 6, 7]);
    expect([...bitOffsets(bytes('01 00'), 16)]).toEqual([16, 20, 21]);
    expect([...bitOffsets(new Uint8Array())]).toEqual([0]);
  });
});

/** Decodes one symbol at a time by its string of bits: slow, but independent of the decoder under test. */
function referenceOf(src: Uint8Array): { output: number[]; ended: boolean } {
  const symbols = new Map(Array.from({ length: 257 }, (_, symbol) => [codeOf(symbol), symbol]));
  const output: number[] = [];
  let code = '';
  for (const byte of src) {
    for (let i = 0; i < 8; i++) {
      code += (byte >>> i) & 1;
      const symbol = symbols.get(code);
      if (symbol === undefined) continue;
      if (symbol === eof) return { output, ended: true };
      output.push(symbol);
      code = '';
    }
  }
  return { output, ended: symbols.get(code.padEnd(15, '0')) === eof };
}

describe('any bytes', () => {
  const mostlyZeros = fc.array(fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.nat(255)), { maxLength: 600 });
  const anyBytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    mostlyZeros.map((array) => Uint8Array.from(array)),
  );

  const comesBack = (src: Uint8Array) => {
    const bits = bitOffsets(src);
    for (const mode of modes) {
      const { output, bit, codes } = unpack(pack(src, mode));
      expect(output).toEqual(src);
      expect(codes).toEqual([]);
      expect(bit).toBe(bits[src.length]! + 15);
    }
  };

  it('are equal after compression and decompression', () => fc.assert(fc.property(anyBytes, comesBack)));

  it('are equal after compression and decompression when there are many', () => {
    const long = fc.uint8Array({ minLength: 5000, maxLength: 20000, size: 'max' });
    const sparse = fc
      .array(fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.nat(255)), {
        minLength: 5000,
        size: 'max',
        maxLength: 9000,
      })
      .map((array) => Uint8Array.from(array));
    fc.assert(fc.property(fc.oneof(long, sparse), comesBack), { numRuns: 8 });
  });

  it('differ between the modes by one zero byte at most, on a byte boundary', () => {
    fc.assert(
      fc.property(anyBytes, (src) => {
        const [extra, none] = [pack(src, 'extra'), pack(src, 'none')];
        const atBoundary = (bitOffsets(src)[src.length]! + 15) % 8 === 0;
        expect(extra).toEqual(Uint8Array.from(atBoundary ? [...none, 0] : none));
      }),
    );
  });

  it('keep the beginning of their output when the stream is cut', () => {
    fc.assert(
      fc.property(anyBytes, (src) => {
        const stream = pack(src, 'none');
        for (let end = 0; end < stream.length; end++) {
          const { output, codes } = unpack(stream.subarray(0, end));
          const bits = bitOffsets(output);
          expect(output).toEqual(src.subarray(0, output.length));
          expect(bits[output.length]!).toBeLessThanOrEqual(8 * end);
          // What is cut at the right bit may go on with zeros to the end symbol: that itself, and one byte's code begin
          // alike.
          const cutBits = 8 * end - bits[output.length]!;
          if (cutBits === 13 || cutBits === 14) expect(codes.join()).toMatch(/huffman_(past_end|no_eof)/);
          else expect(codes).toEqual([`error: huffman_no_eof ${8 * end}`]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('read as a stream give the output of a bit-by-bit decoder, or an error', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), (src) => {
        const { output, codes } = unpack(src);
        const expected = referenceOf(src);
        expect([...output]).toEqual(expected.output);
        expect(codes.some((reported) => reported.startsWith('error: '))).toBe(!expected.ended);
      }),
      { numRuns: 300 },
    );
  });

  it('read as a stream never give more output than the limit', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(300), (src, limit) => {
        const { output } = unpack(src, { limit });
        expect(output.length).toBeLessThanOrEqual(limit);
        expect(output).toEqual(unpack(src).output.subarray(0, output.length));
      }),
    );
  });
});

describe('the check of the end of a stream', () => {
  /** The same by the rule: the code of the end symbol, less than a byte of zeros, and optionally one zero byte. */
  function endsByRule(stream: Uint8Array): boolean {
    const bits = Array.from(stream, (byte) => byte.toString(2).padStart(8, '0').split('').toReversed().join('')).join(
      '',
    );
    const zeros = bits.length - (bits.lastIndexOf('1') + 1);
    const isLastZero = stream.length > 1 && stream.at(-1) === 0;
    const end = bits.lastIndexOf('1') + 1 + codeOf(eof).match(/0*$/)![0].length;
    return zeros < (isLastZero ? 16 : 8) && bits.padEnd(end, '0').slice(0, end).endsWith(codeOf(eof));
  }

  it.each(modes)('finds it wherever a stream is, also at the beginning of the file (last byte: %s)', (mode) => {
    const any = fc.uint8Array({ maxLength: 6 });
    fc.assert(
      fc.property(any, any, any, (before, content, after) => {
        const stream = pack(content, mode);
        const file = Uint8Array.of(...before, ...stream, ...after);
        expect(endsWithEof(file, before.length, before.length + stream.length)).toBe(true);
      }),
    );
  });

  it('accepts what the rule accepts', () => {
    const byte = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 255 }));
    const last = fc.constantFrom(...modes.map((mode) => [...pack(Uint8Array.of(), mode)]), [0], [0, 0], []);
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 5 }), last, fc.array(byte, { maxLength: 2 }), (first, end, after) => {
        const stream = Uint8Array.of(...first, ...end, ...after);
        expect(endsWithEof(stream, 0, stream.length)).toBe(endsByRule(stream));
      }),
      { numRuns: 2000 },
    );
  });
});
