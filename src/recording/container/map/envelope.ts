import type { DatafileItem } from './datafile.ts';

/*
 * How quads and layers of tiles move and change their colours: an envelope has values at points of time, between which
 * curves lead. After its last point it begins again.
 *
 *   envelope  _version channels start_point num_points  name[8]
 *   points    one item with all points: time in ms, curve, values[4] of 22.10 bits
 *             version 3 of an envelope: in_dx[4] in_dy[4] out_dx[4] out_dy[4] besides, the tangents of Bézier curves
 *
 * Source: `src/game/mapitems.h` and `CRenderTools::RenderEvalEnvelope` in `src/game/client/render_map.cpp` of the
 * games.
 */

/** Four values: x, y, and degrees to the right; or red, green, blue and alpha, of which 1 is all. */
export type EnvelopeValues = readonly [number, number, number, number];

interface EnvelopePoint {
  /** In seconds. */
  readonly time: number;
  readonly curve: number;
  readonly values: EnvelopeValues;
  /**
   * For Bézier curves, of each value: where the curve leaves this point and comes to the next one, from the point on.
   */
  readonly leaves: readonly (readonly [seconds: number, value: number])[];
  readonly comes: readonly (readonly [seconds: number, value: number])[];
}

export type Envelope = readonly EnvelopePoint[];

const step = 0;
const slow = 2;
const fast = 3;
const smooth = 4;
const bezier = 5;
const channels = [0, 1, 2, 3] as const;
const unitsPerFixed = 1024;
/** The ints of a point, without and with tangents. */
const plainInts = 6;
const bezierInts = 22;
/** A hostile map may have the same points in many envelopes. */
const maxPoints = 10_000;

/** Reads all envelopes. One that is damaged has no points. */
export function readEnvelopes(items: readonly DatafileItem[], points: DatafileItem = new Int32Array()): Envelope[] {
  let left = maxPoints;
  return items.map(([version = 1, , start = 0, count = 0]) => {
    const ints = version >= 3 ? bezierInts : plainInts;
    if (start < 0 || count < 0 || count > left || (start + count) * ints > points.length) return [];
    left -= count;
    return Array.from({ length: count }, (_, i) =>
      pointAt(points.subarray((start + i) * ints, (start + i + 1) * ints)),
    );
  });
}

function pointAt(ints: Int32Array): EnvelopePoint {
  const fixed = (at: number) => (ints[at] ?? 0) / unitsPerFixed;
  const tangents = (at: number) => channels.map((i) => [(ints[at + i] ?? 0) / 1000, fixed(at + 4 + i)] as const);
  const values = channels.map((i) => fixed(2 + i)) as unknown as EnvelopeValues;
  return { time: ints[0]! / 1000, curve: ints[1]!, values, comes: tangents(6), leaves: tangents(14) };
}

/** The values at a time, in seconds since the match began. */
export function envelopeAt(envelope: Envelope, seconds: number): EnvelopeValues {
  const last = envelope.at(-1);
  if (!last) return [0, 0, 0, 0];
  // Like the games' `fmod`: before the match, the time is negative, and the last values are in force.
  const time = last.time > 0 ? seconds % last.time : 0;
  const next = envelope.findIndex((point, i) => i > 0 && time >= envelope[i - 1]!.time && time <= point.time);
  if (next < 1) return envelope.length === 1 ? envelope[0]!.values : last.values;
  return between(envelope[next - 1]!, envelope[next]!, time);
}

function between(from: EnvelopePoint, to: EnvelopePoint, time: number): EnvelopeValues {
  const passed = to.time > from.time ? (time - from.time) / (to.time - from.time) : 0;
  const values = channels.map((i) => {
    if (from.curve === bezier) return onBezier(from, to, i, time);
    return from.values[i] + (to.values[i] - from.values[i]) * shareOf(from.curve, passed);
  });
  return values as unknown as EnvelopeValues;
}

function shareOf(curve: number, passed: number): number {
  if (curve === step) return 0;
  if (curve === slow) return passed ** 3;
  if (curve === fast) return 1 - (1 - passed) ** 3;
  return curve === smooth ? 3 * passed ** 2 - 2 * passed ** 3 : passed;
}

/** The value where a Bézier curve is at a time. Its time only grows, so that halving finds it. */
function onBezier(from: EnvelopePoint, to: EnvelopePoint, channel: 0 | 1 | 2 | 3, time: number): number {
  const [[leaveIn, leaveBy], [comeIn, comeBy]] = [from.leaves[channel]!, to.comes[channel]!];
  const inside = (at: number) => Math.max(from.time, Math.min(to.time, at));
  const times = [from.time, inside(from.time + leaveIn), inside(to.time + comeIn), to.time] as const;
  const values = [
    from.values[channel],
    from.values[channel] + leaveBy,
    to.values[channel] + comeBy,
    to.values[channel],
  ] as const;
  let low = 0;
  let high = 1;
  for (let i = 0; i < 24; i++) {
    const middle = (low + high) / 2;
    if (cubic(times, middle) < time) low = middle;
    else high = middle;
  }
  return cubic(values, (low + high) / 2);
}

const cubic = ([a, b, c, d]: readonly [number, number, number, number], t: number) =>
  (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t ** 2 * (1 - t) * c + t ** 3 * d;
