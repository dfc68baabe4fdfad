import { explain } from './explain.ts';
import { type Change, roleOf, type Span } from './span.ts';
import { readValue, type Value } from './values.ts';

type Described = Pick<Span, 'role' | 'value' | 'symbol' | 'quantity' | 'change'>;

/** A value of an item in words. With the item's ints in the base, `ints` are differences: the words are then those of the result. */
export function describeValue(value: Value, ints: Int32Array, old: Int32Array | undefined): Described {
  const sent = readValue(value, ints);
  const role = value.known ? roleOf(value.meaning) : 'unknown';
  if (!old) return { role, value: sent, ...wordsOf(value, sent) };
  const result = ints.map((int, i) => (int + (old[i] ?? 0)) | 0);
  return { role, value: sent, change: changeOf(value, readValue(value, old), readValue(value, result)) };
}

/** What a value was and what it is now. */
export function changeOf(value: Value, old: number | string | undefined, now: number | string | undefined): Change {
  const was = wordsOf(value, old);
  const is = wordsOf(value, now);
  return {
    old: old ?? '',
    new: now ?? '',
    ...(was.symbol === undefined ? {} : { oldSymbol: was.symbol }),
    ...(is.symbol === undefined ? {} : { newSymbol: is.symbol }),
    ...(is.quantity === undefined ? {} : { newQuantity: is.quantity }),
  };
}

export function wordsOf(value: Value, content: number | string | undefined) {
  return typeof content === 'number' ? explain(value.meaning, content) : {};
}
