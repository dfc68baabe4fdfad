import { Channel } from '../../src/api/live/channel.ts';
import { ChunkHead } from '../../src/recording/container/demo/chunk.ts';
import { type ChunkKind, DemoWriter } from '../../src/recording/container/demo/demo-writer.ts';
import { lastVersion } from '../../src/recording/container/demo/header.ts';
import { demoGames, lastDdnet } from '../../src/recording/games/demo-rules.ts';
import { DemoPlayers, type GamePlayed } from '../../src/recording/playback/demo-players.ts';
import { GhostPlayers } from '../../src/recording/playback/ghost-players.ts';
import { ByteBuffer, IntBuffer } from '../../src/wire/bytes/buffers.ts';
import { type Code, DecodeError, type Warn } from '../../src/wire/bytes/diagnostic.ts';
import { compress, decompress } from '../../src/wire/codec/huffman.ts';
import { endOfInt, packInts, unpackInt, unpackInts } from '../../src/wire/codec/varint.ts';
import { MessageReader, type MessageValue, readMessage } from '../../src/wire/packet/message.ts';
import {
  controlsOf,
  type Packet,
  type PacketChunk,
  type PacketVersion,
  readPartOfPacket,
  refusalsOf,
} from '../../src/wire/packet/packet.ts';
import { readConnless, readControl } from '../../src/wire/packet/packet-values.ts';
import { layersOfInts, unwrap } from '../../src/wire/payload/encoding-layers.ts';
import { type Payload, readPayload } from '../../src/wire/payload/payload.ts';
import type { MessageFieldType } from '../../src/wire/protocol/message-type.ts';
import { protocolOf, type Version } from '../../src/wire/protocol/registry.ts';
import { textOfInts, uuidOfName } from '../../src/wire/protocol/texts.ts';
import type { Delta } from '../../src/wire/snapshot/delta.ts';
import { fieldValues } from '../../src/wire/snapshot/item-fields.ts';
import type { Snapshot } from '../../src/wire/snapshot/snapshot.ts';
import { chunkHead, flags, fromHex, packetHead, snapshotInts, toHex } from '../encode.mjs';
import type { Item } from '../make/deltas.ts';

/** A question as the runner asks it. */
interface Asked {
  readonly id: string;
  readonly layer: string;
  readonly in?: string;
  readonly protocol?: Version;
  readonly version?: number;
  readonly value?: number;
  readonly name?: string;
  readonly room?: number;
  readonly count?: number;
  readonly kinds?: readonly string[];
  readonly ints?: readonly number[];
  readonly base?: readonly Item[];
  readonly items?: readonly Item[];
  readonly packets?: readonly (readonly [seconds: number, hex: string])[];
  readonly token?: string;
  readonly last?: number;
  readonly sent?: number;
  readonly seconds?: number;
  readonly unpacked?: boolean;
  readonly chunk?: ChunkKind;
  readonly int?: number;
  readonly times?: number;
}

export interface Answer {
  readonly id: string;
  readonly out?: object;
  readonly error?: string;
  readonly skip?: true;
  /** What was reported, the warnings too. */
  readonly codes: readonly Code[];
}

/** Reads a question, and reports warnings; an error is thrown. */
type Layer = (asked: Asked & { readonly bytes: Uint8Array }, warn: Warn) => object;

const decompressed = (bytes: Uint8Array, room: number, warn: Warn) => {
  const out = new ByteBuffer();
  decompress(bytes, 0, bytes.length, out, warn, room);
  return toHex(out.bytes.subarray(0, out.length));
};

/** With positions ints are read one by one, otherwise in blocks: both have to agree. */
function unpacked(bytes: Uint8Array, warn: Warn): number[] {
  const [single, blocks] = [true, false].map((positions, i) => {
    const into = new IntBuffer({ positions });
    unpackInts(bytes, 0, bytes.length, into, i === 0 ? warn : () => {});
    return [...into.ints.subarray(0, into.length)];
  });
  if (String(single) !== String(blocks)) throw new Error(`one by one ${single}, in blocks ${blocks}`);
  return single!;
}

