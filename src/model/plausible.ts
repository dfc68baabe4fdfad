import type { Field } from '../protocol/item.ts';
import type { Meaning } from '../protocol/meaning.ts';
import { Delta } from './delta.ts';
import { firstLocalType } from './key.ts';
import type { Payload } from './payload.ts';

/**
 * How little a reading makes sense: 0 is a clean one. Readings of the same bytes compare by it.
 * An error outweighs all else, and then what was read before it; then warnings, unknown items, values that no game sends.
 */
export function oddity(payload: Payload): number {
  const { body, types, findings, layers } = payload;
  let odd = 40 * findings.warnings.filter((warning) => warning.code !== 'missing_registration').length;
  if (body.count === 0) odd += body instanceof Delta && body.removedCount > 0 ? 5 : 20;
  for (let i = 0; i < body.count; i++) {
    const number = body.type(i);
    const type = types.of(number);
    if (number !== 0 && body.id(i) >= firstLocalType) odd += 10;
    if (type) odd += oddValues(body.item(i), type.fields, body instanceof Delta);
    else if (number < firstLocalType) odd += 30;
    else if (types.uuidOf(number) === undefined) odd += body instanceof Delta ? 4 : 20;
    else odd += 2;
  }
  if (body instanceof Delta) {
    for (let i = 0; i < body.removedCount; i++) {
      const number = body.removedKey(i) >> 16;
      if (number < 0 || (number < firstLocalType && !types.of(number))) odd += 30;
    }
  }
  if (!findings.error) return odd;
  return 1e9 - Math.min(1e8, 1e5 * body.count + 1e3 * layers.ints.length) / (1 + layers.bytes.length) + odd;
}

function oddValues(ints: Int32Array, fields: readonly Field[], differences: boolean): number {
  let odd = 0;
  for (const { meaning, at, ints: count } of fields) {
    for (let i = at; i < Math.min(at + count, ints.length); i++) {
      if (isOdd(ints[i]!, meaning, differences)) odd += 8;
    }
  }
  return odd;
}

/** Far outside of what the games accept; a delta may hold differences, which reach twice as far and below zero. */
function isOdd(value: number, meaning: Meaning, difference: boolean): boolean {
  const within = (min: number, max: number) =>
    difference ? Math.abs(value) > max - min && (value < min || value > max) : value < min || value > max;
  switch (meaning.kind) {
    case 'int':
    case 'amount':
      return within(meaning.min ?? -(2 ** 31), meaning.max ?? 2 ** 31 - 1);
    case 'boolean':
      return within(0, 1);
    case 'enum': {
      const values = Object.keys(meaning.names).map(Number);
      return within(Math.min(...values), Math.max(...values));
    }
    case 'client':
      return within(meaning.min, 127);
    case 'tick':
      return within(-1, 2 ** 31 - 1);
    case 'position':
      return within(-(2 ** 22) * meaning.scale, 2 ** 22 * meaning.scale);
    default:
      return false;
  }
}
