/**
 * The protocols as tables: items, fields, enums, schemas of mods; packets and messages.
 *
 * @module tw-snap/protocol
 */

export type { MessageValue } from '../packet/message.ts';
export { type Message, type MessageHead, readMessage } from '../packet/message.ts';
export type { Packet, PacketChunk } from '../packet/packet.ts';
export { readPacket } from '../packet/packet.ts';
export type { Field, ItemType } from '../protocol/item.ts';
export type { Meaning, Names } from '../protocol/meaning.ts';
export { readSchema } from '../protocol/read-schema.ts';
export { Protocol, protocolOf, type SizeOf, type Version, versions } from '../protocol/registry.ts';
export { intsOfText, intsOfUuid, textOfInts, uuidOfInts, uuidOfName } from '../protocol/texts.ts';
export { type TickRange, ticksPerSecond } from '../protocol/ticks.ts';
