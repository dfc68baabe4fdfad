import { connlessVersion, isWrittenByGames, readConnless } from '../../packet/connectionless.ts';
import { readControl } from '../../packet/control.ts';
import { type Message, readMessage } from '../../packet/message.ts';
import type { MessageValue } from '../../packet/message-reader.ts';
import { mayBeMixed, readMixedMessage } from '../../packet/mixed-message.ts';
import { controlsOf, type Packet, type PacketChunk } from '../../packet/packet.ts';
import { type Protocol, protocolOf } from '../../protocol/registry.ts';
import { handshakeStepOf } from '../../recording/handshake.ts';
import type { DiagnosticEntry, PacketEntry } from '../../recording/record.ts';
import { diagnosticMessage } from '../text/diagnostic-messages.ts';
import { count } from '../text/number.ts';
import { messageValueText } from './comment-lines.ts';

/** A message in a packet. */
export interface PacketMessage {
  readonly message: Message;
  /** Whether it was received before. */
  readonly isRepeated: boolean;
}

/** Returns the messages in a packet in order, including repeated ones. */
export function messagesIn({ packet, direction, repeated, stream }: PacketEntry): PacketMessage[] {
  if (packet?.kind !== 'chunks') return [];
  const protocol = stream?.protocol ?? protocolOf(packet.version);
  return packet.chunks.map((chunk) => ({
    message: messageIn(packet, chunk, direction === 'to_client', protocol),
    isRepeated: repeated.includes(chunk),
  }));
}

function messageIn(
  { payload, version }: Packet,
  { start, end }: PacketChunk,
  isToClient: boolean,
  protocol: Protocol,
): Message {
  if (mayBeMixed(version, isToClient, payload[start])) {
    return readMixedMessage(payload.subarray(start, end), protocol, {});
  }
  return readMessage(payload, start, end, protocol);
}

/** `sv_chat: team 0, client_id 1, message "hello"`, or `sv_chat (again): …` for a repeated message */
export function messageLine({ message, isRepeated }: PacketMessage): string {
  const { type, uuid, id, values } = message;
  const name = type?.name ?? `unknown_message_${uuid ?? id ?? ''}`;
  return `${name}${isRepeated ? ' (again)' : ''}${valuesText(values)}`;
}

const valuesText = (values: readonly MessageValue[]) =>
  values.length === 0 ? '' : `: ${values.map(({ name, value }) => `${name} ${messageValueText(value)}`).join(', ')}`;

/** `connection 1 of [::1]:29911 · 0.6 · to_client · ack 5 · 2 chunks` */
export function connectionLine(entry: PacketEntry | DiagnosticEntry): string {
  const { number, client, protocol } = entry.stream!;
  const packet = entry.record === 'packet' && entry.packet?.kind === 'chunks' ? entry.packet : undefined;
  const head = [`connection ${number} of ${client}`, protocol.version, entry.direction];
  if (packet) head.push(`ack ${packet.ack}`, count(packet.chunks.length, 'chunk'));
  if (packet?.resend) head.push('resend requested');
  return head.join(' · ');
}

/** `control close: reason "bye"` */
export function controlLine(packet: Packet): string {
  const name = controlsOf(packet.version)[packet.control!] ?? packet.control;
  const values = readControl(packet).filter(({ name: value }) => value !== 'code' && value !== 'padding');
  return `control ${name}${valuesText(values)}`;
}

/** A packet without a connection: `connectionless gie3: 15 bytes`, `handshake token_request`; undefined if it is not the games'. */
export function unconnectedLine(bytes: Uint8Array): string | undefined {
  const version = connlessVersion(bytes);
  if (version && isWrittenByGames(bytes)) {
    const name = readConnless(bytes, { version }).find((value) => value.name === 'name')?.value;
    return `connectionless${typeof name === 'string' ? ` ${messageValueText(name)}` : ''}: ${bytes.length} bytes`;
  }
  const step = handshakeStepOf(bytes);
  return step && `handshake ${step.kind}`;
}

/** `✗ huffman_no_eof: …`, or `! wrong_token: …` for a warning */
export const findingText = ({ diagnostic }: DiagnosticEntry): string =>
  `${diagnostic.severity === 'error' ? '✗' : '!'} ${diagnostic.code}: ${diagnosticMessage(diagnostic)}`;
