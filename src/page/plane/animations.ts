/*
 * How the parts of a tee move, as shares of an animation and what is there, between which lines lead: a fact of the
 * games' data (`datasrc/content.py`). A turn to the right is 1.
 */

/** A foot in units right of and below the middle between both, and how far it is turned. */
export type Foot = readonly [x: number, y: number, turns: number];

type Frames<Values extends readonly number[]> = readonly (readonly [share: number, values: Values])[];

const standing = { far: [-7, 0, 0], near: [7, 0, 0] } as const;
const inAir = { far: [-3, 0, -0.1], near: [3, 0, -0.1] } as const;
const walking: Readonly<Record<'far' | 'near', Frames<Foot>>> = {
  far: [
    [0, [8, 0, 0]],
    [0.2, [-8, 0, 0]],
    [0.4, [-10, -4, 0.2]],
    [0.6, [-8, -8, 0.3]],
    [0.8, [4, -4, -0.2]],
    [1, [8, 0, 0]],
  ],
  near: [
    [0, [-10, -4, 0.2]],
    [0.2, [-8, -8, 0.3]],
    [0.4, [4, -4, -0.2]],
    [0.6, [8, 0, 0]],
    [0.8, [8, 0, 0]],
    [1, [-10, -4, 0.2]],
  ],
};

/** How far a weapon that is swung is turned, from upright, and the seconds that this takes. */
const swings: Readonly<Record<string, readonly [seconds: number, frames: Frames<readonly [turns: number]>]>> = {
  hammer: [
    0.2,
    [
      [0, [-0.1]],
      [0.3, [0.25]],
      [0.4, [0.3]],
      [0.5, [0.25]],
      [1, [-0.1]],
    ],
  ],
  ninja: [
    0.5,
    [
      [0, [-0.25]],
      [0.1, [-0.05]],
      [0.15, [0.35]],
      [0.42, [0.4]],
      [0.5, [0.35]],
      [1, [-0.25]],
    ],
  ],
};

/** The length of a step in units. */
export const stepLength = 100;
/** How far a shot throws a weapon back, in units, and for how long, in seconds. */
const recoilUnits = 10;
const recoilSeconds = 0.1;

export interface Walk {
  /** The position on the map from left to right, which moves the feet. */
  readonly x: number;
  readonly isWalking: boolean;
  readonly isInAir: boolean;
}

export function footOf({ x, isWalking, isInAir }: Walk, which: 'far' | 'near'): Foot {
  if (isInAir) return inAir[which];
  if (!isWalking) return standing[which];
  return valuesAt(walking[which], (Math.abs(x) % stepLength) / stepLength);
}

/** How far a hammer or sword is turned, from upright; undefined for a weapon that is held along the aim. */
export function swingOf(weapon: string, secondsSinceAttack: number): number | undefined {
  const swing = swings[weapon];
  if (!swing) return undefined;
  const [seconds, frames] = swing;
  return valuesAt(frames, Math.max(0, Math.min(1, secondsSinceAttack / seconds)))[0];
}

/** How far a weapon is thrown back, in units. */
export function recoilOf(secondsSinceAttack: number): number {
  const share = secondsSinceAttack / recoilSeconds;
  return share >= 0 && share < 1 ? recoilUnits * Math.sin(share * Math.PI) : 0;
}

function valuesAt<Values extends readonly number[]>(frames: Frames<Values>, share: number): Values {
  const next = Math.max(
    1,
    frames.findIndex(([at]) => at >= share),
  );
  const [[from, before], [to, after]] = [frames[next - 1]!, frames[next]!];
  const passed = (share - from) / (to - from);
  return before.map((value, i) => value + (after[i]! - value) * passed) as unknown as Values;
}
