import { DecodeError } from '../bytes/diagnostic.ts';

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
