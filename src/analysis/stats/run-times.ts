import { type GhostRun, ghostCharacter } from '../../recording/container/ghost/ghost.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';

/** A place on the way of the first run, and when both were there. */
export interface PlaceTimes {
  /** The share of the first run's way, 0 to 1. */
  readonly way: number;
  readonly x: number;
  readonly y: number;
  /** Seconds from the start of the first run, and of the second; undefined if that did not come near. */
  readonly first: number;
  readonly second: number | undefined;
  /** What the second run lost since the last place at which both were; negative if it gained. */
  readonly lost: number | undefined;
}

/** As near as this, in units, the second run is at the same place: three tiles. */
export const nearUnits = 96;

const names = ghostCharacter.fields.map(({ name }) => name);
const [xAt, yAt, tickAt] = ['x', 'y', 'tick'].map((name) => names.indexOf(name)) as [number, number, number];

interface Point {
  readonly x: number;
  readonly y: number;
  readonly seconds: number;
}

const pointsOf = ({ characters, startTick }: GhostRun): Point[] =>
  characters.map((ints) => ({ x: ints[xAt]!, y: ints[yAt]!, seconds: (ints[tickAt]! - startTick) / ticksPerSecond }));

/**
 * Compares the times of two runs at equal places: the way of the first one is divided into equal lengths, and at each
 * place the second run counts when it first comes nearest to it, after the place before.
 */
export function compareRuns(left: GhostRun, right: GhostRun, places = 20): PlaceTimes[] {
  const points = pointsOf(left);
  const others = pointsOf(right);
  const lengths = points.map((_, i) => (i === 0 ? 0 : distance(points[i - 1]!, points[i]!)));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const found: PlaceTimes[] = [];
  let passed = 0;
  let next = 0;
  let from = 0;
  let difference = 0;
  for (const [i, { x, y, seconds: first }] of points.entries()) {
    passed += lengths[i]!;
    const isLast = i === points.length - 1;
    if (passed < (total * next) / places && !isLast) continue;
    next = Math.floor((places * passed) / (total || 1)) + 1;
    const at = nearest(others, { x, y, seconds: first }, from);
    const second = at?.seconds;
    if (at) from = at.index;
    const lost = second === undefined ? undefined : second - first - difference;
    if (second !== undefined) difference = second - first;
    found.push({ way: total === 0 ? 1 : passed / total, x, y, first, second, lost });
  }
  return found;
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

/** When a run first comes nearest to a place, between two of its points, from one of them on. */
function nearest(points: readonly Point[], place: Point, from: number): { index: number; seconds: number } | undefined {
  let best: { index: number; seconds: number; far: number } | undefined;
  for (let index = from; index < points.length; index++) {
    const point = points[index]!;
    const next = points[index + 1] ?? point;
    const dx = next.x - point.x;
    const dy = next.y - point.y;
    const along = ((place.x - point.x) * dx + (place.y - point.y) * dy) / (dx * dx + dy * dy || 1);
    const share = Math.min(1, Math.max(0, along));
    const seconds = point.seconds + share * (next.seconds - point.seconds);
    const far = distance({ x: point.x + share * dx, y: point.y + share * dy, seconds }, place);
    if (far <= nearUnits && far < (best?.far ?? Infinity)) best = { index, seconds, far };
    // It came near, and went away again.
    else if (best && far > 2 * nearUnits) break;
  }
  return best;
}
