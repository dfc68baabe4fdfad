import { typeOf } from '../../snapshot/key.ts';
import { chanceOf, sumOf } from '../evidence.ts';
import type { Failure } from '../failure.ts';
import { type Found, hypothesis, structuralChance } from '../hypothesis.ts';

interface Update {
  readonly key: number;
  /** Its ints in the base, and in the rebuilt snapshot. */
  readonly was: Int32Array;
  readonly is: Int32Array;
}

function updatesOf({ delta, snapshot, received: { before } }: Failure): Update[] {
  if (!snapshot) return [];
  return [...new Set(delta.keys.subarray(0, delta.count))].flatMap((key) => {
    const [was, is] = [before.findKey(key), snapshot.findKey(key)];
    return was < 0 || is < 0 ? [] : [{ key, was: before.item(was), is: snapshot.item(is) }];
  });
}

/** The number of ints from which a likeness is no coincidence, and the greatest chance of one: ints of an item are often near each other. */
const [leastAlike, maxIntChance] = [2, 0.5];

/** The probability that an update has the ints that a fault makes of an unchanged item. Only ints that it changes count; 1 if most are others. */
function likeness({ was, is }: Update, intOf: (at: number) => number): number {
  let [alike, others, chance] = [0, 0, 1];
  for (let at = 0; at < is.length; at++) {
    const expected = intOf(at);
    if (expected === was[at]) continue;
    if (is[at] !== expected) others++;
    else {
      alike++;
      chance *= Math.min(maxIntChance, 1 / Math.sqrt(Math.abs(expected - was[at]!)));
    }
  }
  return alike >= leastAlike && alike >= others ? chance : 1;
}

/** Where the int of a shifted item comes from, and whether its difference was taken from the shifted base. */
const shifts = [1, -1].flatMap((step) => [false, true].map((isOfBase) => ({ step, isOfBase })));

/** The fields of an item, or of the item in the base, are one place off. */
export const shiftedFields = hypothesis({
  cause: 'shifted_fields',
  *find(failure: Failure): Iterable<Found> {
    const updates = updatesOf(failure).filter(({ is }) => is.length > 2);
    for (const { step, isOfBase } of shifts) {
      const byType = new Map<number, { keys: number[]; chance: number }>();
      for (const update of updates) {
        const { was, key } = update;
        const chance = likeness(update, (at) => {
          const int = was[at + step] ?? 0;
          return isOfBase ? (2 * was[at]! - int) | 0 : int;
        });
        if (chance === 1) continue;
        const { keys = [], chance: before = 1 } = byType.get(typeOf(key)) ?? {};
        byType.set(typeOf(key), { keys: [...keys, key], chance: before * chance });
      }
      for (const [type, { keys, chance }] of byType) {
        const isStructural = chance <= shiftedChance;
        yield {
          about: `${type} ${step} ${isOfBase}`,
          keys,
          numbers: { type, step },
          chance: Math.max(chance, structuralChance),
          isStructural,
        };
      }
    }
  },
});

const shiftedChance = 1e-4;

/** The difference of an item was taken from another item of its type in the base. A new item is then sent as a difference. */
export const otherItem = hypothesis({
  cause: 'other_item',
  *find(failure: Failure): Iterable<Found> {
    const { difference, delta, received } = failure;
    const { before } = received;
    if (difference === undefined) return;
    const others = [...before.keys.subarray(0, before.count)].map((key, i) => ({ key, ints: before.item(i) }));
    for (const update of updatesOf(failure)) {
      const { was, key } = update;
      for (const other of others) {
        if (other.key === key || typeOf(other.key) !== typeOf(key) || other.ints.length !== was.length) continue;
        if (((sumOf(other.ints) - sumOf(was)) | 0) !== difference) continue;
        const alike = likeness(update, (at) => (2 * was[at]! - other.ints[at]!) | 0);
        if (alike === 1) continue;
        const chance = Math.max(structuralChance, alike / Math.abs(difference));
        yield { keys: [key, other.key], chance, isStructural: true };
      }
    }
    const added = new Set(delta.keys.subarray(0, delta.count).filter((key) => before.findKey(key) < 0));
    const chance = chanceOf(
      difference,
      others.map(({ ints }) => sumOf(ints)),
    );
    for (const key of added) {
      for (const other of others)
        if (typeOf(other.key) === typeOf(key) && sumOf(other.ints) === difference)
          yield { keys: [key, other.key], chance };
    }
  },
});
