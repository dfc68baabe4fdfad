import { DecodeError } from '../bytes/diagnostic.ts';

/** A name in a schema: one that stands in a table, in JSON and in `name=value` without quotes. */
const namePattern = /^[a-z][a-z0-9_]{0,63}$/;

/** Says in words what stands at `path`, and what should. */
export function fail(path: string, found: string, expected: string, offset = 0): never {
  throw new DecodeError('bad_schema', offset, { path, found: plain(found), expected });
}

/** Says that `value` stands at `path` where `expected` should. */
export function wrong(path: string, value: unknown, expected: string, offset = 0): never {
  return fail(path, brief(value), expected, offset);
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function entriesOf(value: unknown, path: string): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : wrong(path, value, 'an object');
}

/** An object that may have these keys, and no others. */
export function objectOf<Key extends string>(value: unknown, path: string, keys: readonly Key[]) {
  const odd = entriesOf(value, path).find(([key]) => !keys.includes(key as Key));
  if (odd) wrong(path, odd[0], `nothing but ${keys.join(', ')}`);
  return value as Readonly<Partial<Record<Key, unknown>>>;
}

export function listOf(value: unknown, path: string): readonly unknown[] {
  return Array.isArray(value) ? value : wrong(path, value, 'a list');
}

export function whole(value: unknown, path: string, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  return wrong(path, value, `a whole number from ${min} to ${max}`);
}

export function nameOf(value: unknown, path: string): string {
  return matching(value, path, namePattern, 'a name of a-z, 0-9 and _, a letter first');
}

export function matching(value: unknown, path: string, pattern: RegExp, expected: string): string {
  return typeof value === 'string' && pattern.test(value) ? value : wrong(path, value, expected);
}

/** A value in a few characters, however long or deep it is. */
function brief(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value);
}

/** Nothing in it that a terminal obeys or hides. */
function plain(text: string): string {
  return text.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
