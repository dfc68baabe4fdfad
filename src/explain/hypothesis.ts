import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Failure } from './failure.ts';

export type Cause =
  | 'duplicate_key'
  | 'removed_unchanged'
  | 'sent_in_full'
  | 'other_size'
  | 'mixed_parts'
  | 'wrong_base'
  | 'unregistered'
  | 'too_large'
  | 'damaged'
  | 'not_removed'
  | 'not_counted'
  | 'not_sent'
  | 'old_state'
  | 'other_checksum'
  | 'other_item'
  | 'shifted_fields'
  | 'sign'
  | 'no_base'
  | 'other_huffman';

export interface NamedItem {
  readonly type: number;
  readonly id: number;
  readonly name: string | undefined;
}

export interface Fit {
  readonly cause: Cause;
  /** The subject of the cause, equal for failures with the same cause. */
  readonly about: string;
  readonly keys: readonly number[];
  /** Other numbers that describe the cause: sizes, ticks, positions. */
  readonly numbers?: Readonly<Record<string, number>>;
  readonly field?: string;
  /** The probability of this fit by chance, 0 to 1. */
  readonly chance: number;
  /** The one by which it is a rival of other causes, if it is too vague to be accepted itself. */
  readonly rivalChance?: number;
  /** Whether the delta contains something that no sound delta does, rather than only a checksum that agrees. */
  readonly isStructural: boolean;
  /** The factor by which the next correct snapshot, with its parts, makes the fit less likely by chance. */
  readonly confirm?: ((next: Snapshot, parts: readonly Uint8Array[]) => number) | undefined;
}

/** A fit as a test finds it: `about` is by default its keys, of which there may be none, and it is not structural. */
export type Found = Partial<Omit<Fit, 'cause'>> & Pick<Fit, 'chance'>;

export interface Hypothesis<Result = Fit> {
  readonly cause: Cause;
  readonly find: (failure: Failure, search: Search) => Iterable<Result>;
  /** How it fits the next snapshot with the right checksum, which shows what the failed one lacked. */
  readonly findAfter?: (failure: Failure, next: Snapshot) => Iterable<Result>;
  /** Whether it is tested only if the bytes show no other cause: the test is a search. */
  readonly isSearch?: true;
  /** Whether its fits are shown beside each single failure. */
  readonly isQuick?: true;
  /** The cause with which this one is mixed, since one fault results in both. */
  readonly family?: Cause;
}

export const hypothesis = ({ find, findAfter, ...one }: Hypothesis<Found>): Hypothesis => ({
  ...one,
  find: (failure, search) => fitsOf(one.cause, find(failure, search)),
  ...(findAfter && { findAfter: (failure, next) => fitsOf(one.cause, findAfter(failure, next)) }),
});

function* fitsOf(cause: Cause, all: Iterable<Found>): Iterable<Fit> {
  for (const { keys = [], about = keys.join(), ...found } of all)
    yield { cause, about, keys, isStructural: false, ...found };
}

/** The probability of a structure that no sound delta has, with and without the announced checksum as its result. */
export const [structuralChance, shownChance] = [1e-6, 1e-4];

/** The factor by which a fit is less likely by chance if the next correct snapshot has the expected items. */
export const confirmedChance = 1e-3;

/** The factor that makes a fit as likely as not: the next correct snapshot contradicts it. */
export const contradicted = 1e12;

/** An item as a fit says that it was on the server, and as the client rebuilt it, if it did. */
interface Expected {
  readonly key: number;
  readonly ints: Int32Array;
  readonly rebuilt?: Int32Array;
}

/** Expects items in the next correct snapshot: the same ones confirm a fit; those that are not nearer to them than to the rebuilt ones contradict it. */
export const expecting =
  (expected: readonly Expected[]) =>
  (next: Snapshot): number => {
    const found = expected.filter(({ key }) => next.findKey(key) >= 0);
    if (found.some(({ rebuilt }) => rebuilt) && !areNearer(next, found)) return contradicted;
    return expected.every((one) => isSame(next, one)) ? confirmedChance : 1;
  };

export const isSame = (next: Snapshot, { key, ints }: Expected): boolean =>
  next.findKey(key) >= 0 && next.item(next.findKey(key)).every((int, i) => int === ints[i]);

/** Whether most ints are nearer to the expected than to the rebuilt ones, of those in which these differ. */
export function areNearer(next: Snapshot, expected: readonly Expected[]): boolean {
  let [nearer, others] = [0, 0];
  for (const { key, ints, rebuilt = ints } of expected) {
    const at = next.findKey(key);
    for (let i = 0; at >= 0 && i < ints.length; i++) {
      if (ints[i] === rebuilt[i]) continue;
      const is = next.item(at)[i]!;
      if (Math.abs(is - ints[i]!) < Math.abs(is - rebuilt[i]!)) nearer++;
      else others++;
    }
  }
  return nearer > others;
}

/** The size that a server may have for a type; 0 if it sends the size. */
export interface OtherSize {
  readonly type: number;
  readonly size: number;
}

/** The maximum number of tested failures in a recording. Each takes one or two milliseconds. */
const maxTests = 1000;
/** Runs of failures that are kept of all connections together: each has copies of the snapshots of one failure. */
const maxRuns = 1000;

/** Limits the cost of all searches in a recording, in ints and bytes that are read again, to about a second. */
export class Search {
  #left: number;
  /** Sizes that explained a failure. They are tried first for the next one. */
  readonly sizes: OtherSize[] = [];
  #tests = maxTests;
  #runs = maxRuns;

  constructor(budget = 60_000_000) {
    this.#left = budget;
  }

  /** Accounts for the tests of another failure; returns false if the limit is reached. */
  test(): boolean {
    return this.#tests-- > 0;
  }

  /** Accounts for one more run; false where enough are kept. */
  keepRun(): boolean {
    return this.#runs-- > 0;
  }

  get mayGoOn(): boolean {
    return this.#left > 0;
  }

  spend(work: number): boolean {
    this.#left -= work;
    return this.#left > 0;
  }
}
