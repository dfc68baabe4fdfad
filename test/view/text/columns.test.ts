import { describe, expect, it } from 'vitest';
import { columns } from '../../../src/view/text/columns.ts';
import { columnsOf, shortened } from '../../../src/view/text/line-wrapping.ts';
import { wrap } from '../../../src/view/text/wrap.ts';

const esc = String.fromCharCode(0x1b);

/** Text and its width in terminals: two columns for wide and fullwidth characters of UAX #11, none for marks. */
const widths: readonly (readonly [text: string, width: number])[] = [
  ['brownbear', 9],
  ['Zoë', 3],
  ['熊', 2],
  ['브라운', 6],
  ['ｗｉｄｅ', 8],
  ['ｱ', 1],
  ['🐻', 2],
  ['🫠', 2],
  ['🐻\u200d❄', 3],
  ['e\u0301', 1],
  ['ก\u0e34', 1],
  ['न\u0940', 1],
  ['𠀀', 2],
];

describe('columns', () => {
  it.each(widths)('of %j are %i', (text, width) => {
    expect(columnsOf(text.replaceAll('\u200d', ''))).toBe(width);
  });

  it('are aligned, whatever is in the cells before', () => {
    const rows = widths.map(([text, width]) => [text.replaceAll('\u200d', ''), '|', String(width)]);
    for (const [i, line] of columns(rows, ['left', 'left', 'right'], '').entries()) {
      const before = line.slice(0, line.indexOf('|'));
      expect(before, `row ${i}`).toBe(`${rows[i]![0]}${' '.repeat(9 - widths[i]![1])}   `);
    }
  });

  it('have a width without colour codes, and align to either side', () => {
    const red = `${esc}[38;5;160mred${esc}[39m`;
    expect(
      columns(
        [
          [red, '1'],
          ['green', '22'],
        ],
        ['left', 'right'],
      ),
    ).toEqual([`  ${red}      1`, '  green   22']);
  });

  it('keep the lines of a cell in its column, without trailing blanks', () => {
    expect(
      columns(
        [
          ['a', 'one\ntwo'],
          ['b', ''],
        ],
        ['left', 'left'],
      ),
    ).toEqual(['  a   one', '      two', '  b']);
    expect(columns([], [])).toEqual([]);
  });

  it('are the same from the first row of a long table to its last', () => {
    const rows = Array.from({ length: 1000 }, (_, i) => [`${i}`, i === 700 ? 'wide'.repeat(5) : '日本', `${i * i}`]);
    const lines = columns(rows, ['right', 'left', 'right'], '');
    // 3 digits, 20 letters, 6 digits; two wide characters take four columns.
    expect(lines[0]).toBe(`  0   日本${' '.repeat(16)}        0`);
    expect(lines[700]).toBe(`700   ${'wide'.repeat(5)}   490000`);
    expect(lines[999]).toBe(`999   日本${' '.repeat(16)}   998001`);
    expect(lines).toHaveLength(1000);
  });
});

describe('wide characters', () => {
  it('count twice where a line ends', () => {
    const words = ['熊熊熊', '熊熊', 'b'].map((text) => ({ text, style: (word: string) => word }));
    expect(wrap(words, 10)).toEqual(['熊熊熊', '熊熊 b']);
  });

  it('are not cut through', () => {
    expect(shortened('熊熊熊', 6)).toBe('熊熊熊');
    expect(shortened('熊熊熊', 5)).toBe('熊熊…');
    expect(shortened('熊熊熊', 4)).toBe('熊…');
  });
});
