import { Players } from '../../recording/events/players.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { clientItems } from '../../wire/protocol/item.ts';
import { idOf, typeOf } from '../../wire/snapshot/key.ts';
import type { ReceivedDelta } from './failure.ts';
import { hypotheses } from './hypotheses/index.ts';
import { type Cause, type NamedItem, Search, type Statement, standings } from './hypothesis.ts';
import { enoughBits, failuresPerMiss, maxAlternatives, smallDifference } from './limits.ts';
import { type FailureNote, Run } from './run.ts';

/*
 * From single failures to what is said of them. A failure is a delta whose result has not the announced checksum. Each
 * was tested with every hypothesis (hypotheses/), which made statements: "the bytes show it", "it repeats", "the sums
 * fit".
 *
 *   failures ─▶ runs, each up to the next full snapshot ─▶ statements ─▶ candidates, one a cause ─▶ shown, or fits
 *
 * One fit of a sum proves nothing: 32 bits, but thousands of sums are tried. So a cause is *shown* only by direct
 * evidence, or by the same subject in two failures that are not alike (`areShown`). Everything else is a *fit*, listed
 * with how many failures it explains, never called the cause.
 *
 * `candidateOf` collects for one cause the subjects (an item, a base, a bit) that explain most. `shownOf` keeps
 * candidates that no other rivals and that together explain all failures, or all but one in ten. Damage is what
 * remains: any bytes can be damage, so it has rules of its own (`damageOf`), and yields where something else explains
 * the same.
 *
 * scripts/explain/measure.ts counts right and wrong causes on faults that it makes; its results are in
 * scripts/explain/results.md.
 */

/** What is said of several failures: shown by their bytes, or only a fit of their sums. */
export interface Verdict {
  readonly cause: Cause;
  /** The items by key; if several fit equally well, they are alternatives. */
  readonly keys: readonly number[];
  readonly areAlternatives: boolean;
  readonly numbers: Readonly<Record<string, number>>;
  readonly about: string;
  /** The field of the item, if a single failure shows it. */
  readonly field: string | undefined;
  /** The number of tested failures that it explains. */
  readonly fits: number;
  readonly of: number;
  readonly isShown: boolean;
}

/** Runs of failures with what their bytes show; if they show nothing, with what fits them, the best first. */
export interface Explanation {
  readonly shown: readonly Verdict[];
  readonly fits: readonly Verdict[];
  readonly runs: readonly Run[];
}

const isMost = (fits: number, of: number) => of - fits <= of / failuresPerMiss;

/** A subject of a cause with the failures in which it is one. */
interface Subject {
  readonly about: string;
  readonly byFailure: ReadonlyMap<number, Statement>;
}

/** A cause with the subjects that explain most failures, one after the other. */
interface Candidate {
  readonly verdict: Verdict;
  readonly failures: ReadonlySet<number>;
  /** The number of different subjects that it takes, or that are as good as the one that it takes. */
  readonly subjects: number;
}

function candidateOf(cause: Cause, notes: readonly FailureNote[]): Candidate | undefined {
  const all = subjectsOf(cause, notes);
  const failures = new Set<number>();
  const picked: Subject[] = [];
  for (;;) {
    const best = bestOf(all, failures);
    if (!best) break;
    picked.push(best);
    for (const i of best.byFailure.keys()) failures.add(i);
  }
  if (picked.length === 0) return undefined;
  const isShown = ({ byFailure }: Subject) => areShown(byFailure, notes);
  // What only fits other failures explains these, and is not named beside what is shown.
  const shown = picked.filter(isShown);
  const best = shown.length > 0 ? shown : picked;
  const first = best[0]!;
  const isAsGood = (subject: Subject) =>
    subject.byFailure.size === first.byFailure.size && isShown(subject) === isShown(first);
  const alternatives = best.length > 1 ? [first] : all.filter(isAsGood);
  const named = best.length > 1 ? best : alternatives;
  const statements = named.flatMap(({ byFailure }) => [...byFailure.values()]);
  const items = new Set(alternatives.map(({ byFailure }) => anyOf(byFailure).keys.join()));
  const numberSets = new Set(named.map(({ byFailure }) => JSON.stringify(anyOf(byFailure).numbers)));
  const areAlternatives = items.size > 1;
  const isVague = numberSets.size > 1 || items.size > maxAlternatives;
  const statement = anyOf(first.byFailure);
  const verdict: Verdict = {
    cause,
    about: statement.about,
    keys: [...new Set(named.flatMap(({ byFailure }) => anyOf(byFailure).keys))],
    areAlternatives,
    numbers: inAll(statements),
    field: statement.field,
    fits: failures.size,
    of: notes.length,
    isShown: shown.length > 0 && !isVague,
  };
  return { verdict, failures, subjects: named.length };
}

