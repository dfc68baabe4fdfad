import type { Players } from '../recording/players.ts';
import type { Stream } from '../recording/stream.ts';
import { copyOf } from '../snapshot/builder.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { Failure, type ReceivedDelta } from './failure.ts';
import { hypotheses } from './hypotheses/index.ts';
import { invalid } from './hypotheses/invalid.ts';
import { type Fit, type Search, shownChance } from './hypothesis.ts';

/**
 * The maximum number of tested failures per run: the first ones, and more on other bases, since the full snapshot that
 * a client requests after some errors is most significant. Of the rest only the numbers are kept.
 */
const [maxTested, maxOnNewBases] = [12, 24];

/** The maximum number of failures whose numbers are kept; more are only counted. */
const maxNotes = 1000;

/** The number of failures of a run for which all searches are made, also where the bytes show a cause: others may explain these as well. */
const maxCompared = 2;

/** The record of a failure after all hypotheses were tested. */
export interface FailureNote {
  readonly tick: number;
  readonly base: number;
  readonly frame: number;
  readonly announced: number;
  readonly difference: number | undefined;
  /** The error that prevents reading the delta. */
  readonly error: Failure['error'];
  readonly isTested: boolean;
  readonly fits: Fit[];
}

/** Consecutive failures of one connection: a client keeps its base until a snapshot is correct again. */
export class Run {
  readonly notes: FailureNote[] = [];
  /** The number of failures, including those that are only counted. */
  count = 0;
  /** Undefined for a delta without a recording. */
  readonly stream: Stream | undefined;
  readonly players: Players;
  /** A failure with copies of all its data: the first, or the first with a structural fit. */
  sample: Failure;
  #isSampleStructural = false;
  /** The tested failures, until a correct snapshot shows what they lack. */
  readonly #open: (Failure | undefined)[] = [];

  constructor(stream: Stream | undefined, players: Players, received: ReceivedDelta) {
    this.stream = stream;
    this.players = players;
    this.sample = copyOfFailure(received);
  }

  add(received: ReceivedDelta, frame: number, search: Search): Failure | undefined {
    this.count++;
    if (this.notes.length >= maxNotes) return undefined;
    const { tick, base, announced } = received;
    const tested = this.notes.filter((note) => note.isTested);
    const isNewBase = !tested.some((note) => note.base === base);
    const isSelected = tested.length < maxTested || (isNewBase && tested.length < maxOnNewBases);
    const isTested = isSelected && search.test();
    const failure = new Failure(received);
    const { difference, error } = failure;
    const fits = isTested ? fitsOf(failure, search, tested.length < maxCompared) : [];
    this.notes.push({ tick, base, frame, announced, difference, error, isTested, fits });
    if (isTested) this.#open.push(failure.excess > 0 ? undefined : failure);
    if (this.#isSampleStructural || !fits.some(({ isStructural }) => isStructural)) return failure;
    this.#isSampleStructural = true;
    if (this.notes.length > 1) this.sample = copyOfFailure(received);
    return failure;
  }

  /** Ends the run with a correct snapshot, which may confirm fits. */
  end(snapshot: Snapshot, parts: readonly Uint8Array[]): void {
    for (const { fits } of this.notes) {
      for (const [i, fit] of fits.entries()) {
        // What has confirmed it is not needed any more.
        if (!fit.confirm) continue;
        fits[i] = { ...fit, confirm: undefined, chance: Math.min(1, fit.chance * fit.confirm(snapshot, parts)) };
      }
    }
    const tested = this.notes.filter(({ isTested }) => isTested);
    for (const [i, failure] of this.#open.splice(0).entries()) {
      for (const { findAfter } of hypotheses)
        if (failure && findAfter) tested[i]!.fits.push(...findAfter(failure, snapshot));
    }
  }
}

const copyOfFailure = (received: ReceivedDelta): Failure =>
  new Failure({ ...received, before: copyOf(received.before), payload: received.payload.slice(), stored: [] });

function fitsOf(failure: Failure, search: Search, isCompared: boolean): Fit[] {
  const fits = [...invalid.find(failure, search)];
  for (const { cause, find, isSearch } of hypotheses) {
    const isShown = fits.some(({ isStructural, chance }) => isStructural && chance <= shownChance);
    const isKnown = cause === 'other_size' && search.sizes.length > 0;
    if (!isSearch || !isShown || isCompared || isKnown) fits.push(...find(failure, search));
  }
  // Where ints are left over, sums are of what was read wrongly.
  return failure.excess > 0 ? fits.filter(({ isStructural, cause }) => isStructural || cause === 'damaged') : fits;
}
