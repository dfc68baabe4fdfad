import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCell, jsonCell } from '../../src/output/results/field-csv.ts';
import { anyText } from '../support/any-text.ts';

/** The text of a cell as RFC 4180 says. */
const unquoted = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);

/** The text that `escapeText` has escaped. Other backslashes remain. */
function unescapeText(text: string): string {
  return text.replace(/\\(?:([\\nrt])|u\{([\da-f]{1,6})\})/g, (all, char, code) => {
    if (code) return Number.parseInt(code, 16) <= 0x10ffff ? String.fromCodePoint(Number.parseInt(code, 16)) : all;
    return longOf[char as keyof typeof longOf];
  });
}

const longOf = { '\\': '\\', n: '\n', r: '\r', t: '\t' } as const;

describe('csvCell', () => {
  it('can be undone for any text, whatever escapes it contains itself', () => {
    const parts = fc.constantFrom('\\', '\\u{3d}', '\\n', '=', '+', '\n', '\u202e', '\ud800', '"', ',', 'a', '😀');
    for (const text of [fc.array(parts).map((all) => all.join('')), anyText]) {
      fc.assert(
        fc.property(text, (text) => {
          expect(unescapeText(unquoted(csvCell(text)))).toBe(text);
        }),
      );
    }
  });

  it('is printable ASCII as it is, in quotes if it contains a comma or a quote', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        fc.pre(!/^[=+\-@]|\\/.test(text));
        const cell = csvCell(text);
        expect(unquoted(cell)).toBe(text);
        expect(cell.startsWith('"') && cell.length > 1).toBe(/[",]/.test(text));
      }),
    );
  });

  it.each([
    ['=1+1', '\\u{3d}1+1'],
    ['\\u{3d}', '\\\\u{3d}'],
    ['-5,', '"\\u{2d}5,"'],
    ['-1', '-1'],
    ['-0.25', '-0.25'],
    ['-1+1', '\\u{2d}1+1'],
    ['-1.', '\\u{2d}1.'],
    ['@', '\\u{40}'],
    ['a\nb', 'a\\nb'],
    ['\u202ea', '\\u{202e}a'],
    ['a\u007f', 'a\\u{7f}'],
    ['ä', 'ä'],
    ['', ''],
  ])('escapes what would begin a formula or change the line: %j', (text, cell) => {
    expect(csvCell(text)).toBe(cell);
  });
});

it('jsonCell is JSON of the same value, on one line and without formulas', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const cell = jsonCell(JSON.stringify({ value }));
      expect(JSON.parse(unquoted(cell))).toEqual(JSON.parse(JSON.stringify({ value })));
      expect(cell).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }),
  );
});
