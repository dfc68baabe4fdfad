import { getOr } from '../../wire/bytes/get-or.ts';
import { type Bitmap, maxColours } from './png.ts';

/** Levels of each colour, and of alpha. */
const colourLevels = 31;
const alphaLevels = 15;

/**
 * At most 256 colours: those that have the same levels become one, their mean, so that large areas keep their colour;
 * those that are rare the nearest one.
 */
export function withFewColours({ width, height, pixels }: Bitmap): Bitmap {
  const sums = new Map<number, Float64Array>();
  for (let i = 0; i < pixels.length; i += 4) {
    const sum = getOr(sums, levelsAt(pixels, i), () => new Float64Array(5));
    for (let channel = 0; channel < 4; channel++) sum[channel]! += pixels[i + channel]!;
    sum[4]!++;
  }
  const means = [...sums].sort(([, a], [, b]) => b[4]! - a[4]!);
  const kept = means.slice(0, maxColours).map(([, [...sum]]) => {
    const mean = sum.slice(0, 4).map((all) => Math.round(all / sum[4]!));
    // What cannot be seen is one colour, whatever it is.
    return mean[3] === 0 ? [0, 0, 0, 0] : mean;
  });
  const colours = new Map(means.map(([levels], i) => [levels, kept[i]]));
  const few = new Uint8Array(pixels.length);
  for (let i = 0; i < pixels.length; i += 4) {
    const levels = levelsAt(pixels, i);
    const colour = colours.get(levels) ?? nearest(kept, pixels.subarray(i, i + 4));
    colours.set(levels, colour);
    few.set(colour, i);
  }
  return { width, height, pixels: few };
}

function levelsAt(pixels: Uint8Array, at: number): number {
  const level = (channel: number, levels: number) => Math.round((pixels[at + channel]! * levels) / 255);
  const alpha = level(3, alphaLevels);
  if (alpha === 0) return 0;
  return ((alpha * 32 + level(0, colourLevels)) * 32 + level(1, colourLevels)) * 32 + level(2, colourLevels);
}

function nearest(colours: readonly number[][], to: ArrayLike<number>): number[] {
  let best = colours[0]!;
  let least = Number.POSITIVE_INFINITY;
  for (const colour of colours) {
    const distance = colour.reduce((sum, value, channel) => sum + (value - to[channel]!) ** 2, 0);
    if (distance < least) {
      best = colour;
      least = distance;
    }
  }
  return best;
}
