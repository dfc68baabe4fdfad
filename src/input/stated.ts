import type { Datagram } from '../recording/container/net/link-layer.ts';
import type { Base, PacketContents } from '../wire/packet/packet-contents.ts';
import type { Encoding } from '../wire/payload/encoding-layers.ts';
import type { Payload } from '../wire/payload/payload.ts';
import type { Weighed } from '../wire/payload/reading-evidence.ts';
import type { Schema, Version } from '../wire/protocol/registry.ts';

/** What single bytes can be. */
type SourceKind = 'snapshot' | 'delta' | 'packet' | 'message';

/** What is stated of bytes, by whoever gives them. All that is left out is recognised by content. */
export interface Stated {
  /** The name of a recording's format; `none` states that the bytes are no recording. */
  readonly format?: string | undefined;
  /** How a snapshot or delta is encoded. */
  readonly encoding?: Encoding | undefined;
  readonly kind?: SourceKind | undefined;
  /** Whether a stated delta may be inside a packet or message. */
  readonly isInside?: boolean | undefined;
  readonly version?: Version | undefined;
  readonly schema?: Schema | undefined;
  /** The snapshot that a delta is a difference to, or what finds it by its tick. */
  readonly base?: Base | undefined;
  /** Whether a delta shows differences although its updates look like whole items. */
  readonly isBaseUnknown?: boolean | undefined;
  /** Whether it is pasted text; undefined if that is detected. */
  readonly isText?: boolean | undefined;
}

/** A snapshot or delta, and how strongly the bytes support that. */
export interface Recognised extends Weighed {
  readonly kind: 'payload';
  readonly payload: Payload;
  /** Other readings that may well be the right ones. */
  readonly otherReadings: readonly Payload[];
}

/** A snapshot or delta, which may as well be a packet. */
export interface PayloadReading extends Omit<Recognised, 'otherReadings'> {
  /** Other readings of the same bytes that may well be the right ones. */
  readonly otherReadings: readonly OtherReading[];
}

export type OtherReading = Payload | PacketContents;

/** A packet, or a message without its packet: `contents.kind` says which. */
export interface PacketReading extends Weighed {
  readonly kind: 'contents';
  readonly contents: PacketContents;
  readonly otherReadings: readonly OtherReading[];
  /** The datagram that contains it, if the bytes begin with network headers. */
  readonly datagram?: Datagram | undefined;
}

/** What bytes are: a snapshot or delta (`payload`), or a packet or message (`contents`). */
export type SourceReading = PayloadReading | PacketReading;

/** Why bytes are not read at all, in words that follow the name of the file. */
export class SourceError extends Error {}
