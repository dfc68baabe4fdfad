/** Which of the two ways a packet is laid out. */
export type PacketVersion = '0.6' | '0.7';

/** A part of a packet that holds one message. */
export interface PacketChunk {
  /** In the payload: where its head begins, its message, and its end. */
  readonly head: number;
  readonly start: number;
  readonly end: number;
  readonly vital: boolean;
  readonly resend: boolean;
  /** Of vital chunks, 0 to 1023; counted per connection and direction. */
  readonly sequence: number;
}

/** A packet of a connection, or one without. */
export interface Packet {
  readonly version: PacketVersion;
  readonly kind: 'chunks' | 'control' | 'connless';
  /** Bytes of the header; what follows is the payload. */
  readonly headSize: number;
  /** As the header has them, in the order of 0.7: 8 connless, 4 compressed, 2 resend, 1 control. */
  readonly flags: number;
  /** Whether the payload came compressed. */
  readonly compressed: boolean;
  /** Whether the sender asks for chunks again. */
  readonly resend: boolean;
  /** The last vital sequence number that the sender has. */
  readonly ack: number;
  readonly numChunks: number;
  /** In 0.7 and 0.6.5 it is in the header, in DDNet's 0.6 after the last chunk. */
  readonly token: number | undefined;
  /** Decompressed, where it was compressed; else the packet's own bytes. */
  readonly payload: Uint8Array;
  readonly chunks: readonly PacketChunk[];
  /** The chunk that goes on behind the payload's end; its `start` may lie there, too. */
  readonly cut: PacketChunk | undefined;
  /** Of control packets: the code; what follows it is the rest of the payload. */
  readonly control: number | undefined;
  /** Bytes of the payload that are its content: without DDNet's token, where it is after chunks. */
  readonly contentEnd: number;
}

const controlNames: Readonly<Record<PacketVersion, Readonly<Record<number, string>>>> = {
  '0.6': { 0: 'keepalive', 1: 'connect', 2: 'connectaccept', 3: 'accept', 4: 'close' },
  '0.7': { 0: 'keepalive', 1: 'connect', 2: 'accept', 4: 'close', 5: 'token' },
};

/** What the codes of control packets say. */
export const controlsOf = (version: PacketVersion) => controlNames[version];

const flagNames = { 4: 'compressed', 2: 'resend', 8: 'connless', 1: 'control' } as const;

/** The names of the flags of a packet's header. */
export function flagsOf({ flags }: Packet): string[] {
  return ([4, 2, 8, 1] as const).filter((bit) => flags & bit).map((bit) => flagNames[bit]);
}
