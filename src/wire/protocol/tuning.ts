import { tuneParams } from './enums.ts';

/**
 * The defaults of the tune params, times 100 as they are sent, in the order of {@link tuneParams}. Clients play demos
 * without any tuning with them.
 *
 * Source: `src/game/tuning.h` of Teeworlds 0.7.5, and of DDNet 16.4 and 20.1 for those from `jetpack_strength` on.
 */
const defaults: readonly number[] = [
  1000, 200, 50, 1320, 1200, 500, 150, 95, 38000, 8000, 300, 1500, 50, 55000, 200000, 140, 125, 220000, 200, 125,
  275000, 80, 20, 700, 100000, 200, 80000, 15000, 100, 0, 500, 100, 100, 40000, 1000, 600, 100, 125, 12500, 12500,
  50000, 50000, 80000, 80000, 32000, 0, 0,
];

/** DDNet's lasers bounce without end. */
const ddnetBounces = 100_000;

/** The default of a tune param, times 100; undefined for one of no game. */
export function defaultTuning(name: string): number | undefined {
  return defaults[(tuneParams as readonly string[]).indexOf(name)];
}

/** Whether a value, times 100, is the default of a game: the games differ in one. */
export const isDefaultTuning = (name: string, value: number): boolean =>
  value === defaultTuning(name) || (name === 'laser_bounce_num' && value === ddnetBounces);