/** The statement about it that is shown best. */
const anyOf = (byFailure: Subject['byFailure']): Statement =>
  [...byFailure.values()].toSorted((a, b) => standings.indexOf(a.standing) - standings.indexOf(b.standing))[0]!;

/** The subject that explains most failures that are left, if possible by their bytes. */
function bestOf(all: readonly Subject[], explained: ReadonlySet<number>): Subject | undefined {
  let best = undefined as Subject | undefined;
  let most = 0;
  for (const subject of all) {
    const left = [...subject.byFailure].filter(([i]) => !explained.has(i));
    const isShown = left.some(([, { standing }]) => standing !== 'fits');
    const rank = left.length + (left.length > 0 && isShown ? 0.5 : 0);
    if (rank > most) {
      best = subject;
      most = rank;
    }
  }
  return best;
}

function subjectsOf(cause: Cause, notes: readonly FailureNote[]): Subject[] {
  const found = new Map<string, Map<number, Statement>>();
  for (const [i, { statements }] of notes.entries()) {
    for (const statement of statements) {
      if (statement.cause !== cause) continue;
      const known = getOr(found, statement.about, () => new Map<number, Statement>());
      if (known.get(i)?.standing !== 'shown') known.set(i, statement);
    }
  }
  return [...found].map(([about, byFailure]) => ({ about, byFailure }));
}

/**
 * Whether the bytes of one failure show a subject, or those of two that are not alike, or one where it explains another
 * as well.
 */
function areShown(byFailure: Subject['byFailure'], notes: readonly FailureNote[]): boolean {
  const outcomes = new Set<number | string>();
  for (const [i, { standing }] of byFailure) {
    if (standing === 'shown' || (standing === 'again' && byFailure.size > 1)) return true;
    if (standing === 'repeats') outcomes.add(outcomeOf(notes[i]!, i));
  }
  return outcomes.size > 1;
}

/**
 * Differences that are the same, or the same multiple of the ticks since the base, are one coincidence: many ints are
 * ticks.
 */
function outcomeOf({ tick, base, difference }: FailureNote, i: number): number | string {
  if (difference === undefined) return `unreadable ${i}`;
  const times = difference / (tick - base);
  return Number.isInteger(times) ? `${times} times` : difference;
}

function inAll([first, ...rest]: readonly Statement[]): Verdict['numbers'] {
  const all = Object.entries(first?.numbers ?? {});
  return Object.fromEntries(all.filter(([name, value]) => rest.every(({ numbers }) => numbers?.[name] === value)));
}

