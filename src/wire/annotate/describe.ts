import { boundsText, fewClients, isOutside, itemBoundsOf, manyClientsSince } from '../protocol/bounds.ts';
import { isBeyond, type Meaning, type Names } from '../protocol/meaning.ts';
import { ticksPerSecond } from '../protocol/ticks.ts';
import type { ItemTypes } from '../snapshot/item-types.ts';
import { meaningIn, readValue, type Value } from './field-values.ts';
import { type Change, type Content, roleOf, type Span } from './span.ts';

export type DescribedValue = Pick<Span, 'role' | 'value' | 'symbol' | 'quantity' | 'change' | 'isDifference'>;

/**
 * A value of an item with its name or quantity. A difference has neither: 1 more is not the weapon 1.
 * @param areDifferences whether the ints are those of a delta whose base is unknown
 * @param types of the recording: the bounds are those of its version, and it names the item that a registration stands
 *   for
 */
export function describeValue(
  value: Value,
  ints: Int32Array,
  areDifferences: boolean,
  types?: ItemTypes,
): DescribedValue {
  const content = contentOf(value, ints, areDifferences);
  const meaning = meaningIn(value, ints, areDifferences);
  const role = value.known ? roleOf(meaning) : 'unknown';
  if (areDifferences && typeof content === 'number') return { role, value: content, isDifference: true };
  if (typeof content === 'object') return { role: 'number', value: content };

  const is07 = types?.protocol.version === '0.7' && !value.isExtended;
  const bounds = itemBoundsOf(value.meaning, is07);
  if (bounds && typeof content === 'number') {
    if (isOutside(bounds, content)) return { role, value: content, symbol: boundsText(bounds.min, bounds.max) };
    const isHigh = value.meaning.kind === 'client' && content >= fewClients;
    if (isHigh) return { role, value: content, symbol: `taken by DDNet from ${manyClientsSince} on` };
  }

  const registered = meaning.kind === 'uuid' ? types?.protocol.byUuid(String(content))?.name : undefined;
  const { symbol, quantity } = registered === undefined ? textOf(meaning, content) : { symbol: registered };
  return { role, value: content, symbol, quantity };
}

/** @returns the same content twice where nothing changed */
export function describeChange(value: Value, old: Int32Array, now: Int32Array): Change {
  const was = contentOf(value, old);
  const is = hasSameInts(value, old, now) ? was : contentOf(value, now);
  const { symbol: oldSymbol } = textOf(meaningIn(value, old), was);
  const { symbol: newSymbol } = textOf(meaningIn(value, now), is);
  const step = was === is ? undefined : stepText(value, old, now);
  return { old: was, new: is, oldSymbol, newSymbol, step };
}

/** A text that can't be read as one, of differences or damage, as its ints. */
function contentOf(value: Value, ints: Int32Array, areDifferences = false): Content {
  const end = value.at + value.ints;
  if (end > ints.length) return undefined;
  return readValue(value, ints, areDifferences) ?? Array.from(ints.subarray(value.at, end));
}

function hasSameInts({ at, ints: count }: Value, old: Int32Array, now: Int32Array): boolean {
  for (let i = at; i < at + count; i++) if (old[i] !== now[i]) return false;
  return true;
}

function stepText(value: Value, before: Int32Array, after: Int32Array): string | undefined {
  const meaning = meaningIn(value, after);
  const was = readValue(value, before);
  const is = readValue(value, after);
  if (typeof was !== 'number' || typeof is !== 'number') return undefined;

  if (meaning.kind === 'flags') {
    const added = flagNames(meaning.names, is & ~was)?.split('|') ?? [];
    const gone = flagNames(meaning.names, was & ~is)?.split('|') ?? [];
    return [...added.map((name) => `+${name}`), ...gone.map((name) => `-${name}`)].join(' ');
  }

  // A name changes to a name; a quantity by a quantity.
  const old = meaningText(meaningIn(value, before), was);
  const now = meaningText(meaning, is);
  if (old.symbol !== undefined || now.symbol !== undefined) return `${old.symbol ?? was} → ${now.symbol ?? is}`;
  if (meaning.kind === 'client') return now.quantity;
  const { quantity } = meaningText(meaning, (is - was) | 0);
  return quantity === undefined || quantity.startsWith('-') ? quantity : `+${quantity}`;
}

const textOf = (meaning: Meaning, content: Content): ValueText =>
  typeof content === 'number' ? meaningText(meaning, content) : {};

/** The text shown beside a number: a name as its `symbol` (gun, chatting|ready), or a `quantity` (24.50 tiles). */
interface ValueText {
  readonly symbol?: string | undefined;
  readonly quantity?: string | undefined;
}

const unitsPerTile = 32;

export function meaningText(meaning: Meaning, value: number): ValueText {
  const { kind } = meaning;
  if (kind === 'int') return named(meaning.names?.[value]);
  if (kind === 'position') return { quantity: `${(value / unitsPerTile / meaning.scale).toFixed(2)} tiles` };
  if (kind === 'fixed') return { quantity: fixedPoint(value / meaning.scale, meaning.unit) };
  if (kind === 'tick' && value < 0 && meaning.negative) return { symbol: `${meaning.negative} ${-value}` };
  if (kind === 'tick') return value === 0 ? {} : { quantity: `${(value / ticksPerSecond).toFixed(2)} s` };
  if (kind === 'flags') return named(flagNames(meaning.names, value));
  if (kind === 'enum') return named(meaning.names[value] ?? (isBeyond(meaning, value) ? 'unknown' : undefined));
  if (kind === 'boolean') return value === 1 ? { quantity: 'yes' } : {};
  if (kind === 'client' && value === -1 && !meaning.names?.[value]) return { quantity: 'nobody' };
  if (kind === 'client') return named(meaning.names?.[value]);
  return kind === 'amount' ? { quantity: `${value} ${meaning.unit}` } : {};
}

/** The names of the bits that are set, `0x…` for those without a name; undefined if none is set. */
export function flagNames(names: Names, value: number): string | undefined {
  if (value === 0) return undefined;
  const set: string[] = [];
  let rest = value >>> 0;
  for (const key of Object.keys(names)) {
    const bit = Number(key) >>> 0;
    if ((rest & bit) >>> 0 !== bit || bit === 0) continue;
    set.push(names[Number(key)]!);
    rest = (rest & ~bit) >>> 0;
  }
  if (rest) set.push(`0x${rest.toString(16)}`);
  return set.join('|');
}

function fixedPoint(value: number, unit: string): string {
  if (unit === 'rad') return `${((value * 180) / Math.PI).toFixed(1)} degrees`;
  return unit ? `${value.toFixed(2)} ${unit}` : value.toFixed(2);
}

const named = (symbol: string | undefined): ValueText => ({ symbol });
