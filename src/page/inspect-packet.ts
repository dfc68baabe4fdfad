import { annotateContents, annotateFields } from '../annotate/packet.ts';
import type { Span } from '../annotate/span.ts';
import type { MessageContents, PacketContents } from '../packet/packet-contents.ts';
import { quote } from '../view/text/escape.ts';
import { messageName } from '../view/text/recording-phrases.ts';
import { type Inspected, type ItemLine, itemLines, SentItems } from './inspect.ts';

/** Messages are numbered downward from this key, which is less than the key of any item. */
const firstKey = -(2 ** 32);

/** Annotates a packet or message. Messages are listed like items, and each is followed by the items of its delta. */
export function inspectContents(contents: PacketContents): Inspected {
  const spans = annotateContents(contents);
  const keys: (number | undefined)[] = new Array(spans.length).fill(undefined);
  const items = contents.messages.flatMap((one, number) => {
    const message = messageLine(one, number, spans);
    const { start, end } = one.message;
    for (const [i, span] of spans.entries()) if (span.start >= start && span.end <= end) keys[i] = message.key;
    if (!one.delta) return [message];
    const { payload, at } = one.delta;
    const sent = new SentItems(payload, spans, at);
    for (const [i, key] of sent.keys.entries()) keys[i] = key ?? keys[i];
    return [message, ...itemLines(payload, sent)];
  });
  return { payload: contents, spans, keys, items };
}

function messageLine(one: MessageContents, number: number, spans: readonly Span[]): ItemLine {
  const name = messageName(one.message);
  const spanAt = (start: number) => spans.findIndex((span) => span.start === start);
  return {
    key: firstKey - number,
    link: `${name}/${number}`,
    name,
    id: number,
    player: undefined,
    state: 'sent',
    span: spanAt(one.message.start),
    fields: () =>
      annotateFields(one).map(({ start, end, label, role, value, symbol, quantity }) => ({
        label,
        old: undefined,
        now: typeof value === 'string' && role === 'text' ? quote(value) : String(value ?? '…'),
        meaning: symbol ?? quantity ?? '',
        role,
        span: end > start ? spanAt(start) : -1,
      })),
  };
}
