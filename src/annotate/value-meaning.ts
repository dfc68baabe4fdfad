import type { Meaning, Names } from '../protocol/meaning.ts';
import { ticksPerSecond } from '../protocol/ticks.ts';

/** The text shown beside a number: a name as its `symbol` (gun, chatting|ready), or a `quantity` (24.50 tiles). */
export interface ValueText {
  readonly symbol?: string;
  readonly quantity?: string;
}

const unitsPerTile = 32;
/** The text for an int of this meaning. */
export function meaningText(meaning: Meaning, value: number): ValueText {
  switch (meaning.kind) {
    case 'enum':
      return named(meaning.names[value]);
    case 'int':
      return named(meaning.names?.[value]);
    case 'flags':
      return named(flagNames(meaning.names, value));
    case 'boolean':
      return value === 1 ? { quantity: 'yes' } : {};
    case 'client':
      return value === -1 && !meaning.names?.[value] ? { quantity: 'nobody' } : named(meaning.names?.[value]);
    case 'tick':
      if (value < 0 && meaning.negative) return { symbol: `${meaning.negative} ${-value}` };
      return value === 0 ? {} : { quantity: `${(value / ticksPerSecond).toFixed(2)} s` };
    case 'position':
      return { quantity: `${(value / unitsPerTile / meaning.scale).toFixed(2)} tiles` };
    case 'amount':
      return { quantity: `${value} ${meaning.unit}` };
    case 'fixed':
      return { quantity: fixedPoint(value / meaning.scale, meaning.unit) };
    default:
      return {};
  }
}

/** The names of the bits that are set, `0x…` for those without a name; undefined if none is set. */
export function flagNames(names: Names, value: number): string | undefined {
  const set: string[] = [];
  let rest = value >>> 0;
  for (const [key, name] of Object.entries(names)) {
    const bit = Number(key) >>> 0;
    if ((rest & bit) >>> 0 !== bit || bit === 0) continue;
    set.push(name);
    rest = (rest & ~bit) >>> 0;
  }
  if (rest) set.push(`0x${rest.toString(16)}`);
  return set.length > 0 ? set.join('|') : undefined;
}

function fixedPoint(value: number, unit: string): string {
  if (unit === 'rad') return `${((value * 180) / Math.PI).toFixed(1)} degrees`;
  return unit ? `${value.toFixed(2)} ${unit}` : value.toFixed(2);
}

const named = (symbol: string | undefined): ValueText => (symbol === undefined ? {} : { symbol });
