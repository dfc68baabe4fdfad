import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeText, pathText, quote, shellWord } from '../../../src/output/text/escape.ts';
import { anyText } from '../../support/any-text.ts';
import { execFileSync } from '../../support/host.ts';

/** Control characters, direction marks, zero-width characters, line ends, lone surrogates. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const char = String.fromCodePoint;

describe('escaped', () => {
  it.each([
    ['', ''],
    ['brownbear', 'brownbear'],
    ['Zoë 熊 🐻 (1)', 'Zoë 熊 🐻 (1)'],
    ['say "hi"', 'say "hi"'],
    ['back\\slash', 'back\\\\slash'],
    ['two\nlines\r\n', 'two\\nlines\\r\\n'],
    ['tab\t', 'tab\\t'],
    ['\0', '\\u{0}'],
    [`${char(0x1b)}[31mred${char(0x1b)}[0m`, '\\u{1b}[31mred\\u{1b}[0m'],
    [`${char(0x1b)}]0;title${char(7)}`, '\\u{1b}]0;title\\u{7}'],
    [`${char(0x9b)}2J`, '\\u{9b}2J'],
    [char(0x7f), '\\u{7f}'],
    [char(0x202e), '\\u{202e}'],
    [char(0x2066), '\\u{2066}'],
    [char(0x200b), '\\u{200b}'],
    [char(0xfeff), '\\u{feff}'],
    [char(0x2028), '\\u{2028}'],
    [char(0xe0001), '\\u{e0001}'],
    [char(0xd800), '\\u{d800}'],
    // Fillers and joiners that are not format characters and have no width.
    [char(0x3164), '\\u{3164}'],
    [char(0x34f), '\\u{34f}'],
    [char(0xfe0f), '\\u{fe0f}'],
    ['👨\u200d👩', '👨\\u{200d}👩'],
  ])('%j', (text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
    expect(quote(text)).toBe(`"${escaped.replaceAll('"', '\\"')}"`);
  });
});

describe('any text', () => {
  const text = fc.oneof(
    anyText,
    fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
    fc.array(fc.constantFrom('\\', 'u', '{', '}', '"', '9', 'n', char(0x1b), char(0x202e))).map((all) => all.join('')),
  );

  it('hides nothing', () => {
    fc.assert(
      fc.property(text, (text) => {
        expect(escapeText(text)).not.toMatch(hidden);
      }),
      { numRuns: 500 },
    );
  });

  it('can be distinguished from any other', () => {
    const letters: Record<string, string> = { n: '\n', r: '\r', t: '\t' };
    const back = (escaped: string) =>
      escaped.replace(/\\(?:u\{([0-9a-f]+)\}|x([89a-f][0-9a-f])|(.))/gu, (_, hex, byte, letter) => {
        if (byte !== undefined) return char(0xdc00 + Number.parseInt(byte, 16));
        return hex === undefined ? (letters[letter] ?? letter) : char(Number.parseInt(hex, 16));
      });
    fc.assert(
      fc.property(text, (text) => {
        expect(back(escapeText(text))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the name of a file', () => {
  it.each([
    ['samples\\vanilla-dm1.demo', 'samples\\vanilla-dm1.demo'],
    ['C:\\Users\\Jörg\\new.demo', 'C:\\Users\\Jörg\\new.demo'],
    ['a\nb\\c.demo', 'a\\nb\\\\c.demo'],
    ['::error file=a::x.demo', './::error file=a::x.demo'],
    ['\u202edemo', '\\u{202e}demo'],
  ])('%j', (path, text) => expect(pathText(path)).toBe(text));
});

describe('a word of a command to copy', () => {
  it.each([
    ['samples/dm1.demo@0:30', 'samples/dm1.demo@0:30'],
    // As sh, cmd and PowerShell read it.
    ['my demos/dm1.demo', '"my demos/dm1.demo"'],
    ['C:\\demos\\dm1.demo', '"C:\\demos\\dm1.demo"'],
    ["it's", '"it\'s"'],
    // What sh changes within double quotes.
    ['$HOME/a', "'$HOME/a'"],
    ['a"b', "'a\"b'"],
    ["it's $5", "'it'\\''s $5'"],
    ['a\\\\b', "'a\\\\b'"],
    ['', '""'],
  ])('%j', (word, text) => {
    expect(shellWord(word)).toBe(text);
    expect(execFileSync('sh', ['-c', `printf %s ${text}`], { encoding: 'utf8' })).toBe(word);
  });
});
