import { describe, expect, it } from 'vitest';
import { fitLines } from '../../../src/view/text/fit-lines.ts';

const fitted = (text: string, width: number) => fitLines(text, width).split('\n');

describe('text fitted to the width of a terminal', () => {
  it('is unchanged if it fits', () => {
    const text = '  a     b\n  cc    d\n';
    expect(fitLines(text, 9)).toBe(text);
  });

  it('has narrower gaps between its columns, in all lines alike', () => {
    expect(fitted('a     b     c\nd     e     f', 7)).toEqual(['a  b  c', 'd  e  f']);
  });

  it('continues below its last column', () => {
    expect(fitted('field   what the field of this item means', 30)).toEqual([
      'field  what the field of this',
      '       item means',
    ]);
  });

  it('continues indented if the last column is too narrow', () => {
    expect(fitted('  a field with a long name   its meaning', 24)).toEqual([
      '  a field with a long',
      '      name  its meaning',
    ]);
  });

  it('does not change other paragraphs', () => {
    expect(fitted('a     b\n\nc     d     e', 8).slice(0, 3)).toEqual(['a     b', '', 'c  d  e']);
  });

  it('keeps colour codes, which do not count as width', () => {
    const [red, plain] = ['\u001b[31m', '\u001b[39m'];
    expect(fitLines(`${red}one${plain}   two`, 9)).toBe(`${red}one${plain}   two`);
    expect(fitted(`${red}one${plain}     ${red}two three${plain}`, 14)).toEqual([
      `${red}one${plain}  ${red}two three${plain}`,
    ]);
  });
});
