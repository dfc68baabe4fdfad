import { expect, it } from 'vitest';
import { withFewColours } from '../../../src/page/report/few-colours.ts';
import { seeded } from '../../support/seeded.ts';

const coloursOf = ({ buffer, byteOffset, length }: Uint8Array) =>
  new Set(new Uint32Array(buffer.slice(byteOffset, byteOffset + length)));

it('a picture with few colours is as it was', () => {
  const pixels = Uint8Array.of(166, 110, 53, 255, 0, 0, 0, 0, 12, 200, 99, 128, 166, 110, 53, 255);
  expect(withFewColours({ width: 4, height: 1, pixels }).pixels).toEqual(pixels);
});

it('a picture with many colours has 256, near those that it had, and those of large areas', () => {
  const next = seeded(58);
  const [width, height] = [128, 128];
  const pixels = Uint8Array.from({ length: 4 * width * height }, (_, i) => (i % 4 === 3 ? 255 : next() & 255));
  // The upper half is of one colour.
  for (let i = 0; i < pixels.length / 2; i += 4) pixels.set([166, 110, 53, 255], i);
  const few = withFewColours({ width, height, pixels }).pixels;
  expect(coloursOf(few).size).toBe(256);
  expect([...few.subarray(0, 4)].every((value, i) => Math.abs(value - pixels[i]!) <= 1)).toBe(true);
  const distances = Array.from({ length: few.length / 4 }, (_, i) =>
    Math.hypot(...[0, 1, 2].map((channel) => few[4 * i + channel]! - pixels[4 * i + channel]!)),
  );
  // Of 256 colours spread over the cube, each has a smaller one with edges of 40: its corners are 35 away.
  expect(distances.reduce((sum, one) => sum + one, 0) / distances.length).toBeLessThan(35);
});

it('what cannot be seen has no colour', () => {
  const { pixels } = withFewColours({ width: 1, height: 1, pixels: Uint8Array.of(200, 10, 10, 0) });
  expect([...pixels]).toEqual([0, 0, 0, 0]);
});
