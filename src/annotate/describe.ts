import type { Meaning } from '../protocol/meaning.ts';
import { type Change, type Content, roleOf, type Span } from './span.ts';
import { flagNames, meaningText, type ValueText } from './value-meaning.ts';
import { readValue, type Value } from './values.ts';

type Described = Pick<Span, 'role' | 'value' | 'symbol' | 'quantity' | 'change'>;

/** A value of an item in words; `strict`: the ints may be differences. */
export function describeValue(value: Value, ints: Int32Array, strict: boolean): Described {
  const content = readValue(value, ints, strict);
  return { role: value.known ? roleOf(value.meaning) : 'unknown', value: content, ...words(value.meaning, content) };
}

/** What a value was in `old` and what it is in `now`. */
export function describeChange(value: Value, old: Int32Array, now: Int32Array): Change {
  const { meaning } = value;
  const was = readValue(value, old);
  const is = readValue(value, now);
  const { symbol: oldSymbol } = words(meaning, was);
  const { symbol: newSymbol, quantity: newQuantity } = words(meaning, is);
  const step = was === is ? undefined : stepInWords(meaning, was, is);
  return {
    old: was,
    new: is,
    ...(oldSymbol === undefined ? {} : { oldSymbol }),
    ...(newSymbol === undefined ? {} : { newSymbol }),
    ...(newQuantity === undefined ? {} : { newQuantity }),
    ...(step === undefined ? {} : { step }),
  };
}

function stepInWords(meaning: Meaning, was: Content, is: Content): string | undefined {
  if (typeof was !== 'number' || typeof is !== 'number') return undefined;
  if (meaning.kind === 'flags') {
    const added = flagNames(meaning.names, is & ~was)?.split('|') ?? [];
    const gone = flagNames(meaning.names, was & ~is)?.split('|') ?? [];
    return [...added.map((name) => `+${name}`), ...gone.map((name) => `-${name}`)].join(' ');
  }
  const old = meaningText(meaning, was);
  const now = meaningText(meaning, is);
  if (old.symbol !== undefined || now.symbol !== undefined) return `${old.symbol ?? was} → ${now.symbol ?? is}`;
  if (meaning.kind === 'client') return now.quantity;
  const { quantity } = meaningText(meaning, (is - was) | 0);
  return quantity === undefined || quantity.startsWith('-') ? quantity : `+${quantity}`;
}

function words(meaning: Meaning, content: Content): ValueText {
  return typeof content === 'number' ? meaningText(meaning, content) : {};
}
