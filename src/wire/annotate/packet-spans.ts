import { hexText } from '../bytes/to-hex.ts';
import { type Message, type MessageValue, snapshotMessage } from '../packet/message.ts';
import { connlessMarkSize, flagsOf, type Packet, type PacketChunk, tokenBytes } from '../packet/packet.ts';
import type { DecodedPacket, EmbeddedDelta, MessageContents, PacketContents } from '../packet/packet-contents.ts';
import type { Meaning } from '../protocol/meaning.ts';
import { meaningText } from './describe.ts';
import { annotate, cut } from './payload-spans.ts';
import { type Content, type Role, roleOf, type Span } from './span.ts';

/** The meaning of every byte of a packet or message: contiguous spans that cover `layers.bytes`. */
export function annotateContents(contents: PacketContents): Span[] {
  return contents.kind === 'packet' ? annotatePacket(contents) : contents.messages.flatMap(annotateMessage);
}

function annotatePacket({ packet, chunks, messages, values, layers }: DecodedPacket): Span[] {
  const { bytes } = layers;
  if (!packet) return bytes.length > 0 ? [cut(0, bytes.length)] : [];
  const { headSize } = packet;
  const spans = packet.kind === 'connless' ? [connlessHead(packet, bytes)] : head(packet, bytes);
  spans.push(...values.map((value) => annotateValue(value)));

  for (const [i, chunk] of chunks.entries()) {
    const start = headSize + chunk.head;
    if (headSize + chunk.start > bytes.length) spans.push(cut(start, bytes.length));
    else spans.push(...chunkHead(chunk, start));
    if (messages[i]) for (const span of annotateMessage(messages[i])) spans.push(span);
  }

  const end = spans.at(-1)!.end;
  if (end < bytes.length) {
    // Some packets of 0.6 have DDNet's token after their chunks.
    const isToken = packet.headSize === 3 && packet.token !== undefined;
    spans.push(isToken ? token(end, bytes) : span(end, bytes.length, 'gap', 'gap', undefined));
  }
  return spans;
}

/** The flags share their byte with the upper bits of the acknowledged sequence number. */
function head(packet: Packet, bytes: Uint8Array): Span[] {
  const names = flagsOf(packet);
  const spans = [
    structure(0, 1, 'flags', names.length > 0 ? names.join('|') : 0),
    structure(1, 2, 'ack', packet.ack),
    structure(2, 3, 'num_chunks', packet.numChunks),
  ];
  if (packet.headSize > 3) spans.push(token(3, bytes));
  return spans;
}

function connlessHead({ version }: Packet, bytes: Uint8Array): Span {
  const end = connlessMarkSize(bytes, version);
  if (version === '0.7') return structure(0, end, 'flags', 'connless');
  return structure(0, end, 'connless', end === 2 ? 'xe' : hexText(bytes, 0, end));
}

/** The size shares its bytes with the flags and the upper bits of the sequence number. */
function chunkHead({ start, end, head, vital, resend, sequence }: PacketChunk, at: number): Span[] {
  const names = [...(vital ? ['vital'] : []), ...(resend ? ['resend'] : [])];
  const spans = [
    structure(at, at + 1, 'chunk_flags', names.length > 0 ? names.join('|') : 0),
    structure(at + 1, at + 2, 'chunk_size', end - start),
  ];
  if (start - head > 2) spans.push(structure(at + 2, at + 3, 'sequence', sequence));
  return spans;
}

const token = (start: number, bytes: Uint8Array) =>
  span(start, start + tokenBytes, 'identity', 'token', hexText(bytes, start, start + tokenBytes));

const structure = (start: number, end: number, label: string, value: Content): Span =>
  span(start, end, 'structure', label, value);

const span = (start: number, end: number, role: Role, label: string, value: Content): Span => {
  return { start, end, role, label, value };
};

