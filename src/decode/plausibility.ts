import type { Field } from '../protocol/item.ts';
import type { Meaning } from '../protocol/meaning.ts';
import { plausibleBoundsOf } from '../protocol/value-bounds.ts';
import { Delta } from '../snapshot/delta.ts';
import { firstLocalType, uuidInts } from '../snapshot/key.ts';
import type { Payload } from './payload.ts';

/** What each oddity of a reading costs; a clean reading costs 0, one that claims none of its ints about 100. */
const cost = {
  unclaimed: 100,
  /** The input ends early: common enough, and all before it may be right. */
  cut: 30,
  /** The games refuse it. */
  refused: 150,
  warning: 25,
  empty: 20,
  onlyRemoved: 5,
  unknownItem: 10,
  oddRegistration: 20,
  oddId: 10,
  unregistered: 2,
  oddValue: 8,
  /** Hardly anybody has such bytes any more. */
  oldProtocol: 3,
} as const;

export const cutCodes: ReadonlySet<string> = new Set([
  'huffman_no_eof',
  'truncated_varint',
  'ints_not_aligned',
  'truncated_delta',
  'truncated_snapshot',
  'input_too_large',
]);

/** Readings above this make no sense. */
export const implausible = 150;

/** How little a reading makes sense. Readings of the same bytes compare by it. */
export function penaltyOf(payload: Payload): number {
  const { body, types, diagnostics, layers } = payload;
  const { error, warnings } = diagnostics;
  const isDelta = body instanceof Delta;
  let odd = types.protocol.version === '0.5' ? cost.oldProtocol : 0;
  if (error) odd += cutCodes.has(error.code) ? cost.cut : cost.refused;
  odd += cost.warning * warnings.filter(({ code }) => code !== 'missing_registration').length;
  if (body.count === 0) odd += isDelta && body.removedCount > 0 ? cost.onlyRemoved : cost.empty;

  let claimed = isDelta ? 3 + body.removedCount : 2 + body.count;
  for (let i = 0; i < body.count; i++) {
    const number = body.type(i);
    const type = types.of(number);
    const ints = body.item(i);
    const isRegistration = number === 0 && body.id(i) >= firstLocalType;
    if (number === 0 && (!isRegistration || ints.length !== uuidInts)) odd += cost.oddRegistration;
    if (number !== 0 && body.id(i) >= firstLocalType) odd += cost.oddId;
    if (type) odd += cost.oddValue * countImplausible(ints, type.fields, isDelta);
    else if (number < firstLocalType) odd += cost.unknownItem;
    else if (types.uuidOf(number) === undefined) odd += isDelta ? cost.unregistered : cost.unknownItem;
    if (type || number >= firstLocalType) claimed += ints.length + (isDelta ? body.starts[i]! - body.start(i) : 1);
  }
  if (isDelta) {
    for (let i = 0; i < body.removedCount; i++) {
      const number = body.removedKey(i) >> 16;
      if (number < firstLocalType && !types.of(number)) odd += cost.unknownItem;
    }
  }
  const length = Math.max(1, layers.ints.length);
  return odd + (cost.unclaimed * Math.max(0, length - claimed)) / length;
}

/** How many values of an item are far from plausible. */
export function countImplausible(ints: Int32Array, fields: readonly Field[], differences: boolean): number {
  let odd = 0;
  for (const { meaning, at, ints: count } of fields) {
    for (let i = at; i < Math.min(at + count, ints.length); i++) {
      if (isOdd(ints[i]!, meaning, differences)) odd++;
    }
  }
  return odd;
}

/** Whether a value is far from plausible. A delta may contain differences, which reach twice as far and below zero. */
function isOdd(value: number, meaning: Meaning, mayBeDifference: boolean): boolean {
  const bounds = plausibleBoundsOf(meaning);
  if (!bounds || (value >= bounds.min && value <= bounds.max)) return false;
  return !mayBeDifference || Math.abs(value) > bounds.max - bounds.min;
}
