import { getOr } from '../bytes/get-or.ts';
import { clientItems } from '../protocol/item.ts';
import { Players } from '../recording/players.ts';
import type { Stream } from '../recording/stream.ts';
import { copyOf } from '../snapshot/builder.ts';
import { idOf, typeOf } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { Failure, type ReceivedDelta } from './failure.ts';
import { familyOf, hypotheses, invalid } from './hypotheses/index.ts';
import { type Cause, confirmedChance, type Fit, type NamedItem, Search, shownChance } from './hypothesis.ts';

/** Tested failures per run: the first, and more on other bases, as of the full snapshot that a client requests. Of the rest only numbers are kept. */
const [maxTested, maxOnNewBases] = [12, 24];

/** The maximum number of failures whose numbers are kept; more are only counted. */
const maxNotes = 1000;

/** The number of failures of a run for which all searches are made, also where the bytes show a cause: others may explain these as well. */
const maxCompared = 2;
/** The probability of what the bytes show from which no search is made for others. */
const enoughShown = 3 * shownChance;

export interface FailureNote {
  readonly tick: number;
  readonly base: number;
  readonly frame: number;
  readonly announced: number;
  readonly difference: number | undefined;
  readonly error: Failure['error'];
  readonly isTested: boolean;
  readonly fits: Fit[];
}

/** Consecutive failures of one connection: a client keeps its base until a snapshot is correct again. */
export class Run {
  readonly notes: FailureNote[] = [];
  /** The number of failures, including those that are only counted. */
  count = 0;
  readonly stream: Stream | undefined;
  readonly players: Players;
  /** A failure with copies of all its data: the first, or the first with a structural fit. */
  sample: Failure;
  #isSampleStructural = false;
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
        const factor = fit.confirm(snapshot, parts);
        const isStructural = fit.isStructural || factor === confirmedChance;
        fits[i] = { ...fit, confirm: undefined, chance: Math.min(1, fit.chance * factor), isStructural };
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
    const isShown = fits.some(({ isStructural, chance }) => isStructural && chance <= enoughShown);
    const isKnown = cause === 'other_size' && search.sizes.length > 0;
    if (!isSearch || !isShown || isCompared || isKnown) fits.push(...find(failure, search));
  }
  // Where ints are left over, sums are of what was read wrongly. Where there is anything else that no game sends, or the base has none, they are no evidence.
  const isUsual = failure.isSound && failure.isBaseCounted;
  const isShown = ({ isStructural, cause }: Fit) => isUsual || isStructural || cause === 'damaged';
  return fits.flatMap((fit) =>
    isShown(fit) ? fit : failure.excess > 0 ? [] : { rivalChance: fit.chance, ...fit, chance: 1, confirm: undefined },
  );
}

/** The cause of a run of failures, as far as it is known. */
export interface Verdict {
  readonly cause: Cause;
  /** Whether it is accepted, see {@link isAccepted}. */
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
  /** The probability that it fits all of these by chance. */
  readonly chance: number;
  /** The same for a rival of other causes. */
  readonly rivalChance: number;
  /** Whether what it says differs between fits that are as good. */
  readonly isVague: boolean;
  /** Whether most of its fits are structural, rather than only sums that agree. */
  readonly isShown: boolean;
  /** Whether it is what remains if nothing else fits. */
  readonly isRemainder: boolean;
}

/** The probability above which a fit may be chance: if the bytes show it, and if only sums agree. Faults of other kinds make sums of items, too. */
const [maxChance, maxChanceOfSums] = [1e-4, 2e-6];
/**
 * The ratio of probabilities from which another cause is ruled out; also by damage, which is rare since UDP has a checksum, and by a
 * cause that misses a failure.
 */
const [clearRatio, clearRatioOfDoubtful] = [100, 10_000];
/** The probability below which causes are no better than each other: all of them predict what was sent. */
const certain = 1e-12;
/** The probability from which a cause that fits is no rival of what remains if nothing else fits. */
const idleChance = 0.1;
/** Of this many failures, one may be another. */
const failuresPerMiss = 10;
const maxAlternatives = 4;

