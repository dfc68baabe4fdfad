import type { Protocol } from '../../wire/protocol/registry.ts';

/** One end of a connection: `127.0.0.1:8303`, `[::1]:8303`. */
export type Endpoint = string;

/** To which end of a connection a packet is sent. */
export type Direction = 'to_client' | 'to_server';

/** The data sent to one player, in order: a whole demo, or one connection of a capture or network log. */
export interface Stream {
  /** Counted from 1 in the order in which the streams of a recording begin. */
  readonly number: number;
  /** Empty for a demo. The second connection from an address has `#2` after it, and so on. */
  readonly client: Endpoint;
  readonly server: Endpoint;
  readonly protocol: Protocol;
  /** The number of map changes so far; a map change restarts the ticks. */
  readonly mapChanges: number;
  /** Whether the stream has messages to clients of 0.6 and of 0.7, or may have them. */
  readonly mixesVersions?: boolean | 'maybe';
  /** Whether messages have `(hidden)` in place of passwords. */
  readonly hidesSecrets?: boolean;
  /** Whether it is a demo whose messages announce the checksums of its snapshots. */
  readonly announcesChecksums?: boolean;
  /** The version of the client's DDNet, 18060 for 18.6; undefined until it says so, and for other clients. */
  readonly ddnetVersion?: number | undefined;
}

/** How one end closed a connection. */
export interface ConnectionEnd {
  /** The way of the close. */
  readonly direction: Direction;
  readonly reason: string;
  readonly time: number;
  readonly frame: number;
  /** Whether the other end knew of it; it did not if it went on for longer than packets are under way. */
  readonly isHeard: boolean;
}

/** A vital chunk that waits for its acknowledgement, or waited for long. */
export interface ChunkWait {
  readonly sequence: number;
  readonly message: string;
  readonly times: number;
  readonly seconds: number;
  readonly time: number;
  readonly frame: number;
}

/** When an end spoke, in seconds; NaN before its first packet. */
export interface Heard {
  readonly first: number;
  readonly last: number;
  /** The longest time without a packet, and when it began. */
  readonly silence: { readonly seconds: number; readonly from: number };
  /** All of at least two seconds, up to a limit: less is loss. */
  readonly silences: readonly Heard['silence'][];
}

/** How a connection began. */
export interface HandshakeFacts {
  readonly packets: number;
  /** From the first to the last of them; NaN without times. */
  readonly seconds: number;
  /** What each end expects in every packet; undefined if none was agreed on, or not captured. */
  readonly tokens: Readonly<Record<Direction, number | undefined>> | undefined;
}

/** A connection as a stream, with its counts so far. */
export interface ConnectionStream extends Stream {
  /** Undefined before the first packet, if that does not begin the connection. */
  readonly version: '0.6' | '0.7' | undefined;
  /**
   * Whether its handshake was captured, which states the version. Otherwise the option `version` does, or it is
   * guessed.
   */
  readonly hasHandshake: boolean;
  /** Its handshake, if that was captured. */
  readonly handshake: HandshakeFacts | undefined;
  readonly firstTime: number;
  readonly lastTime: number;
  readonly undecodable: number;
  /** Packets that can be read, but that the games drop: forged, stray or refused. Nothing in them counts. */
  readonly rejectedPackets: number;
  /** Snapshots, or parts of them, after a newer one that the client had acknowledged: it drops them. */
  readonly lateSnapshots: number;
  /** Whether packets have tokens. Without, only the ack and the tick of a forged packet may give it away. */
  readonly hasTokens: boolean;
  /** How it ended; undefined if neither end was seen to close it. */
  readonly end: ConnectionEnd | undefined;
  /** What both ends sent of its end, in the order of time. */
  readonly closes: readonly ConnectionEnd[];
  heartbeat(direction: Direction): Heard;
  /** The vital chunk of a direction that waited for its acknowledgement for longest. */
  slowest(direction: Direction): ChunkWait | undefined;
  /** The oldest vital chunk of a direction that was never acknowledged. */
  stuck(direction: Direction): ChunkWait | undefined;
  counts(direction: Direction): {
    readonly packets: number;
    readonly bytes: number;
    readonly chunks: number;
    readonly resent: number;
    readonly lost: number;
    /** The copies of vital chunks: captured, known to be taken by their receiver, and of which nothing shows it. */
    readonly sent: number;
    readonly taken: number;
    readonly open: number;
  };
}

export const isConnection = (stream: Stream): stream is ConnectionStream => stream.client !== '';

/** Whether a stream belongs to the selected client. The player of a demo has no address and matches any client. */
export const matchesClient = (stream: Pick<Stream, 'client'> | undefined, client: string | undefined): boolean =>
  client === undefined ||
  !stream?.client ||
  stream.client === client ||
  stream.client.startsWith(`${client}#`) ||
  `${stream.client}#1` === client;
