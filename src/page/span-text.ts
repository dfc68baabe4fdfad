import { token } from '../view/hexdump/hexdump.ts';
import { address, bitAddress, count } from '../view/text/number.ts';
import type { Inspected } from './inspect.ts';

/** Describes a span by its meaning, its item, and its position in the file. */
export function spanText({ payload, spans, keys, items }: Inspected, index: number): string {
  const span = spans[index]!;
  const { bits } = payload.layers;
  const item = keys[index] === undefined ? undefined : items.find(({ key }) => key === keys[index]);
  const of = item ? ` of ${item.name} ${item.id}${item.player ? ` "${item.player}"` : ''}` : '';
  const position = `0x${address(span.start)}`;
  const from = bits
    ? `; ${count(bits[span.end]! - bits[span.start]!, 'bit')} of the file, at ${bitAddress(bits[span.start]!)}`
    : '';
  return `${token(span, true)}${of}   ${count(span.end - span.start, 'byte')} at ${position}${from}`;
}
