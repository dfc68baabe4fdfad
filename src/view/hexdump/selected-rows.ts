import type { Span } from '../../annotate/span.ts';
import type { Payload } from '../../decode/payload.ts';
import type { PacketContents } from '../../packet/packet-contents.ts';
import type { RecordFilter } from '../../recording/record.ts';
import { type RowOptions, renderRows, type Source } from './hexdump.ts';

type SpanTest = (span: Span) => boolean;

/** Tests for spans of the selected items. */
export const isOfItems =
  ({ body, types }: Payload, filter: RecordFilter): SpanTest =>
  ({ item }) =>
    item !== undefined && item < body.count && filter.item(types, body.type(item), body.id(item));

/** Tests for spans of the selected messages, and of the selected items of deltas. */
export const isOfContents =
  ({ messages }: PacketContents, filter: RecordFilter, withMessages: boolean): SpanTest =>
  (span) => {
    const one = messages.find(({ message }) => span.start >= message.start && span.end <= message.end);
    if (!one) return false;
    if (withMessages && filter.message(one.message.type?.name)) return true;
    return one.delta !== undefined && isOfItems(one.delta.payload, filter)(span);
  };

/** The rows of each range of spans that are selected, with their original addresses. */
export function selectedRows(source: Source, options: RowOptions, isSelected: SpanTest): string[] {
  const { spans } = source;
  const lines: string[] = [];
  for (let first = 0; first < spans.length; ) {
    let end = first;
    while (end < spans.length && isSelected(spans[end]!) && spans[end]!.item === spans[first]!.item) end++;
    if (end > first) lines.push(...renderRows(part(source, first, end - 1), options));
    first = Math.max(end, first + 1);
  }
  return lines;
}

function part({ bytes, bits, spans, address = 0 }: Source, first: number, last: number): Source {
  const [start, end] = [spans[first]!.start, spans[last]!.end];
  const moved = spans
    .slice(first, last + 1)
    .map((span) => ({ ...span, start: span.start - start, end: span.end - start }));
  const ownBits = bits && Array.from({ length: end - start + 1 }, (_, i) => bits[start + i]!);
  return { bytes: bytes.subarray(start, end), bits: ownBits, spans: moved, address: address + start };
}
