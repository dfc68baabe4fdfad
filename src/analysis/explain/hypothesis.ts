import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { Failure, NextSnapshot } from './failure.ts';
import { maxRuns, maxTests, maxWork } from './limits.ts';

export const causes = [
  'duplicate_key',
  'removed_unchanged',
  'sent_in_full',
  'removed_and_updated',
  'updated_twice',
  'other_size',
  'mixed_parts',
  'wrong_base',
  'unregistered',
  'too_large',
  'damaged',
  'text_mode',
  'unreadable',
  'not_removed',
  'not_counted',
  'not_sent',
  'old_state',
  'other_checksum',
  'other_formula',
  'other_item',
  'shifted_fields',
  'sign',
  'no_base',
  'other_huffman',
  'senseless',
  'packed_twice',
  'two_servers',
  'two_faults',
] as const;

export type Cause = (typeof causes)[number];

export interface NamedItem {
  readonly type: number;
  readonly id: number;
  readonly name: string | undefined;
  /** What it is called, also if no table has it. */
  readonly label: string;
}

/**
 * How much of a statement is in the bytes:
 *
 *     shown    nothing else makes these bytes
 *     again    one delta may have it for another reason, unless the same explains another failure
 *     repeats  one failure may be a coincidence, a second one with another difference is none
 *     fits     only a sum agrees, as those of other items and other faults may
 */
export const standings = ['shown', 'again', 'repeats', 'fits'] as const;
export type Standing = (typeof standings)[number];

/** What a hypothesis says of one failure. */
export interface Statement {
  readonly cause: Cause;
  /** The subject of the cause, equal for failures with the same cause. */
  readonly about: string;
  readonly keys: readonly number[];
  /** Other numbers that describe the cause: sizes, ticks, positions. */
  readonly numbers?: Readonly<Record<string, number>>;
  readonly field?: string;
  readonly standing: Standing;
  /** In how many failures of a run it has to be found, if one may be a coincidence. */
  readonly leastFailures?: number;
  /** What the next right snapshot makes of it; undefined if it contradicts the statement. */
  readonly after?: ((next: NextSnapshot) => Standing | undefined) | undefined;
}

/** A statement as a test finds it: `about` is by default its keys, of which there may be none, and only a sum fits. */
export type Found = Partial<Omit<Statement, 'cause'>>;

export interface Hypothesis<Result = Statement> {
  readonly cause: Cause;
  readonly find: (failure: Failure, search: Search) => Iterable<Result>;
  /** What the next right snapshot says of the failure. */
  readonly findAfter?: (failure: Failure, next: NextSnapshot) => Iterable<Result>;
  /** Whether its statements stand beside each single failure in `checksum`. */
  readonly isQuick?: true;
}

export const hypothesis = ({ find, findAfter, ...rest }: Hypothesis<Found>): Hypothesis => ({
  ...rest,
  find: (failure, search) => statements(rest.cause, find(failure, search)),
  ...(findAfter && { findAfter: (failure, next) => statements(rest.cause, findAfter(failure, next)) }),
});

function* statements(cause: Cause, all: Iterable<Found>): Iterable<Statement> {
  for (const { keys = [], about = keys.join(), ...found } of all)
    yield { cause, about, keys, standing: 'fits', ...found };
}

/** An item as a statement says that it was on the server, and as the client rebuilt it, if it did. */
export interface Expected {
  readonly key: number;
  readonly ints: Int32Array;
  readonly rebuilt?: Int32Array;
}

export const isSame = ({ items }: NextSnapshot, { key, ints }: Expected): boolean =>
  items.findKey(key) >= 0 && items.item(items.findKey(key)).every((int, i) => int === ints[i]);

/** Whether most ints are nearer to the expected than to the rebuilt ones, of those in which these differ. */
function areNearer(next: Snapshot, expected: readonly Expected[]): boolean {
  let nearer = 0;
  let others = 0;
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

/**
 * A standing that holds unless the next right snapshot has the items nearer to the rebuilt ones than to the expected
 * ones.
 */
export const unlessContradicted =
  (standing: Standing, expected: readonly Expected[]) =>
  ({ items }: NextSnapshot): Standing | undefined => {
    const found = expected.filter(({ key }) => items.findKey(key) >= 0);
    return found.some(({ rebuilt }) => rebuilt) && !areNearer(items, found) ? undefined : standing;
  };

/** The size that a server may have for a type; 0 if it sends the size. */
export interface OtherSize {
  readonly type: number;
  readonly size: number;
}

/** Limits the cost of all searches in a recording, in ints and bytes that are read again, to about a second. */
export class Search {
  #left = maxWork;
  /** Sizes that explained a failure. They are tried first for the next one. */
  readonly sizes: OtherSize[] = [];
  #tests = maxTests;
  #runs = maxRuns;

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