function oneInt(bytes: Uint8Array, warn: Warn): object {
  const end = endOfInt(bytes, 0, bytes.length);
  if (end < 0) throw new DecodeError('truncated_varint', 0);
  return { value: unpackInt(bytes, 0, end, warn), size: end };
}

const reader = (bytes: Uint8Array, warn: Warn) => new MessageReader(bytes, 0, bytes.length, false, [], warn);

const answered = ({ value }: MessageValue) => (value instanceof Uint8Array ? toHex(value) : value);

const kinds: Readonly<Record<string, MessageFieldType>> = {
  i: { kind: 'int' },
  s: { kind: 'string' },
  b: { kind: 'boolean' },
  d: { kind: 'data' },
};

function values(bytes: Uint8Array, asked: readonly string[], warn: Warn): object {
  const read = reader(bytes, warn);
  const answers = asked.map((kind) => {
    if (kind === 'd') read.value('size', ['size'], kinds.i!);
    read.value(kind, [kind], kinds[kind]!);
    return answered(read.into.at(-1)!);
  });
  return { values: answers };
}

function head(bytes: Uint8Array, warn: Warn): object {
  const message = readMessage(bytes, 0, bytes.length, '0.6');
  const { error } = message.diagnostics;
  // The values of a message may be cut here, but not its number and UUID.
  const isCut = message.head.length < (message.id === 0 ? 2 : 1) || message.head.at(-1)?.value === undefined;
  if (error && isCut) throw new DecodeError(error.code, error.offset);
  const { end } = message.head.at(-1)!;
  for (const { code, offset } of message.diagnostics.warnings) warn(code, offset);
  const which = message.id === 0 ? { uuid: message.uuid } : { id: message.id };
  return { system: message.system, ...which, rest: toHex(bytes.subarray(end)) };
}

const layout = (protocol: Version | undefined) => protocol as PacketVersion;

/** What is refused for its content is asked by the layers `chunks` and `control`. */
const ofContents = new Set<Code>([
  'missing_chunks',
  'truncated_packet_chunk',
  'unknown_control',
  'missing_token',
  'connless_version',
]);

const tokenText = (token: number) => (token >>> 0).toString(16).padStart(8, '0');

function packet({ bytes, protocol }: { bytes: Uint8Array; protocol?: Version }, warn: Warn): object {
  const { packet: found, error } = readPartOfPacket(bytes, layout(protocol), warn);
  const errors = [...(error ? [error] : []), ...(found ? refusalsOf(bytes, found) : [])];
  const refused = errors.find(({ code }) => !ofContents.has(code));
  if (refused) throw refused;
  for (const { code, offset } of errors) warn(code, offset);
  return packetOut(found!);
}

function packetOut({ kind, resend, compressed, ack, numChunks, token, responseToken, payload }: Packet): object {
  const hex = toHex(payload);
  const tokens = token === undefined ? {} : { token: tokenText(token) };
  if (kind === 'connless') {
    const response = responseToken === undefined ? {} : { response: tokenText(responseToken) };
    return { kind, ...tokens, ...response, payload: hex };
  }
  const head = { kind: kind === 'control' ? kind : 'normal', resend, compressed, ack, chunks: numChunks };
  return { ...head, ...tokens, payload: hex };
}

/** A packet around a payload: the readers of chunks and control codes begin with its header. */
const packetWith = (payload: Uint8Array, version: PacketVersion, flagBits: number, chunks: number) => {
  const token = version === '0.7' ? 'ffffffff' : '';
  return Uint8Array.of(...fromHex(packetHead(flagBits, 0, chunks, token)), ...payload);
};

