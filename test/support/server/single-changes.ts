import type { SizeOf } from '../../../src/wire/protocol/registry.ts';
import { Delta } from '../../../src/wire/snapshot/delta.ts';
import type { PlayedFault } from './cases.ts';
import { keyOf, type ServerSnapshot } from './game-delta.ts';

// A search over all single changes of a delta, by arithmetic alone: it says whether a fault can be decided, regardless
// of what `explain` says.

/** A snapshot with a wrong sum: what the client has, what came, and what is missing in the sum. */
interface Failure {
  readonly from: ServerSnapshot;
  readonly ints: Int32Array;
  readonly difference: number;
  /** The next right snapshot. */
  readonly next?: ServerSnapshot;
}

const sumOf = (data: ArrayLike<number>) => Array.from(data).reduce((sum, int) => (sum + int) | 0, 0);

/**
 * The keys of which one change makes the sum right: an item that is counted twice or not at all, not sent, not removed
 * or removed by mistake, sent in full, with the other sign, as a difference to another item, or under another id.
 */
function keysThatFit({ from, ints, difference, next }: Failure, sizeOf: SizeOf): Set<number> {
  const delta = new Delta();
  delta.read(Int32Array.from(ints), ints.length, sizeOf);
  const base = new Map(from.map((item) => [keyOf(item), sumOf(item.data)]));
  const after = new Map(base);
  for (let i = 0; i < delta.removedCount; i++) after.delete(delta.removedKey(i));
  const sent = new Map<number, number>();
  const twice = new Map<number, number>();
  for (let i = 0; i < delta.count; i++) {
    const key = delta.keys[i]!;
    const sum = sumOf(delta.item(i));
    // An update that comes twice: the first one counts as well.
    if (sent.has(key)) twice.set(key, sent.get(key)!);
    sent.set(key, sum);
    after.set(key, ((base.get(key) ?? 0) + sum) | 0);
  }
  const fits = new Set<number>();
  const see = (change: number, ...keys: number[]) => {
    if ((change | 0) !== 0 && (change | 0) === difference) for (const key of keys) fits.add(key);
  };
  for (const [key, sum] of twice) see(sum, key);
  for (const [key, sum] of after) {
    see(sum, key);
    see(-sum, key);
  }
  for (let i = 0; i < delta.removedCount; i++) see(base.get(delta.removedKey(i)) ?? 0, delta.removedKey(i));
  for (const item of next ?? []) see(sumOf(item.data) - (after.get(keyOf(item)) ?? 0), keyOf(item));
  for (const [key, sum] of sent) {
    const inBase = base.get(key);
    if (inBase !== undefined) {
      see(-inBase, key);
      see(-2 * sum, key);
      see(sum, key);
    }
    see(-sum, key);
    const others = new Set(
      [...base.keys(), ...after.keys()].filter((other) => other !== key && other >> 16 === key >> 16),
    );
    for (const other of others) {
      // As a difference to the other one.
      see((base.get(other) ?? 0) - (inBase ?? 0), key);
      // Under the id of the other one: this item is as the base has it, and that one has the update in place of its own.
      const [own, its] = [inBase ?? 0, ((base.get(other) ?? 0) + sum) | 0];
      see(own - after.get(key)! + its - (after.get(other) ?? 0), key, other);
    }
  }
  return fits;
}

/** The failures of a played fault whose base the client has as the server has it. */
export function failuresOf({ played, scenario }: Pick<PlayedFault, 'played' | 'scenario'>): Failure[] {
  return played.sent.flatMap(({ seen, difference }, step) => {
    if (!seen) return [];
    const right = played.sent.findIndex(({ outcome }, i) => i > step && outcome === 'ok');
    const next = scenario.steps[right]?.items;
    return [{ ...seen, difference, ...(next && { next }) }];
  });
}

export function keysLeft(failures: readonly Failure[], sizeOf: SizeOf): Set<number> {
  const fits = failures.map((failure) => keysThatFit(failure, sizeOf));
  return new Set([...(fits[0] ?? [])].filter((key) => fits.every((keys) => keys.has(key))));
}
