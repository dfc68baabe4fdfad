import { LastByteMode } from '../../../src/editing/demo-recorder.ts';
import {
  type Doubt,
  type FoundMoment,
  type FoundNote,
  type FoundPacket,
  NotFoundError,
} from '../../../src/input/source/found.ts';
import { endOf, type Moment, type Position } from '../../../src/input/source/position.ts';
import { recognisePart } from '../../../src/input/source/recognise.ts';
import { known } from '../../../src/input/source/recognise-payload.ts';
import { foundText, missingText } from '../../../src/output/phrases/found-text.ts';
import { pathText } from '../../../src/output/text/escape.ts';
import type { PacketEntry, RecordingEntry } from '../../../src/recording/replay/record.ts';
import { matchesClient } from '../../../src/recording/replay/stream.ts';
import type { LastByte } from '../../../src/wire/codec/huffman.ts';
import { unwrap } from '../../../src/wire/payload/encoding-layers.ts';
import { payloadOfSnapshot, readPayload } from '../../../src/wire/payload/payload.ts';
import { compare } from '../../../src/wire/snapshot/compare.ts';
import type { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { exit, inputError, usageError } from '../options/errors.ts';
import type { Io } from '../platform/io.ts';
import { printNote, printProblem } from '../platform/note.ts';
import { chosenIn } from './chosen.ts';
import {
  type Input,
  type Loaded,
  type LoadedInput,
  type LoadedPacket,
  type Loading,
  type OpenInput,
  type OpenRecording,
  otherPosition,
} from './inputs.ts';
import { refuseIneffective } from './records.ts';

/** The exit status for a doubt about what was found, or for that about its base if it is worse. */
function worse(doubt: Doubt | undefined, base: Loaded | undefined): number | undefined {
  if (!doubt) return base?.doubt;
  return Math.max(doubt.code === 'mismatch' ? exit.finding : exit.unreadable, base?.doubt ?? exit.fine);
}

type AtMoment = FoundMoment & {
  /** How the compressed snapshots of a demo end, or the compressed packets of a capture. */
  readonly lastByte: LastByte;
};

/** Finds the snapshot that a player has at a moment, and prints what is to be said of it. */
export async function atMoment(
  recording: OpenRecording,
  { text, moment }: { readonly text: string; readonly moment: Moment },
  input: Input,
): Promise<AtMoment> {
  const end = endOf(moment);
  const { name, format } = recording;
  const ticks = end ? undefined : { from: moment, to: moment };
  const chosen = await chosenIn(recording, { ...input, ticks });
  const { client, source } = chosen;
  const { version, schema, player, io } = input;
  const mode = new LastByteMode();
  const watch = (entry: RecordingEntry, isFound: boolean) => {
    if (entry.record === 'snapshot' && entry.encoding === 'huffman') mode.add(entry.payload);
    if (entry.record === 'packet' && isOfServer(entry, client)) mode.add(entry.bytes);
    if (!isFound) player?.follow(entry);
    // Another few snapshots or packets show how compressed streams end.
    return mode.isSeen;
  };
  // The packets of a capture show how their sender ends compressed streams.
  const options = { schema, messages: player !== undefined, parts: format.hasPackets, version };
  const tick = end ?? chosen.ticks!.from;
  const { search, replay } = await source.moment({ text, tick, client, watch }, options);
  refuseIneffective({ name, client }, input, replay);
  const found = await resultOf(search, pathText(name), io);
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
async function resultOf<Found extends object>(
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
      const at = position || `@${isDoubt ? (found as { readonly tick?: number }).tick : (named ?? note.tick)}`;
      const choice = code === 'others' || code === 'omitted' ? ' (choose with --client)' : '';
      const printed = isDoubt || code === 'as_sent' ? printProblem : printNote;
      await printed(`${name}${at}: ${foundText(note)}${choice}`, io);
    }
  }
}

