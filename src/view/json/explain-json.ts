import { type Explanation, explainedCount, itemsOf, type Verdict } from '../../explain/explanation.ts';
import { baseFaults, fullOf, type StreamFinding } from '../../explain/health.ts';
import type { Cause } from '../../explain/hypothesis.ts';
import { differenceOf, type LogExplanation, type LogRun, unpackCauses } from '../../explain/log.ts';
import type { DemoFaults } from '../../explain/recording-explainer.ts';
import type { Explained } from '../explain/explanations.ts';

/** `{"file","snapshots","failures","explained","explanations":[…],"findings":[…]}` */
export function explainedJson({ explanations, findings, demo, ...one }: Explained) {
  const { file, snapshots, failures, unreadable, missingBases } = one;
  return {
    ...{ file, snapshots, failures, unreadable, missing_bases: missingBases },
    explained: explainedCount(explanations),
    explanations: explanations.map(explanationJson),
    findings: findings.map(findingJson),
    ...(demo ? { demo: demoJson(demo) } : {}),
  };
}

const demoJson = ({ losses, wrongSizes, isOtherMap, unplayable }: DemoFaults) => ({
  lost: losses.ranges.map(({ from, to, snapshots, cause, next }) => ({
    from,
    to: Number.isFinite(to) ? to : null,
    snapshots,
    next: next ?? null,
    ...(cause ? { code: cause.code, offset: cause.offset } : {}),
  })),
  lost_messages: losses.messages,
  wrong_sizes: wrongSizes,
  map_damaged: isOtherMap,
  unplayable: unplayable.map(({ code }) => code),
});

function explanationJson(explanation: Explanation) {
  const { verdict, others, runs } = explanation;
  const evidence = runs.flatMap(({ stream, notes }) =>
    notes.map(({ frame, tick, base, announced, difference, error }) => ({
      ...(stream ? { client: stream.client, frame } : {}),
      tick,
      base,
      announced,
      difference: difference ?? null,
      ...(error ? { error: error.code } : {}),
    })),
  );
  const candidates = others.map((other) => verdictJson(explanation, other));
  return { ...(verdict ? verdictJson(explanation, verdict) : { cause: null }), evidence, candidates };
}

/** The causes whose `kind` says which form they have. */
const withKind: ReadonlySet<Cause> = new Set(['mixed_parts', 'damaged', 'too_large', 'old_state', 'sign']);

function verdictJson(explanation: Explanation, verdict: Verdict) {
  const { cause, about, numbers, field, areAlternatives, fits, of, chance } = verdict;
  const items = itemsOf(explanation, verdict).map(({ type, id, name, player }) => ({
    type,
    name: name ?? null,
    id,
    ...(player === undefined ? {} : { player }),
  }));
  const kind = withKind.has(cause) ? { kind: about.split(' ')[0] } : {};
  return {
    cause,
    ...kind,
    items,
    ...(areAlternatives ? { alternatives: true } : {}),
    ...(field === undefined ? {} : { field }),
    ...numbers,
    fits,
    of,
    chance,
  };
}

const findingJson = ({ cause, subject, count, firstTick, lastTick, frame, size, stream }: StreamFinding) => ({
  cause,
  ...(stream.client === '' ? {} : { client: stream.client, frame }),
  ...(cause === 'unregistered' ? { type: subject } : {}),
  ...(cause === 'mixed_parts' ? { part: subject, bytes: size } : {}),
  ...(cause === 'too_large' ? { [subject === fullOf.bytes ? 'bytes' : 'items']: size } : {}),
  ...(cause === 'no_base' ? { kind: baseFaults[subject], base: size } : {}),
  ...(cause === 'other_huffman'
    ? { packets: count, compressed: size }
    : { snapshots: count, first_tick: firstTick, last_tick: lastTick }),
});

/** `{"file","runs":[…],"unpack_errors":[…],"invalid","missing_bases"}` */
export function logJson(file: string, { runs, unpackErrors, invalid, missingBases }: LogExplanation) {
  return {
    file,
    runs: runs.map(runJson),
    unpack_errors: [...unpackErrors].map(([code, count]) => ({
      code: code === 0 ? null : code,
      count,
      causes: unpackCauses(code),
    })),
    invalid,
    missing_bases: missingBases,
  };
}

function runJson({ errors, course, perTick, causes, isLarge }: LogRun) {
  return {
    causes,
    course,
    ...(perTick === 0 ? {} : { per_tick: perTick }),
    large: isLarge,
    errors: errors.map((error) => {
      const { line, tick, base, bytes } = error;
      return { line, tick, base, difference: differenceOf(error), bytes };
    }),
  };
}
