import { protocolOf, type Schema, type Version } from '../protocol/registry.ts';
import type { Packet, PacketVersion } from './packet.ts';
import { readPacketContents } from './packet-contents.ts';
import { packetEvidence } from './packet-evidence.ts';

interface PacketFit {
  readonly version: PacketVersion;
  readonly packet: Packet | undefined;
  /** How strongly the bytes support the version, in bits. */
  readonly evidence: number;
  /** Whether the packet is incomplete, or has bytes that no game writes. */
  readonly isDamaged: boolean;
}

/** What the user states about packets: their version, and the messages of a mod. */
export interface StatedVersion {
  readonly version?: Version | undefined;
  readonly schema?: Schema | undefined;
}

/** The stated version if it has packets; those of 0.5 are not read. */
export const packetVersionOf = ({ version }: StatedVersion): PacketVersion | undefined =>
  version === '0.5' ? undefined : version;

/** Reads a packet in both versions; the better fit first. */
export function fitPacket(bytes: Uint8Array, schema?: Schema): readonly [PacketFit, PacketFit] {
  const six = fitOf(bytes, '0.6', schema);
  const seven = fitOf(bytes, '0.7', schema);
  return seven.evidence > six.evidence ? [seven, six] : [six, seven];
}

/** Reads a packet in the stated version, otherwise in the one that fits better. */
export function bestFit(bytes: Uint8Array, stated: StatedVersion): PacketFit {
  const version = packetVersionOf(stated);
  return version ? fitOf(bytes, version, stated.schema) : fitPacket(bytes, stated.schema)[0];
}

function fitOf(bytes: Uint8Array, version: PacketVersion, schema: Schema | undefined): PacketFit {
  const contents = readPacketContents(bytes, protocolOf(version, schema));
  const { packet, diagnostics } = contents;
  const isDamaged = !packet || [...diagnostics.codes].some((code) => damage.test(code));
  return { version, packet, evidence: packetEvidence(contents), isDamaged };
}

/** What is wrong with a packet itself, rather than with its header or its messages. */
const damage =
  /^(huffman|truncated_packet|missing_chunks|packet_excess|unterminated_reason|short_token_request|control_excess)/;