/** The meaning of every byte of a message and of the delta in it, at their offsets in the packet. */
export function annotateMessage(contents: MessageContents): Span[] {
  const { message, delta } = contents;
  const spans = message.head.map((value) => annotateHead(value, message));
  for (const span of annotateFields(contents)) {
    if (delta && span.label === 'bytes') for (const inner of annotateDelta(delta, contents)) spans.push(inner);
    // A data field may be empty.
    else if (span.end > span.start) spans.push(span);
  }
  const { end, padding } = message;
  if (padding > 0) spans.push(structure(end - padding, end, 'padding', padding));
  return spans;
}

/** The values of a message, with a delta in it as one value. */
export function annotateFields({ message, delta }: MessageContents): Span[] {
  return message.values.map((value) => annotateValue(value, noteOn(value, message, delta)));
}

/** The spans of a delta by itself, moved to its offset in the packet. */
function annotateDelta({ payload, at, parts }: EmbeddedDelta, { isContinued, isCut }: MessageContents): Span[] {
  const isPart = isContinued && !isCut && parts > 1;
  const spans = annotate(payload, at);
  const last = spans.at(-1);
  if (isPart && last?.role === 'error')
    spans[spans.length - 1] = { ...last, role: 'gap', label: `goes on in part 2 of ${parts}` };
  return spans;
}

/** The int `id << 1 | system` identifies the message: `msg=17 snap_single (system 8)`. */
function annotateHead(value: MessageValue, { type, misflagged, system, id, uuid }: Message): Span {
  if (value.value === undefined) return annotateValue(value);
  if (value.name === 'uuid') return { ...annotateValue(value), names: (type ?? misflagged)?.name ?? '(unknown)' };

  const { start, end, value: content } = value;
  const numbers = `${system ? 'system' : 'game'} ${id}`;
  const isByUuid = id === 0 && (uuid !== undefined || type === undefined);
  const names = isByUuid ? {} : { names: type?.name ?? '(unknown)' };
  const symbol = isByUuid ? `${numbers}, by UUID` : numbers;
  return { ...span(start, end, 'identity', 'msg', content as number), ...names, symbol };
}

/** A value of a message or of a packet; `note` is shown after it. */
function annotateValue({ name, type, start, end, value }: MessageValue, note?: string): Span {
  if (value === undefined) return cut(start, end);
  const span = { start, end, label: name, symbol: note };
  if (value instanceof Uint8Array) return { ...span, ...describeBytes(value) };
  if (type.kind === 'string') return { ...span, role: 'text', value };
  if (type.kind === 'raw_uuid') return { ...span, role: 'identity', value };

  const { symbol, quantity } = meaningText(type as Meaning, value as number);
  return { start, end, role: roleOf(type), label: name, value, symbol: note ?? symbol, quantity };
}

/** A few bytes are shown in hex, many only by their number. */
function describeBytes(bytes: Uint8Array): Pick<Span, 'role' | 'value'> {
  if (bytes.length <= shownBytes) return { role: 'identity', value: hexText(bytes) };
  return { role: 'unknown', value: `${bytes.length} bytes` };
}

/** Enough for a SHA-256. */
const shownBytes = 32;

/** DDNet's super team is 16, 64 or 128, after the number of clients; 64 of 128 may be a team like others. */
const isSuperTeam = (team: MessageValue['value'], { values: { length } }: Message) =>
  team === 128 || (team === length && (length === 16 || length === 64));

/** A note on a field of a snapshot message, and on the super team. */
function noteOn({ name, value }: MessageValue, message: Message, delta: EmbeddedDelta | undefined): string | undefined {
  if (message.type?.name.startsWith('sv_teamsstate')) return isSuperTeam(value, message) ? 'super' : undefined;

  const snapshot = snapshotMessage(message);
  if (!snapshot) return undefined;
  if (name === 'delta') return snapshot.base === -1 ? 'on nothing' : `on tick ${snapshot.base}`;
  if (name === 'part') return `${snapshot.part + 1} of ${snapshot.parts}`;
  const sum = name === 'crc' ? delta?.payload.result?.checksum() : undefined;
  return sum === undefined ? undefined : sum === value ? 'matches' : `rebuilt: ${sum}`;
}
