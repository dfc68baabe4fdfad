import type { Cause, Fit } from './hypothesis.ts';
import type { FailureNote } from './run.ts';

/** What a run of failures comes from, as far as it can be said. */
export interface Verdict {
  readonly cause: Cause;
  /** Whether it is accepted: it explains all failures, is unlikely by chance, and nothing else is nearly as good. */
  readonly isSure: boolean;
  /** The items by key; where several explain it equally well, all of these are alternatives. */
  readonly keys: readonly number[];
  readonly areAlternatives: boolean;
  readonly numbers: Readonly<Record<string, number>>;
  readonly about: string;
  /** The field of the item, where one failure alone says which. */
  readonly field: string | undefined;
  /** Failures that it explains, and that were tested. */
  readonly fits: number;
  readonly of: number;
  readonly chance: number;
}

/** Above this, agreement may be chance: where another cause fits all failures as well, and where none does. */
const [maxChance, maxChanceAlone] = [1e-2, 0.1];
/** A sum alone counts after this many failures, or on two bases; or if it is as unlikely by chance as this. */
const [enoughFailures, enoughBases, singleChance] = [3, 2, 1e-5];
/** Different outcomes from which on failures are scattered. */
const enoughOutcomes = 2;
/** How likely by chance a structure may be that explains one failure only: a server with another size has it for good. */
const maxOfOne: Partial<Record<Cause, number>> = { other_size: 5e-5, mixed_parts: 5e-3 };
/** Causes of which an item that stays as it is shows the same small sum again and again. */
const ofItems: ReadonlySet<Cause> = new Set(['duplicate_key', 'removed_unchanged', 'sent_in_full']);
/** How much more likely by chance another cause has to be, to be set aside: UDP has a checksum, so damage is rare. */
const [clearRatio, clearRatioOfDamage] = [100, 10_000];
/** Items that may be named as alternatives. */
const maxAlternatives = 4;

/** The causes that failures agree with, the best first. */
export function verdictsOf(notes: readonly FailureNote[]): Verdict[] {
  const tested = notes.filter(({ isTested }) => isTested);
  const causes = [...new Set(tested.flatMap(({ fits }) => fits.map(({ cause }) => familyOf(cause))))];
  const verdicts = causes.map((cause) => verdictOf(cause, tested, false)).sort(better);
  const [best, ...others] = verdicts;
  if (!best) return [];
  // What is as likely as not is no rival.
  const rival = others.find(({ fits, chance }) => fits === best.fits && chance < 1);
  const first = rival
    ? { ...best, isSure: best.isSure && rival.chance >= ratioOf(best) * best.chance }
    : best.cause === 'damaged'
      ? { ...best, isSure: best.isSure || isScattered(verdicts, tested) }
      : verdictOf(familyOf(best.cause), tested, true);
  return [first, ...others.map((other) => ({ ...other, isSure: false }))];
}

/**
 * Whether failures show damage, and hardly one is like another: what is wrong in a server comes again with the same difference, or
 * with one that follows something. One in six may be like another cause by chance.
 */
function isScattered([best, ...others]: readonly Verdict[], tested: readonly FailureNote[]): boolean {
  const { length } = tested;
  const outcomes = new Set(tested.map(({ difference }, i) => difference ?? `unreadable ${i}`));
  const isDamaged = ({ cause, about, isStructural }: Fit) => cause === 'damaged' && (about === 'bit' || isStructural);
  // Of several parts one may be of another snapshot.
  const damaged = tested.filter(({ fits, parts }) => parts === 1 && fits.some(isDamaged));
  return (
    length >= enoughFailures &&
    outcomes.size >= enoughOutcomes &&
    4 * damaged.length >= 3 * length &&
    best!.fits >= length - Math.floor(length / 6) &&
    others.every(({ fits }) => 2 * fits <= length)
  );
}

const ratioOf = ({ cause }: Verdict) => (cause === 'damaged' ? clearRatioOfDamage : clearRatio);