/** A cause is accepted if it fits all failures, or all but one in ten, if that is unlikely by chance, and if no other fits nearly as well. */
function isAccepted(best: Verdict, others: readonly Verdict[], runs: number): boolean {
  const ratio = best.cause === 'damaged' || best.fits < best.of ? clearRatioOfDoubtful : clearRatio;
  const isClear = others.every(
    (one) =>
      (!isFitting(one) && ratio * chanceEach(one) >= chanceEach(best)) ||
      rankOf(one) >= ratio * Math.max(best.chance, certain),
  );
  // What remains is not all that there is, if another cause explains some of it.
  const isRest = best.isRemainder && others.every((one) => 4 * one.fits <= best.of || one.chance >= idleChance);
  const isUnlikely = best.chance * runs <= (best.isShown ? maxChance : maxChanceOfSums);
  return isFitting(best) && !best.isVague && isUnlikely && (isRest || (isClear && !best.isRemainder));
}

/** What fits some failures far better than the cause that fits all is not ruled out. */
const chanceEach = ({ isRemainder, rivalChance, fits }: Verdict) => (isRemainder ? 1 : rivalChance ** (1 / fits));

const rankOf = ({ isRemainder, rivalChance }: Verdict) =>
  isRemainder ? Math.max(idleChance, rivalChance) : rivalChance;

const isFitting = ({ fits, of }: Pick<Verdict, 'fits' | 'of'>) => of - fits <= of / failuresPerMiss;

const better = (a: Verdict, b: Verdict) =>
  Number(isFitting(b)) - Number(isFitting(a)) || (isFitting(a) ? 0 : b.fits - a.fits) || rankOf(a) - rankOf(b);

/** The causes that fit, the best first, which alone may be accepted; `runs` is the number of runs of failures among which they are. */
export function verdictsOf(notes: readonly FailureNote[], runs: number): Verdict[] {
  const tested = notes.filter(({ isTested }) => isTested);
  const causes = [...new Set(tested.flatMap(({ fits }) => fits.map(({ cause }) => familyOf(cause))))];
  const [best, ...others] = causes
    .map((cause) => (cause === 'damaged' ? damageOf(tested) : verdictOf(cause, tested)))
    .filter(({ fits }) => fits > 0)
    .sort(better);
  return best ? [{ ...best, isSure: isAccepted(best, others, runs) }, ...others] : [];
}

interface Subject {
  readonly fit: Fit;
  readonly fits: readonly Fit[];
  readonly failures: ReadonlySet<number>;
  readonly chance: number;
  readonly rivalChance: number;
}

const undecided = { isSure: false, areAlternatives: false, isVague: false, isRemainder: false } as const;
const areShown = (fits: readonly Fit[]) => 2 * fits.filter(({ isStructural }) => isStructural).length >= fits.length;

function verdictOf(cause: Cause, notes: readonly FailureNote[]): Verdict {
  const left = new Set(notes.keys());
  const picked: Subject[] = [];
  let alternatives: Subject[] = [];
  for (;;) {
    const subjects = subjectsOf(cause, notes, left);
    const [best] = subjects;
    if (!best) break;
    if (picked.length === 0) alternatives = subjects.filter((one) => isAsGood(one, best));
    picked.push(best);
    for (const i of best.failures) left.delete(i);
  }
  const { fit } = picked[0]!;
  const fits = picked.flatMap((one) => one.fits);
  const items = new Set(alternatives.map((one) => one.fit.keys.join()));
  const areAlternatives = picked.length === 1 && items.size > 1;
  const shown = areAlternatives ? alternatives : picked;
  const said = picked.length > 1 ? picked : alternatives;
  const sayings = new Set(said.flatMap((one) => (one.fit.numbers ? JSON.stringify(one.fit.numbers) : [])));
  return {
    ...undecided,
    cause: fit.cause,
    keys: [...new Set(shown.flatMap((one) => one.fit.keys))],
    areAlternatives,
    numbers: inAll(fits),
    about: fit.about,
    field: fit.field,
    fits: notes.length - left.size,
    of: notes.length,
    chance: Math.max(...picked.map(({ chance }) => chance)),
    rivalChance: Math.max(...picked.map(({ rivalChance }) => rivalChance)),
    isShown: areShown(fits),
    isVague: sayings.size > 1 || (areAlternatives && items.size > maxAlternatives),
  };
}

