import { getOr } from '../bytes/get-or.ts';
import { clientItems } from '../protocol/item.ts';
import { Players } from '../recording/players.ts';
import { idOf, typeOf } from '../snapshot/key.ts';
import type { ReceivedDelta } from './failure.ts';
import { familyOf } from './hypotheses/index.ts';
import { type NamedItem, Search } from './hypothesis.ts';
import { type FailureNote, Run } from './run.ts';
import { clearRatio, type Verdict, verdictsOf } from './verdict.ts';

/** A cause of this chance stays, whatever else is found in the connection. */
const overwhelming = 1e-8;

/** Failures of a recording with one cause, or without a known one. */
export interface Explanation {
  /** Their cause; undefined if none is accepted. */
  readonly verdict: Verdict | undefined;
  /** Other causes that fit, the best first. */
  readonly others: readonly Verdict[];
  readonly runs: readonly Run[];
}

/** An item with its readable name. */
export interface ItemReference extends NamedItem {
  /** The name of the player to whom the item belongs. */
  readonly player: string | undefined;
}

/** The items of a verdict. */
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
  run.add(received, 0, new Set(), new Search());
  // A size that explains the delta is accepted, since there are no other failures to confirm it.
  for (const { fits } of run.notes) {
    for (const [i, fit] of fits.entries())
      if (fit.cause === 'other_size') fits[i] = { ...fit, chance: fit.chance / 10 };
  }
  return explain([run]);
}

/** The number of failures of an explanation. */
export const failureCount = ({ runs }: Pick<Explanation, 'runs'>): number =>
  runs.reduce((sum, { count }) => sum + count, 0);

/** The failures of an explanation in order, up to a limit. */
export const failuresOf = ({ runs }: Explanation): FailureNote[] => runs.flatMap(({ notes }) => notes);

/**
 * Explains runs of failures. Those with the same best cause are explained together, since a repeated fault is less
 * likely to be a coincidence. The cause of most failures is first.
 */
export function explain(runs: readonly Run[]): Explanation[] {
  const groups = new Map<string, Run[]>();
  const sizes = permanentSizes(runs);
  for (const run of runs) {
    const [best] = verdictsOf(run.notes);
    const size = sizesIn(run).find((one) => sizes.has(one));
    const key = size ?? (best ? `${best.cause} ${best.about}` : 'none');
    getOr(groups, key, () => []).push(run);
  }
  const explanations = withoutConflicts([...groups].flatMap(([key, group]) => explainGroup(group, sizes.has(key))));
  return explanations.sort((a, b) => Number(!!b.verdict) - Number(!!a.verdict) || failureCount(b) - failureCount(a));
}

/** The other sizes that explain a failure of a run, each as text that is unique in all connections. */
const sizesIn = ({ notes, stream }: Run): string[] => {
  const fits = notes.flatMap(({ fits }) => fits).filter(({ cause }) => cause === 'other_size');
  return fits.map(({ about }) => `other_size ${about} ${stream?.number}`);
};

/** The other sizes that explain failures of several runs of a connection: a server has another size permanently. */
function permanentSizes(runs: readonly Run[]): Set<string> {
  const [once, repeated] = [new Set<string>(), new Set<string>()];
  for (const run of runs) {
    for (const size of new Set(sizesIn(run))) (once.has(size) ? repeated : once).add(size);
  }
  return repeated;
}

/**
 * Two causes in one connection are unlikely: of those that are accepted, only the one stays that is clearly less likely by chance
 * than all others, and any that is overwhelming by itself. One that rests on small differences has to explain all there is.
 */
function withoutConflicts(explanations: readonly Explanation[]): Explanation[] {
  return explanations.map((one) => {
    const { verdict, others, runs } = one;
    if (!verdict || verdict.chance <= overwhelming) return one;
    const isClear = explanations.every((other) => {
      if (other === one || !areOfOneStream(one, other)) return true;
      if (!other.verdict) return !verdict.isFaint;
      const isSame = familyOf(verdict.cause) === familyOf(other.verdict.cause);
      return isSame || clearRatio * verdict.chance <= other.verdict.chance;
    });
    return isClear ? one : { verdict: undefined, others: [{ ...verdict, isSure: false }, ...others], runs };
  });
}

function areOfOneStream({ runs }: Explanation, other: Explanation): boolean {
  const streams = new Set(runs.map(({ stream }) => stream));
  return other.runs.some(({ stream }) => streams.has(stream));
}

/** @param haveOneSize whether one other size explains failures of all the runs, which damage rarely does */
function explainGroup(runs: readonly Run[], haveOneSize: boolean): Explanation[] {
  const together = explanationOf(runs);
  if (together.verdict || runs.length === 1) return [together];
  // If they cannot be explained together, some may be explained separately.
  const alone = runs.map((run) => explanationOf([run]));
  const sure = alone.filter(({ verdict }) => verdict && !(haveOneSize && verdict.cause === 'damaged'));
  if (sure.length === 0) return [together];
  const rest = alone.filter((one) => !sure.includes(one)).flatMap((one) => one.runs);
  return rest.length > 0 ? [...sure, explanationOf(rest)] : sure;
}

function explanationOf(runs: readonly Run[]): Explanation {
  const verdicts = verdictsOf(runs.flatMap(({ notes }) => notes));
  const [best] = verdicts;
  return best?.isSure
    ? { verdict: best, others: verdicts.slice(1), runs }
    : { verdict: undefined, others: verdicts, runs };
}
