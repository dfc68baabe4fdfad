import type { RecordFilter } from '../../recording/replay/record.ts';
import { hexText } from '../../wire/bytes/to-hex.ts';
import { type MessageValue, messageJson, valueNamed } from '../../wire/packet/message.ts';
import { controlsOf, flagsOf, type Packet, type PacketChunk } from '../../wire/packet/packet.ts';
import type { DecodedPacket, MessageContents, PacketContents } from '../../wire/packet/packet-contents.ts';
import { infoOf } from '../../wire/packet/packet-values.ts';
import { deltaJson, diagnosticJson, omittedJson } from './item-json.ts';

/** A packet or message as printed by `decode -t json`. */
export function packetJson(contents: PacketContents, filter?: RecordFilter) {
  const { kind, protocol, diagnostics } = contents;
  const head = { kind, encoding: kind, protocol: protocol.version };
  const body =
    contents.kind === 'packet' ? packetBodyJson(contents, filter) : wholeMessageJson(contents.messages[0]!, filter);
  return { ...head, ...body, diagnostics: diagnostics.all.map(diagnosticJson), ...omittedJson(contents) };
}

function packetBodyJson(whole: DecodedPacket, filter?: RecordFilter) {
  const { packet, chunks, messages, values } = whole;
  if (!packet) return {};
  const flags = flagsOf(packet);
  const token = { token: tokenOf(packet, values) };
  if (packet.kind === 'connless') return { flags, ...token, connless: connlessJson(values) };
  const head = { flags, ack: packet.ack, num_chunks: packet.numChunks, ...token };
  if (packet.kind === 'control') return { ...head, control: controlJson(packet, values) };
  return { ...head, chunks: chunks.map((chunk, i) => chunkJson(chunk, messages[i], filter)) };
}

function chunkJson(
  { vital, resend, sequence, start, end }: PacketChunk,
  message: MessageContents | undefined,
  filter?: RecordFilter,
) {
  const head = { vital, resend, sequence: vital ? sequence : null, size: end - start };
  return { ...head, message: message ? wholeMessageJson(message, filter) : null };
}

function wholeMessageJson({ message, delta, isContinued }: MessageContents, filter?: RecordFilter) {
  if (!delta) return messageJson(message);
  const json = deltaJson(delta.payload, filter);
  return { ...messageJson(message), delta: { ...json, ...(isContinued ? { partial: true } : {}) } };
}

function controlJson({ control, version }: Packet, values: readonly MessageValue[]) {
  return { code: control ?? null, name: controlsOf(version)[control ?? -1] ?? null, ...othersJson(values) };
}

function connlessJson(values: readonly MessageValue[]) {
  const name = values.find((value) => value.name === 'name')?.value ?? null;
  const data = values.find((value) => value.name === 'data')?.value as Uint8Array | undefined;
  const { players } = infoOf(values);
  const others = othersJson(values.filter((value) => value.name !== 'data' && !value.name.startsWith('players[')));
  return { name, ...others, ...(players.length > 0 && { players }), data: data ? hexText(data) : '' };
}

/** Bytes as hex; of padding only the size. */
function othersJson(values: readonly MessageValue[]): Record<string, unknown> {
  const json: Record<string, unknown> = {};
  for (const { name, value } of values) {
    if (name === 'padding') json[name] = (value as Uint8Array).length;
    else if (!shownElsewhere.has(name)) json[name] = value instanceof Uint8Array ? hexText(value) : value;
  }
  return json;
}

const shownElsewhere: ReadonlySet<string> = new Set(['code', 'token', 'marker', 'name']);

function tokenOf({ token }: Packet, values: readonly MessageValue[]): string | null {
  if (token !== undefined) return token.toString(16).padStart(8, '0');
  const value = valueNamed(values, 'token');
  return value instanceof Uint8Array ? hexText(value) : null;
}
