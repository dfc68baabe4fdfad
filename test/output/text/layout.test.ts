import { describe, expect, it } from 'vitest';
import { columns } from '../../../src/output/text/columns.ts';
import { fitted, shortened, widthOf, wordsIn, wrap, wrapSegments } from '../../../src/output/text/layout.ts';

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
    expect(widthOf(text.replaceAll('\u200d', ''))).toBe(width);
  });

  it('are aligned, whatever is in the cells before', () => {
    const rows = widths.map(([text, width]) => [text.replaceAll('\u200d', ''), '|', String(width)]);
    for (const [i, line] of columns(rows, ['left', 'left', 'right'], { indent: '' }).entries()) {
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
    const lines = columns(rows, ['right', 'left', 'right'], { indent: '' });
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

describe('columns that are too long for the terminal', () => {
  const rows = [
    ['field', 'what the field of this item means'],
    ['x', 'short'],
  ];

  it('have narrower gaps, in all lines alike', () => {
    const letters = [
      ['a', 'b', 'c'],
      ['d', 'e', 'f'],
    ];
    expect(columns(letters, ['left', 'left', 'left'], { indent: '', limit: 7 })).toEqual(['a  b  c', 'd  e  f']);
  });

  it('continue in the last column', () => {
    expect(columns(rows, ['left', 'left'], { limit: 30 })).toEqual([
      '  field   what the field of',
      '          this item means',
      '  x       short',
    ]);
  });
});

describe('text fitted to the width of a terminal', () => {
  it('is unchanged if it fits', () => {
    expect(fitted('  a     b\n  cc    d\n', 9)).toBe('  a     b\n  cc    d\n');
  });

  it('continues indented below its line', () => {
    expect(fitted('a b\n  a field with a long name   its meaning', 24).split('\n')).toEqual([
      'a b',
      '  a field with a long',
      '      name   its meaning',
    ]);
  });

  it('shifts a word to the left that has no room on its line', () => {
    expect(fitted('see it: /a/folder/with/a/name', 21).split('\n')).toEqual(['see it:', '/a/folder/with/a/name']);
  });

  it('keeps the codes of colours, which have no width', () => {
    const [red, plain] = ['\u001b[31m', '\u001b[39m'];
    expect(fitted(`${red}one${plain}   two`, 9)).toBe(`${red}one${plain}   two`);
    expect(fitted(`${red}one two three four${plain}`, 16)).toBe(`${red}one two three\n    four${plain}`);
  });
});

const plain = (text: string) => text;
const loud = (text: string) => `<${text}>`;
const lines = (text: string, width: number, hang = 0) => wrapSegments([{ text, style: plain }], width, hang);

describe('line wrapping', () => {
  it('breaks at blanks', () => {
    expect(lines('one two three', 20)).toEqual(['one two three']);
    expect(lines('one two three', 8)).toEqual(['one two', 'three']);
    expect(lines('one two three', 7)).toEqual(['one two', 'three']);
    expect(lines('', 7)).toEqual([]);
  });

  it('later lines are shorter by their hanging indent', () => {
    expect(lines('aaa bbb ccc ddd', 7, 3)).toEqual(['aaa bbb', 'ccc', 'ddd']);
  });

  it('keeps blanks, except those at which a line breaks', () => {
    expect(lines('a   b', 10)).toEqual(['a   b']);
    expect(lines('a     b', 4)).toEqual(['a', 'b']);
  });

  it('cuts a word that is longer than a line', () => {
    expect(lines('abcdefgh', 3)).toEqual(['abc', 'def', 'gh']);
    expect(lines('日本語', 4)).toEqual(['日本', '語']);
  });

  it('styles each run once, across its blanks', () => {
    const segments = [
      { text: 'a ', style: plain },
      { text: 'b c', style: loud },
      { text: ': d', style: plain },
    ];
    expect(wrapSegments(segments, 20)).toEqual(['a <b c>: d']);
    expect(wrapSegments(segments, 3)).toEqual(['a <b>', '<c>:', 'd']);
  });

  it('does not break unbreakable text', () => {
    const segments = [
      { text: 'a ', style: plain },
      { text: 'b c', style: plain, whole: true },
    ];
    expect(wrapSegments(segments, 4)).toEqual(['a', 'b c']);
  });
});

it('counts columns like a terminal', () => {
  expect(['abc', 'äöü', '日本', 'e\u0301', '🙂', '→ ✓'].map(widthOf)).toEqual([3, 3, 4, 1, 2, 3]);
});

it('shortened text ends with …', () => {
  expect(shortened('abcdef', 6)).toBe('abcdef');
  expect(shortened('abcdefg', 6)).toBe('abcde…');
  expect(shortened('日本語', 5)).toBe('日本…');
  expect(shortened('🙂🙂', 3)).toBe('🙂…');
});

describe('a number and its unit', () => {
  it.each([
    ['waits 0.53 s, then', ['waits', '0.53 s,', 'then']],
    ['1,040 bytes (3 ×)', ['1,040 bytes', '(3 ×)']],
    ['in 0 ms', ['in', '0 ms']],
    ['tick 5 so, 5 snapshots', ['tick', '5', 'so,', '5', 'snapshots']],
    ['a  s 7', ['a', '', 's', '7']],
  ])('are one word: %s', (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });

  it('stay in one line', () => {
    expect(fitted('acknowledged after 0.53 s or so', 24)).toBe('acknowledged after\n    0.53 s or so');
    expect(wrapSegments([{ text: 'in 0.53 s', style: (text) => text }], 8)).toEqual(['in', '0.53 s']);
  });
});
