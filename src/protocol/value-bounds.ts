import type { Meaning } from './meaning.ts';

/** The smallest and the largest value of a field. */
export interface ValueBounds {
  readonly min: number;
  readonly max: number;
}

const [minInt, maxInt] = [-(2 ** 31), 2 ** 31 - 1];
/** The client number of the last of DDNet's 128 players. */
const maxClient = 127;

/** The values that the games accept in a field; undefined where they accept all. */
export function valueBoundsOf(meaning: Meaning): ValueBounds | undefined {
  switch (meaning.kind) {
    case 'int':
    case 'amount': {
      const { min = minInt, max = maxInt } = meaning;
      return min === minInt && max === maxInt ? undefined : { min, max };
    }
    case 'boolean':
      return { min: 0, max: 1 };
    case 'client':
      return { min: meaning.min, max: maxClient };
    case 'enum': {
      const values = Object.keys(meaning.names).map(Number);
      return { min: Math.min(...values), max: Math.max(...values) };
    }
    default:
      return undefined;
  }
}

/** A tick a little below zero is minus some other time; no map has 2^17 tiles of 32 units. */
const [minTick, maxUnits] = [-(2 ** 10), 2 ** 22];

/** The values that are found in real recordings; undefined where any value is. The games accept ticks and positions beyond them. */
export function plausibleBoundsOf(meaning: Meaning): ValueBounds | undefined {
  switch (meaning.kind) {
    case 'tick':
      return { min: minTick, max: maxInt };
    case 'position':
      return { min: -maxUnits * meaning.scale, max: maxUnits * meaning.scale };
    default:
      return valueBoundsOf(meaning);
  }
}