/** A head alone, with as many bytes after it as it may announce. */
function chunk({ bytes, protocol }: { bytes: Uint8Array; protocol?: Version }): object {
  const isWhole = bytes.length > 2 || (bytes.length === 2 && (bytes[0]! & 0x40) === 0);
  const payload = isWhole ? Uint8Array.of(...bytes, ...new Uint8Array(4095)) : bytes;
  const { packet: found, error } = readPartOfPacket(
    packetWith(payload, layout(protocol), 0, 1),
    layout(protocol),
    () => {},
  );
  const [first] = found!.chunks;
  if (!first) throw error!;
  const { vital, resend, start, end, head: at, sequence } = first;
  return { vital, resend, size: end - start, header: start - at, ...(vital && { sequence }) };
}

function chunks({ bytes, protocol, count }: { bytes: Uint8Array; protocol?: Version; count?: number }, warn: Warn) {
  const { packet: found, error } = readPartOfPacket(
    packetWith(bytes, layout(protocol), 0, count!),
    layout(protocol),
    warn,
  );
  if (error) warn(error.code, error.offset);
  const { payload, chunks: read } = found!;
  const out = ({ vital, resend, sequence, start, end }: PacketChunk) => {
    return [vital, resend, vital ? sequence : null, toHex(payload.subarray(start, end))];
  };
  return { chunks: read.map(out) };
}

function control({ bytes, protocol }: { bytes: Uint8Array; protocol?: Version }, warn: Warn): object {
  const version = layout(protocol);
  const whole = packetWith(bytes, version, flags[version].control, 0);
  const { packet: found } = readPartOfPacket(whole, version, warn);
  const [refused] = refusalsOf(whole, found!);
  const read = readControl(found!, warn);
  if (refused) throw refused;
  const value = (name: string) => read.find((known) => known.name === name);
  const [reason, token] = [value('reason'), value('response_token')];
  const name = controlsOf(version)[found!.control!];
  return {
    name,
    ...(reason && { reason: reason.value }),
    ...(name === 'token' && token && { token: answered(token) }),
  };
}

/** What is said to who has no connection, behind the header. */
function connless({ bytes, protocol }: { bytes: Uint8Array; protocol?: Version }): object {
  const version = layout(protocol);
  const head = version === '0.7' ? `21${'0'.repeat(16)}` : 'f'.repeat(12);
  const whole = Uint8Array.of(...fromHex(head), ...bytes);
  const { packet: found } = readPartOfPacket(whole, version, () => {});
  const read = readConnless(whole, found!);
  const at = read.findIndex(({ name }) => name === 'name');
  return { name: read[at]!.value, values: read.slice(at + 1).map(answered) };
}

/** A channel of a server that is online, with this token, and has taken and sent so many vital messages. */
function onlineChannel({ protocol, token = '', last = 0, sent = 0 }: Asked): Channel {
  const version = layout(protocol);
  const { random } = Math;
  // A channel draws its token.
  Math.random = () => (Number.parseInt(token || '0', 16) + 0.5) / 0xffffffff;
  const channel = new Channel(version, 'server');
  Math.random = random;
  const receive = (flagBits: number, chunks: number, own: string, payload: string) => {
    const head = packetHead(flagBits, 0, chunks, version === '0.7' ? own : '');
    channel.receive(fromHex(head + payload + (version === '0.6' ? own : '')));
  };
  const { control } = flags[version];
  if (version === '0.7') receive(control, 0, token, `01${'1'.repeat(8)}${'00'.repeat(507)}`);
  else receive(control, 0, '', `01${token ? '544b454effffffff' : ''}${'00'.repeat(500)}`);
  receive(control, 0, token, version === '0.7' ? '00' : '03');
  for (let sequence = 1; sequence <= last; sequence++)
    receive(0, 1, token, `${chunkHead(version, { vital: true, size: 1, sequence })}00`);
  for (let i = 0; i < sent; i++) channel.send(Uint8Array.of(0), { vital: true });
  channel.packets(0);
  return channel;
}

