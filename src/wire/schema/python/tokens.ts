/** Syntax at which nothing more can be read: a text or a bracket that has no end. */
export class SyntaxProblem extends Error {
  readonly line: number;
  readonly expected: string;

  /** @param found what is there, or for a note the whole sentence */
  constructor(line: number, found: string, expected = '') {
    super(found);
    this.line = line;
    this.expected = expected;
  }
}

/** A part of an expression that is not read. It ends at the comma or bracket of its list. */
export class Unreadable extends SyntaxProblem {}

export interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'sign' | 'newline' | 'end';
  readonly text: string;
  readonly line: number;
  /** Whether it is the first of an indented line. */
  readonly isIndented?: boolean;
  /** Of a text: whether `{…}` in it are expressions. */
  readonly isTemplate?: boolean;
}

const quoted = /([rRbBuUfF]{0,2})('''|"""|'|")/uy;
const word = /[\p{L}_][\p{L}\p{N}_]*(?:::[\p{L}_][\p{L}\p{N}_]*)*/uy;
const digits = /(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)[uUlL]*/uy;
const sign = /\*\*=?|\/\/=?|<<=?|>>=?|->|:=|[-+*/%&|^=!<>]=|<>|[-+*/%@&|^~=<>()[\]{},:.;!?]/uy;
export const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Splits text into tokens. A line end inside brackets is none, as in Python. */
export function tokensOf(text: string, firstLine = 1): readonly Token[] {
  const tokens: Token[] = [];
  const open: Token[] = [];
  let line = firstLine;
  let isLineStart = true;
  let isIndented = false;
  const add = (token: Token) => {
    tokens.push(isLineStart && isIndented ? { ...token, isIndented } : token);
    isLineStart = false;
  };
  const at = (pattern: RegExp, offset: number) => {
    pattern.lastIndex = offset;
    return pattern.exec(text);
  };
  for (let offset = 0; offset < text.length; ) {
    const char = text[offset]!;
    if (char === '\n') {
      if (open.length === 0 && !isLineStart) tokens.push({ kind: 'newline', text: '', line });
      if (open.length === 0) [isLineStart, isIndented] = [true, false];
      line++;
      offset++;
    } else if (/[\s\ufeff]/.test(char)) {
      if (isLineStart && char !== '\ufeff') isIndented = true;
      offset++;
    } else if (char === '\\' && text[offset + 1] === '\n') {
      line++;
      offset += 2;
    } else if (char === '#') {
      const end = text.indexOf('\n', offset);
      offset = end < 0 ? text.length : end;
    } else {
      const quote = at(quoted, offset);
      const found = quote ?? at(word, offset) ?? at(digits, offset) ?? at(sign, offset);
      if (!found) throw new SyntaxProblem(line, JSON.stringify(char), 'a name, number, text or sign');
      if (quote) {
        const [begin, prefix, mark] = quote as unknown as [string, string, string];
        const { value, end } = textAt(text, offset + begin.length, mark, /r/i.test(prefix), line);
        add({ kind: 'text', text: value, line, isTemplate: /f/i.test(prefix) });
        line += text.slice(offset, end).split('\n').length - 1;
        offset = end;
        continue;
      }
      const [name] = found;
      const kind = /^[\p{L}_]/u.test(name) ? 'name' : /^\d/.test(name) ? 'number' : 'sign';
      const token = { kind, text: name, line } as const;
      add(token);
      if (kind === 'sign' && name in closing) open.push(token);
      else if (kind === 'sign' && /^[)\]}]$/.test(name)) {
        const begun = open.pop();
        if (!begun) throw new SyntaxProblem(line, `'${name}'`, 'a bracket that it closes');
        if (closing[begun.text] !== name)
          throw new SyntaxProblem(
            line,
            `'${name}'`,
            `'${closing[begun.text]}' for the '${begun.text}' of line ${begun.line}`,
          );
      }
      offset += name.length;
    }
  }
  const [first] = open;
  if (first) throw new SyntaxProblem(first.line, `'${first.text}' that is never closed`, `'${closing[first.text]}'`);
  if (!isLineStart) tokens.push({ kind: 'newline', text: '', line });
  tokens.push({ kind: 'end', text: '', line });
  return tokens;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\n': '', a: '\x07', b: '\b', f: '\f' };

/** The text from after its opening quotation mark on. */
function textAt(text: string, start: number, mark: string, isRaw: boolean, line: number) {
  let value = '';
  for (let at = start; at < text.length; ) {
    if (text.startsWith(mark, at)) return { value, end: at + mark.length };
    if (text[at] === '\n' && mark.length === 1) break;
    if (text[at] !== '\\') value += text[at++];
    else if (isRaw) {
      value += text.slice(at, at + 2);
      at += 2;
    } else {
      const number = /^\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4}))/.exec(text.slice(at, at + 6));
      const next = text[at + 1] ?? '';
      if (number) value += String.fromCharCode(Number.parseInt((number[1] ?? number[2])!, 16));
      else value += escapes[next] ?? (/['"\\]/.test(next) ? next : `\\${next}`);
      at += number ? number[0].length : 2;
    }
  }
  throw new SyntaxProblem(line, 'a text without its end', mark);
}
