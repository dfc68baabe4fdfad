import type { Payload } from '../../decode/payload.ts';
import type { PacketContents } from '../../packet/packet-contents.ts';
import type { RecordFilter } from '../../recording/record.ts';
import type { SpanTest } from './hexdump.ts';

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