function connection(asked: Asked): object {
  const channel = onlineChannel(asked);
  const taken: (readonly [number, string])[] = [];
  for (const [i, [seconds, hex]] of asked.packets!.entries()) {
    if (seconds > 0) channel.packets(seconds);
    for (const message of channel.receive(fromHex(hex))) taken.push([i, toHex(message)]);
  }
  const due = channel.packets(asked.seconds!);
  const { state } = channel;
  if (state === 'closed') return { state, taken };
  channel.close();
  const [first] = [...due, ...channel.packets(asked.seconds!)].map(
    (bytes) => readPartOfPacket(bytes, layout(asked.protocol), () => {}).packet!,
  );
  return { state, taken, ack: first!.ack, resend: first!.resend };
}

const itemsOf = (body: Snapshot | Delta) =>
  Array.from({ length: body.count }, (_, i) => [body.type(i), body.id(i), [...body.item(i)]]);

/** Reads a payload to its end. */
function whole(payload: Payload, warn: Warn): Payload {
  for (const { code, offset } of payload.diagnostics.warnings) warn(code, offset);
  const { error } = payload.diagnostics;
  if (error) throw new DecodeError(error.code, error.offset);
  return payload;
}

const payloadOf = (asked: Asked & { bytes: Uint8Array }, kind: Payload['kind'], warn: Warn, base?: Snapshot) =>
  whole(
    readPayload(unwrap(asked.bytes, asked.unpacked ? 'ints' : 'packed'), kind, protocolOf(asked.protocol!), base),
    warn,
  );

const snapshotOf = (items: readonly Item[], protocol: Version, warn: Warn) =>
  whole(readPayload(layersOfInts(Int32Array.from(snapshotInts(items))), 'snapshot', protocolOf(protocol)), warn);

function delta(asked: Asked & { bytes: Uint8Array }, warn: Warn): object {
  const body = payloadOf(asked, 'delta', warn).body as Delta;
  const removed = Array.from({ length: body.removedCount }, (_, i) => body.removedKey(i));
  return { removed, updates: itemsOf(body) };
}

function applied(asked: Asked & { bytes: Uint8Array }, warn: Warn): object {
  const base = snapshotOf(asked.base!, asked.protocol!, () => {}).body as Snapshot;
  const result = payloadOf(asked, 'delta', warn, base).result!;
  return { items: itemsOf(result), crc: result.checksum() };
}

function snapshot(asked: Asked & { bytes: Uint8Array }, warn: Warn): object {
  const body = payloadOf(asked, 'snapshot', warn).body as Snapshot;
  return { items: itemsOf(body), crc: body.checksum() };
}

function names(items: readonly Item[], warn: Warn): object {
  const { body, types } = snapshotOf(items, '0.6', warn);
  const nameOf = (type: number) => (types.isLocal(type) ? (types.uuidOf(type) ?? null) : String(type));
  return { names: Array.from({ length: body.count }, (_, i) => nameOf(body.type(i))) };
}

/** The last item, whose registration is before it. */
function item(items: readonly Item[], protocol: Version, warn: Warn): object {
  const { body, types } = snapshotOf(items, protocol, warn);
  const last = body.count - 1;
  const type = types.of(body.type(last))!;
  return { name: type.name, values: Object.values(fieldValues(type.fields, body.item(last))).flat(9) };
}

function message({ bytes, protocol }: { bytes: Uint8Array; protocol?: Version }, warn: Warn): object {
  const { type, values: read, diagnostics } = readMessage(bytes, 0, bytes.length, protocolOf(protocol!));
  for (const { code, offset } of diagnostics.warnings) warn(code, offset);
  if (diagnostics.error) throw new DecodeError(diagnostics.error.code, diagnostics.error.offset);
  if (!type) warn('unknown_message', 0);
  return { name: type?.name ?? null, values: read.filter(({ name }) => name !== 'rest').map(answered) };
}

