import type { Diagnostic } from '../../wire/bytes/diagnostic.ts';
import { snapshotMessage } from '../../wire/packet/message.ts';
import { isWrittenByGames } from '../../wire/packet/packet.ts';
import {
  type MessageContents,
  type PacketContents,
  type PacketContentsOptions,
  readMessageContents,
  readPacketContents,
} from '../../wire/packet/packet-contents.ts';
import {
  hasImplausibleFlags,
  hasImplausibleToken,
  isGamesUuid,
  isName,
  isUnlikely,
  packetEvidence,
} from '../../wire/packet/packet-evidence.ts';
import { isFlawlessPayload, type Weighed } from '../../wire/payload/reading-evidence.ts';
import type { Protocol, Version } from '../../wire/protocol/registry.ts';

/** Bytes as a packet or message, and how strongly they support that. */
interface WeighedContents extends Weighed {
  readonly contents: PacketContents;
}

const versions: readonly Version[] = ['0.6', '0.7'];

/** Reads bytes as a packet or as one message, in the stated version or in both. */
export const readingsAs = (
  file: Uint8Array,
  kind: PacketContents['kind'],
  version: Version | undefined,
  protocolOf: (version: Version) => Protocol,
  { base, ...options }: PacketContentsOptions = {},
): WeighedContents[] =>
  (version ? [version] : versions).map((version) => {
    const read = (more: PacketContentsOptions = {}) =>
      kind === 'packet'
        ? readPacketContents(file, protocolOf(version), { ...options, ...more })
        : readMessageContents(file, protocolOf(version), more);
    const contents = read();
    // A wrong base is no evidence against a packet.
    const applied = base && contents.messages.some(({ delta }) => delta) ? read({ base }) : contents;
    return {
      contents: applied,
      isProven: isProven(applied),
      isFlawless: isFlawless(contents),
      evidence: packetEvidence(contents),
    };
  });

/**
 * Whether a checksum that is announced in it is the one of its snapshot. An empty snapshot has the checksum 0, which
 * proves nothing.
 */
const isProven = ({ messages }: PacketContents): boolean =>
  messages.some(({ message, delta }) => {
    const { result } = delta?.payload ?? {};
    return result !== undefined && result.count > 0 && result.checksum() === snapshotMessage(message)?.crc;
  });

function isFlawless(contents: PacketContents): boolean {
  const { error, warnings } = contents.diagnostics;
  // Teeworlds 0.6.5 has a token after the header of each packet of its handshake.
  const isOfOldGame = contents.kind === 'packet' && contents.packet?.kind === 'control';
  const isNoFlaw = ({ code }: Diagnostic) =>
    /^(missing_registration|wrong_checksum|wrong_flag|not_utf8)$/.test(code) ||
    (isOfOldGame && code === 'header_token');
  if (error || !warnings.every(isNoFlaw)) return false;
  if (!contents.messages.every((message) => isFlawlessMessage(message, contents.kind === 'message'))) return false;
  if (contents.kind === 'message') return true;
  const { packet, values } = contents;
  if (!packet || hasImplausibleFlags(packet)) return false;
  // Datagrams of other programs have the flag of a connectionless packet by chance.
  if (packet.kind === 'connless') return isWrittenByGames(contents.layers.file, packet.version) && values.some(isName);
  // One without chunks acknowledges, or asks for chunks again.
  return packet.chunks.length > 0 || !hasImplausibleToken(packet);
}

/**
 * In a packet, a message that newer games may have added is no flaw, nor one that is bytes without a form, as the
 * `map_data` of 0.7; alone, these would be any bytes.
 */
function isFlawlessMessage({ message, delta, isContinued }: MessageContents, isAlone: boolean): boolean {
  const { type, values } = message;
  if (!type) return !isAlone && isGamesUuid(message.uuid);
  if (isAlone && type.fields[0]?.type.kind === 'rest') return false;
  // DDNet sends the tuning of 0.6, which has a value more, to clients of 0.7, too.
  if (isAlone && type.valueCounts.length > 0 && !type.valueCounts.includes(values.length)) return false;
  return !values.some(isUnlikely) && (!delta || isContinued || isFlawlessPayload(delta.payload));
}
