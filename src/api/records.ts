// The records as a reader has them, and what they consist of: `record.MessageEntry` is a message whether it may be kept
// or not.
export type {
  CaptureBlock,
  CapturedPacket,
  CaptureFormat,
  Link,
} from '../recording/container/capture/capture-frame.ts';
export type { DemoFrame } from '../recording/container/demo/chunk.ts';
export type { DemoHeader } from '../recording/container/demo/header.ts';
export type { Ghost, GhostHeader } from '../recording/container/ghost/ghost.ts';
export type { GamePlay, GamePlays, Play } from '../recording/playback/plays.ts';
export type { InfoStep, InfoStepKind } from '../recording/replay/info-exchange.ts';
export type { MapSummary } from '../recording/replay/map-summary.ts';
export type {
  BlockEntry,
  ChunkEntry,
  ChunkFate,
  CloseEntry,
  ConnectionEntry,
  CopyEntry,
  DiagnosticEntry,
  DropEntry,
  GhostEntry,
  HandshakeEntry,
  HandshakeFact,
  HeaderEntry,
  InfoExchangeEntry,
  MapEntry,
  MessageEntry,
  NotRebuilt,
  Origin,
  PacketEntry,
  ReadableMessage,
  RecordingEntry,
  ServerInfoEntry,
  SnapshotEntry,
  SnapshotFacts,
  TickEntry,
  Untaken,
  Verdict,
  Weight,
} from '../recording/replay/record.ts';
export type { RecordOptions } from '../recording/replay/replay.ts';
export type { Ends, ServerInfo } from '../recording/replay/server-info.ts';
export type {
  ChunkWait,
  ConnectionEnd,
  ConnectionStream,
  Direction,
  HandshakeFacts,
  Heard,
} from '../recording/replay/stream.ts';
export type { MessageHead, VersionCertainty } from '../wire/packet/message.ts';
export type { InfoFields } from '../wire/packet/packet-values.ts';
export type { CopyFate, Fate } from '../wire/packet/sequence.ts';
export type { Kind } from '../wire/payload/payload.ts';
