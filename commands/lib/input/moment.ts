import type { LastByte } from '../../../src/codec/huffman.ts';
import { DemoReader } from '../../../src/container/demo/reader.ts';
import { LastByteMode } from '../../../src/edit/demo-recorder.ts';
import { DemoReplay } from '../../../src/recording/demo.ts';
import { KeyframeSearch } from '../../../src/recording/demo-range.ts';
import { recordsOf } from '../../../src/recording/formats.ts';
import type { PacketEntry } from '../../../src/recording/record.ts';
import type { ReadOptions, Replay } from '../../../src/recording/replay.ts';
import {
  type Candidate,
  type FoundSnapshot,
  SnapshotSearch,
  type Tick,
} from '../../../src/recording/snapshot-search.ts';
import { type ConnectionStream, type Direction, matchesClient } from '../../../src/recording/stream.ts';
import { copyOf } from '../../../src/snapshot/builder.ts';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';
import type { Moment } from '../../../src/source/position.ts';
import { diagnosticLine } from '../../../src/text/diagnostic-messages.ts';
import { escapeText } from '../../../src/text/escape.ts';
import { count } from '../../../src/text/number.ts';
import { reasons } from '../../../src/text/recording-phrases.ts';
import { exit, inputError, usageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { printNote, printProblem } from '../note.ts';
import { openReplay } from '../run/recording.ts';
import { withTicks } from './chosen.ts';
import { type Input, type Opened, refuseIneffective } from './open.ts';

/** The reason why a result may be wrong, and the resulting exit status. */
export interface Uncertainty {
  readonly status: number;
  readonly text: string;
}

export type AtTick = FoundSnapshot & {
  readonly uncertainty: Uncertainty | undefined;
  /** How the compressed snapshots of a demo end, or the compressed packets of a capture. */
  readonly lastByte: LastByte;
};

/**
 * Finds the snapshot that a player has at a moment: that of the tick itself, or the last before it. Without a given
 * client it is the first client with that tick.
 */
export async function atMoment(
  recording: Opened,
  { text, moment }: { readonly text: string; readonly moment: Moment },
  input: Input,
): Promise<AtTick> {
  const { from, ticks } = moment;
  // `first` and `last` alone are the first and last tick that have a snapshot.
  const end = from !== 'zero' && ticks === 0 ? from : undefined;
  const range = end ? undefined : { from: moment, to: moment };
  const opened = await withTicks({ ...recording, position: undefined }, range, input);
  const tick: Tick = end ?? opened.ticks!.from;
  const { name, client } = opened;
  const { version, schema, player, io } = input;
  // The packets of a capture show how their sender ends compressed streams.
  const parts = opened.format!.hasPackets;
  const reading = { schema, messages: player !== undefined, parts, version };
  const { pieces, replay } = await nearestStart(opened, tick, reading, io);
  const search = new SnapshotSearch(tick, client);
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
  if (search.omitted > 0) {
    const others = `${count(search.omitted, 'more client')} not searched: there are too many (choose with --client)`;
    await printNote(`${escapeText(name)}@${tick}: ${others}`, io);
  }
  const found = await bestOf(search.candidates, escapeText(name), tick, io);
  if (typeof tick === 'number' && (found.tick !== tick || String(tick) !== text)) {
    const which = found.tick === tick ? `tick ${tick}` : `tick ${found.tick}, the last snapshot up to tick ${tick}`;
    await printNote(`${escapeText(name)}@${text}: ${which}`, io);
  }
  if (player) {
    // Who was there before does not count.
    player.isFound = false;
    player.seen.clear();
    player.follow(found as FoundSnapshot);
  }
  return { ...found, lastByte: mode.lastByte } as AtTick;
}

/** Whether a server sent a packet to the client, and compressed it. */
const isOfServer = ({ stream, direction, packet }: PacketEntry, client: string | undefined) =>
  direction === 'to_client' && packet?.compressed === true && matchesClient(stream, client);

/** The records from the last keyframe before the tick if the file can be read from any position, otherwise all records. */
async function nearestStart(opened: Opened, tick: Tick, options: ReadOptions, io: Io) {
  const { format, canSeek, path } = opened;
  const whole = (pieces: AsyncIterable<Uint8Array>) => ({ pieces, replay: format!.open(options) as Replay });
  if (!format!.isDivisible || !canSeek || tick === 'first') return whole(opened.pieces);
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

async function bestOf(
  candidates: readonly Candidate[],
  file: string,
  tick: Tick,
  io: Io,
): Promise<Omit<AtTick, 'lastByte'>> {
  const able = candidates.filter(({ found, last }) => found && (typeof tick !== 'number' || last >= tick));
  const exact = able.filter(({ found }) => found!.tick === tick);
  const among = [exact, able, candidates.filter(({ sent }) => sent)].find(({ length }) => length > 0);
  const one = tick === 'last' ? among?.at(-1) : among?.[0];
  if (!among || !one) throw notThere(candidates, file, tick);
  const { client } = one.stream;
  if (among.length > 1) {
    const others = `${among.length - 1} more ${among.length === 2 ? 'client has' : 'clients have'} this tick`;
    await printNote(`${file}@${tick}: using the snapshot of client ${client}; ${others} (choose with --client)`, io);
  }
  const found = one.found ?? one.sent!;
  if (one.loss !== undefined && typeof tick === 'number' && found.tick !== tick) {
    throw inputError(`${file}: tick ${tick} of ${client} can't be rebuilt: ${reasons[one.loss]}`);
  }
  if (!found.snapshot && one.loss !== undefined) {
    await printProblem(`${file}@${tick}: shown as sent; it can't be rebuilt: ${reasons[one.loss]}`, io);
  }
  return { ...found, uncertainty: uncertaintyOf(one, found, tick) };
}

/** The uncertainty of a snapshot with another checksum than announced. */
export function mismatchOf(snapshot: Snapshot, announced: number): Uncertainty {
  const text = `its checksum is ${snapshot.checksum()}, but ${announced} was announced`;
  return { status: exit.finding, text };
}

function uncertaintyOf({ error, isUncertain }: Candidate, found: FoundSnapshot, tick: Tick): Uncertainty | undefined {
  if (found.verdict === 'mismatch') return mismatchOf(found.snapshot!, found.announced!);
  // Errors after the snapshot of exactly this tick do not matter.
  if (!error || (!isUncertain && found.tick === tick)) return undefined;
  const later = typeof tick === 'number' ? `may not hold at ${tick} any more` : 'the last that can be read';
  return { status: exit.unreadable, text: `${isUncertain ? 'may be wrong' : later}: ${diagnosticLine(error)}` };
}

function notThere(candidates: readonly Candidate[], file: string, tick: Tick) {
  const [first] = candidates;
  if (!first) return inputError(`${file}: it has no snapshot that can be read`);
  const lost = candidates.find(({ loss }) => loss !== undefined);
  if (lost) {
    return inputError(`${file}: tick ${tick} of ${lost.stream.client} can't be rebuilt: ${reasons[lost.loss!]}`);
  }
  const noTick = `${file}: there is no tick ${tick}`;
  if (first.stream.client === '') {
    const isBefore = first.first > Number(tick);
    return usageError(`${noTick}: it ${isBefore ? `begins at ${first.first}` : `ends at ${first.last}`}`);
  }
  const ranges = candidates.slice(0, 3).map(({ stream, first, last }) => `${stream.client} has ${first} to ${last}`);
  return usageError(`${noTick}: ${ranges.join(', ')}`);
}

interface FoundPacket {
  /** Undefined for a connectionless packet and for a datagram that is not game traffic. */
  readonly stream: ConnectionStream | undefined;
  readonly direction: Direction | undefined;
  readonly bytes: Uint8Array;
  snapshot?: Snapshot | undefined;
  /** The base of the delta in this packet. */
  base?: Snapshot | undefined;
  mismatch?: number | undefined;
}

/**
 * Finds a packet of a capture by Wireshark's frame number. All packets before it are read too, for the base of a delta.
 * @throws CommandError if the packet with this number is not a UDP datagram
 */
export async function atPacket(opened: Opened, number: number, input: Input) {
  const { name, format, pieces } = opened;
  if (!format!.hasPackets)
    throw usageError(`${name}: a demo has no packets (#${number}); FILE@MOMENT names a snapshot`);
  if (input.client !== undefined)
    throw usageError(`${name}#${number} is one packet; --client cannot be combined with it`);
  const replay = openReplay(opened, input, { messages: false, ticks: false, parts: true });
  let found: FoundPacket | undefined;
  const near = { before: 0, after: 0 };
  for await (const entry of recordsOf(pieces, replay)) {
    const { frame = 0 } = entry;
    if (frame > number) {
      near.after = frame;
      break;
    }
    if (entry.record === 'packet') near.before = frame;
    if (frame !== number) continue;
    if (entry.record === 'packet') {
      found = { stream: entry.stream, direction: entry.direction, bytes: entry.bytes.slice() };
    } else if (entry.record === 'snapshot' && found && entry.parts === 1) {
      const { snapshot, before, verdict, announced } = entry;
      found.snapshot = snapshot && copyOf(snapshot);
      found.base = before && copyOf(before);
      if (verdict === 'mismatch') found.mismatch = announced;
    }
  }
  if (found) {
    if (found.stream) refuseIneffective(opened, input, { streams: [found.stream] });
    return found;
  }
  const ends = near.before === 0 ? '' : `; the last datagram before it is ${near.before}`;
  if (near.after === 0) throw usageError(`${name}: there is no packet ${number}${ends}`);
  throw inputError(`${name}: packet ${number} is not a readable UDP datagram${ends}, the next one ${near.after}`);
}