const better = (a: Verdict, b: Verdict) => b.fits - a.fits || a.chance - b.chance;

/** One lookup that fails lists items as removed, or sends them in full, as it comes: these two mix. */
const familyOf = (cause: Cause): Cause => (cause === 'removed_unchanged' ? 'sent_in_full' : cause);

/** Fits of one cause about one thing, in some of the failures. */
interface Subject {
  readonly fit: Fit;
  readonly failures: ReadonlySet<number>;
  /** How likely all of them agree by chance: failures with one difference count once. */
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
  const chance = Math.max(...picked.map((one) => one.chance));
  const covered = notes.filter((_, i) => !left.has(i));
  const isEnough = covered.length >= enoughFailures || new Set(covered.map(({ base }) => base)).size >= enoughBases;
  const isStructural = picked.every((one) => one.isStructural);
  const areAlternatives = picked.length === 1 && alternatives.length > 1;
  // Where several deltas are damaged, each is in another place.
  const isAnywhere = picked[0]!.fit.about === 'unreadable' && fits > 1;
  const shown = areAlternatives ? alternatives : isAnywhere ? [] : picked;
  return {
    cause: picked[0]!.fit.cause,
    isSure:
      cause !== 'not_removed' &&
      left.size === 0 &&
      chance <= (isAlone && ofItems.has(cause) ? maxChanceAlone : maxChance) &&
      (isEnough || chance <= (isStructural ? (maxOfOne[cause] ?? maxChance) : singleChance)) &&
      alternatives.length <= maxAlternatives,
    keys: [...new Set(shown.flatMap(({ fit }) => fit.keys))],
    areAlternatives,
    numbers: picked[0]!.fit.numbers ?? {},
    about: picked[0]!.fit.about,
    field: picked[0]!.fit.field,
    fits,
    of: notes.length,
    chance,
  };
}

const isAsGood = (one: Subject, best: Subject) =>
  one.failures.size === best.failures.size && one.chance < clearRatio * best.chance;

/** What fits of a cause are about, in the failures that are left: first what explains most. */
function subjectsOf(cause: Cause, notes: readonly FailureNote[], left: ReadonlySet<number>): Subject[] {
  const found = new Map<string, Map<number, Fit>>();
  for (const i of left) {
    for (const fit of notes[i]!.fits) {
      if (familyOf(fit.cause) !== cause) continue;
      const known = found.get(fit.about) ?? new Map<number, Fit>();
      found.set(fit.about, known.set(i, fit));
    }
  }
  const subjects = [...found.values()].map((byFailure): Subject => {
    const fits = [...byFailure.values()];
    const isUnreadable = fits[0]!.about === 'unreadable';
    const byDifference = new Map<number | string, number>();
    for (const [i, { chance }] of byFailure) {
      // That one more can't be read makes damage no likelier.
      const group = isUnreadable ? 'unreadable' : (notes[i]!.difference ?? `unreadable ${i}`);
      byDifference.set(group, Math.min(chance, byDifference.get(group) ?? 1));
    }
    // Damage hits another place each time, and does not repeat a difference.
    const isRandom = isUnreadable || fits[0]!.about === 'bit';
    const differences = [...byFailure.keys()].flatMap((i) => notes[i]!.difference ?? []);
    const repeats = differences.length > 1 && 2 * new Set(differences).size <= differences.length;
    const chances = [...byDifference.values()];
    return {
      fit: fits.find((fit) => fit.isStructural) ?? fits[0]!,
      failures: new Set(byFailure.keys()),
      chance: isRandom && repeats ? 1 : chances.reduce((product, chance) => product * chance, 1),
      // Where most deltas are damaged so that they can't be read, others are damaged in their values.
      isStructural: isUnreadable
        ? 2 * fits.filter((fit) => fit.isStructural).length > fits.length
        : fits.every((fit) => fit.isStructural),
    };
  });
  return subjects.sort((a, b) => b.failures.size - a.failures.size || a.chance - b.chance);
}
