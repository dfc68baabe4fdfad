/**
 * Matches: what happened in a demo, who won, and where.
 *
 * @module tw-snap/match
 */
import * as map from '../container/map/game-map.ts';
import type { TickEvents } from '../events/event.ts';
import { type EventInput, EventReader } from '../events/events.ts';
import { formatOf } from '../recording/all-formats.ts';
import { RecordingSummary } from '../recording/recording-summary.ts';
import { unpackZlib } from '../source/decompress.ts';
import { bytesOf } from './input.ts';
import { recordsIn } from './read-recording.ts';

export type { GameLayer, GameMap } from '../container/map/game-map.ts';
export type * from '../events/event.ts';
export type { EventInput } from '../events/events.ts';
export type { Finding, FindingCode, FindingPlace, FindingSeverity } from '../recording/findings.ts';
export type { RecordingSummary } from '../recording/recording-summary.ts';

/** What happened in a demo, tick by tick: kills, chat, joining and leaving, flags, rounds. Ticks without events are left out. */
export function* eventsOf(records: Iterable<EventInput>): Generator<TickEvents, void> {
  const reader = new EventReader();
  for (const record of records) {
    const events = reader.add(record);
    if (events) yield events;
  }
  yield* reader.finish();
}

/**
 * The summary of a recording: header, map, players, how many snapshots there are, and whether they are right.
 * @throws TypeError if the file is not a recording
 */
export function summaryOf(input: Uint8Array | ArrayBuffer): RecordingSummary {
  const bytes = bytesOf(input, 'summaryOf');
  const replay = formatOf(bytes)?.open({});
  if (!replay) throw new TypeError('summaryOf expects a demo, a capture or a network log');
  const summary = new RecordingSummary(replay);
  for (const record of recordsIn(bytes, replay, 'summaryOf')) summary.add(record);
  return summary;
}

/** The layers of a map that the game has an effect in. @throws DecodeError if it is no map, or damaged */
export const readMap = (bytes: Uint8Array | ArrayBuffer): Promise<map.GameMap> =>
  map.readMap(bytesOf(bytes, 'readMap'), (data, size) => unpackZlib(data, size));
