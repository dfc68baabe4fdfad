import { hexText } from '../hex/index.ts';
import type { Message } from '../packet/message.ts';
import type { MessageValue } from '../packet/message-reader.ts';
import type { MessageContents } from '../packet/packet-contents.ts';
import type { EmbeddedDelta } from '../packet/snap-message.ts';
import { annotate } from './annotate.ts';
import { roleOf, type Span } from './span.ts';
import { meaningText } from './value-meaning.ts';

/**
 * The meaning of every byte of a message and of the delta in it, at their offsets in the packet. Nothing is parsed again: the
 * spans are those of the values.
 */
export function annotateMessage(contents: MessageContents): Span[] {
  const { message, delta } = contents;
  const spans = message.head.map((value) => annotateHead(value, message));
  for (const span of annotateFields(contents)) {
    if (delta && span.label === 'bytes') for (const inner of annotateDelta(delta, contents)) spans.push(inner);
    // A data field may be empty.
    else if (span.end > span.start) spans.push(span);
  }
  const { end, padding } = message;
  if (padding > 0) spans.push({ start: end - padding, end, role: 'structure', label: 'padding', value: padding });
  return spans;
}

/** The values of a message, with a delta in it as one value. */
export function annotateFields({ message, delta }: MessageContents): Span[] {
  return message.values.map((value) => annotateValue(value, noteOn(value, message, delta)));
}

/** The spans of a delta by itself, moved to its offset in the packet. */
function annotateDelta({ payload, at, parts }: EmbeddedDelta, { isContinued, isCut }: MessageContents): Span[] {
  const isPart = isContinued && !isCut && parts > 1;
  return annotate(payload).map((span) => {
    const moved = { ...span, start: span.start + at, end: span.end + at };
    return isPart && span.role === 'error' ? { ...moved, role: 'gap', label: `goes on in part 2 of ${parts}` } : moved;
  });
}

/** The int `id << 1 | system` identifies the message: `msg=17 snap_single (system 8)`. */
function annotateHead(value: MessageValue, { type, system, id, uuid }: Message): Span {
  if (value.value === undefined) return annotateValue(value);
  if (value.name === 'uuid') return { ...annotateValue(value), names: type?.name ?? '(unknown)' };
  const { start, end, value: content } = value;
  const numbers = `${system ? 'system' : 'game'} ${id}`;
  const isByUuid = id === 0 && (uuid !== undefined || type === undefined);
  const names = isByUuid ? {} : { names: type?.name ?? '(unknown)' };
  const sent = content as number;
  return {
    start,
    end,
    role: 'identity',
    label: 'msg',
    value: sent,
    ...names,
    symbol: isByUuid ? `${numbers}, by UUID` : numbers,
  };
}

/** A value of a message or of a packet; `note` is shown after it. */
export function annotateValue({ name, type, start, end, value }: MessageValue, note?: string): Span {
  if (value === undefined) return cut(start, end);
  const noted = note === undefined ? {} : { symbol: note };
  const span = { start, end, label: name, ...noted };
  switch (type.kind) {
    case 'string':
      return { ...span, role: 'text', value: value as string };
    case 'data':
    case 'rest':
    case 'sha256':
      return { ...span, ...describeBytes(value as Uint8Array) };
    case 'raw_uuid':
    case 'record':
    case 'repeat':
      return { ...span, role: 'identity', value: value as string };
    default:
      return { ...span, role: roleOf(type), value: value as number, ...meaningText(type, value as number), ...noted };
  }
}

/** A few bytes are shown in hex, many only by their number. */
function describeBytes(bytes: Uint8Array): Pick<Span, 'role' | 'value'> {
  if (bytes.length <= shownBytes) return { role: 'identity', value: hexText(bytes) };
  return { role: 'unknown', value: `${bytes.length} bytes` };
}

/** Enough for a SHA-256. */
const shownBytes = 32;

export const cut = (start: number, end: number): Span => ({
  start,
  end,
  role: 'error',
  label: 'cut',
  value: undefined,
});

/** DDNet's super team is 16, 64 or 128, after the number of clients; 64 of 128 may be a team like others. */
const isSuperTeam = (team: MessageValue['value'], { values: { length } }: Message) =>
  team === 128 || (team === length && (length === 16 || length === 64));

/** A note on a field of a snapshot message, and on the super team. */
function noteOn({ name, value }: MessageValue, message: Message, delta: EmbeddedDelta | undefined): string | undefined {
  if (message.type?.name.startsWith('sv_teamsstate')) return isSuperTeam(value, message) ? 'super' : undefined;
  if (!message.system || !message.type?.name.startsWith('snap')) return undefined;
  const int = (of: string) => message.values.find((one) => one.name === of)?.value as number;
  switch (name) {
    case 'delta':
      return int('tick') - int('delta') === -1 ? 'on nothing' : `on tick ${int('tick') - int('delta')}`;
    case 'part':
      return `${int('part') + 1} of ${int('num_parts')}`;
    case 'crc': {
      const sum = delta?.payload.result?.checksum();
      return sum === undefined ? undefined : sum === value ? 'matches' : `rebuilt: ${sum}`;
    }
    default:
      return undefined;
  }
}