function inAll([first, ...others]: readonly Fit[]): Verdict['numbers'] {
  const all = Object.entries(first?.numbers ?? {});
  return Object.fromEntries(all.filter(([name, value]) => others.every(({ numbers }) => numbers?.[name] === value)));
}

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
    const chanceOf = (of: (fit: Fit) => number) => {
      const all = [...byFailure].map(([i, fit]) => ({ note: notes[i]!, name: `unreadable ${i}`, chance: of(fit) }));
      // Many ints are ticks: a difference that follows these is one coincidence, too.
      const chances = [perTickOf, () => undefined].map((timesOf) =>
        chanceOfAll(all.map(({ note, name, chance }) => [timesOf(note) ?? note.difference ?? name, chance])),
      );
      return Math.max(...chances);
    };
    return {
      fit: fits.find((fit) => fit.isStructural) ?? fits[0]!,
      fits,
      failures: new Set(byFailure.keys()),
      chance: chanceOf(({ chance }) => chance),
      rivalChance: chanceOf(({ chance, rivalChance = chance }) => rivalChance),
    };
  });
  return subjects.sort((a, b) => b.failures.size - a.failures.size || a.chance - b.chance);
}

/** How many times the ticks since the base a difference is, if it is a multiple of them. */
function perTickOf({ tick, base, difference }: FailureNote): string | undefined {
  const times = (difference ?? NaN) / (tick - base);
  return Number.isInteger(times) ? `${times} times` : undefined;
}

/** The probability that all fit by chance; failures with the same difference count once. */
function chanceOfAll(all: readonly (readonly [outcome: number | string, chance: number])[]): number {
  const byOutcome = new Map<number | string, number>();
  for (const [outcome, chance] of all) {
    const known = byOutcome.get(outcome) ?? chance;
    byOutcome.set(outcome, chance === 1 || known === 1 ? 1 : Math.min(chance, known));
  }
  return [...byOutcome.values()].reduce((product, chance) => product * chance, 1);
}

/** The number of failures from which one that shows damage is evidence for all. */
const enoughBits = 3;

/** Damage has direct evidence alone: what cannot be read, or a bit that explains the checksum, each at another place. */
function damageOf(notes: readonly FailureNote[]): Verdict {
  const all = notes.map(({ fits }) => fits.filter(({ cause }) => cause === 'damaged'));
  const best = all.map((fits) => fits.sort((a, b) => a.chance - b.chance)[0]);
  const found = best.flatMap((fit, i) =>
    fit && (fit.chance < 1 || fit.about === 'bit') ? [{ fit, note: notes[i]! }] : [],
  );
  const direct = found.filter(({ fit }) => fit.isStructural);
  const differences = found.flatMap(({ note }) => note.difference ?? []);
  const repeats = differences.length > 1 && 2 * new Set(differences).size <= differences.length;
  const items = new Set(found.flatMap(({ fit }) => fit.keys));
  const recurs = [direct.map(({ fit }) => [fit]), all].some(haveOnePlace);
  const isEnough = 2 * direct.length >= notes.length || (direct.length > 0 && found.length >= enoughBits);
  const isEvident = isEnough && !repeats && !recurs;
  const unreadable = found.filter(({ fit }) => fit.about === 'unreadable');
  const fit = (direct[0] ?? found[0])?.fit ?? best.find((one) => one)!;
  const keys = found.length > 1 && items.size > 1 ? [] : [...items];
  // One more unreadable delta does not make damage more likely.
  const outcomes = found.map(({ fit, note }) => {
    const outcome = fit.about === 'unreadable' ? fit.about : (note.difference ?? placesOf(fit).join());
    return [outcome, fit.chance] as const;
  });
  const chance = isEvident ? chanceOfAll(outcomes) : 1;
  return {
    ...undecided,
    cause: 'damaged',
    keys,
    numbers: {
      ...(found.length === 1 && fit.about !== 'unreadable' ? fit.numbers : {}),
      ...(unreadable.length > 0 ? { unreadable: unreadable.length } : {}),
    },
    about: fit.about,
    field: fit.field,
    fits: found.length,
    of: notes.length,
    chance,
    rivalChance: chance,
    isShown: areShown(found.map(({ fit }) => fit)),
    isRemainder: unreadable.length > 0,
  };
}

