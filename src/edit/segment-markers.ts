import type { Code, Diagnostic } from '../bytes/diagnostic.ts';
import type { RecordedPayload, Segment } from './segment.ts';

/** The part from which the snapshots of a segment are lost, and the reason. */
export interface Cut {
  readonly part: number;
  readonly cause: Diagnostic;
}

/** The games' recorders write a full snapshot when the last one is this far back. */
const maxKeyframeGap = 250;

/** The result of checking a segment's markers. */
export interface MarkerCheck {
  /**
   * The position of a pattern that no recorder writes: two snapshots for a marker, none for that of a keyframe, or
   * ticks beyond the next full snapshot.
   */
  readonly cut: Cut | undefined;
  /** Whether the ticks lead up to the next full snapshot, so that no marker is missing. */
  readonly isComplete: boolean;
}

export function checkMarkers({ parts }: Segment, next: RecordedPayload | undefined): MarkerCheck {
  const ticks: { readonly tick: number; readonly part: number }[] = [];
  let snapshots = 0;
  let isKeyframe = false;
  for (const [i, part] of parts.entries()) {
    if ('payload' in part) {
      const { kind, tick, offset } = part.payload;
      if (ticks.length === 0) ticks.push({ tick, part: i });
      if (snapshots > 0 || (kind === 'delta' && isKeyframe)) return broken(i, 'repeated_snapshot', offset);
      snapshots++;
      isKeyframe = false;
    } else if (part.entry.record === 'tick') {
      if (isKeyframe) return broken(ticks.at(-1)!.part, 'missing_keyframe', next?.offset ?? 0);
      ticks.push({ tick: part.entry.tick, part: i });
      snapshots = 0;
      isKeyframe = part.entry.keyframe;
    }
  }
  // The last marker belongs to the next full snapshot.
  if (next && ticks.at(-1)?.tick === next.tick) ticks.pop();
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (!first || !last || !next) return { cut: undefined, isComplete: false };
  const steps = ticks.slice(1).map(({ tick }, i) => tick - ticks[i]!.tick);
  const usual = mostFrequent(steps);
  if (last.tick >= next.tick) {
    const unusual = steps.findIndex((step) => step !== usual);
    return broken(ticks[unusual + 1]!.part, 'uncertain_ticks', next.offset);
  }
  return { cut: undefined, isComplete: next.tick - last.tick === usual && last.tick - first.tick <= maxKeyframeGap };
}

const broken = (part: number, code: Code, offset: number): MarkerCheck => ({
  cut: { part, cause: { severity: 'error', code, offset, args: {} } },
  isComplete: false,
});

function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0] as [number, number])[0];
}
