import { type Datagram, findDatagram } from '../../../src/container/net/link.ts';
import { implausible } from '../../../src/decode/evidence.ts';
import { type Payload, payloadOfSnapshot } from '../../../src/decode/payload.ts';
import type { RecognisedPayload } from '../../../src/decode/recognise.ts';
import type { PacketContents } from '../../../src/packet/packet-contents.ts';
import {
  isLikelyMessage,
  isLikelyPacket,
  type RecognisedPacket,
  recognisePacket,
} from '../../../src/packet/recognise-packet.ts';
import { protocolOf, type Schema, type Version } from '../../../src/protocol/registry.ts';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';
import { escapeText } from '../../../src/view/text/escape.ts';
import { printProblem } from '../note.ts';
import { atPacket, mismatchOf, type Uncertainty } from './moment.ts';
import type { Input, Opened, Source } from './open.ts';

export interface LoadedPacket extends RecognisedPacket {
  readonly name: string;
  readonly input: Source;
  /** The datagram that contains it, if the input begins with network headers. */
  readonly datagram?: Datagram | undefined;
  /** The sender and receiver, for a packet of a capture. */
  readonly route?: string;
  /** The snapshot that the packet completes, for a packet of a capture. */
  readonly rebuilt?: Payload | undefined;
  readonly uncertainty?: Uncertainty | undefined;
}

/** The packet of a capture with Wireshark's number `number`; its delta is read with the base that its client had. */
export async function loadPacketAt(
  opened: Opened,
  number: number,
  base: Snapshot | undefined,
  input: Input,
): Promise<LoadedPacket> {
  const found = await atPacket(opened, number, input);
  const { stream, direction, bytes, snapshot, mismatch } = found;
  const name = `${opened.name}#${number}`;
  const version = input.version ?? stream?.protocol.version;
  const reading = { version, schema: input.schema, base: base ?? found.base };
  const packet = { name, input: { name, bytes }, ...recognised(bytes, 'packet', reading) };
  if (!stream) return packet;
  const ends = direction === 'to_client' ? [stream.server, stream.client] : [stream.client, stream.server];
  const rebuilt = snapshot && payloadOfSnapshot(snapshot, stream.protocol);
  const uncertainty = snapshot && mismatch !== undefined ? mismatchOf(snapshot, mismatch) : undefined;
  if (uncertainty) await printProblem(`${escapeText(name)}: ${uncertainty.text}`, input.io);
  return { ...packet, route: ends.join(' > '), rebuilt, uncertainty };
}

interface Reading {
  readonly version: Version | undefined;
  readonly schema: Schema;
  readonly base: Snapshot | undefined;
}

/**
 * The packet or message that `--from` requests or that is a more likely reading than the snapshot or delta `payload`.
 */
export function packetOf(
  input: Source,
  from: string | undefined,
  reading: Reading,
  payload: RecognisedPayload | undefined,
): LoadedPacket | undefined {
  if (from === 'message') return { name: input.name, input, ...recognised(input.bytes, 'message', reading) };
  const packet = readPacket(input, reading);
  if (from === 'packet' || !payload) return packet;
  const message = recognised(input.bytes, 'message', reading);
  if (isLikelyMessage(message, packet, payload)) return { name: input.name, input, ...message };
  const isInDatagram = packet.datagram !== undefined && packet.penalty < implausible;
  return isInDatagram || isLikelyPacket(packet, payload) ? packet : undefined;
}

function readPacket(input: Source, reading: Reading): LoadedPacket {
  const { name, bytes, form } = input;
  const found = findDatagram(bytes);
  // An incomplete datagram is not sufficient evidence, unless tcpdump printed it.
  const datagram = found && (found.missing === 0 || form === 'tcpdump') ? found : undefined;
  const payload = datagram ? bytes.subarray(datagram.start, datagram.end) : bytes;
  const packet = recognised(payload, 'packet', reading);
  const unpacked = packet.penalty > 0 && form === 'tw-snap' ? recognised(payload, 'packet', reading, true) : packet;
  return { name, input, datagram, ...(unpacked.penalty < packet.penalty ? unpacked : packet) };
}

function recognised(
  bytes: Uint8Array,
  kind: PacketContents['kind'],
  { version, schema, base }: Reading,
  unpacked = false,
): RecognisedPacket {
  return recognisePacket(bytes, kind, version, (one) => protocolOf(one, schema), { base, unpacked });
}
