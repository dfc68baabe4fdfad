import { roundedState, type TeeState } from './tee.ts';

/*
 * A tee is eight sprites or twenty shapes. It is drawn once for each state that looks different, and then its picture
 * is copied.
 */

/** Pixels that all pictures have together: about 16 MB. */
const maxPixels = 1 << 22;
/** From the middle of a picture to its edges, in units; the signs of who is away are higher. */
const half = 40;
const halfAway = 68;

const pictures = new Map<string, OffscreenCanvas>();
let pixels = 0;

/**
 * Draws a tee at the origin of a context.
 * @param at the origin in pixels: the picture lies on whole ones, so that they are copied as they are
 * @param scale pixels for a unit
 * @param key what the tee looks like, besides its state
 * @param draw draws it at the origin of another context in the same scale
 */
export function drawTeePicture(
  context: CanvasRenderingContext2D,
  at: readonly [x: number, y: number],
  scale: number,
  [key, state]: readonly [key: string, state: TeeState],
  draw: (context: OffscreenCanvasRenderingContext2D, state: TeeState) => void,
): void {
  const perUnit = scale * devicePixelRatio;
  const rounded = roundedState(state, perUnit);
  const { angle, x, emote, isFrozen, isAway, isWalking, isInAir, outline, weapon } = rounded;
  const whole = `${perUnit} ${key} ${outline} ${emote} ${angle} ${x} ${isFrozen} ${isAway} ${isWalking} ${isInAir} ${weapon === 'ninja'}`;
  let picture = pictures.get(whole);
  if (!picture) {
    const side = 2 * Math.ceil((isAway ? halfAway : half) * perUnit);
    pixels += side * side;
    if (pixels > maxPixels) {
      pictures.clear();
      pixels = side * side;
    }
    picture = new OffscreenCanvas(side, side);
    const own = picture.getContext('2d')!;
    own.setTransform(perUnit, 0, 0, perUnit, side / 2, side / 2);
    draw(own, rounded);
    pictures.set(whole, picture);
  }
  const place = (value: number) => (Math.round(value * devicePixelRatio) / devicePixelRatio - value) / scale;
  const units = picture.width / perUnit;
  context.drawImage(picture, place(at[0]) - units / 2, place(at[1]) - units / 2, units, units);
}
