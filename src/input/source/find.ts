import { DemoReader } from '../../recording/container/demo/demo-reader.ts';
import { DemoReplay } from '../../recording/demo/demo-replay.ts';
import { KeyframeSearch } from '../../recording/demo/keyframe-search.ts';
import { type RecordingFormat, recordsOf } from '../../recording/formats.ts';
import type { RecordingEntry } from '../../recording/replay/record.ts';
import type { ReadOptions, Replay } from '../../recording/replay/replay.ts';
import { type FoundMoment, type FoundNote, type FoundPacket, MomentSearch, PacketSearch, type Tick } from './found.ts';

/** A recording that is open: to be read once, or from an offset. */
interface OpenRecording {
  readonly format: RecordingFormat | undefined;
  readonly pieces: AsyncIterable<Uint8Array>;
  readonly again?: ((offset?: number) => AsyncIterable<Uint8Array>) | undefined;
}

/** A moment that is searched. */
export interface WantedMoment {
  /** The moment as it was named. */
  readonly text: string;
  readonly tick: Tick;
  readonly client?: string | undefined;
  /** Sees each record that is read. Reading goes on until the moment is found and this returns true. */
  watch?(entry: RecordingEntry, isFound: boolean): boolean;
}

/** A search that is over. `result` throws if nothing was found; the notes are complete after it. */
export interface FoundAt<Found> {
  readonly search: { readonly notes: readonly FoundNote[]; result(): Found };
  readonly replay: Replay;
}

export async function findMoment(
  recording: OpenRecording,
  { text, tick, client, watch = () => true }: WantedMoment,
  options: ReadOptions,
): Promise<FoundAt<FoundMoment>> {
  const { pieces, replay } = await nearestStart(recording, tick, options);
  const search = new MomentSearch(text, tick, client);
  let isFound = false;
  for await (const entry of recordsOf(pieces, replay)) {
    const isEnough = watch(entry, isFound);
    isFound ||= search.add(entry);
    if (isFound && isEnough) break;
  }
  return { search, replay };
}

export async function findPacket(
  { format, pieces }: OpenRecording,
  number: number,
  options: ReadOptions,
): Promise<FoundAt<FoundPacket>> {
  const replay = format!.open({ ...options, messages: false, ticks: false, parts: true });
  const search = new PacketSearch(number);
  for await (const entry of recordsOf(pieces, replay)) if (search.add(entry)) break;
  return { search, replay };
}

/**
 * The records from the last keyframe before the tick if the file can be read from any position, otherwise all records.
 */
async function nearestStart({ format, pieces, again }: OpenRecording, tick: Tick, options: ReadOptions) {
  const whole = (all: AsyncIterable<Uint8Array>) => ({ pieces: all, replay: format!.open(options) as Replay });
  if (!format!.hasKeyframes || !again || tick === 'first') return whole(pieces);
  const wanted = tick === 'last' ? Infinity : tick;
  const search = new KeyframeSearch(wanted);
  for await (const piece of pieces) {
    search.feed(piece);
    if (search.lastTick > wanted) break;
  }
  if (search.lastTick <= wanted) search.finish();
  const { header, sound, found } = search;
  if (!header || !sound || !found) return whole(again());
  const reader = DemoReader.startingAt(header, found.tick, found.offset);
  return { pieces: again(found.offset), replay: new DemoReplay(options, reader) };
}
