import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPastedText } from '../../../src/input/pasted/pasted-text.ts';
import { renderHexdump } from '../../../src/output/hexdump/hexdump.ts';
import { plainTheme } from '../../../src/output/text/theme.ts';
import { annotate } from '../../../src/wire/annotate/payload-spans.ts';
import { unwrap } from '../../../src/wire/payload/encoding-layers.ts';
import { type Kind, type Payload, readPayload } from '../../../src/wire/payload/payload.ts';
import { protocolOf, type Version } from '../../../src/wire/protocol/registry.ts';
import { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { firstBits, firstHuffman, firstPacked, firstRows } from '../../support/first.ts';
import { bytes, payloadOfInts, snapshotInts, snapshotOf } from '../../support/readers.ts';

const read = (
  src: Uint8Array,
  encoding: 'huffman' | 'packed' | 'ints',
  kind: Kind = 'delta',
  version: Version = '0.7',
) => readPayload(unwrap(src, encoding), kind, protocolOf(version), kind === 'delta' ? new Snapshot() : undefined);

const dump = (payload: Payload, { width = 120, verbose = false } = {}) =>
  renderHexdump(payload, annotate(payload), { name: 'FILE', theme: plainTheme, width, verbose });

/** The columns of each row: addresses, hex, ASCII, words. Wrapped rows are joined. */
function rowsOf(text: string): string[][] {
  const rows: string[][] = [];
  for (const line of text.split('\n')) {
    if (/^ {20,}\S/.test(line)) rows.at(-1)!.push(`${rows.at(-1)!.pop()} ${line.trim()}`);
    else if (/^ *(?:[\da-f]+\.\d +)?[0-9a-f]{4,} {2}[0-9a-f]{2}(?: |$)/.test(line))
      rows.push(line.trim().split(/ {2,}| (?=[0-9a-f]{4} {2})/));
  }
  return rows;
}

const addressOf = (row: number) => (4 * row).toString(16).padStart(4, '0');
/** 0x40 is the only printable one of the 43 bytes. */
const asciiOf = (hex: string) => hex.replaceAll(/([0-9a-f]{2}) ?/g, (_, pair) => (pair === '40' ? '@' : '.'));

describe('the delta of first.packed', () => {
  it('come in its rows', () => {
    const rows = rowsOf(dump(read(firstPacked, 'packed')));
    expect(rows).toEqual(firstRows.map(([hex, tokens], row) => [addressOf(row), hex, asciiOf(hex), tokens]));
  });

  it('fit 100 columns without wrapping', () => {
    const rows = (width: number) => dump(read(firstPacked, 'packed'), { width }).split('\n\n').slice(1);
    expect(rows(100)).toEqual(rows(120));
  });

  it('when compressed, are shown with the bit of the file where each row begins', () => {
    const text = dump(read(firstHuffman, 'huffman'));
    const rows = rowsOf(text);
    expect(rows.slice(0, firstRows.length)).toEqual(
      firstRows.map(([hex, tokens], row) => [firstBits[row], addressOf(row), hex, asciiOf(hex), tokens]),
    );
    expect(text.trimEnd().split('\n').at(-1)).toContain('EOF, 7 bits of padding');
  });

  it('have a heading with what was read, and how much', () => {
    const above = (text: string) => text.split('\n\n')[0]!.split(/\s{2,}/);
    expect(above(dump(read(firstHuffman, 'huffman')))).toMatchObject([
      'FILE',
      'huffman · delta · 0.7',
      '25 bytes → 43 bytes → 37 ints',
      expect.stringContaining('0 removed, 3 items'),
    ]);
    expect(above(dump(read(firstPacked, 'packed')))).toMatchObject([
      'FILE',
      'packed · delta · 0.7',
      '43 bytes → 37 ints',
      expect.stringContaining('0 removed, 3 items'),
    ]);
  });

  it.each([60, 80, 100])('at %i columns fit, and keep every word', (width) => {
    for (const payload of [read(firstPacked, 'packed'), read(firstHuffman, 'huffman')]) {
      const lines = dump(payload, { width }).split('\n');
      const rows = rowsOf(lines.join('\n'));
      expect(rows.slice(0, firstRows.length).map((row) => row.at(-1))).toEqual(firstRows.map(([, tokens]) => tokens));
      for (const line of lines.slice(lines.indexOf(''))) expect(line.length).toBeLessThanOrEqual(width);
    }
  });

  it.each([
    [140, 8],
    [220, 16],
  ])('at %i columns take %i bytes a row', (width, perRow) => {
    const rows = rowsOf(dump(read(firstPacked, 'packed'), { width }));
    expect(rows.map(([address]) => address)).toEqual(
      Array.from({ length: Math.ceil(43 / perRow) }, (_, row) => (row * perRow).toString(16).padStart(4, '0')),
    );
    const hex = rows.map((row) => row[1]).join(' ');
    expect(hex).toBe(firstRows.map(([text]) => text).join(' '));
  });
});

describe('a row', () => {
  it('shows printable bytes as ASCII', () => {
    // 0x41 and 0x7e are ints of one byte; 0x7f is not printable.
    expect(rowsOf(dump(read(bytes('00 01 00 3f 00 01 41 7e'), 'packed')))[1]!.slice(0, 3)).toEqual([
      '0004',
      '00 01 41 7e',
      '..A~',
    ]);
  });

  it('shows units where the option is set', () => {
    const [, , , row] = rowsOf(dump(read(firstPacked, 'packed'), { verbose: true }));
    expect(row!.at(-1)).toBe('x=784 (24.50 tiles) y=305 (9.53 tiles)');
  });

  it('shows the old and the new value, with a base', () => {
    const base = snapshotOf([4, 3, 784, 10, 0]);
    const rows = rowsOf(dump(payloadOfInts([0, 1, 0, 4, 3, 6, 0, 0], 'delta', '0.7', base)));
    expect(rows[5]!.at(-1)).toBe('x=6 (784 → 790)');
  });

  it('shows a gap', () => {
    const rows = rowsOf(dump(read(bytes('00 00 00 05 06'), 'packed')));
    expect(rows[0]!.at(-1)).toContain('(unclaimed)');
  });
});

describe('an error', () => {
  const lastLine = (payload: Payload) => dump(payload).trimEnd().split('\n').at(-1)!;

  it('is the last row: the code, and the extent that was read', () => {
    expect(lastLine(read(firstPacked.subarray(0, 18), 'packed'))).toMatch(
      /^ *[0-9a-f]{4} +✗ truncated_varint: vel_y of obj_character 0 continues after the last byte \(read 4 of 22 fields, 1 of 3 items\)$/,
    );
    expect(lastLine(read(bytes('00 02 05 04 01 05 06 00'), 'packed'))).toMatch(/^ *0008 +✗ truncated_delta: /);
    expect(lastLine(read(bytes('00 01 00 17 07 40'), 'packed'))).toMatch(/^ *0005 +✗ bad_size: .*-1 ints; expected 0/);
  });

  it('of compressed bytes is at its bit', () => {
    expect(lastLine(read(bytes('ff'), 'huffman'))).toMatch(/^ *1\.0 +0008 +✗ huffman_no_eof: /);
  });

  it('follows the bytes that were read', () => {
    const rows = rowsOf(dump(read(firstPacked.subarray(0, 18), 'packed')));
    expect(rows.slice(0, 4).map((row) => row.at(-1))).toEqual(firstRows.slice(0, 4).map(([, tokens]) => tokens));
    expect(rows[4]).toEqual(['0010', '00 80', '..', 'vel_x=0 (cut)']);
  });

  it('follows all warnings before it, in their order', () => {
    const marks = dump(read(bytes('00 02 05 04 80 00 05 06 00'), 'packed'))
      .split('\n')
      .flatMap((line) => /^ *([0-9a-f]+) +([!✗]) (\w+):/.exec(line)?.slice(1).join(' ') ?? []);
    expect(marks).toEqual(['0002 ! nonzero_zero', '0004 ! overlong_varint', '0009 ✗ truncated_delta']);
  });

  it('may have no bytes to show', () => {
    expect(lastLine(read(bytes(''), 'packed'))).toMatch(/^ *0000 +✗ truncated_delta: /);
    expect(lastLine(read(bytes(''), 'huffman'))).toMatch(/✗ huffman_no_eof: /);
  });
});

describe('repeated rows', () => {
  it('are folded, and the rows continue after the fold', () => {
    // 200 surplus ints of one byte each, from byte 3 on.
    const rows = dump(read(new Uint8Array(203), 'packed')).split('\n');
    const folds = rows.filter((row) => row.includes('…'));
    expect(folds.map((row) => row.trim())).toEqual(['… 192 bytes like the row above']);
    const hidden = 192;
    const shown = rowsOf(rows.filter((row) => !row.includes('…')).join('\n')).filter((row) =>
      row[1]?.includes('00 00'),
    );
    expect(hidden + shown.reduce((sum, row) => sum + row[1]!.split(' ').length, 0)).toBe(203);
    expect(shown.at(-1)![0]).toBe('00c8');
  });
});

describe('a fold', () => {
  /** Surplus ints of one byte each: 8 rows of 01 02 03 04, with one different byte in the middle. */
  const src = Uint8Array.from([0, 0, 0, 9, ...Array.from({ length: 32 }, (_, i) => (i === 17 ? 9 : (i % 4) + 1))]);

  it('hides only rows with the bytes of the row above', () => {
    const rows = dump(read(src, 'packed')).split('\n').slice(2);
    expect(rows.map((row) => row.trim().split(/ {2,}/).slice(0, 2).join(' ')).slice(0, 7)).toEqual([
      '0000 00 00 00 09',
      '0004 01 02 03 04',
      '… 12 bytes like the row above',
      '0014 01 09 03 04',
      '0018 01 02 03 04',
      '001c 01 02 03 04',
      '0020 01 02 03 04',
    ]);
  });

  it('is read again as the bytes that it stands for', () => {
    const { parts } = readPastedText(dump(read(src, 'packed')))!;
    expect(parts.map((part) => part.bytes)).toEqual([src]);
  });

  it('hides nothing with -v', () => {
    expect(dump(read(src, 'packed'), { verbose: true })).not.toContain('…');
  });

  it('hides the table of offsets of a full snapshot after its first row, but not with -v', () => {
    const items = Array.from({ length: 12 }, (_, id) => [6, id, id, 0, 0] as const);
    const payload = payloadOfInts(snapshotInts(...items), 'snapshot');
    // One byte for each of the first four offsets, two for each of the others.
    expect(dump(payload)).toContain('bytes of offsets of items (-v)');
    expect(dump(payload)).not.toContain('offset[5]');
    expect(dump(payload, { verbose: true })).toContain('offset[5]');
  });
});

describe('a delta without its base', () => {
  const differences = payloadOfInts(
    [0, 1, 0, 10, 0, ...Array.from({ length: 22 }, (_, i) => (i === 1 ? -110 : 0))],
    'delta',
    '0.7',
  );

  it('has differences with a sign, and no names or units of values', () => {
    const text = dump(differences, { verbose: true });
    expect(text).toContain('x=-110');
    expect(text).toContain('weapon=+0');
    expect(text).not.toMatch(/hammer|tiles|idle/);
  });

  it('has a heading that states this', () => {
    expect(dump(differences).split('\n')[0]).toContain('0 removed, 1 item, values are differences');
  });
});

describe('a delta with its base', () => {
  it('is dim where a field is unchanged, and bold where a field changes', () => {
    const mark = { ...plainTheme, dim: (text: string) => `<${text}>`, strong: (text: string) => `[${text}]` };
    const payload = payloadOfInts([0, 1, 0, 4, 3, 6, 0, 0], 'delta', '0.7', snapshotOf([4, 3, 784, 10, 0]));
    const text = renderHexdump(payload, annotate(payload), { name: 'FILE', theme: mark, width: 120, verbose: false });
    expect(text).toContain('[x=6 (784 → 790)]');
    expect(text).toContain('<y=0 (10)>');
  });
});

describe('any bytes', () => {
  it('are rendered, each once, in their order', () => {
    const byte = fc.oneof({ weight: 3, arbitrary: fc.nat(12) }, fc.nat(255));
    const encoding = fc.constantFrom('huffman', 'packed', 'ints' as const);
    const kind = fc.constantFrom<Kind>('delta', 'snapshot');
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 60 }), encoding, kind, (src, how, what) => {
        const payload = read(Uint8Array.from(src), how, what);
        const text = dump(payload);
        expect(text).not.toMatch(/undefined|NaN|\[object/);
        if (text.includes('…')) return;
        const hex = text
          .split('\n')
          .flatMap((line) => /^ *(?:[\d.]+ +)?[0-9a-f]{4,} {2}((?:[0-9a-f]{2} )+)/.exec(line)?.[1] ?? []);
        const shown = hex.join('').trim().split(/ +/).join(' ');
        expect(bytes(shown)).toEqual(Uint8Array.from(payload.layers.bytes));
      }),
      { numRuns: 300 },
    );
  });
});
