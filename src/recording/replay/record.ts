import type { Code, Diagnostic } from '../../wire/bytes/diagnostic.ts';
import type { Message, MessageHead, VersionCertainty } from '../../wire/packet/message.ts';
import type { Packet, PacketChunk, PacketVersion } from '../../wire/packet/packet.ts';
import type { CopyFate, Fate } from '../../wire/packet/sequence.ts';
import type { Kind, Payload } from '../../wire/payload/payload.ts';
import type { Delta } from '../../wire/snapshot/delta.ts';
import type { ItemTypes } from '../../wire/snapshot/item-types.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { CaptureBlock } from '../container/capture/capture-reader.ts';
import type { DemoFrame } from '../container/demo/demo-reader.ts';
import type { DemoHeader } from '../container/demo/header.ts';
import type { Ghost } from '../container/ghost/ghost.ts';
import type { GamePlays } from '../playback/plays.ts';
import type { InfoStep } from './info-exchange.ts';
import type { MapSummary } from './map-summary.ts';
import type { Ends, ServerInfo } from './server-info.ts';
import type { ConnectionStream, Direction, Endpoint, Stream } from './stream.ts';

export interface Origin {
  /** Undefined for a record about the whole file. */
  readonly stream: Stream | undefined;
  /** Seconds since 1970. NaN in a capture without times; undefined in demos. */
  readonly time?: number;
  /**
   * The number of the packet, counted from 1 like Wireshark's frame numbers; 0 at the end of a capture; undefined in
   * demos.
   */
  readonly frame?: number;
}

/**
 * One entry of a recording, in the recording's order. Readers reuse buffers: all entries except the header are valid
 * only until the next one is requested.
 */
export type RecordingEntry =
  | HeaderEntry
  | GhostEntry
  | MapEntry
  | ConnectionEntry
  | TickEntry
  | SnapshotEntry
  | MessageEntry
  | CopyEntry
  | CloseEntry
  | DropEntry
  | DiagnosticEntry
  | ChunkEntry
  | BlockEntry
  | PacketEntry
  | ServerInfoEntry
  | InfoExchangeEntry
  | HandshakeEntry;

/** The header of a demo. Captures have no header about the game. */
export interface HeaderEntry extends Origin {
  readonly record: 'header';
  readonly stream: Stream;
  readonly header: DemoHeader;
  /** What the games do with the demo, which is filled in at its end; absent where only chunks are read. */
  readonly plays?: GamePlays;
}

export interface GhostEntry extends Origin {
  readonly record: 'ghost';
  readonly stream: Stream;
  /** What follows is filled in while it is read. */
  readonly ghost: Ghost;
  /** What the games do with the ghost, which is filled in at its end. */
  readonly plays: GamePlays;
}

export interface MapEntry extends Origin {
  readonly record: 'map';
  readonly stream: Stream;
  readonly piece: Uint8Array;
  /** The map up to here, as the reader of a demo computes it. */
  readonly map?: MapSummary;
}

/** A connection begins, or is captured for the first time. */
export interface ConnectionEntry extends Origin {
  readonly record: 'connection';
  readonly stream: ConnectionStream;
}

export interface TickEntry extends Origin {
  readonly record: 'tick';
  readonly stream: Stream;
  readonly tick: number;
  readonly keyframe: boolean;
}

/**
 * Why a snapshot cannot be rebuilt. The first two result from the loss of packets, in the network or in the capture.
 */
export type NotRebuilt = 'missing_base' | 'missing_part' | 'damaged';

/**
 * The result of rebuilding a snapshot. It is `unchecked` if no checksum was announced, of it or of the base that it
 * repeats: in a demo the message that announces one comes after the snapshot, so `summaryOf` counts those that match.
 */
export type Verdict = 'ok' | 'mismatch' | 'unchecked' | NotRebuilt;

/** A snapshot as it was recorded or sent, and as it was rebuilt. */
export type SnapshotEntry = SnapshotFacts &
  (
    | { readonly verdict: Exclude<Verdict, NotRebuilt>; readonly snapshot: Snapshot }
    | { readonly verdict: NotRebuilt; readonly snapshot: undefined }
  );

