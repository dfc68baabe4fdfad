import { u32 } from '../../wire/bytes/fixed-int.ts';
import { controlCode, type Packet, type PacketVersion } from '../../wire/packet/packet.ts';
import { bestFit, packetVersionOf, type StatedVersion } from '../../wire/packet/version.ts';
import { messagesOf } from '../../wire/protocol/message-registry.ts';
import { sentBy } from '../replay/impossible-message.ts';
import { leastEvidence } from '../replay/limits.ts';
import type { HandshakeFact } from '../replay/record.ts';
import type { Direction, Endpoint } from '../replay/stream.ts';

export interface Handshake {
  readonly begins: boolean;
  /** Undefined if neither the handshake nor the user states it. */
  readonly version: PacketVersion | undefined;
  readonly sender: 'client' | 'server' | undefined;
  /**
   * The tokens that the two ends expect in every packet, if the handshake announced them; `undefined` inside means no
   * token.
   */
  readonly tokens?: { readonly to_client: number | undefined; readonly to_server: number | undefined };
  /** The packets of the handshake, and the seconds from its first to its last one. */
  readonly made?: { readonly packets: number; readonly seconds: number };
  /** The token that the accept of 0.7 repeats, if it is not the one that the server gave: clients do not look at it. */
  readonly acceptToken?: number | undefined;
}

export interface HandshakeStep {
  readonly version: PacketVersion;
  /**
   * `token_request` and `token` exist only in 0.7, also without a following connection. `accept` is the server's answer
   * to `connect`; `accepted` is the client's answer to `accept`, only in 0.6.
   */
  readonly kind: HandshakeFact['step'];
  readonly headerToken: number | undefined;
  /** The token that the packet announces or repeats at its end. */
  readonly token: number | undefined;
}

/** A packet of a handshake as the record of it has it. @param ends of the sender and the receiver */
export function handshakeFact(
  { version, kind }: HandshakeStep,
  ends: readonly [from: Endpoint, to: Endpoint],
  direction: Direction,
): HandshakeFact {
  const [client, server] = direction === 'to_server' ? ends : ends.toReversed();
  return { client: client!, server: server!, direction, version, step: kind };
}

/** The way of a step; undefined for a close, which either end sends. */
export function directionOf({ kind }: HandshakeStep): Direction | undefined {
  if (kind === 'close') return undefined;
  return kind === 'token' || kind === 'accept' ? 'to_client' : 'to_server';
}

const noToken = 0xffffffff;

const kinds06 = [undefined, 'connect', 'accept', 'accepted', 'close'] as const;
const kinds07 = [undefined, 'connect', 'accept', undefined, 'close', 'token'] as const;

/**
 * Reads an uncompressed packet that may belong to a handshake; undefined for others.
 * ```
 * 0.6   0001 T... .. 00  [token[4]]  code  ["TKEN"]  [token[4]]          T a token follows the header, 0.6.5
 * 0.7   0000 01.. .. 00  token[4]    code  [token[4]]
 * ```
 */
export function handshakeStepOf(bytes: Uint8Array): HandshakeStep | undefined {
  if (bytes[2] !== 0) return undefined;
  const flags = bytes[0]! & 0xfc;
  if (flags === 0x04) return step07(bytes);
  return flags === 0x10 || flags === 0x18 ? step06(bytes, flags === 0x18) : undefined;
}

function step07(bytes: Uint8Array): HandshakeStep | undefined {
  const kind = kinds07[bytes[7] ?? 0];
  if (!kind) return undefined;
  const headerToken = u32(bytes, 3, false);
  const token = bytes.length >= 12 ? u32(bytes, 8, false) : undefined;
  // A token request contains no token; the answer does.
  if (kind === 'token' && token === undefined) return undefined;
  const isRequest = kind === 'token' && headerToken === noToken;
  return { version: '0.7', kind: isRequest ? 'token_request' : kind, headerToken, token };
}

function step06(bytes: Uint8Array, hasHeaderToken: boolean): HandshakeStep | undefined {
  const at = hasHeaderToken ? 7 : 3;
  const kind = kinds06[bytes[at] ?? 0];
  if (!kind || (kind === 'connect' && bytes[1] !== 0)) return undefined;
  const headerToken = hasHeaderToken && bytes.length >= 7 ? u32(bytes, 3, false) : undefined;
  // A 0.6.5 client announces its token between zeros; in all other packets it is at the end.
  const isOf065 = kind === 'connect' && bytes.length > 100;
  const end = isOf065 ? at + 9 : bytes.length;
  const token = end - at > 4 ? u32(bytes, end - 4, false) : undefined;
  return { version: '0.6', kind, headerToken, token };
}

/** The information in the first captured packet of a connection; undefined if it is not game traffic. */
export function readFirstPacket(bytes: Uint8Array, stated: StatedVersion): Handshake | undefined {
  const { packet, evidence, isDamaged } = bestFit(bytes, stated);
  if (!packet || isDamaged || evidence < leastEvidence) return undefined;
  return { begins: false, version: packetVersionOf(stated), sender: senderOf(packet) };
}

function senderOf({ version, kind, control, chunks, payload }: Packet): Handshake['sender'] {
  if (kind === 'control')
    return control === controlCode.connect ? 'client' : control === controlCode.accept ? 'server' : undefined;
  // Servers are on low ports as a rule, but a router may give a client one, too.
  for (const { start } of chunks) {
    const type = messagesOf(version).byFirstByte(payload[start]!)?.type;
    const sender = type && sentBy(type);
    if (sender) return sender;
  }
  return undefined;
}
