import type { Players } from '../recording/players.ts';
import type { Stream } from '../recording/record.ts';
import { copyOf } from '../snapshot/builder.ts';
import { typeOf } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { firstImplausibleUpdate, repeatedParts } from './evidence.ts';
import { Failure, type ReceivedDelta } from './failure.ts';
import { hypotheses } from './hypotheses/index.ts';
import { type Cause, type Fit, type Search, structuralChance } from './hypothesis.ts';

/**
 * The maximum number of tested failures per run: the first ones, and more on other bases, since the full snapshot that
 * a client requests after some errors is most significant. Of the rest only the numbers are kept.
 */
const [maxTested, maxOnNewBases] = [12, 24];

/** The maximum number of failures whose numbers are kept; more are only counted. */
const maxNotes = 1000;

/** Structural fits below this probability settle the cause. */
const mostStructural = 100 * structuralChance;

/** A fit below this probability makes mere coincidence with damage irrelevant. */
const maxIdle = 0.1;

/** The factor by which a fit is more likely by chance if it contradicts earlier deltas. */
const unlikely = 1000;

/** The probability up to which a flipped bit that explains a checksum is significant. */
const maxRival = 1e-3;
/** The least probability of a fit of which one of several flipped bits is as good an explanation. */
const anyFlipChance = 0.05;

/** The number of failures of a run for which damage is compared with another size. */
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
  /** Whether one of its parts equals the preceding one, and so may belong to that snapshot. */
  readonly mayBeStale: boolean;
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

  constructor(stream: Stream | undefined, players: Players, received: ReceivedDelta) {
    this.stream = stream;
    this.players = players;
    this.sample = copyOfFailure(received);
  }

  /** @param knownTypes types that occurred in correct deltas of this connection */
  add(received: ReceivedDelta, frame: number, knownTypes: ReadonlySet<number>, search: Search): void {
    this.count++;
    if (this.notes.length >= maxNotes) return;
    const { tick, base, announced } = received;
    const tested = this.notes.filter((note) => note.isTested);
    const isNewBase = !tested.some((note) => note.base === base);
    const isSelected = tested.length < maxTested || (isNewBase && tested.length < maxOnNewBases);
    const isTested = isSelected && search.test();
    const failure = new Failure(received);
    const { difference, error } = failure;
    // A delta without a recording did not pass a network, and no other failure could confirm its cause.
    const isCompared = this.stream !== undefined && tested.length < maxCompared;
    const fits = isTested ? fitsOf(failure, knownTypes, search, isCompared) : [];
    const mayBeStale = isTested && repeatedParts(received).length > 0;
    this.notes.push({ tick, base, frame, announced, difference, error, isTested, mayBeStale, fits });
    if (this.#isSampleStructural || !fits.some(({ isStructural }) => isStructural)) return;
    this.#isSampleStructural = true;
    if (this.notes.length > 1) this.sample = copyOfFailure(received);
  }

  /** Ends the run with a correct snapshot, which may confirm fits. */
  end(snapshot: Snapshot, parts: readonly Uint8Array[]): void {
    for (const { fits } of this.notes) {
      for (const [i, fit] of fits.entries()) {
        // What has confirmed it is not needed any more.
        if (fit.confirm) fits[i] = { ...fit, confirm: undefined, chance: fit.chance * fit.confirm(snapshot, parts) };
      }
    }
  }
}

const copyOfFailure = (received: ReceivedDelta): Failure =>
  new Failure({ ...received, before: copyOf(received.before), payload: received.payload.slice(), stored: [] });

/** All fits of a failure. */
function fitsOf(failure: Failure, knownTypes: ReadonlySet<number>, search: Search, isCompared: boolean): Fit[] {
  const fits: Fit[] = [];
  const rivals: Fit[] = [];
  for (const { cause, find, isSearch, role } of hypotheses) {
    if (role === 'suspect') continue;
    const isSettled = fits.some((fit) => fit.isStructural && fit.chance <= mostStructural);
    if (isSettled && isSearch) {
      // A misread or damaged delta can repeat a key, so these causes are also tried for the first failures.
      if (isCompared || (cause === 'other_size' && search.sizes.length > 0)) {
        for (const fit of find(failure, search)) rivals.push(weighed(fit, failure, knownTypes));
      }
      continue;
    }
    // A type that occurs for the first time has another size; damage at the same moment is unlikely. A flipped bit of a
    // type looks the same in the first failures.
    const hasOtherSize = fits.some((fit) => fit.cause === 'other_size' && fit.isStructural);
    if (cause === 'damaged' && hasOtherSize) {
      if (isCompared && isFlipped(find(failure, search))) weaken(fits, 'other_size');
      continue;
    }
    for (const fit of find(failure, search)) {
      // Damage with the probability 1 is significant only if nothing better was found.
      const isIdle = cause === 'damaged' && fit.chance === 1 && fits.some(({ chance }) => chance < maxIdle);
      if (!isIdle) fits.push(weighed(fit, failure, knownTypes));
    }
  }
  const sound = rivals.filter(isSoundReading);
  // Parts with unchanged items equal the preceding ones, which is not significant if a size explains the error.
  const hasOtherSize = [...fits, ...sound].some((fit) => fit.cause === 'other_size' && fit.isStructural);
  const others = hasOtherSize ? fits.filter(({ cause, about }) => cause !== 'mixed_parts' || about !== 'stale') : fits;
  // What another reading explains as well is no more significant than that reading.
  const chance = Math.max(0, ...sound.map((fit) => fit.chance), rivals.some(isAnyFlip) ? anyFlipChance : 0);
  return [...others.map((fit) => (fit.chance < chance ? { ...fit, chance } : fit)), ...sound];
}

/** Whether a delta is sound and has the announced checksum with another size, or with one bit flipped back. */
const isSoundReading = ({ cause, about, chance, isStructural }: Fit): boolean =>
  (cause === 'other_size' && isStructural) || (cause === 'damaged' && about === 'bit' && chance <= maxRival);

const isFlipped = (fits: Iterable<Fit>) => [...fits].some(({ about }) => about === 'bit');
const isAnyFlip = ({ cause, about, chance }: Fit) => cause === 'damaged' && about === 'bit' && chance === 1;

function weaken(fits: Fit[], cause: Cause): void {
  for (const [i, fit] of fits.entries()) {
    if (fit.cause === cause) fits[i] = { ...fit, chance: Math.min(1, fit.chance * 100) };
  }
}

/** Types that occurred before have the expected size; a type that never occurred may have any. */
function weighed(fit: Fit, { delta, types, received }: Failure, knownTypes: ReadonlySet<number>): Fit {
  const isKnown = (key: number) => knownTypes.has(typeOf(key));
  // What follows an implausible update need not be an item.
  const { before, tick } = received;
  const end = fit.about === 'unreadable' ? firstImplausibleUpdate(before, delta, { types, tick }) : -1;
  const isUnlikely =
    (fit.cause === 'other_size' && fit.keys.every(isKnown)) ||
    (fit.about === 'unreadable' && !delta.keys.subarray(0, end < 0 ? delta.count : end).every(isKnown));
  return isUnlikely ? { ...fit, chance: Math.min(1, fit.chance * unlikely), isStructural: false } : fit;
}
