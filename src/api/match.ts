/**
 * Matches: what happened in a demo, who won, and where.
 *
 * @module tw-snap/match
 */

import { unpackZlib } from '../input/decompress/decompress.ts';
import { formats } from '../recording/all-formats.ts';
import { type GameMap, readMap as readGameMap } from '../recording/container/map/game-map.ts';
import type { TickEvents } from '../recording/events/event.ts';
import type { EventInput } from '../recording/events/events.ts';
import type { RecordingEntry } from '../recording/replay/record.ts';
import { bytesOf, type Pieces, type Streamed } from './input.ts';
import {
  DetectedReplay,
  isLater,
  type LaterOptions,
  type LaterRecording,
  type Recording,
  recordsFrom,
  recordsFromLater,
} from './read-recording.ts';
import { Summarising, type Summary } from './summary.ts';
import { eventsIn, eventsInLater } from './tick-events.ts';

export type { GameLayer, GameMap, LayerName } from '../recording/container/map/game-map.ts';
export type {
  Action,
  Announcement,
  ChatNotice,
  ConnectionNotice,
  DeathNotice,
  Flag,
  GameEvent,
  GameNotice,
  GamePhase,
  Notice,
  Pickup,
  PlayerNotice,
  PlayerRef,
  RecordingNotice,
  Team,
  TickEvents,
  TuneChange,
} from '../recording/events/event.ts';
export type { EventInput, EventOptions, OfStream } from '../recording/events/events.ts';
export { EventFinder } from '../recording/events/recording-events.ts';
export type { ScoreUnit } from '../recording/events/score.ts';
export type { CaptureSummary, DemoSummary, GhostSummary, Summary } from './summary.ts';

/**
 * What happened in a recording, tick by tick: kills, chat, joining and leaving, flags, rounds, and what players do.
 * Ticks without events are left out. In a capture, what a server reports to several clients is one event, with
 * `receivers`.
 *
 * @param recording what `read` accepts, or records: all of a demo, or those of the connections of interest
 * @param options.signal ends the reading of what arrives later
 * @example
 * ```ts
 * import { eventsOf } from 'tw-snap/match';
 *
 * for (const { tick, events } of eventsOf(bytes)) {
 *   for (const event of events) if (event.what === 'kill') console.log(tick, event.killer?.name, event.victim.name);
 * }
 * ```
 */
export function eventsOf(recording: Pieces | Iterable<EventInput>): Generator<TickEvents, void>;
export function eventsOf(
  recording: Streamed | AsyncIterable<EventInput>,
  options?: LaterOptions,
): AsyncGenerator<TickEvents, void>;
export function eventsOf(
  recording: Recording | LaterRecording | Iterable<EventInput> | AsyncIterable<EventInput>,
  { signal }: LaterOptions = {},
) {
  const input = recording as Recording | LaterRecording;
  const open = () => new DetectedReplay(formats, 'not_a_recording');
  if (isLater(input)) return eventsInLater(recordsFromLater(input, 'eventsOf', open, signal));
  return eventsIn(recordsFrom(input, 'eventsOf', open));
}

/**
 * The summary of a recording: header, map, players, how many snapshots there are, and whether they are right. It is
 * what `tw-snap info -t json` prints of the file, without its path.
 *
 * @param recording what `read` accepts, or records
 * @param options.signal ends the reading of what arrives later
 * @returns a plain object, or the promise of one
 * @throws DecodeError `not_a_recording` if the file does not begin as one
 * @example
 * ```ts
 * import { summaryOf } from 'tw-snap/match';
 *
 * console.log(JSON.stringify(summaryOf(bytes), null, 2));
 * ```
 */
export function summaryOf(recording: Recording): Summary;
export function summaryOf(recording: LaterRecording, options?: LaterOptions): Promise<Summary>;
export function summaryOf(
  recording: Recording | LaterRecording,
  { signal }: LaterOptions = {},
): Summary | Promise<Summary> {
  // Records of packets show the faults of a server.
  const replay = new DetectedReplay(formats, 'not_a_recording', { parts: true });
  const summing = new Summarising(replay);
  if (isLater(recording))
    return summaryOfLater(
      recordsFromLater(recording, 'summaryOf', () => replay, signal),
      summing,
    );
  for (const entry of recordsFrom(recording, 'summaryOf', () => replay)) summing.add(entry);
  return summing.finish();
}

async function summaryOfLater(records: AsyncIterable<RecordingEntry>, summing: Summarising): Promise<Summary> {
  for await (const entry of records) summing.add(entry);
  return summing.finish();
}

/** The layers of a map that the game has an effect in. @throws DecodeError if it is no map, or damaged */
export const readMap = (bytes: Uint8Array | ArrayBuffer): Promise<GameMap> =>
  readGameMap(bytesOf(bytes, 'readMap'), (data, size) => unpackZlib(data, size));
