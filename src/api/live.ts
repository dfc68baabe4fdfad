/**
 * Live connections, as a client or a server: packets and messages read and written, snapshots received and sent.
 *
 * @module tw-snap/live
 */

import * as recording from '../recording/capture/snapshot-receiver.ts';
import type { SnapshotEntry as Received } from '../recording/replay/record.ts';
import { ignore } from '../wire/bytes/diagnostic.ts';
import { expects } from '../wire/bytes/expects.ts';
import { type Message, readMessage as readWholeMessage } from '../wire/packet/message.ts';
import { type Packet, type PacketVersion, readPacket as readWholePacket } from '../wire/packet/packet.ts';
import { messageBytes, packetVersion } from '../wire/packet/write.ts';
import type { ModProtocol, Protocol, Version } from '../wire/protocol/registry.ts';
import type { WritableMessageFields, WritableMessageName } from '../wire/protocol/typed-names.ts';
import { bytesOf } from './input.ts';
import { keepSnapshot, type SnapshotEntry } from './keep.ts';

export { type End, type Observer, observe } from './observe.ts';

import { type MessageOf, messageOf, type UnknownMessage } from './messages.ts';

export type { PacketVersion } from '../wire/packet/packet.ts';
export { type SentChunk, type SentPacketContent, writePacket } from '../wire/packet/write.ts';
export { Channel, type ChannelOptions, type Closed } from './live/channel.ts';
export { SnapshotSender } from './live/snapshot-sender.ts';

/** Reads the header and the chunks of a packet. @throws DecodeError if it cannot be read to its end */
export const readPacket = (bytes: Uint8Array, protocol: PacketVersion | { readonly version: Version }): Packet =>
  readWholePacket(bytesOf(bytes, 'readPacket'), packetVersion(protocol), ignore);

/**
 * Rebuilds the snapshots that a server sends, as a client does: parts in any order, bases by tick. What it returns may
 * be kept.
 *
 * @example
 * ```ts
 * import { readMessage, SnapshotReceiver } from 'tw-snap/live';
 *
 * const receiver = new SnapshotReceiver('0.6');
 * const { message } = readMessage(bytes, '0.6');
 * for (const { tick, verdict, snapshot } of receiver.add(message)) console.log(tick, verdict, snapshot?.count);
 * ```
 */
export class SnapshotReceiver {
  readonly #receiver: recording.SnapshotReceiver;

  constructor(protocol: Version | Protocol) {
    this.#receiver = new recording.SnapshotReceiver(protocol);
  }

  /**
   * The tick for a client to acknowledge in its input; -1 asks for a whole snapshot, since the last one could not be
   * used.
   */
  get acknowledged(): number {
    return this.#receiver.acknowledged;
  }

  /**
   * Adds a message; returns the snapshots that it settles, most often one or none.
   * @param seconds the time of its packet; without it, any jump of the ticks is possible
   */
  add(received: Message, seconds = Number.NaN): SnapshotEntry[] {
    if (typeof received !== 'object' || !Array.isArray(received?.values)) {
      expects('SnapshotReceiver', 'the `message` of what readMessage returns', received);
    }
    return keptAll(this.#receiver.add(received, seconds));
  }

  /** Gives up the snapshots that still lack parts or a base, at the end of the connection. */
  finish(): SnapshotEntry[] {
    return keptAll(this.#receiver.finish());
  }
}

/** Each is copied before the next is made, which may use its memory. */
const keptAll = (received: Iterable<recording.ReceivedSnapshot>): SnapshotEntry[] =>
  Array.from(received, (snapshot) => keepSnapshot(snapshot as Received));

/** A message with its values by name, and as it was read: `message` is what a `SnapshotReceiver` accepts. */
export type ReceivedMessage<V extends Version = Version> = (MessageOf<V> | UnknownMessage) & {
  readonly message: Message;
};

/** Reads a message. What is wrong with it is in `message.diagnostics`. */
export function readMessage<V extends Version>(bytes: Uint8Array, protocol: V | Protocol<V>): ReceivedMessage<V> {
  const read = readWholeMessage(bytesOf(bytes, 'readMessage'), 0, bytes.length, protocol);
  return { ...messageOf(read), message: read } as ReceivedMessage<V>;
}

/**
 * The bytes of a message; yes and no may be `true` and `false`.
 * @throws TypeError if no message has this name, or if a value is missing or of another kind
 */
export function writeMessage(
  protocol: ModProtocol,
  name: string,
  fields?: Readonly<Record<string, unknown>>,
): Uint8Array;
export function writeMessage<V extends Version, Name extends WritableMessageName<V>>(
  protocol: V | Protocol<V>,
  name: Name,
  ...fields: Record<never, never> extends WritableMessageFields<V, Name>
    ? [WritableMessageFields<V, Name>?]
    : [WritableMessageFields<V, Name>]
): Uint8Array;
export function writeMessage(protocol: Version | Protocol, name: string, fields = {}): Uint8Array {
  return messageBytes(protocol, name, fields);
}
