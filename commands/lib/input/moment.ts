import { LastByteMode } from '../../../src/editing/demo-recorder.ts';
import {
  type Doubt,
  type FoundMoment,
  type FoundNote,
  type FoundPacket,
  MomentSearch,
  NotFoundError,
  PacketSearch,
} from '../../../src/input/source/found.ts';
import { endOf, type Moment } from '../../../src/input/source/position.ts';
import { foundText, missingText } from '../../../src/output/phrases/found-text.ts';
import { escapeText } from '../../../src/output/text/escape.ts';
import { DemoReader } from '../../../src/recording/container/demo/demo-reader.ts';
import { DemoReplay } from '../../../src/recording/demo/demo-replay.ts';
import { KeyframeSearch } from '../../../src/recording/demo/keyframe-search.ts';
import { recordsOf } from '../../../src/recording/formats.ts';
import type { PacketEntry } from '../../../src/recording/replay/record.ts';
import type { ReadOptions, Replay } from '../../../src/recording/replay/replay.ts';
import type { Tick } from '../../../src/recording/replay/snapshot-search.ts';
import { matchesClient } from '../../../src/recording/replay/stream.ts';
import type { LastByte } from '../../../src/wire/codec/huffman.ts';
import { exit, inputError, usageError } from '../options/errors.ts';
import type { Io } from '../platform/io.ts';
import { printNote, printProblem } from '../platform/note.ts';
import { withTicks } from './chosen.ts';
import { type Input, type Opened, refuseIneffective } from './inputs.ts';
import { openReplay } from './read-recording.ts';

/** The reason why a result may be wrong, and the resulting exit status. */
export interface Uncertainty {
  readonly status: number;
  readonly text: string;
}

export const uncertaintyOf = (doubt: Doubt | undefined): Uncertainty | undefined =>
  doubt && { status: doubt.code === 'mismatch' ? exit.finding : exit.unreadable, text: foundText(doubt) };

export type AtMoment = FoundMoment & {
  /** How the compressed snapshots of a demo end, or the compressed packets of a capture. */
  readonly lastByte: LastByte;
};

/** Finds the snapshot that a player has at a moment, and prints what is to be said of it. */
export async function atMoment(
  recording: Opened,
  { text, moment }: { readonly text: string; readonly moment: Moment },
  input: Input,
): Promise<AtMoment> {
  const end = endOf(moment);
  const opened = await withTicks(
    { ...recording, position: undefined },
    end ? undefined : { from: moment, to: moment },
    input,
  );
  const tick: Tick = end ?? opened.ticks!.from;
  const { name, client } = opened;
  const { version, schema, player, io } = input;
  // The packets of a capture show how their sender ends compressed streams.
  const parts = opened.format!.hasPackets;
  const reading = { schema, messages: player !== undefined, parts, version };
  const { pieces, replay } = await nearestStart(opened, tick, reading, io);
  const search = new MomentSearch(text, tick, client);
  const mode = new LastByteMode();
  let isFound = false;
  for await (const entry of recordsOf(pieces, replay)) {
    if (entry.record === 'snapshot' && entry.encoding === 'huffman') mode.add(entry.payload);
    if (entry.record === 'packet' && isOfServer(entry, client)) mode.add(entry.bytes);
    if (!isFound) player?.follow(entry);
    isFound ||= search.add(entry);
    // Another few snapshots or packets show how compressed streams end.
    if (isFound && mode.isSeen) break;
  }
  refuseIneffective(opened, input, replay);
  const found = await resultOf(search, escapeText(name), io);
  if (player) {
    // Who was there before does not count.
    player.isFound = false;
    player.seen.clear();
    player.follow(found);
  }
  return { ...found, lastByte: mode.lastByte };
}

/** Whether a server sent a packet to the client, and compressed it. */
const isOfServer = ({ stream, direction, packet }: PacketEntry, client: string | undefined) =>
  direction === 'to_client' && packet?.compressed === true && matchesClient(stream, client);

/** The result of a search at a position. Its notes are printed, also if it failed. */
async function resultOf<Found extends { readonly tick?: number }>(
  search: { readonly notes: readonly FoundNote[]; result(): Found },
  name: string,
  io: Io,
  position = '',
): Promise<Found> {
  let found: Found | undefined;
  try {
    found = search.result();
    return found;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const { missing } = error;
    const isWrong = missing.code === 'no_tick' || (missing.code === 'no_packet' && missing.after === 0);
    throw (isWrong ? usageError : inputError)(`${name}: ${missingText(missing)}`);
  } finally {
    for (const note of search.notes) {
      const { code } = note;
      const isDoubt = code === 'mismatch' || code === 'damage';
      const named = code === 'tick' ? note.named : undefined;
      const at = position || `@${isDoubt ? found!.tick : (named ?? note.tick)}`;
      const choice = code === 'others' || code === 'omitted' ? ' (choose with --client)' : '';
      const printed = isDoubt || code === 'as_sent' ? printProblem : printNote;
      await printed(`${name}${at}: ${foundText(note)}${choice}`, io);
    }
  }
}

/**
 * The records from the last keyframe before the tick if the file can be read from any position, otherwise all records.
 */
async function nearestStart(opened: Opened, tick: Tick, options: ReadOptions, io: Io) {
  const { format, canSeek, path } = opened;
  const whole = (pieces: AsyncIterable<Uint8Array>) => ({ pieces, replay: format!.open(options) as Replay });
  if (!format!.hasKeyframes || !canSeek || tick === 'first') return whole(opened.pieces);
  const wanted = tick === 'last' ? Infinity : tick;
  const search = new KeyframeSearch(wanted);
  for await (const piece of opened.pieces) {
    search.feed(piece);
    if (search.lastTick > wanted) break;
  }
  if (search.lastTick <= wanted) search.finish();
  const { header, sound, found } = search;
  if (!header || !sound || !found) return whole(io.open(path));
  const reader = DemoReader.startingAt(header, found.tick, found.offset);
  return { pieces: io.open(path, found.offset), replay: new DemoReplay(options, reader) };
}

/**
 * Finds the packet of a capture with Wireshark's frame number, and prints what is to be said of it.
 * @throws CommandError if the packet with this number is not a UDP datagram
 */
export async function atPacket(opened: Opened, number: number, input: Input): Promise<FoundPacket> {
  const { name, format, pieces } = opened;
  if (!format!.hasPackets)
    throw usageError(`${name}: a demo has no packets (#${number}); FILE@MOMENT names a snapshot`);
  if (input.client !== undefined)
    throw usageError(`${name}#${number} is one packet; --client cannot be combined with it`);
  const replay = openReplay(opened, input, { messages: false, ticks: false, parts: true });
  const search = new PacketSearch(number);
  for await (const entry of recordsOf(pieces, replay)) if (search.add(entry)) break;
  const found = await resultOf<FoundPacket & { readonly tick?: number }>(
    search,
    escapeText(name),
    input.io,
    `#${number}`,
  );
  if (found.stream) refuseIneffective(opened, input, { streams: [found.stream] });
  return found;
}
