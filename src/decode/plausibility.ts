import type { Field } from '../protocol/item.ts';
import { type Meaning, plausibleBoundsOf } from '../protocol/meaning.ts';
import { Delta } from '../snapshot/delta.ts';
import { firstLocalType, uuidInts } from '../snapshot/key.ts';
import type { Payload } from './payload.ts';

/** The penalty of each flaw of a reading. A clean reading has 0, one that uses none of its ints about 100. */
const cost = {
  unclaimed: 100,
  /** The input ends early: this is common, and everything before may be right. */
  cut: 30,
  /** The games refuse it. */
  refused: 150,
  warning: 25,
  empty: 20,
  onlyRemoved: 5,
  unknownItem: 10,
  badRegistration: 20,
  badId: 10,
  unregistered: 2,
  implausibleValue: 8,
  /** Bytes of 0.5 are rare today. */
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

/** A reading with at least this penalty is not accepted. */
export const implausible = 150;

/** How implausible a reading is; readings of the same bytes are compared by it. */
export function penaltyOf(payload: Payload): number {
  const { body, types, diagnostics, layers } = payload;
  const { error, warnings } = diagnostics;
  const isDelta = body instanceof Delta;
  let penalty = types.protocol.version === '0.5' ? cost.oldProtocol : 0;
  if (error) penalty += cutCodes.has(error.code) ? cost.cut : cost.refused;
  penalty += cost.warning * warnings.filter(({ code }) => code !== 'missing_registration').length;
  if (body.count === 0) penalty += isDelta && body.removedCount > 0 ? cost.onlyRemoved : cost.empty;

  let claimed = isDelta ? 3 + body.removedCount : 2 + body.count;
  for (let i = 0; i < body.count; i++) {
    const number = body.type(i);
    const type = types.of(number);
    const ints = body.item(i);
    const isRegistration = number === 0 && body.id(i) >= firstLocalType;
    if (number === 0 && (!isRegistration || ints.length !== uuidInts)) penalty += cost.badRegistration;
    if (number !== 0 && body.id(i) >= firstLocalType) penalty += cost.badId;
    if (type) penalty += cost.implausibleValue * countImplausible(ints, type.fields, isDelta);
    else if (number < firstLocalType) penalty += cost.unknownItem;
    else if (types.uuidOf(number) === undefined) penalty += isDelta ? cost.unregistered : cost.unknownItem;
    if (type || number >= firstLocalType) claimed += ints.length + (isDelta ? body.starts[i]! - body.start(i) : 1);
  }
  if (isDelta) {
    for (let i = 0; i < body.removedCount; i++) {
      const number = body.removedKey(i) >> 16;
      if (number < firstLocalType && !types.of(number)) penalty += cost.unknownItem;
    }
  }
  const length = Math.max(1, layers.ints.length);
  return penalty + (cost.unclaimed * Math.max(0, length - claimed)) / length;
}

/** The number of values of an item that are out of plausible bounds. */
export function countImplausible(ints: Int32Array, fields: readonly Field[], differences: boolean): number {
  let penalty = 0;
  for (const { meaning, at, ints: count } of fields) {
    for (let i = at; i < Math.min(at + count, ints.length); i++) {
      if (isImplausible(ints[i]!, meaning, differences)) penalty++;
    }
  }
  return penalty;
}

/** Whether a value is out of plausible bounds. A difference in a delta can be as large as the whole range, in either direction. */
function isImplausible(value: number, meaning: Meaning, mayBeDifference: boolean): boolean {
  const bounds = plausibleBoundsOf(meaning);
  if (!bounds || (value >= bounds.min && value <= bounds.max)) return false;
  return !mayBeDifference || Math.abs(value) > bounds.max - bounds.min;
}
