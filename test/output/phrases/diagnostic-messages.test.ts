import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '../../../src/input/source/json.ts';
import {
  diagnosticLine,
  diagnosticMessage,
  isDiagnosticCode,
} from '../../../src/output/phrases/diagnostic-messages.ts';
import { payloadMessages } from '../../../src/output/phrases/payload-messages.ts';
import { DecodeError, type Diagnostic } from '../../../src/wire/bytes/diagnostic.ts';
import { unwrap } from '../../../src/wire/payload/encoding-layers.ts';
import { type Kind, readPayload } from '../../../src/wire/payload/payload.ts';
import { protocolOf, type Version } from '../../../src/wire/protocol/registry.ts';
import { firstHuffman, firstPacked } from '../../support/first.ts';
import { bytes, payloadOfInts, snapshotInts, snapshotOf } from '../../support/readers.ts';

const diagnosticsOf = (
  src: Uint8Array,
  encoding: 'huffman' | 'packed' | 'ints',
  kind: Kind,
  version: Version = '0.7',
) => readPayload(unwrap(src, encoding), kind, protocolOf(version)).diagnostics.all;

const ofHex = (hex: string, kind: Kind = 'delta') => diagnosticsOf(bytes(hex), 'packed', kind);

/** Errors with their found and expected values and the numbers of the input. */
describe('diagnostic messages', () => {
  const pickup = [4, 1, 5, 6, 0] as const;
  const snapshot = (ints: ArrayLike<number>) => payloadOfInts(ints, 'snapshot', '0.7').diagnostics.all;
  const delta = (ints: ArrayLike<number>, base?: Parameters<typeof payloadOfInts>[3]) =>
    payloadOfInts(ints, 'delta', '0.7', base).diagnostics.all;

  it.each<[string, readonly Diagnostic[], RegExp]>([
    ['truncated_varint', ofHex('00 01 00 04 07 80'), /x of obj_pickup 7 .*0 of 3 fields, 0 of 1 item/],
    ['overlong_varint', ofHex('80 00 00 00'), /^0 has 2 bytes/],
    ['varint_padding', ofHex('80 80 80 80 10 00 00'), /0x10/],
    ['nonzero_zero', ofHex('00 00 07'), /7; expected 0/],
    ['bad_type', ofHex('00 01 00 80 80 04 00'), /32768; expected 0 to 32767/],
    ['bad_size', ofHex('00 01 00 17 00 40'), /-1 ints; expected 0/],
    ['negative_count', ofHex('41 00 00'), /-2; expected 0/],
    ['excess_ints', ofHex('00 00 00 05'), /^1 int left over/],
    ['removed_twice', delta([2, 0, 0, 7, 7]), /type 0, id 7|obj_ex 7/],
    ['updated_twice', delta([0, 2, 0, ...pickup, ...pickup]), /(type 4, id 1|obj_pickup 1) .*last/],
    ['unknown_removed', delta([1, 0, 0, 7], snapshotOf()), /type 0, id 7|obj_ex 7/],
    ['size_differs', delta([0, 1, 0, ...pickup], snapshotOf([4, 1, 5])), /3 ints; expected 1 int/],
    ['truncated_delta', delta([0, 2, 0, ...pickup]), /1 of 2 items/],
    ['duplicate_key', snapshot(snapshotInts(pickup, pickup)), /type 4, id 1|obj_pickup 1/],
    ['unusual_size', snapshot(snapshotInts([4, 1, 5])), /1 int; expected 3 ints/],
    ['first_offset', snapshot([20, 1, 4, 0, 0x40001, 1, 2, 0]), /4; expected 0/],
    ['bad_offset', snapshot([20, 1, 24, 0, 0, 0, 0, 0]), /offset\[0\] is 24; expected 0 to 20, a multiple of 4/],
    ['too_many_items', snapshot([4100, 1025]), /1,025 items.*1,024/],
    ['snapshot_too_large', snapshot([0x10000, 0]), /65,544 bytes.*65,536 bytes/],
    ['excess_ints', snapshot([0, 0, 1, 2]), /^2 ints left over/],
    ['huffman_no_eof', diagnosticsOf(bytes('ff'), 'huffman', 'delta'), /after 8 bytes/],
    ['huffman_after_eof', diagnosticsOf(bytes('2b 6e 00 07'), 'huffman', 'snapshot'), /^1 byte after/],
    ['ints_not_aligned', diagnosticsOf(new Uint8Array(15), 'ints', 'delta'), /^3 bytes left over; expected 32-bit/],
    ['input_too_large', diagnosticsOf(new Uint8Array((1 << 18) + 1), 'ints', 'snapshot'), /64 KiB.*262,144 bytes/],
  ])('%s', (code, diagnostics, words) => {
    expect(diagnosticMessage(diagnostics.find((diagnostic) => diagnostic.code === code)!)).toMatch(words);
  });

  it('in full begin with the code and the place', () => {
    const [error] = ofHex('00 01 00 17 00 40');
    expect(diagnosticLine(error!)).toBe(`bad_size at 0x0005: ${diagnosticMessage(error!)}`);
    const [compressed] = diagnosticsOf(firstHuffman.subarray(0, 10), 'huffman', 'delta');
    expect(diagnosticLine(compressed!)).toMatch(/^huffman_no_eof at 0x000a \(unpacked 0x[0-9a-f]{4}\): /);
  });
});

