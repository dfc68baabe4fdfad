import type { Meaning } from '../../protocol/meaning.ts';

/** What the games accept of a value, both ends in it. */
export interface ValueBounds {
  readonly min: number;
  readonly max: number;
}

const [lowest, highest] = [-(2 ** 31), 2 ** 31 - 1];
const highestClient = 127;

/** The values that the games accept; undefined where they accept all. */
export function valueBoundsOf(meaning: Meaning): ValueBounds | undefined {
  switch (meaning.kind) {
    case 'int':
    case 'amount': {
      const { min = lowest, max = highest } = meaning;
      return min === lowest && max === highest ? undefined : { min, max };
    }
    case 'boolean':
      return { min: 0, max: 1 };
    case 'client':
      return { min: meaning.min, max: highestClient };
    case 'enum': {
      const values = Object.keys(meaning.names).map(Number);
      return { min: Math.min(...values), max: Math.max(...values) };
    }
    default:
      return undefined;
  }
}
