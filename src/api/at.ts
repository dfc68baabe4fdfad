import {
  type FoundMoment,
  type FoundNote,
  type FoundPacket,
  MomentSearch,
  PacketSearch,
} from '../input/source/found.ts';
import { endOf, type Moment, parsePosition, tickOf, ticksAmong } from '../input/source/position.ts';
import { formats } from '../recording/all-formats.ts';
import type { RecordingEntry } from '../recording/replay/record.ts';
import { type Pieces, piecesIn } from './input.ts';
import { DetectedReplay, type ReadOptions, readOptions, recordsIn } from './read-recording.ts';

/** What {@link at} found: the snapshot of a moment, or a packet. */
export type Found = (FoundMoment | FoundPacket) & {
  /** What the command line says of it. */
  readonly notes: readonly FoundNote[];
};

/** How the recording is read, and whose snapshots are searched: an address and port, as in `stream.client`. */
export interface AtOptions extends Pick<ReadOptions, 'version' | 'schema'> {
  readonly client?: string;
}

/**
 * Finds what a recording has at a position, as `FILE@MOMENT` and `FILE#N` of the command line do.
 *
 * @param position `@9938`, `@0:30`, `@first` or `@last-10s`: the snapshot that is current then; `#101`: the packet with
 *   Wireshark's number
 * @returns copies, which may be kept: of a moment `snapshot`, the base `before` it and the recorded `payload`; of a
 *   packet its `bytes`
 * and the `base` of the delta in it
 * @throws NotFoundError if the recording does not have it; SourceError if `position` is none; DecodeError
 *   `not_a_recording`
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { at } from 'tw-snap/unstable';
 *
 * const { snapshot } = at(readFileSync('samples/vanilla-dm1.demo'), '@last-1s');
 * console.log(snapshot?.size);
 * ```
 */
export function at(recording: Pieces, position: string, options: AtOptions = {}): Found {
  const { client, ...reading } = options;
  const pieces = [...piecesIn(recording, 'at')];
  const records = (parts: boolean, ticks = true) => {
    const own = { ...readOptions(reading), messages: false, parts, ticks };
    return recordsIn(pieces, new DetectedReplay(formats, 'not_a_recording', own), 'at');
  };
  const place = parsePosition(position);
  if ('packet' in place) return resultOf(new PacketSearch(place.packet), records(true, false));
  const { moment, text } = place;
  const tick = endOf(moment) ?? tickIn(() => records(false), moment, client);
  return resultOf(new MomentSearch(text, tick, client), records(false));
}

function tickIn(records: () => Iterable<RecordingEntry>, moment: Moment, client: string | undefined): number {
  const [first = 0] = moment.from === 'first' ? ticksAmong(records(), client) : [];
  let last = 0;
  if (moment.from === 'last') for (const tick of ticksAmong(records(), client)) last = tick;
  return tickOf(moment, first, last);
}

function resultOf<Result extends FoundMoment | FoundPacket>(
  search: { readonly notes: readonly FoundNote[]; add(entry: RecordingEntry): boolean; result(): Result },
  records: Iterable<RecordingEntry>,
): Result & Pick<Found, 'notes'> {
  for (const entry of records) if (search.add(entry)) break;
  return { ...search.result(), notes: search.notes };
}