/** Whether one place may explain all failures, or all but one in ten: then it is a fault of the server. */
function haveOnePlace(all: readonly (readonly Fit[])[]): boolean {
  const places = all.map((fits) => fits.flatMap(placesOf)).filter(({ length }) => length > 0);
  const at = (place: number | string) => places.filter((some) => some.includes(place)).length;
  return places.length > 1 && places.flat().some((place) => isFitting({ fits: at(place), of: places.length }));
}

/** Where damage may be: in items of which types and which bit, or where in a delta. A fault of the server may be in all items of a type. */
const placesOf = ({ keys, numbers }: Fit): readonly (number | string)[] =>
  keys.length > 0 ? [...keys.map(typeOf), `bit ${numbers?.bit ?? keys}`] : numbers ? [JSON.stringify(numbers)] : [];

export interface Explanation {
  readonly verdict: Verdict | undefined;
  readonly others: readonly Verdict[];
  readonly runs: readonly Run[];
}

export interface ItemReference extends NamedItem {
  readonly player: string | undefined;
}

export function itemsOf({ runs }: Explanation, { keys }: Pick<Verdict, 'keys'>): ItemReference[] {
  return keys.map((key) => {
    const [type, id] = [typeOf(key), idOf(key)];
    const run = runs.find(({ sample }) => sample.types.of(type)) ?? runs[0];
    const name = run?.sample.types.of(type)?.name;
    const player = name !== undefined && clientItems.has(name) ? run?.players.nameOf(id) : undefined;
    return { type, id, name, player };
  });
}

/** Explains one delta without a recording; empty if it results in the announced checksum. */
export function explainDelta(received: ReceivedDelta): Explanation[] {
  const run = new Run(undefined, new Players(), received);
  if (run.sample.difference === 0) return [];
  run.add(received, 0, new Search());
  return explain([run]);
}

export const failureCount = ({ runs }: Pick<Explanation, 'runs'>): number =>
  runs.reduce((sum, { count }) => sum + count, 0);

export const explainedCount = (explanations: readonly Explanation[]): number =>
  explanations.reduce((sum, one) => sum + (one.verdict ? failureCount(one) : 0), 0);

export const failuresOf = ({ runs }: Explanation): FailureNote[] => notesOf(runs);

/** Runs that a cause fits are explained together, since a repeated fault is hardly a coincidence: first by the cause that fits most runs. */
export function explain(runs: readonly Run[]): Explanation[] {
  const bySubject = new Map<string, Run[]>();
  for (const run of runs) {
    for (const { cause, about, fits, of } of verdictsOf(run.notes, 1)) {
      if (fits < of) continue;
      // Damage is one cause, wherever it is.
      const subjects = cause === 'damaged' ? [cause] : [`${cause} ${about}`, familyOf(cause)];
      for (const subject of subjects) getOr(bySubject, subject, () => []).push(run);
    }
  }
  const left = new Set(runs);
  const explanations: Explanation[] = [];
  const isDamage = (subject: string) => Number(subject === 'damaged');
  const groups = [...bySubject].sort(
    ([a, some], [b, others]) => isDamage(a) - isDamage(b) || others.length - some.length,
  );
  for (const [subject, group] of [...groups, ...runs.map((run) => ['', [run]] as const)]) {
    const members = group.filter((run) => left.has(run));
    if (members.length === 0) continue;
    const [verdict, ...others] = verdictsOf(notesOf(members), runs.length - members.length + 1);
    // What repeats in several runs is no damage, though it may look so in one; nor is what another cause leaves unexplained.
    const isDoubtful =
      verdict?.cause === 'damaged' && (!isDamage(subject) || (verdict.isRemainder && explanations.length > 0));
    if (!verdict?.isSure || isDoubtful) continue;
    explanations.push({ verdict, others, runs: members });
    for (const run of members) left.delete(run);
  }
  explanations.sort((a, b) => failureCount(b) - failureCount(a));
  if (left.size === 0) return explanations;
  const others = verdictsOf(notesOf([...left]), runs.length).map((one) => ({ ...one, isSure: false }));
  return [...explanations, { verdict: undefined, others, runs: [...left] }];
}

const notesOf = (runs: readonly Run[]): FailureNote[] => runs.flatMap(({ notes }) => notes);
