import type { Packet, PacketVersion } from '../packet/packet.ts';
import { fitPacket } from '../packet/version.ts';
import { messagesOf } from '../protocol/message-registry.ts';

/** What the first packet between two ends tells of them. */
export interface Handshake {
  /** Whether it asks for a connection, and so begins one. */
  readonly begins: boolean;
  /** Where it is sure. */
  readonly version: PacketVersion | undefined;
  /** Where it is sure. */
  readonly sender: 'client' | 'server' | undefined;
}

/** Messages and control packets that only one of the two sends, and often. */
const senders: Readonly<Record<string, Handshake['sender']>> = {
  snap: 'server',
  snap_single: 'server',
  snap_empty: 'server',
  input_timing: 'server',
  map_change: 'server',
  map_data: 'server',
  con_ready: 'server',
  input: 'client',
  info: 'client',
  ready: 'client',
  enter_game: 'client',
  request_map_data: 'client',
};

/** Packets from this penalty on are not game traffic: those that are empty or have up to two unknown messages are. */
const implausible = 90;

/** What a packet without a connection tells; undefined where it is none of the games'. */
export function readHandshake(bytes: Uint8Array): Handshake | undefined {
  const version = connectRequestOf(bytes);
  if (version) return { begins: true, version, sender: 'client' };
  const [{ packet, penalty, isDamaged }] = fitPacket(bytes);
  if (!packet || isDamaged || penalty >= implausible) return undefined;
  return { begins: false, version: undefined, sender: senderOf(packet) };
}

/** The version in which a client asks for a connection, where a packet does that: 0.7 asks for a token first. */
export function connectRequestOf(bytes: Uint8Array): PacketVersion | undefined {
  if (bytes[1] !== 0 || bytes[2] !== 0) return undefined;
  if (bytes[0] === 0x10 && bytes[3] === 1) return '0.6';
  // A request for a token comes without one; the answer has it.
  const hasToken = bytes[3] !== 0xff || bytes[4] !== 0xff || bytes[5] !== 0xff || bytes[6] !== 0xff;
  return bytes[0] === 0x04 && bytes.length >= 12 && bytes[7] === 5 && !hasToken ? '0.7' : undefined;
}

function senderOf({ version, kind, control, chunks, payload }: Packet): Handshake['sender'] {
  if (kind === 'control') return control === 1 ? 'client' : control === 2 ? 'server' : undefined;
  for (const { start } of chunks) {
    const head = payload[start]!;
    if ((head & 1) === 0 || head >= 0x40) continue;
    const sender = senders[messagesOf(version).byId(true, head >> 1)?.name ?? ''];
    if (sender) return sender;
  }
  return undefined;
}