function demoChunk(bytes: Uint8Array, version: number): object {
  const read = new ChunkHead();
  if (!read.read(bytes, 0, bytes.length, version)) throw new DecodeError('truncated_chunk', 0);
  const { kind, headSize: header, size, keyframe, absolute, tick } = read;
  if (kind !== 'tick') return { chunk: kind, size, header };
  return { tick: absolute ? 'full' : 'delta', keyframe, ...(absolute ? { at: tick } : { delta: tick }), header };
}

function demoWrite({ chunk, int, times }: Asked): object {
  const writer = new DemoWriter(lastVersion, 'none');
  const data = writer.encode(new Int32Array(times!).fill(int!)).slice();
  writer.chunk(chunk!, data);
  return { head: toHex(writer.flush().subarray(0, -data.length)), size: data.length };
}

/** As the last DDNet plays it. */
function play(bytes: Uint8Array): object {
  const players = new DemoPlayers(demoGames.filter(({ game, version }) => game === 'DDNet' && version === lastDdnet));
  players.leave(undefined);
  players.add(bytes);
  players.finish(undefined);
  const [{ played }] = players.results as [GamePlayed];
  const { outcome, tick, sentence } = played;
  if (outcome === 'refused' || outcome === 'crashes') throw new DecodeError('not_played', 0, { sentence });
  return { outcome, tick };
}

/** As the last DDNet loads it. */
function ghost(bytes: Uint8Array): object {
  const players = new GhostPlayers();
  players.add(bytes);
  players.finish();
  const { outcome, characters, sentence } = players.results.at(-1)!.played;
  if (outcome !== 'plays') throw new DecodeError('not_played', 0, { sentence });
  return { outcome, characters };
}

const layers: Readonly<Record<string, Layer>> = {
  varint: ({ bytes }, warn) => oneInt(bytes, warn),
  ints: ({ bytes }, warn) => ({ ints: unpacked(bytes, warn) }),
  pack: ({ value }) => {
    const out = new ByteBuffer();
    packInts(Int32Array.of(value!), 0, 1, out);
    return { hex: toHex(out.bytes.subarray(0, out.length)) };
  },
  huffman: ({ bytes, room }, warn) => ({ hex: decompressed(bytes, room ?? 1 << 16, warn) }),
  compress: ({ bytes }) => {
    const out = new ByteBuffer();
    compress(bytes, 0, bytes.length, out, 'none');
    return { hex: toHex(out.bytes.subarray(0, out.length)) };
  },
  string: ({ bytes }, warn) => {
    const read = reader(bytes, warn);
    read.value('text', ['text'], kinds.s!);
    return { text: read.into[0]!.value, size: read.pos };
  },
  values: ({ bytes, kinds: asked }, warn) => values(bytes, asked!, warn),
  head: ({ bytes }, warn) => head(bytes, warn),
  packet,
  chunk,
  chunks,
  control,
  connection,
  connless,
  delta,
  apply: applied,
  snapshot,
  uuid: ({ name }) => ({ uuid: uuidOfName(name!) }),
  names: ({ items }, warn) => names(items!, warn),
  inttext: ({ ints }) => {
    const text = textOfInts(ints!, 0, ints!.length);
    // As in a header: not UTF-8.
    if (text === undefined) throw new DecodeError('header_text', 0);
    return { text };
  },
  item: ({ items, protocol }, warn) => item(items!, protocol!, warn),
  message,
  demochunk: ({ bytes, version }) => demoChunk(bytes, version!),
  demowrite: demoWrite,
  play: ({ bytes }) => play(bytes),
  ghost: ({ bytes }) => ghost(bytes),
};

/** What tw-snap answers. The functions are those that its commands and its library read with. */
export function answer(asked: Asked): Answer {
  const { id } = asked;
  const codes: Code[] = [];
  const read = layers[asked.layer];
  if (!read) return { id, skip: true, codes };
  try {
    const out = read({ ...asked, bytes: fromHex(asked.in ?? '') }, (code) => codes.push(code));
    return { id, out, codes };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { id, error: error.code, codes: [...codes, error.code] };
  }
}
