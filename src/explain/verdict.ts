import { smallDifference } from './evidence.ts';
import { familyOf, hypothesisOf } from './hypotheses/index.ts';
import type { Cause, Fit } from './hypothesis.ts';
import type { FailureNote } from './run.ts';

/** The cause of a run of failures, as far as it is known. */
export interface Verdict {
  readonly cause: Cause;
  /**
   * Whether it is accepted: it explains all failures, is unlikely to fit by chance, and no other cause fits nearly as
   * well.
   */
  readonly isSure: boolean;
  /** The items by key; if several explain it equally well, they are alternatives. */
  readonly keys: readonly number[];
  readonly areAlternatives: boolean;
  readonly numbers: Readonly<Record<string, number>>;
  readonly about: string;
  /** The field of the item, if a single failure shows it. */
  readonly field: string | undefined;
  /** The number of tested failures that it explains. */
  readonly fits: number;
  readonly of: number;
  readonly chance: number;
  /** Whether it rests on small differences alone, which many items make. */
  readonly isFaint: boolean;
}

/** The probability above which a fit may be chance: if another cause fits all failures as well, and if none does. */
const [maxChance, maxChanceAlone] = [1e-2, 0.1];
/** A checksum alone counts after this many failures, on this many bases, or below this probability. */
const [enoughFailures, enoughBases, singleChance] = [3, 2, 1e-5];
/** The number of different outcomes from which failures are scattered. */
const enoughOutcomes = 2;
/** The ratio of probabilities from which another cause is ruled out. UDP has a checksum, so damage is rare. */
export const clearRatio = 100;
const clearRatioOfDamage = 10_000;
/** The maximum number of items that are named as alternatives. */
const maxAlternatives = 4;

/** The causes that fit, the best first. */
export function verdictsOf(notes: readonly FailureNote[]): Verdict[] {
  const tested = notes.filter(({ isTested }) => isTested);
  const causes = [...new Set(tested.flatMap(({ fits }) => fits.map(({ cause }) => familyOf(cause))))];
  const verdicts = causes.map((cause) => verdictOf(cause, tested, false)).sort(better);
  const [best, ...others] = verdicts;
  if (!best) return [];
  // A cause that fits anything is no rival.
  const rival = others.find((one) => one.fits === best.fits && one.chance < 1 && !isImplied(one, best));
  const first = rival
    ? { ...best, isSure: best.isSure && rival.chance >= ratioOf(best) * best.chance }
    : best.cause === 'damaged'
      ? { ...best, isSure: best.isSure || isScattered(verdicts, tested) }
      : verdictOf(familyOf(best.cause), tested, true);
  return [first, ...others.map((other) => ({ ...other, isSure: false }))];
}

/**
 * Whether the failures are unrelated, which indicates damage: a fault of the server recurs with the same difference or
 * with one that follows something. One in three may resemble another by chance.
 */
function isScattered([best, ...others]: readonly Verdict[], tested: readonly FailureNote[]): boolean {
  const { length } = tested;
  const outcomes = new Set(tested.map(({ difference }, i) => difference ?? `unreadable ${i}`));
  const isDamaged = ({ cause, about, isStructural }: Fit) => cause === 'damaged' && (about === 'bit' || isStructural);
  const damaged = tested.filter(({ fits, mayBeStale }) => !mayBeStale && fits.some(isDamaged));
  return (
    length >= enoughFailures &&
    outcomes.size >= enoughOutcomes &&
    2 * damaged.length >= length &&
    3 * best!.fits >= 2 * length &&
    others.every(({ fits, chance }) => 3 * fits <= length || chance > maxChanceAlone)
  );
}

/** An item that has a flipped key is one that the server's list of removed items lacks. */
const isImplied = (one: Verdict, { about, keys }: Verdict) =>
  about === 'key' && one.cause === 'not_removed' && one.keys.every((key) => keys.includes(key));

const ratioOf = ({ cause }: Verdict) => (cause === 'damaged' ? clearRatioOfDamage : clearRatio);

const better = (a: Verdict, b: Verdict) => b.fits - a.fits || a.chance - b.chance;

/** The fits of one cause with the same subject. */
interface Subject {
  readonly fit: Fit;
  readonly fits: readonly Fit[];
  readonly failures: ReadonlySet<number>;
  /** The probability that all of them fit by chance; failures with the same difference count once. */
  readonly chance: number;
  readonly isStructural: boolean;
}

