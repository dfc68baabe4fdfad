import { hexText } from '../hex/index.ts';
import { connlessMarkSize } from '../packet/connectionless.ts';
import { flagsOf, type Packet, type PacketChunk } from '../packet/packet.ts';
import type { DecodedPacket, PacketContents } from '../packet/packet-contents.ts';
import { annotateMessage, annotateValue, cut } from './message.ts';
import type { Content, Role, Span } from './span.ts';

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
    const isToken = packet.headSize === 3 && packet.token !== undefined;
    spans.push(
      isToken
        ? { start: end, end: bytes.length, role: 'identity', label: 'token', value: hexText(bytes, end) }
        : { start: end, end: bytes.length, role: 'gap', label: 'gap', value: undefined },
    );
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
  if (packet.headSize > 3) spans.push(token(3, 'token', bytes));
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

const tokenBytes = 4;

function token(start: number, label: string, bytes: Uint8Array): Span {
  return span(start, start + tokenBytes, 'identity', label, hexText(bytes, start, start + tokenBytes));
}

const structure = (start: number, end: number, label: string, value: Content): Span =>
  span(start, end, 'structure', label, value);

const span = (start: number, end: number, role: Role, label: string, value: Content): Span => ({
  start,
  end,
  role,
  label,
  value,
});
