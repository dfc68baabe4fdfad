import { type Code, DecodeError } from './diagnostic.ts';

/** The most levels of lists and objects in JSON. Our own JSON has 6; some engines overflow their stack with many. */
const maxNesting = 64;

/** The longest text that is parsed: its objects take up to 20 times its memory. */
const maxText = 1 << 23;

/**
 * Reads JSON that people write. Its errors have the path of a wrong value, or the place at which the syntax is wrong.
 */
export class JsonReader {
  readonly #code: Code;

  constructor(code: Code) {
    this.#code = code;
  }

  /** Throws an error with the value found at `path` and the expected one, as text. */
  fail(path: string, found: string, expected: string, offset = 0): never {
    throw new DecodeError(this.#code, offset, { path, found: escaped(found), expected });
  }

  /** Throws an error for a value at `path` that is not what was expected. */
  reject(path: string, value: unknown, expected: string, offset = 0): never {
    return this.fail(path, shortText(value), expected, offset);
  }

  parse(text: string): unknown {
    if (text.length > maxText) this.fail('', `${text.length} characters`, `at most ${maxText}`);
    const tooDeep = tooDeepAt(text);
    if (tooDeep !== undefined) {
      this.fail(lineAt(text, tooDeep), 'lists in lists in lists', `at most ${maxNesting} levels`, tooDeep);
    }
    try {
      return JSON.parse(text);
    } catch (error) {
      const offset = syntaxOffset(text, String(error));
      return this.fail(offset > 0 ? lineAt(text, offset) : '', 'broken syntax', 'JSON', offset);
    }
  }

  list(value: unknown, path: string): readonly unknown[] {
    return Array.isArray(value) ? value : this.reject(path, value, 'a list');
  }

  integer(value: unknown, path: string, min: number, max: number): number {
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    return this.reject(path, value, `a whole number from ${min} to ${max}`);
  }
}

export function lineAt(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${before.at(-1)!.length + 1}`;
}

/** A value in a few characters, however long or deeply nested it is. */
function shortText(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value);
}

/** Escapes what a terminal would obey or hide. */
const escaped = (text: string) =>
  text.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The offset of a syntax error: some engines report the position, others the token with its surroundings. */
function syntaxOffset(text: string, message: string): number {
  const position = /position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  const found = /Unexpected token '(.)', (?:\.\.\.)?"([\s\S]*?)"(?:\.\.\.)? is not valid JSON/u.exec(message);
  const [, token = '', around = ''] = found ?? [];
  const start = found ? text.indexOf(around) : -1;
  return start < 0 ? text.length : start + Math.max(0, around.indexOf(token));
}

/** The offset where JSON is nested too deep, undefined if it is not. Invalid JSON is accepted. */
function tooDeepAt(text: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = stringEnd(text, at);
    else if (char === '{' || char === '[') {
      if (++depth > maxNesting) return at;
    } else if (char === '}' || char === ']') depth--;
  }
  return undefined;
}

/** The offset of the closing quotation mark; the end of the text if there is none. */
export function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