/**
 * Finds the packet of a capture with Wireshark's frame number, and prints what is to be said of it.
 * @throws CommandError if the packet with this number is not a UDP datagram
 */
export async function atPacket({ name, source }: OpenInput, number: number, input: Input): Promise<FoundPacket> {
  if (!source.format!.hasPackets)
    throw usageError(`${name}: a demo has no packets (#${number}); FILE@MOMENT names a snapshot`);
  if (input.client !== undefined)
    throw usageError(`${name}#${number} is one packet; --client cannot be combined with it`);
  const { version, schema, io } = input;
  const { search } = await source.packet(number, { version, schema, hidesSecrets: true });
  const found = await resultOf(search, pathText(name), io, `#${number}`);
  if (found.stream) refuseIneffective({ name }, input, { streams: [found.stream] });
  return found;
}

/** Reads what a recording has at a position: its first snapshot, if none is named. */
export async function loadRecording(
  opened: OpenRecording,
  position: Position | undefined,
  loading: Loading,
): Promise<LoadedInput> {
  const { io } = loading;
  if (position && 'packet' in position) return loadPacketAt(opened, position.packet, loading);
  if (position && 'range' in position) throw otherPosition(opened.name, position);
  if (!position) {
    const kind = opened.format.hasTicks ? 'demo' : 'capture';
    const others = kind === 'demo' ? 'FILE@MOMENT names another' : 'FILE@MOMENT names another, FILE#N a packet';
    const note = `a ${kind}: its first snapshot (${others})`;
    await printNote(`${pathText(opened.name)}: ${note}`, io);
  }
  const found = await atMoment(opened, position ?? { text: 'first', moment: { from: 'first', ticks: 0 } }, loading);
  return loadTick(found, opened.name, loading);
}

/** The packet of a capture with Wireshark's number `number`; its delta is read with the base that its client had. */
async function loadPacketAt(opened: OpenRecording, number: number, loading: Loading): Promise<LoadedPacket> {
  const found = await atPacket(opened, number, loading);
  const { stream, direction, bytes, snapshot, doubt } = found;
  const name = `${opened.name}#${number}`;
  const version = loading.version ?? stream?.protocol.version;
  const input = { name, bytes };
  const stated = { ...loading, kind: 'packet', version, base: loading.base?.snapshot ?? found.base } as const;
  const packet = { name, input, ...recognisePart(input, stated) } as LoadedPacket;
  if (!stream) return packet;
  const ends = direction === 'to_client' ? [stream.server, stream.client] : [stream.client, stream.server];
  const rebuilt = snapshot && payloadOfSnapshot(snapshot, stream.protocol);
  return { ...packet, route: ends.join(' > '), rebuilt, doubt: worse(doubt, loading.base) };
}

function loadTick(found: AtMoment, file: string, { kind: wanted, base: given }: Loading): Loaded {
  const { tick, kind, snapshot, before, doubt, lastByte } = found;
  const { protocol } = found.stream;
  const name = `${file}@${tick}`;
  const base = kind === 'delta' ? (before ?? given?.snapshot) : undefined;
  if (base && given && base !== given.snapshot && isOther(base, given.snapshot))
    throw inputError(`${pathText(name)}: this delta has another base, the snapshot of tick ${found.base}`);
  const read = readPayload(unwrap(found.payload, found.encoding), kind, protocol, base);
  const sent = base && base === before && found.base >= 0 ? { ...read, baseTick: found.base } : read;
  const rebuilt = snapshot && payloadOfSnapshot(snapshot, protocol);
  if (wanted === 'snapshot' && !rebuilt) throw inputError(`${pathText(name)}: the snapshot can't be rebuilt`);
  const payload = wanted === 'snapshot' ? rebuilt! : sent;
  return { ...known(payload), name, rebuilt, doubt: worse(doubt, given), lastByte };
}

function isOther(a: Snapshot, b: Snapshot): boolean {
  const { removed, added, changed } = compare(a, b);
  return removed.length + added.length + changed.length > 0;
}
