import type { Failure } from './failure.ts';

/** Why a server's snapshot is not what its client rebuilds. */
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
  | 'update_not_counted';

/** A way in which one failure agrees with a cause. */
export interface Fit {
  readonly cause: Cause;
  /** What the cause is about: equal for failures that have the same cause. */
  readonly about: string;
  /** The items, by key. */
  readonly keys: readonly number[];
  /** Other numbers that name the cause: sizes, ticks, places. */
  readonly numbers?: Readonly<Record<string, number>>;
  /** The field of the item, where it is known. */
  readonly field?: string;
  /** How likely this agreement is by chance, 0 to 1. */
  readonly chance: number;
  /** Whether something is there that no sound delta contains, and not only a sum that agrees. */
  readonly isStructural: boolean;
  /** What the server's snapshot has of these items, by key: undefined for none. The next right snapshot may confirm it. */
  readonly expected?: ReadonlyMap<number, Int32Array | undefined>;
}

/** A cause and its test: one file below `hypotheses/`, one line in its list. */
export interface Hypothesis {
  readonly cause: Cause;
  readonly find: (failure: Failure, search: Search) => Iterable<Fit>;
}

/** Agreement of a structure that no sound delta has. */
export const structuralChance = 1e-6;

/** By how much less likely an agreement is that the next right snapshot confirms. */
export const confirmedChance = 1e-3;

/** A size that a server may have for a type; 0 where it is on the wire. */
export interface OtherSize {
  readonly type: number;
  readonly size: number;
}

/** Failures of a recording that are tested: each takes a millisecond or two. */
const maxTests = 1000;
/** Runs of failures that are kept of all connections together: each has copies of the snapshots of one failure. */
const maxRuns = 1000;

/** What all searches of a recording may cost together, in ints and bytes that are read again: about a second. */
export class Search {
  #left: number;
  /** Sizes that explained a failure: they are tried first on the next. */
  readonly sizes: (readonly OtherSize[])[] = [];
  #tests = maxTests;
  #runs = maxRuns;

  constructor(budget = 200_000_000) {
    this.#left = budget;
  }

  /** Accounts for the tests of one more failure; false where enough were tested. */
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

  /** Accounts for work; false where nothing is left for more. */
  spend(work: number): boolean {
    this.#left -= work;
    return this.#left > 0;
  }
}
