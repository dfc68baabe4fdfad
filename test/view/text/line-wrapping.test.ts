import { describe, expect, it } from 'vitest';
import { columnsOf, shortened, wrapSegments } from '../../../src/view/text/line-wrapping.ts';

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
  expect(['abc', 'äöü', '日本', 'e\u0301', '🙂', '→ ✓'].map(columnsOf)).toEqual([3, 3, 4, 1, 2, 3]);
});

it('shortened text ends with …', () => {
  expect(shortened('abcdef', 6)).toBe('abcdef');
  expect(shortened('abcdefg', 6)).toBe('abcde…');
  expect(shortened('日本語', 5)).toBe('日本…');
  expect(shortened('🙂🙂', 3)).toBe('🙂…');
});