/** What {@link SnapshotEntry} has in any case. */
export interface SnapshotFacts extends Origin {
  readonly record: 'snapshot';
  readonly stream: Stream;
  readonly tick: number;
  /** `snapshot` needs no base, `delta` does, `empty` is its base unchanged. */
  readonly kind: Kind | 'empty';
  /** The tick of the base, -1 for the empty snapshot or none. */
  readonly base: number;
  /** Whether it is a delta that was read alone, and whose base was taken as empty. */
  readonly assumesEmptyBase?: true | undefined;
  /** A delta that was read alone, and whose base is not known: it shows differences. */
  readonly unapplied?: Payload | undefined;
  /**
   * The bytes as recorded; undefined if a part is missing, and for `empty`. A demo makes the view on demand, so it is
   * not in a copy `{ ...entry }`.
   */
  readonly payload: Uint8Array | undefined;
  /** Whether a demo's payload was read without a warning. */
  readonly isClean?: boolean;
  /** How these bytes are read. In packets even a snapshot on the empty base is a delta. */
  readonly payloadKind: Kind;
  readonly encoding: 'huffman' | 'packed';
  /** The offset of the payload in the file, -1 if it is not one range of the file's bytes. */
  readonly offset: number;
  /** The number of messages with the payload. */
  readonly parts: number;
  /** The end of each part in the payload, for a snapshot of a connection with several parts. */
  readonly partEnds?: readonly number[] | undefined;
  /** The snapshots of a connection that can be a base at this time, by tick. */
  readonly stored?: Iterable<readonly [tick: number, snapshot: Snapshot]> | undefined;
  /** The size of the payload; for an incomplete one, of the captured parts. */
  readonly bytes: number;
  /** The base of a delta; for a full snapshot of a demo, the snapshot before it. Undefined for the first. */
  readonly before: Snapshot | undefined;
  /** Undefined for a full snapshot and for `empty`. */
  readonly delta: Delta | undefined;
  readonly announced: number | undefined;
  /** The error of a `damaged` snapshot. */
  readonly cause: Pick<Diagnostic, 'code' | 'args'> | undefined;
  /** Whether an earlier snapshot could not be read, so that this one may be wrong. */
  readonly uncertain: boolean;
}

/** A message; in a demo, one that the server sent to the recorded player. */
export interface MessageEntry extends ReadableMessage {
  readonly record: 'message';
}

/** A copy of a vital message, or a late snapshot, that its receiver did not take, so that it counts for nothing. */
export interface CopyEntry extends ReadableMessage {
  readonly record: 'copy';
  readonly stream: ConnectionStream;
  readonly fate: CopyFate & { readonly fate: Untaken };
}

export interface ReadableMessage extends Origin {
  readonly stream: Stream;
  /** The tick of the last marker before it, -1 before the first; undefined in captures. */
  readonly tick?: number;
  readonly direction: Direction;
  /** The offset of its chunk in a demo. */
  readonly offset?: number;
  readonly message: Message;
  /** Which message it is: costs far less than {@link message}. */
  readonly head: MessageHead;
  /** How sure the version of the message is, if it is of the other version, or the stream has messages of both. */
  readonly certainty?: VersionCertainty | undefined;
  readonly bytes: Uint8Array;
  /** The compressed bytes as a demo recorded them. */
  readonly payload?: Uint8Array | undefined;
  /** The bit of {@link payload} after its end symbol, if it was read without a warning. */
  readonly endBit?: number;
  /**
   * What became of it, if it is vital and packets of its receiver were captured: `taken`, or `open` if nothing shows it.
   */
  readonly fate?: CopyFate | undefined;
}

/**
 * The connection that was silent for longest was dropped, because there were too many. No record of it follows, so its
 * data can be released; the counts of datagrams have it as `dropped`.
 */
export interface DropEntry extends Origin {
  readonly record: 'drop';
  readonly stream: ConnectionStream;
}

export interface CloseEntry extends Origin {
  readonly record: 'close';
  readonly stream: ConnectionStream;
  readonly direction: Direction;
  readonly reason: string;
}

/**
 * `wrong`: no game writes it, or it ends a connection. `warning`: its receiver drops it. `note`: a habit of a game,
 * which does no harm.
 */
export type Weight = 'note' | 'warning' | 'wrong';