/** @param isAlone whether no other cause fits all failures */
function verdictOf(cause: Cause, notes: readonly FailureNote[], isAlone: boolean): Verdict {
  const left = new Set(notes.keys());
  const picked: Subject[] = [];
  let alternatives: Subject[] = [];
  for (;;) {
    const subjects = subjectsOf(cause, notes, left);
    const [best] = subjects;
    if (!best) break;
    if (picked.length === 0) alternatives = subjects.filter((one) => isAsGood(one, best)).slice(0, maxAlternatives + 1);
    picked.push(best);
    for (const i of best.failures) left.delete(i);
  }
  const fits = notes.length - left.size;
  // One delta that is broken shows damage, whatever the others look like.
  const broken = picked.find((one) => one.fit.about === 'unreadable' && one.isStructural);
  const chance = broken ? broken.chance : Math.max(...picked.map((one) => one.chance));
  const covered = notes.filter((_, i) => !left.has(i));
  const isEnough = covered.length >= enoughFailures || new Set(covered.map(({ base }) => base)).size >= enoughBases;
  const isStructural = broken !== undefined || picked.every((one) => one.isStructural);
  const areAlternatives = picked.length === 1 && alternatives.length > 1;
  // Several damaged deltas are damaged at different positions: an item is named only if it is the same.
  const { role, repeatsSums, maxOfOne = maxChance } = hypothesisOf(cause) ?? {};
  const isAnywhere = cause === 'damaged' && fits > 1 && !isOneItem(picked[0]!);
  const shown = areAlternatives ? alternatives : isAnywhere ? [] : picked;
  return {
    cause: picked[0]!.fit.cause,
    isSure:
      role === undefined &&
      // Which of several types has another size is the whole explanation.
      !(cause === 'other_size' && areAlternatives) &&
      left.size === 0 &&
      chance <= (isAlone && repeatsSums ? maxChanceAlone : maxChance) &&
      (isEnough || chance <= (isStructural ? maxOfOne : singleChance)) &&
      alternatives.length <= maxAlternatives,
    keys: [...new Set(shown.flatMap(({ fit }) => fit.keys))],
    areAlternatives,
    numbers: picked[0]!.fit.numbers ?? {},
    about: picked[0]!.fit.about,
    field: picked[0]!.fit.field,
    fits,
    of: notes.length,
    chance,
    isFaint: !isStructural && !covered.some(isSignificant),
  };
}

/** Whether a failure is more than a small difference, which many items make. */
const isSignificant = ({ difference }: FailureNote) =>
  difference === undefined || Math.abs(difference) >= smallDifference;

/** Whether all fits are about one item. */
const isOneItem = ({ fits }: Subject) => new Set(fits.flatMap(({ keys }) => keys)).size === 1;

const isAsGood = (one: Subject, best: Subject) =>
  one.failures.size === best.failures.size && one.chance < clearRatio * best.chance;

/** The subjects of a cause in the remaining failures; the one that explains most is first. */
function subjectsOf(cause: Cause, notes: readonly FailureNote[], left: ReadonlySet<number>): Subject[] {
  const found = new Map<string, Map<number, Fit>>();
  for (const i of left) {
    for (const fit of notes[i]!.fits) {
      if (familyOf(fit.cause) !== cause) continue;
      const known = found.get(fit.about) ?? new Map<number, Fit>();
      const other = known.get(i);
      if (!other || other.chance >= fit.chance) known.set(i, fit);
      found.set(fit.about, known);
    }
  }
  const subjects = [...found.values()].map((byFailure): Subject => {
    const fits = [...byFailure.values()];
    const isUnreadable = fits[0]!.about === 'unreadable';
    const byDifference = new Map<number | string, number>();
    for (const [i, { chance }] of byFailure) {
      // Another unreadable delta does not make damage more likely.
      const group = isUnreadable ? 'unreadable' : (notes[i]!.difference ?? `unreadable ${i}`);
      byDifference.set(group, Math.min(chance, byDifference.get(group) ?? 1));
    }
    // Damage occurs at a different position each time and does not repeat a difference.
    const isRandom = isUnreadable || fits[0]!.about === 'bit';
    const differences = [...byFailure.keys()].flatMap((i) => notes[i]!.difference ?? []);
    const repeats = differences.length > 1 && 2 * new Set(differences).size <= differences.length;
    const chances = [...byDifference.values()];
    return {
      fit: fits.find((fit) => fit.isStructural) ?? fits[0]!,
      fits,
      failures: new Set(byFailure.keys()),
      chance: isRandom && repeats ? 1 : chances.reduce((product, chance) => product * chance, 1),
      // If most deltas are unreadable because of damage, others have damaged values.
      isStructural: isUnreadable
        ? 2 * fits.filter((fit) => fit.isStructural).length > fits.length
        : fits.every((fit) => fit.isStructural),
    };
  });
  return subjects.sort((a, b) => b.failures.size - a.failures.size || a.chance - b.chance);
}