/** What cannot be read, or a bit that explains the checksum, each at another place. */
function damageOf(notes: readonly FailureNote[]): Candidate | undefined {
  const all = notes.map(({ statements }) => statements.filter(({ cause }) => cause === 'damaged'));
  const best = new Map(
    all.flatMap((some, i) => {
      const [statement] = some.toSorted((a, b) => standings.indexOf(a.standing) - standings.indexOf(b.standing));
      return statement ? [[i, statement] as const] : [];
    }),
  );
  if (best.size === 0) return undefined;
  const found = [...best.values()];
  const direct = found.filter(({ standing }) => standing !== 'fits');
  const differences = [...best.keys()].flatMap((i) => notes[i]!.difference ?? []);
  const repeats = differences.length > 1 && 2 * new Set(differences).size <= differences.length;
  // A fault of the server recurs at its place; damage does not.
  const recurs = [direct.map((statement) => [statement]), all].some(haveOnePlace);
  const isEnough = 2 * direct.length >= notes.length || (direct.length > 0 && found.length >= enoughBits);
  const unreadable = found.filter(({ about }) => about === 'unreadable');
  const told = unreadable.length > 0 ? unreadable : found;
  const damage = told.find(({ standing }) => standing !== 'fits') ?? told[0]!;
  const items = new Set(told.flatMap(({ keys }) => keys));
  const verdict: Verdict = {
    // Bytes that cannot be read may be damaged, but a server may write them otherwise as well.
    cause: unreadable.length > 0 ? 'unreadable' : 'damaged',
    keys: told.length > 1 && items.size > 1 ? [] : [...items],
    areAlternatives: false,
    numbers: {
      ...(found.length === 1 && damage.about !== 'unreadable' ? damage.numbers : {}),
      ...(unreadable.length > 0 ? { unreadable: unreadable.length } : {}),
    },
    about: damage.about,
    field: damage.field,
    fits: found.length,
    of: notes.length,
    isShown: isEnough && !repeats && !recurs && areShown(best, notes),
  };
  return { verdict, failures: new Set(best.keys()), subjects: Math.max(1, items.size) };
}

/** Whether one place may explain all failures, or all but one in ten: then it is a fault of the server. */
function haveOnePlace(all: readonly (readonly Statement[])[]): boolean {
  const places = all.map((some) => some.flatMap(placesOf)).filter(({ length }) => length > 0);
  const at = (place: number | string) => places.filter((some) => some.includes(place)).length;
  return places.length > 1 && places.flat().some((place) => isMost(at(place), places.length));
}

/**
 * Where damage may be: in items of which types and which bit, or where in a delta. A fault of the server may be in all
 * items of a type.
 */
const placesOf = ({ keys, numbers }: Statement): readonly (number | string)[] =>
  keys.length > 0 ? [...keys.map(typeOf), `bit ${numbers?.bit ?? keys}`] : numbers ? [JSON.stringify(numbers)] : [];

function candidatesOf(tested: readonly FailureNote[]): Candidate[] {
  const said = new Set(tested.flatMap(({ statements }) => statements.map(({ cause }) => cause)));
  const causes = [...hypotheses.map(({ cause }) => cause), 'unregistered' as const].filter((cause) => said.has(cause));
  return causes.flatMap((cause) => (cause === 'damaged' ? damageOf(tested) : candidateOf(cause, tested)) ?? []);
}

/**
 * What the bytes of failures show: one cause that explains all of them, or all but one in ten, or several that do so
 * together.
 */
function shownOf(all: readonly Candidate[], notes: readonly FailureNote[]): Candidate[] {
  const isOfBytes = (i: number, cause: Cause) =>
    notes[i]!.statements.some((statement) => statement.cause === cause && statement.standing !== 'fits');
  const isLarge = (i: number) => Math.abs(notes[i]!.difference ?? Infinity) >= smallDifference;
  const isRivalled = ({ verdict, failures }: Candidate) =>
    all.some((other) => {
      if (other.verdict.cause === verdict.cause) return false;
      const common = [...failures].filter((i) => other.failures.has(i)).length;
      // Damage is what remains if nothing else explains what is seen: a quarter of it by the bytes, half of it by sums.
      if (isDamage(verdict)) {
        const ofBytes = [...other.failures].filter((i) => isOfBytes(i, other.verdict.cause)).length;
        return 4 * ofBytes > verdict.of || 2 * [...other.failures].filter(isLarge).length > verdict.of;
      }
      if (common < failures.size) return false;
      // Another base explains every difference between the two bases.
      return other.verdict.cause === 'wrong_base';
    });
  const candidates = all
    .filter((candidate) => candidate.verdict.isShown && !isRivalled(candidate))
    .sort((a, b) => b.failures.size - a.failures.size);
  const left = new Set(Array.from({ length: all[0]?.verdict.of ?? 0 }, (_, i) => i));
  const of = left.size;
  const shown: Candidate[] = [];
  for (const candidate of candidates) {
    if (isMost(of - left.size, of)) break;
    const own = [...candidate.failures].filter((i) => left.has(i));
    if (own.length === 0) continue;
    shown.push(candidate);
    for (const i of own) left.delete(i);
  }
  return isMost(of - left.size, of) ? shown : [];
}

