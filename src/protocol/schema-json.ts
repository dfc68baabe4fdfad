import { DecodeError } from '../bytes/diagnostic.ts';
import { nestingLimit, tooDeepAt } from '../bytes/nesting.ts';

/** A name in a schema: it needs no quotes in a table, in JSON or in `name=value`. */
const namePattern = /^[a-z][a-z0-9_]{0,63}$/;

/** Throws an error with the value found at `path` and the expected one, as text. */
export function fail(path: string, found: string, expected: string, offset = 0): never {
  throw new DecodeError('bad_schema', offset, { path, found: escaped(found), expected });
}

/** Throws an error for a value at `path` that is not what was expected. */
export function rejectValue(path: string, value: unknown, expected: string, offset = 0): never {
  return fail(path, shortText(value), expected, offset);
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function entriesAt(value: unknown, path: string): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : rejectValue(path, value, 'an object');
}

/** An object with some of these keys and no others. */
export function objectAt<Key extends string>(value: unknown, path: string, keys: readonly Key[]) {
  const unknown = entriesAt(value, path).find(([key]) => !keys.includes(key as Key));
  if (unknown) rejectValue(path, unknown[0], `nothing but ${keys.join(', ')}`);
  return value as Readonly<Partial<Record<Key, unknown>>>;
}

export function listAt(value: unknown, path: string): readonly unknown[] {
  return Array.isArray(value) ? value : rejectValue(path, value, 'a list');
}

export function integerAt(value: unknown, path: string, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  return rejectValue(path, value, `a whole number from ${min} to ${max}`);
}

export function booleanAt(value: unknown, path: string): boolean {
  return typeof value === 'boolean' ? value : rejectValue(path, value, 'true or false');
}

export function nameAt(value: unknown, path: string): string {
  return textAt(value, path, namePattern, 'a name of a-z, 0-9 and _, a letter first');
}

export function textAt(value: unknown, path: string, pattern: RegExp, expected: string): string {
  return typeof value === 'string' && pattern.test(value) ? value : rejectValue(path, value, expected);
}

/** A value in a few characters, however long or deeply nested it is. */
function shortText(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value);
}

/** Escapes what a terminal would obey or hide. */
function escaped(text: string): string {
  return text.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Parses JSON written by people: an error names the line, and a repeated key is an error. */
export function parseJson(text: string): unknown {
  const tooDeep = tooDeepAt(text);
  if (tooDeep !== undefined) fail(lineAt(text, tooDeep), 'a list in a list in a list…', nestingLimit, tooDeep);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const known = /position (\d+)/.exec(message)?.[1];
    const offset = known === undefined ? (message.includes('end of JSON') ? text.length : 0) : Number(known);
    fail(
      offset > 0 ? lineAt(text, offset) : '',
      message.replace(/ in JSON at.*| is not valid JSON/, ''),
      'JSON',
      offset,
    );
  }
  refuseRepeatedKeys(text);
  return json;
}

/** JSON.parse keeps only the last of equal keys: a field would be lost, and the offsets of those after it would be wrong. */
function refuseRepeatedKeys(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '{') open.push(new Set());
    else if (char === '[') open.push(undefined);
    else if (char === '}' || char === ']') open.pop();
    if (char !== '"') continue;
    const start = at++;
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    let next = at + 1;
    while (' \t\r\n'.includes(text[next] ?? '.')) next++;
    if (text[next] !== ':') continue;
    const key: string = JSON.parse(text.slice(start, at + 1));
    const keys = open.at(-1);
    if (keys?.has(key)) rejectValue(lineAt(text, start), key, 'each key once', start);
    keys?.add(key);
  }
}

function lineAt(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${before.at(-1)!.length + 1}`;
}