describe('any diagnostic', () => {
  const broken = /undefined|NaN|null|\[object|Infinity/;
  const byte = fc.oneof({ weight: 3, arbitrary: fc.nat(12) }, fc.nat(255));
  const encoding = fc.constantFrom('huffman', 'packed', 'ints' as const);
  const kind = fc.constantFrom<Kind>('delta', 'snapshot');

  it('of random bytes has a message', () => {
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 80 }), encoding, kind, (src, how, what) => {
        for (const diagnostic of diagnosticsOf(Uint8Array.from(src), how, what)) {
          expect(diagnosticLine(diagnostic)).not.toMatch(broken);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('of an item without room for its key has a message', () => {
    const [error] = payloadOfInts([0, 1, 0], 'snapshot').diagnostics.all;
    expect(error!.code).toBe('bad_offset');
    expect(diagnosticMessage(error!)).not.toMatch(broken);
  });

  it('of the bytes of the DESIGN, cut and changed, has a message', () => {
    for (let at = 0; at < firstPacked.length; at++) {
      for (const value of [0x40, 0x7f, 0x80, 0xff]) {
        const changed = Uint8Array.from(firstPacked);
        changed[at] = value;
        for (const src of [changed, changed.subarray(0, at + 1)]) {
          for (const diagnostic of diagnosticsOf(src, 'packed', 'delta'))
            expect(diagnosticLine(diagnostic)).not.toMatch(broken);
        }
      }
    }
  });
});

describe('of JSON', () => {
  const errorOf = (text: string) => {
    try {
      readJson(text);
    } catch (error) {
      if (error instanceof DecodeError)
        return { severity: 'error', ...error, args: error.args } as unknown as Diagnostic;
    }
    throw new Error('read');
  };

  it('name the found and the expected value', () => {
    expect(diagnosticLine(errorOf('{"kind":"diff"}'))).toMatch(/"diff", expected "delta" or "snapshot"/);
  });

  it('name the position', () => {
    const text = '{"kind":"snapshot","items":[{"type":1,"id":2,"data":[3,"4"]}]}';
    expect(diagnosticLine(errorOf(text))).toContain('items[0].data[1]');
  });

  // JSON.stringify does not escape C1 control characters and direction marks.
  it('shows nothing that is hidden or moves the cursor', () => {
    const text = JSON.stringify({ kind: String.fromCodePoint(0x9b, 0x202e) });
    expect(diagnosticLine(errorOf(text))).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

describe('the messages of payloads, which the page of a report has', () => {
  it('are those of all codes that the readers of payloads, packets and messages use', () => {
    const files = readdirSync('src/wire', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const texts = files
      .filter((name) => !name.endsWith('diagnostic.ts'))
      .map((name) => readFileSync(join('src/wire', name), 'utf8'));
    const quoted = new Set(texts.flatMap((text) => [...text.matchAll(/'([a-z0-9_]+)'/g)].map(([, word]) => word!)));
    const codes = [...quoted].filter((word) => isDiagnosticCode(word));
    expect(codes.length).toBeGreaterThan(40);
    // A schema is read before any payload.
    const without = codes.filter((code) => !Object.hasOwn(payloadMessages, code));
    expect(without).toEqual(['bad_schema']);
  });
});