/**
 * Fits in the order of what they explain; of those that explain as much, those with fewer alternatives first. Damage is
 * what remains.
 */
const byFits = (a: Candidate, b: Candidate) =>
  b.failures.size - a.failures.size ||
  Number(isDamage(a.verdict)) - Number(isDamage(b.verdict)) ||
  a.subjects - b.subjects;

const isDamage = ({ cause }: Pick<Verdict, 'cause'>) => cause === 'damaged' || cause === 'unreadable';

const unshown = ({ verdict }: Candidate): Verdict => ({ ...verdict, isShown: false });

const notesOf = (runs: readonly Run[]): FailureNote[] => runs.flatMap(({ notes }) => notes);

const testedOf = (runs: readonly Run[]) => notesOf(runs).filter(({ isTested }) => isTested);

/** What is said of tested failures: what their bytes show; if they show nothing, what fits them, the best first. */
function conclude(notes: readonly FailureNote[]): Pick<Explanation, 'shown' | 'fits'> {
  const all = candidatesOf(notes);
  const shown = shownOf(all, notes);
  const fits = shown.length > 0 ? [] : all.toSorted(byFits);
  return {
    shown: shown.map(({ verdict }) => verdict),
    fits: fits.map(unshown),
  };
}

/**
 * Runs that a cause explains are explained together, since a repeated fault is hardly a coincidence: first by the cause
 * of most runs.
 */
export function explain(runs: readonly Run[]): Explanation[] {
  const byCause = new Map<Cause, Run[]>();
  for (const run of runs)
    for (const { verdict, failures } of candidatesOf(testedOf([run])))
      if (failures.size === verdict.of) getOr(byCause, verdict.cause, () => []).push(run);
  const left = new Set(runs);
  const explanations: Explanation[] = [];
  const groups = [...byCause].sort(
    ([a, some], [b, others]) =>
      Number(isDamage({ cause: a })) - Number(isDamage({ cause: b })) || others.length - some.length,
  );
  for (const group of [...groups.map(([, group]) => group), ...runs.map((run) => [run])]) {
    const members = group.filter((run) => left.has(run));
    if (members.length === 0) continue;
    const found = conclude(testedOf(members));
    if (found.shown.length === 0) continue;
    // Damage is not what another cause leaves unexplained.
    if (isDamage(found.shown[0]!) && explanations.length > 0) continue;
    explanations.push({ ...found, runs: members });
    for (const run of members) left.delete(run);
  }
  explanations.sort((a, b) => failureCount(b) - failureCount(a));
  if (left.size === 0) return explanations;
  const rest = [...left];
  return [...explanations, { shown: [], fits: candidatesOf(testedOf(rest)).sort(byFits).map(unshown), runs: rest }];
}

export interface ItemReference extends NamedItem {
  readonly player: string | undefined;
}

export function itemsOf({ runs }: Pick<Explanation, 'runs'>, { keys }: Pick<Verdict, 'keys'>): ItemReference[] {
  return keys.map((key) => {
    const type = typeOf(key);
    const id = idOf(key);
    const { sample, players } = runs.find(({ sample }) => sample.types.of(type)) ?? runs[0]!;
    const name = sample.types.of(type)?.name;
    const player = name !== undefined && clientItems.has(name) ? players.nameOf(id) : undefined;
    return { type, id, name, label: sample.types.nameOf(type), player };
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
  explanations.reduce((sum, explanation) => sum + (explanation.shown.length > 0 ? failureCount(explanation) : 0), 0);

export const failuresOf = ({ runs }: Explanation): FailureNote[] => notesOf(runs);
