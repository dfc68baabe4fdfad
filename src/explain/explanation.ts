import { getOr } from '../bytes/get-or.ts';
import { clientItems } from '../protocol/item.ts';
import { Players } from '../recording/players.ts';
import { idOf, typeOf } from '../snapshot/key.ts';
import type { ReceivedDelta } from './failure.ts';
import { familyOf } from './hypotheses/index.ts';

import { type NamedItem, Search } from './hypothesis.ts';
import { type FailureNote, Run } from './run.ts';
import { type Verdict, verdictsOf } from './verdict.ts';

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
  run.add(received, 0, new Search());
  return explain([run]);
}

/** The number of failures of an explanation. */
export const failureCount = ({ runs }: Pick<Explanation, 'runs'>): number =>
  runs.reduce((sum, { count }) => sum + count, 0);

/** The failures whose cause is known. */
export const explainedCount = (explanations: readonly Explanation[]): number =>
  explanations.reduce((sum, one) => sum + (one.verdict ? failureCount(one) : 0), 0);

/** The failures of an explanation in order, up to a limit. */
export const failuresOf = ({ runs }: Explanation): FailureNote[] => notesOf(runs);

/**
 * Explains runs of failures. Runs that a cause fits are explained together, since a repeated fault is less likely to be a coincidence: first
 * by the cause, with its subject, that fits most runs. What is left is not explained.
 */
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
