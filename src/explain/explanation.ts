import { clientItems } from '../protocol/client-items.ts';
import { PlayerNames } from '../recording/player-names.ts';
import { idOf, typeOf } from '../snapshot/key.ts';
import type { ReceivedDelta } from './failure.ts';
import { Search } from './hypothesis.ts';
import { type FailureNote, Run } from './run.ts';
import { type Verdict, verdictsOf } from './verdict.ts';

/** Failures of a recording that have one cause, or none that is known. */
export interface Explanation {
  /** What they come from: undefined where nothing is accepted. */
  readonly verdict: Verdict | undefined;
  /** What else was found to fit, the best first: all there is where nothing is accepted. */
  readonly others: readonly Verdict[];
  readonly runs: readonly Run[];
}

/** An item as people know it. */
export interface ItemReference {
  readonly type: number;
  readonly id: number;
  /** Undefined where the tables don't know the type. */
  readonly name: string | undefined;
  /** The name of the player that the item is about. */
  readonly player: string | undefined;
}

/** The items of a verdict. */
export function itemsOf({ runs }: Explanation, { keys }: Pick<Verdict, 'keys'>): ItemReference[] {
  return keys.map((key) => {
    const [type, id] = [typeOf(key), idOf(key)];
    const run = runs.find(({ sample }) => sample.types.of(type)) ?? runs[0];
    const name = run?.sample.types.of(type)?.name;
    const player = name !== undefined && clientItems.has(name) ? run?.players.of(id) : undefined;
    return { type, id, name, player };
  });
}

/** Explains one delta that is no recording's; nothing where it makes the announced checksum. */
export function explainDelta(received: ReceivedDelta): Explanation[] {
  const run = new Run(undefined, new PlayerNames(), received);
  if (run.sample.difference === 0) return [];
  run.add(received, 0, new Set(), new Search());
  // A size that explains the delta is all that can be found: no other failures will confirm it.
  for (const { fits } of run.notes) {
    for (const [i, fit] of fits.entries())
      if (fit.cause === 'other_size') fits[i] = { ...fit, chance: fit.chance / 10 };
  }
  return explain([run]);
}

/** How many failures an explanation is about. */
export const failureCount = ({ runs }: Pick<Explanation, 'runs'>): number =>
  runs.reduce((sum, { count }) => sum + count, 0);

/** The failures of an explanation in their order, up to a limit. */
export const failuresOf = ({ runs }: Explanation): FailureNote[] => runs.flatMap(({ notes }) => notes);

/**
 * Explains runs of failures: those with the same best cause together, since a fault that comes again and again is less likely to be
 * chance. What explains most comes first.
 */
export function explain(runs: readonly Run[]): Explanation[] {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const [best] = verdictsOf(run.notes);
    const key = best ? `${best.cause} ${best.about}` : 'none';
    const group = groups.get(key);
    if (group) group.push(run);
    else groups.set(key, [run]);
  }
  const explanations = [...groups.values()].flatMap(explainGroup);
  return explanations.sort((a, b) => Number(!!b.verdict) - Number(!!a.verdict) || failureCount(b) - failureCount(a));
}

function explainGroup(runs: readonly Run[]): Explanation[] {
  const together = explanationOf(runs);
  if (together.verdict || runs.length === 1) return [together];
  // Where they can't be explained together, some may be explained by themselves.
  const alone = runs.map((run) => explanationOf([run]));
  const sure = alone.filter(({ verdict }) => verdict);
  if (sure.length === 0) return [together];
  const rest = alone.filter(({ verdict }) => !verdict).flatMap((one) => one.runs);
  return rest.length > 0 ? [...sure, explanationOf(rest)] : sure;
}

function explanationOf(runs: readonly Run[]): Explanation {
  const verdicts = verdictsOf(runs.flatMap(({ notes }) => notes));
  const [best] = verdicts;
  return best?.isSure
    ? { verdict: best, others: verdicts.slice(1), runs }
    : { verdict: undefined, others: verdicts, runs };
}
