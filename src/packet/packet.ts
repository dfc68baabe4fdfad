/** The layout of a packet. */
export type PacketVersion = '0.6' | '0.7';

/**
 * A part of a packet that contains one message.
 *
 * Source: `CNetChunkHeader::Unpack` in `src/engine/shared/network.cpp` of the games.
 */
export interface PacketChunk {
  /** Offsets in the payload: of its head, of its message, and of its end. */
  readonly head: number;
  readonly start: number;
  readonly end: number;
  readonly vital: boolean;
  readonly resend: boolean;
  /** The sequence number of a vital chunk, 0 to 1023; counted per connection and direction. */
  readonly sequence: number;
}

/**
 * A packet of a connection, or a connectionless one.
 *
 * Source: `CNetBase::UnpackPacket` in `src/engine/shared/network.cpp` of the games.
 */
export interface Packet {
  readonly version: PacketVersion;
  readonly kind: 'chunks' | 'control' | 'connless';
  /** The size of the header in bytes; the payload follows. */
  readonly headSize: number;
  /** The flags of the header, in the order of 0.7: 8 connless, 4 compressed, 2 resend, 1 control. */
  readonly flags: number;
  /** Whether the payload was compressed. */
  readonly compressed: boolean;
  /** Whether the sender requests a resend of chunks. */
  readonly resend: boolean;
  /** The last vital sequence number that the sender has received. */
  readonly ack: number;
  readonly numChunks: number;
  /** In 0.7 and 0.6.5 it is in the header, in DDNet's 0.6 after the last chunk. */
  readonly token: number | undefined;
  /** The decompressed payload if it was compressed; otherwise a view of the packet's bytes. */
  readonly payload: Uint8Array;
  readonly chunks: readonly PacketChunk[];
  /** The chunk that continues after the payload's end; its `start` may be after it, too. */
  readonly cut: PacketChunk | undefined;
  /** The code of a control packet; the rest of the payload follows it. */
  readonly control: number | undefined;
  /** The size of the payload's content in bytes, without DDNet's token after the chunks. */
  readonly contentEnd: number;
}

const controlNames: Readonly<Record<PacketVersion, Readonly<Record<number, string>>>> = {
  '0.6': { 0: 'keepalive', 1: 'connect', 2: 'connectaccept', 3: 'accept', 4: 'close' },
  '0.7': { 0: 'keepalive', 1: 'connect', 2: 'accept', 4: 'close', 5: 'token' },
};

/** The names of the codes of control packets. */
export const controlsOf = (version: PacketVersion) => controlNames[version];

const flagNames = { 4: 'compressed', 2: 'resend', 8: 'connless', 1: 'control' } as const;

/** The names of the flags of a packet's header. */
export function flagsOf({ flags }: Packet): string[] {
  return ([4, 2, 8, 1] as const).filter((bit) => flags & bit).map((bit) => flagNames[bit]);
}
