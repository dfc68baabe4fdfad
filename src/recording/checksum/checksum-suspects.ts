import { valuesUpTo } from '../../annotate/values.ts';
import { checkRegistrations, checkRepeats } from '../../decode/checks.ts';
import type { ItemType } from '../../protocol/item.ts';
import { type ValueBounds, valueBoundsOf } from '../../protocol/value-bounds.ts';
import type { Delta } from '../../snapshot/delta.ts';
import type { ItemTypes } from '../../snapshot/item-types.ts';
import { idOf, typeOf } from '../../snapshot/key.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/** A snapshot whose checksum is not the announced one. */
export interface Mismatch {
  readonly before: Snapshot;
  readonly delta: Delta;
  readonly snapshot: Snapshot;
  readonly crc: number;
  readonly expected: number;
}

/** The reason why an item is suspect. */
export type Evidence =
  /** It has `found` ints instead of the usual `expected`. */
  | { readonly reason: 'size'; readonly found: number; readonly expected: number }
  | { readonly reason: 'twice_in_delta' }
  | { readonly reason: 'twice_in_base' }
  | { readonly reason: 'unregistered' }
  /** A field has a value that the games do not accept. */
  | { readonly reason: 'value'; readonly field: string; readonly value: number; readonly bounds: ValueBounds }
  /** The checksums agree without this item, which stayed, or with this item, which was removed. */
  | { readonly reason: 'stayed' | 'removed' }
  /** The checksums agree without this new item, without its update, or with the update applied twice; for all fields or one. */
  | { readonly reason: 'added' | 'updated' | 'updated_once'; readonly field?: string; readonly step?: number };

/** An item that may be the cause. */
export type Suspect = Evidence & {
  readonly type: number;
  readonly id: number;
  readonly name: string | undefined;
  readonly likely: boolean;
};

/** Smaller differences often equal some ints by chance. */
const smallDifference = 16;

/** More suspects with the same reason are no evidence: only some are listed, as possible. */
const maxOfAKind = 4;

/** The rebuilt checksum minus the announced one, wrapping. */
export const excessOf = ({ crc, expected }: Pick<Mismatch, 'crc' | 'expected'>): number => (crc - expected) | 0;

/** The items that may have caused a mismatch, the likely ones first. */
export function suspectsOf(mismatch: Mismatch, types: ItemTypes): Suspect[] {
  const isSignificant = Math.abs(excessOf(mismatch)) >= smallDifference;
  const found: Suspect[] = [];
  const add = (key: number, reason: Evidence, likely: boolean) => {
    const [type, id] = [typeOf(key), idOf(key)];
    const isKnown = found.some(
      (one) => one.type === type && one.id === id && one.reason === reason.reason && !('field' in reason),
    );
    if (!isKnown) found.push({ ...reason, type, id, name: types.of(type)?.name, likely });
  };
  addInvalidItems(mismatch, types, add);
  addExactItems(mismatch, types, (key, reason) => add(key, reason, isSignificant));
  const listed = [...new Set(found.map(({ reason }) => reason))].flatMap((reason) => {
    const kind = found.filter((one) => one.reason === reason);
    return kind.length <= maxOfAKind ? kind : kind.slice(0, maxOfAKind).map((one) => ({ ...one, likely: false }));
  });
  return [...listed.filter(({ likely }) => likely), ...listed.filter(({ likely }) => !likely)];
}

type Add = (key: number, reason: Evidence, likely: boolean) => void;

/** Adds items that are invalid by themselves. */
function addInvalidItems({ before, delta, snapshot }: Mismatch, types: ItemTypes, add: Add): void {
  for (let i = 0; i < delta.count; i++) {
    const expected = types.of(delta.type(i))?.size;
    const found = delta.sizes[i]!;
    // Extended items grow from version to version.
    const hasUnusualSize = expected !== undefined && found !== expected && !types.isLocal(delta.type(i));
    if (hasUnusualSize) add(delta.keys[i]!, { reason: 'size', found, expected }, true);
  }
  const keyOfInt = ({ type, id }: Readonly<Record<string, unknown>>) => (Number(type) << 16) | Number(id);
  checkRepeats(delta, (_, __, args = {}) => add(keyOfInt(args), { reason: 'twice_in_delta' }, true));
  checkRepeats(before, (_, __, args = {}) => add(keyOfInt(args), { reason: 'twice_in_base' }, false));
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    const [was, is] = [before.findKey(key), snapshot.findKey(key)];
    if (is >= 0) addInvalidValues(key, was < 0 ? undefined : before.item(was), snapshot.item(is), types, add);
  }
  checkRegistrations(snapshot, types, (code, _, { type = 0 } = {}) => {
    if (code === 'missing_registration') add(Number(type) << 16, { reason: 'unregistered' }, false);
  });
}

/** Adds fields to which the update has given a value that the games do not accept. */
function addInvalidValues(key: number, was: Int32Array | undefined, is: Int32Array, types: ItemTypes, add: Add): void {
  for (const { label, meaning, at } of valuesUpTo(types.of(typeOf(key)), is.length)) {
    const value = is[at]!;
    const bounds = valueBoundsOf(meaning);
    if (!bounds || was?.[at] === value) continue;
    const isOutside = value < bounds.min || value > bounds.max;
    if (isOutside) add(key, { reason: 'value', field: label, value, bounds }, true);
  }
}

/** Adds items whose ints equal the difference of the checksums. */
function addExactItems(mismatch: Mismatch, types: ItemTypes, add: (key: number, reason: Evidence) => void): void {
  const { before, delta, snapshot } = mismatch;
  const excess = excessOf(mismatch);
  const updated = new Set<number>();
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    updated.add(key);
    for (const reason of exactUpdate(delta.item(i), before.findKey(key) < 0, excess, types.of(typeOf(key))))
      add(key, reason);
  }
  for (let i = 0; i < before.count; i++) {
    const key = before.keys[i]!;
    if (updated.has(key)) continue;
    const sum = sumOf(before.item(i));
    const stayed = snapshot.findKey(key) >= 0;
    if (stayed && sum === excess) add(key, { reason: 'stayed' });
    else if (!stayed && sum === (-excess | 0)) add(key, { reason: 'removed' });
  }
}

/** The parts of an update that equal the difference: single fields, or all of them together. */
function exactUpdate(ints: Int32Array, isNew: boolean, excess: number, type: ItemType | undefined): Evidence[] {
  const reasonOf = (step: number) => {
    if (step === excess) return isNew ? 'added' : 'updated';
    return step === (-excess | 0) && !isNew ? 'updated_once' : undefined;
  };
  const fields = [...valuesUpTo(type, ints.length)].flatMap(({ label: field, at, ints: size }): Evidence[] => {
    const step = sumOf(ints.subarray(at, at + size));
    const reason = reasonOf(step);
    return reason ? [{ reason, field, step }] : [];
  });
  const reason = reasonOf(sumOf(ints));
  return fields.length === 0 && reason ? [{ reason }] : fields;
}

function sumOf(ints: Int32Array): number {
  let sum = 0;
  for (const int of ints) sum = (sum + int) | 0;
  return sum;
}
