import { valuesUpTo } from '../annotate/values.ts';
import { checkRegistrations, checkRepeats } from '../decode/checks.ts';
import { idOf, keyOf, typeOf } from '../snapshot/key.ts';
import type { Failure } from './failure.ts';
import { duplicateKey } from './hypotheses/duplicate-key.ts';
import { notRemoved } from './hypotheses/not-removed.ts';
import { removedUnchanged } from './hypotheses/removed-unchanged.ts';
import { sentInFull } from './hypotheses/sent-in-full.ts';
import { updateNotCounted } from './hypotheses/update-not-counted.ts';
import { type Fit, Search } from './hypothesis.ts';
import { isImplausibleValue } from './implausible.ts';
import { smallDifference } from './sums.ts';

export interface NamedItem {
  readonly type: number;
  readonly id: number;
  /** Undefined if the type is unknown. */
  readonly name: string | undefined;
}

/** A fit of one failure, shown beside it, as plain data. */
export interface Suspect extends Omit<Fit, 'confirm'> {
  readonly items: readonly NamedItem[];
  readonly isLikely: boolean;
}

/** The hypotheses without a search. */
const quick = [duplicateKey, removedUnchanged, sentInFull, notRemoved, updateNotCounted];

/** More fits of one cause are not significant, so only some are shown, as possible ones. */
const maxOfACause = 4;

/** The fits of a single failure, likely ones first. The cause can be found only from all failures of a run together. */
export function suspectsOf(failure: Failure): Suspect[] {
  const isDistinctive = Math.abs(failure.difference ?? 0) >= smallDifference;
  const search = new Search();
  const bySum = quick.flatMap(({ find }) => [...find(failure, search)]);
  const { types } = failure;
  const found = [
    ...[...unusualItems(failure)].map((fit) => ({ ...fit, isLikely: fit.cause !== 'unregistered' })),
    ...bySum.map((fit) => ({ ...fit, isLikely: isDistinctive || fit.isStructural })),
  ].map(({ confirm: _, ...fit }): Suspect => ({ ...fit, items: nameItems(fit.keys, types) }));
  const shown = [...new Set(found.map(({ cause }) => cause))].flatMap((cause) => {
    const fits = found.filter((one) => one.cause === cause);
    return fits.length <= maxOfACause ? fits : fits.slice(0, maxOfACause).map((one) => ({ ...one, isLikely: false }));
  });
  return [...shown.filter(({ isLikely }) => isLikely), ...shown.filter(({ isLikely }) => !isLikely)];
}

export const nameItems = (keys: Iterable<number>, types: Failure['types']): NamedItem[] =>
  [...keys].map((key) => ({ type: typeOf(key), id: idOf(key), name: types.of(typeOf(key))?.name }));

/** Items of a delta that are invalid by themselves. */
function* unusualItems(failure: Failure): Iterable<Fit> {
  const { delta, types, snapshot } = failure;
  const unusual = { chance: 1, isStructural: true };
  for (let i = 0; i < delta.count; i++) {
    const type = delta.type(i);
    const [found, expected] = [delta.sizes[i]!, types.of(type)?.size];
    // Extended items may grow in newer versions.
    if (expected === undefined || found === expected || types.isLocal(type)) continue;
    yield { cause: 'other_size', about: `${type}`, keys: [delta.keys[i]!], numbers: { found, expected }, ...unusual };
  }
  const repeated = new Set<number>();
  checkRepeats(delta, (_, __, { type, id } = {}) => repeated.add(keyOf(Number(type), Number(id))));
  for (const key of repeated) yield { cause: 'duplicate_key', about: 'delta', keys: [key], ...unusual };
  yield* unusualValues(failure);
  const unregistered: number[] = [];
  checkRegistrations(snapshot ?? delta, types, (code, _, { type } = {}) => {
    if (code === 'missing_registration') unregistered.push(Number(type));
  });
  for (const type of unregistered)
    yield { cause: 'unregistered', about: `${type}`, keys: [keyOf(type, 0)], ...unusual };
}

/** Values that an update made implausible. */
function* unusualValues({ delta, types, snapshot, received: { before, tick } }: Failure): Iterable<Fit> {
  if (!snapshot) return;
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    const [was, is] = [before.findKey(key), snapshot.findKey(key)];
    if (is < 0) continue;
    const ints = snapshot.item(is);
    for (const { label: field, at } of valuesUpTo(types.of(typeOf(key)), ints.length)) {
      const value = ints[at]!;
      const isNew = was < 0 || before.item(was)[at] !== value;
      if (!isNew || !isImplausibleValue({ types, tick }, key, ints, at)) continue;
      yield { cause: 'damaged', about: 'value', keys: [key], field, numbers: { value }, chance: 1, isStructural: true };
    }
  }
}
