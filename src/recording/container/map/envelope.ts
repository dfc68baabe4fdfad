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
  readonly time: number;
  readonly curve: number;
  readonly values: EnvelopeValues;
  /**
   * For Bézier curves, of each value: where the curve leaves this point and comes to the next one, from the point on.
   */
  readonly leaves: readonly (readonly [seconds: number, value: number])[];
  readonly comes: readonly (readonly [seconds: number, value: number])[];
}

/** The ints of its points, and how many each has. Points are read when they are needed: envelopes may share them. */
export interface Envelope {
  readonly ints: Int32Array;
  readonly size: number;
}

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

/** Reads all envelopes. One that is damaged has no points. */
export function readEnvelopes(items: readonly DatafileItem[], points: DatafileItem = new Int32Array()): Envelope[] {
  return items.map(([version = 1, , start = 0, count = 0]) => {
    const size = version >= 3 ? bezierInts : plainInts;
    const areThere = start >= 0 && count >= 0 && (start + count) * size <= points.length;
    return { ints: areThere ? points.subarray(start * size, (start + count) * size) : new Int32Array(), size };
  });
}

function pointAt({ ints: all, size }: Envelope, i: number): EnvelopePoint {
  const ints = all.subarray(i * size, (i + 1) * size);
  const fixed = (at: number) => (ints[at] ?? 0) / unitsPerFixed;
  const tangents = (at: number) => channels.map((i) => [(ints[at + i] ?? 0) / 1000, fixed(at + 4 + i)] as const);
  const values = channels.map((i) => fixed(2 + i)) as unknown as EnvelopeValues;
  return { time: ints[0]! / 1000, curve: ints[1]!, values, comes: tangents(6), leaves: tangents(14) };
}

/** The values at a time, in seconds since the match began. */
export function envelopeAt(envelope: Envelope, seconds: number): EnvelopeValues {
  const count = envelope.ints.length / envelope.size;
  if (count === 0) return [0, 0, 0, 0];
  const last = pointAt(envelope, count - 1);
  // Like the games' `fmod`: before the match, the time is negative, and the last values are in force.
  const time = last.time > 0 ? seconds % last.time : 0;
  // By halves, as `IEnvelopePointAccess::FindPointIndex` of DDNet.
  let low = 0;
  let high = count - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (time < timeOf(envelope, middle)) high = middle;
    else low = middle;
  }
  if (time < timeOf(envelope, low) || time > timeOf(envelope, high)) return last.values;
  return low === high ? last.values : between(pointAt(envelope, low), pointAt(envelope, high), time);
}

const timeOf = ({ ints, size }: Envelope, i: number) => ints[i * size]! / 1000;

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
