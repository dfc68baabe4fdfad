import { describe, expect, it } from 'vitest';
import { envelopeAt, readEnvelopes } from '../../../../src/recording/container/map/envelope.ts';

const [step, linear, slow, fast, smooth, bezier] = [0, 1, 2, 3, 4, 5];
const fixed = (values: readonly number[]) => values.map((value) => value * 1024);

/** An item with the head of an envelope: version, channels, and which points it has. */
const head = (version: number, start: number, count: number) => Int32Array.from([version, 4, start, count]);
const point = (milliseconds: number, curve: number, values: readonly number[]) => [
  milliseconds,
  curve,
  ...fixed(values),
];
const of = (...points: readonly (readonly number[])[]) =>
  readEnvelopes([head(2, 0, points.length)], Int32Array.from(points.flat()))[0]!;

describe('an envelope', () => {
  it.each([
    ['a step', step, 0],
    ['a line', linear, 25],
    // A quarter of the time: t³, 1 − (1 − t)³, and 3t² − 2t³ of a hundred.
    ['a slow beginning', slow, 1.5625],
    ['a fast beginning', fast, 57.8125],
    ['a smooth curve', smooth, 15.625],
  ])('has between two points the value of %s', (_, curve, expected) => {
    const envelope = of(point(1000, curve, [0, 0, 0, 0]), point(3000, linear, [100, 200, 0, 0]));
    const [x, y] = envelopeAt(envelope, 1.5);
    expect(x).toBeCloseTo(expected, 6);
    expect(y).toBeCloseTo(2 * expected, 6);
  });

  it('begins again after its last point', () => {
    const envelope = of(point(0, linear, [0, 0, 0, 0]), point(2000, linear, [100, 0, 0, 0]));
    expect(envelopeAt(envelope, 1)[0]).toBe(50);
    expect(envelopeAt(envelope, 7)[0]).toBe(50);
    expect(envelopeAt(envelope, 6.5)[0]).toBe(25);
  });

  it('has a Bézier curve with its tangents', () => {
    // Tangents of a third of the way, along the line and level: the first is a line again, the second 3t² − 2t³ at its
    // middle.
    const tangents = (dx: number, dy: number) => [...Array(4).fill(dx), ...fixed(Array(4).fill(dy))];
    const curve = (dy: number) => [
      ...[...point(0, bezier, [0, 0, 0, 0]), ...tangents(0, 0), ...tangents(1000, dy)],
      ...[...point(3000, linear, [90, 90, 90, 90]), ...tangents(-1000, -dy), ...tangents(0, 0)],
    ];
    const at = (dy: number, seconds: number) =>
      envelopeAt(readEnvelopes([head(3, 0, 2)], Int32Array.from(curve(dy)))[0]!, seconds)[0];
    expect(at(30, 0.75)).toBeCloseTo(22.5, 3);
    expect(at(0, 1.5)).toBeCloseTo(45, 3);
    expect(at(0, 0.75)).toBeCloseTo(90 * (3 * 0.25 ** 2 - 2 * 0.25 ** 3), 3);
  });

  it('of a single point has its values always; one without points has none, which is nothing visible', () => {
    expect(envelopeAt(of(point(0, linear, [1, 2, 3, 4])), 99)).toEqual([1, 2, 3, 4]);
    expect(envelopeAt(of(), 5)).toEqual([0, 0, 0, 0]);
  });

  it('of a damaged map has no points, if they are not there; many envelopes may have the same', () => {
    const points = Int32Array.from(point(0, linear, [1, 1, 1, 1]));
    const read = (start: number, count: number) => readEnvelopes([head(2, start, count)], points)[0]!.ints.length / 6;
    expect([read(0, 1), read(0, 2), read(1, 1), read(-1, 1), read(0, -1), read(0x7fffffff, 0x7fffffff)]).toEqual([
      1, 0, 0, 0, 0, 0,
    ]);
    const many = Array.from({ length: 20_000 }, (_, i) => point(10 * i, linear, [i, 0, 0, 0])).flat();
    const all = readEnvelopes(Array(1000).fill(head(2, 0, 20_000)), Int32Array.from(many));
    expect(new Set(all.map((envelope) => envelopeAt(envelope, 123.455)[0]))).toEqual(new Set([12_345.5]));
  });
});