/** A warning or error about the file, or about a packet of a stream, which then has a direction. */
export interface DiagnosticEntry extends Origin {
  readonly record: 'diagnostic';
  readonly tick?: number;
  readonly direction?: Direction;
  readonly diagnostic: Diagnostic;
  /** The kind of the chunk of a demo whose payload it is about; undefined for what is about the chunks themselves. */
  readonly chunk?: Kind | 'message';
  /**
   * How much it counts by itself. Without it, a direction tells of a packet that is rejected or cannot be read to its
   * end.
   */
  readonly weight?: Weight;
}

/** One part of a demo file, before the record that results from it. Only with the option `parts`. */
export interface ChunkEntry extends Origin {
  readonly record: 'chunk';
  readonly stream: Stream;
  readonly chunk: DemoFrame;
}

/**
 * One part of a capture file, before the records that result from it; those of a packet of a handshake come when it is
 * known what becomes of that. Only with the option `blocks`.
 */
export interface BlockEntry extends Origin {
  readonly record: 'block';
  readonly stream: undefined;
  /** Undefined if it has no packet. */
  readonly frame?: number;
  readonly block: CaptureBlock;
  /** The payload of the UDP datagram that it completes. */
  readonly datagram: Uint8Array | undefined;
  /** Its ends, and the bytes of it that were not captured. */
  readonly ends?: (Ends & { readonly missing: number }) | undefined;
  /** The numbers of the packets whose fragments are this datagram, its own included. */
  readonly fragments?: readonly number[] | undefined;
}

export interface ServerInfoEntry extends Origin {
  readonly record: 'server_info';
  readonly stream: undefined;
  readonly info: ServerInfo;
}

/**
 * A request for server information or an answer, before the record of what it answers. The unanswered ones come at the
 * end.
 */
export interface InfoExchangeEntry extends Origin, InfoStep {
  readonly record: 'info_exchange';
  readonly stream: undefined;
}

/** A packet of a handshake that leads to no connection. It comes when that is known, at the end of the capture at last. */
export interface HandshakeEntry extends Origin, HandshakeFact {
  readonly record: 'handshake';
  readonly stream: undefined;
}

/** A packet of a handshake, and its ends. */
export interface HandshakeFact {
  readonly client: Endpoint;
  readonly server: Endpoint;
  readonly direction: Direction;
  readonly version: PacketVersion;
  readonly step: 'token_request' | 'token' | 'connect' | 'accept' | 'accepted' | 'close';
}

/** A packet, before the records that result from it. Only with the option `parts`. */
export interface PacketEntry extends Origin {
  readonly record: 'packet';
  /** Undefined for connectionless packets and for datagrams that are not game traffic. */
  readonly stream: ConnectionStream | undefined;
  readonly direction: Direction | undefined;
  readonly bytes: Uint8Array;
  /** The packet as far as it can be read. */
  readonly packet: Packet | undefined;
  readonly code: Code | undefined;
  /** What becomes of its vital chunks. */
  readonly fates: readonly ChunkFate[];
}

/** A vital chunk, and what becomes of this copy of it. */
export interface ChunkFate extends CopyFate {
  readonly chunk: PacketChunk;
  /** Whether its message is read from this copy: also false for the second one of which either may be taken. */
  readonly isRead: boolean;
}

/** What became of a copy that was not taken. */
export type Untaken = Exclude<Fate, 'taken' | 'open'>;

export const isUntaken = (fate: CopyFate): fate is CopyEntry['fate'] => fate.fate !== 'taken' && fate.fate !== 'open';

export const isNotRebuilt = (verdict: Verdict): verdict is NotRebuilt =>
  verdict === 'missing_base' || verdict === 'missing_part' || verdict === 'damaged';

/** The delta of a snapshot that is its base unchanged. */
export const unchangedPayload = Uint8Array.of(0, 0, 0);

export interface SentPacket {
  readonly bytes: Uint8Array;
  readonly time: number;
  readonly frame: number;
}

export function unconnected({ bytes, time, frame }: SentPacket): PacketEntry {
  const stream = undefined;
  const direction = undefined;
  const packet = undefined;
  const code = undefined;
  return { record: 'packet', stream, time, frame, direction, bytes, packet, code, fates: [] };
}

/** Selects the items and messages of a recording that are printed or counted. */
export interface RecordFilter {
  /** Whether nothing is left out. */
  readonly all: boolean;
  item(types: ItemTypes, type: number, id: number): boolean;
  /** @param name undefined for a message that no table has, which has only a number or UUID */
  message(name: string | undefined, uuid?: string): boolean;
}
