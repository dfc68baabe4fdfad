import { valuesUpTo } from '../../annotate/values.ts';
import { checkRegistrations, checkRepeats } from '../../decode/checks.ts';
import type { ItemType } from '../../protocol/item.ts';
import { type ValueBounds, valueBoundsOf } from '../../protocol/value-bounds.ts';
import type { Delta } from '../../snapshot/delta.ts';
import type { ItemTypes } from '../../snapshot/item-types.ts';
import { idOf, typeOf } from '../../snapshot/key.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

/** A snapshot whose sum is not the announced one. */
export interface Mismatch {
  readonly before: Snapshot;
  readonly delta: Delta;
  readonly snapshot: Snapshot;
  readonly crc: number;
  readonly expected: number;
}

/** What makes an item suspect. */
export type Evidence =
  /** It came with `found` ints, `expected` are usual. */
  | { readonly ground: 'size'; readonly found: number; readonly expected: number }
  | { readonly ground: 'twice_in_delta' }
  | { readonly ground: 'twice_in_base' }
  | { readonly ground: 'unregistered' }
  /** A field became what the games don't accept. */
  | { readonly ground: 'value'; readonly field: string; readonly value: number; readonly limits: ValueBounds }
  /** The sums agree without this one, which stayed; with this one, which was removed. */
  | { readonly ground: 'stayed' | 'removed' }
  /** The sums agree without this new item; without its update, or with that made twice: of all fields, or of this alone. */
  | { readonly ground: 'added' | 'updated' | 'updated_once'; readonly field?: string; readonly step?: number };

/** An item that can be the reason. */
export type Suspect = Evidence & {
  readonly type: number;
  readonly id: number;
  readonly name: string | undefined;
  readonly likely: boolean;
};

/** Below this, ints that make exactly the difference are often there by chance. */
const smallDifference = 16;

/** More grounds of one kind say nothing: only some are told, as possible. */
const maxOfAKind = 4;

/** By how much the rebuilt sum is larger than the announced one, wrapping. */
export const excessOf = ({ crc, expected }: Pick<Mismatch, 'crc' | 'expected'>): number => (crc - expected) | 0;

/** The items that can be the reason why a sum is not the announced one, the likely ones first. */
export function suspectsOf(mismatch: Mismatch, types: ItemTypes): Suspect[] {
  const isTelling = Math.abs(excessOf(mismatch)) >= smallDifference;
  const found: Suspect[] = [];
  const add = (key: number, ground: Evidence, likely: boolean) => {
    const [type, id] = [typeOf(key), idOf(key)];
    const isKnown = found.some(
      (one) => one.type === type && one.id === id && one.ground === ground.ground && !('field' in ground),
    );
    if (!isKnown) found.push({ ...ground, type, id, name: types.of(type)?.name, likely });
  };
  oddItems(mismatch, types, add);
  exactItems(mismatch, types, (key, ground) => add(key, ground, isTelling));
  const told = [...new Set(found.map(({ ground }) => ground))].flatMap((ground) => {
    const kind = found.filter((one) => one.ground === ground);
    return kind.length <= maxOfAKind ? kind : kind.slice(0, maxOfAKind).map((one) => ({ ...one, likely: false }));
  });
  return [...told.filter(({ likely }) => likely), ...told.filter(({ likely }) => !likely)];
}

type Add = (key: number, ground: Evidence, likely: boolean) => void;

/** Items that are wrong in themselves. */
function oddItems({ before, delta, snapshot }: Mismatch, types: ItemTypes, add: Add): void {
  for (let i = 0; i < delta.count; i++) {
    const expected = types.of(delta.type(i))?.size;
    const found = delta.sizes[i]!;
    // Extended items grow from version to version.
    const isOdd = expected !== undefined && found !== expected && !types.isLocal(delta.type(i));
    if (isOdd) add(delta.keys[i]!, { ground: 'size', found, expected }, true);
  }
  const keyOfInt = ({ type, id }: Readonly<Record<string, unknown>>) => (Number(type) << 16) | Number(id);
  checkRepeats(delta, (_, __, args = {}) => add(keyOfInt(args), { ground: 'twice_in_delta' }, true));
  checkRepeats(before, (_, __, args = {}) => add(keyOfInt(args), { ground: 'twice_in_base' }, false));
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    const [was, is] = [before.findKey(key), snapshot.findKey(key)];
    if (is >= 0) oddValues(key, was < 0 ? undefined : before.item(was), snapshot.item(is), types, add);
  }
  checkRegistrations(snapshot, types, (code, _, { type = 0 } = {}) => {
    if (code === 'missing_registration') add(Number(type) << 16, { ground: 'unregistered' }, false);
  });
}

/** Values that the update made odd. */
function oddValues(key: number, was: Int32Array | undefined, is: Int32Array, types: ItemTypes, add: Add): void {
  for (const { label, meaning, at } of valuesUpTo(types.of(typeOf(key)), is.length)) {
    const value = is[at]!;
    const limits = valueBoundsOf(meaning);
    if (!limits || was?.[at] === value) continue;
    const isOutside = value < limits.min || value > limits.max;
    if (isOutside) add(key, { ground: 'value', field: label, value, limits }, true);
  }
}

/** Items whose ints make exactly the difference. */
function exactItems(mismatch: Mismatch, types: ItemTypes, add: (key: number, ground: Evidence) => void): void {
  const { before, delta, snapshot } = mismatch;
  const excess = excessOf(mismatch);
  const updated = new Set<number>();
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    updated.add(key);
    for (const ground of exactUpdate(delta.item(i), before.findKey(key) < 0, excess, types.of(typeOf(key))))
      add(key, ground);
  }
  for (let i = 0; i < before.count; i++) {
    const key = before.keys[i]!;
    if (updated.has(key)) continue;
    const sum = sumOf(before.item(i));
    const stayed = snapshot.findKey(key) >= 0;
    if (stayed && sum === excess) add(key, { ground: 'stayed' });
    else if (!stayed && sum === (-excess | 0)) add(key, { ground: 'removed' });
  }
}

/** What of an update makes exactly the difference: some of its fields each, or all of them together. */
function exactUpdate(ints: Int32Array, isNew: boolean, excess: number, type: ItemType | undefined): Evidence[] {
  const groundOf = (step: number) => {
    if (step === excess) return isNew ? 'added' : 'updated';
    return step === (-excess | 0) && !isNew ? 'updated_once' : undefined;
  };
  const fields = [...valuesUpTo(type, ints.length)].flatMap(({ label: field, at, ints: size }): Evidence[] => {
    const step = sumOf(ints.subarray(at, at + size));
    const ground = groundOf(step);
    return ground ? [{ ground, field, step }] : [];
  });
  const ground = groundOf(sumOf(ints));
  return fields.length === 0 && ground ? [{ ground }] : fields;
}

function sumOf(ints: Int32Array): number {
  let sum = 0;
  for (const int of ints) sum = (sum + int) | 0;
  return sum;
}
