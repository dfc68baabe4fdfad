import { ByteBuffer } from '../../wire/bytes/buffers.ts';
import type { Args, Code } from '../../wire/bytes/diagnostic.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { packInts } from '../../wire/codec/varint.ts';
import { type Message, type MessageHead, messageNumber, readMessage } from '../../wire/packet/message.ts';
import { hasPlainFields, makesSense, plainFieldsOf } from '../../wire/packet/mixed-message.ts';
import { isOfManyClients } from '../../wire/protocol/bounds.ts';
import { type Meaning, maxClient, valueBoundsOf, words } from '../../wire/protocol/meaning.ts';
import { type Messages, messagesOf } from '../../wire/protocol/message-registry.ts';
import { isInt, type MessageType } from '../../wire/protocol/message-type.ts';
import { type Protocol, type Version, versions } from '../../wire/protocol/registry.ts';

/** What a message shows that its sender cannot have meant, or that its receiver drops. */
interface Impossible {
  readonly code: Code;
  readonly args: Args;
  /** `wrong`: no game sends it. `warning`: a newer game or a mod may. `note`: a game of today does. */
  readonly weight: 'note' | 'warning' | 'wrong';
}

interface ImpossibleOptions {
  /** For demos: up to three NULs follow. */
  readonly padded?: boolean;
  /** The clients that the receiver knows, where its version says. */
  readonly clients?: number | undefined;
}

/** The system messages of each end; both send the others. Those of the game have `cl_` and `sv_` in their names. */
const ofClients = new Set<string>(words('info ready enter_game input rcon_cmd rcon_auth request_map_data'));
const ofServers = new Set<string>(
  words(
    `map_change map_data con_ready snap snap_empty snap_single snap_small input_timing rcon_auth_status rcon_line rcon_cmd_add
     rcon_cmd_remove rcon_cmd_rem server_info rcon_auth_on rcon_auth_off maplist_entry_add maplist_entry_rem`,
  ),
);
/** They have a number, but no game sends them. */
const reserved: ReadonlySet<string> = new Set(['snap_small']);

/** The end that sends a message; undefined if both do, or if its name does not tell. */
export const sentBy = ({ name, system }: MessageType): 'client' | 'server' | undefined => {
  if (system ? ofClients.has(name) : name.startsWith('cl_')) return 'client';
  if (system ? ofServers.has(name) : name.startsWith('sv_')) return 'server';
  return undefined;
};

/**
 * Why a message cannot be what it says; undefined for nearly all. Only a flaw costs more than a look at its ints:
 * - it goes the wrong way, or no table has its number,
 * - its fields end before it does, or it ends before them,
 * - a value of a message of the game is outside the bounds of its receiver.
 *
 * What such a message would be with the numbers of the other version, or without the bit that tells system messages
 * from those of the game, names the likely fault.
 *
 * Source: `CServer::ProcessClientPacket` in `src/engine/server/server.cpp` and `CClient::ProcessServerPacket` in
 * `src/engine/client/client.cpp` of the games, which drop what they do not know.
 */
export function impossibleMessage(
  head: MessageHead,
  bytes: Uint8Array,
  from: 'client' | 'server',
  protocol: Protocol,
  lazy: { readonly message: Message },
  { padded = false, clients }: ImpossibleOptions = {},
): Impossible | undefined {
  const { type, misflagged, id, uuid, system } = head;
  if (misflagged) {
    const weight = from === 'client' && misflagged.name === introducing ? 'note' : 'wrong';
    return { code: 'wrong_flag', args: { message: misflagged.name, system: Number(system) }, weight };
  }
  if (!type && (uuid === undefined ? id === undefined : wellFormed.test(uuid))) return undefined;
  const isWrongWay = type !== undefined && (sentBy(type) ?? from) !== from;
  const isReserved = type !== undefined && reserved.has(type.name);
  if (type && !isWrongWay && !isReserved) {
    const fields = plainFieldsOf(type);
    const isBounded = !type.system;
    if (!(isBounded && clients) && fields !== 'other' && hasPlainFields(bytes, fields, padded, isBounded))
      return undefined;
    const { message } = lazy;
    if (judged?.message === message && judged.clients === clients) return judged.odd;
    if (isWhole(message)) {
      judged = { message, clients, odd: oddValue(message, clients) };
      return judged.odd;
    }
  }

  const name = type?.name ?? `${system ? 'system' : 'game'} message ${uuid ?? id}`;
  const meant = meantBy(bytes, from, protocol, padded);
  if (meant) {
    const { code, args } = meant;
    return { code, args: { message: name, ...args }, weight: args.as === untranslated ? 'note' : 'wrong' };
  }
  const isNumber = uuid === undefined && id! >= 0 && id! <= maxNumber;
  if (!type) return { code: 'unknown_message', args: { message: name }, weight: isNumber ? 'warning' : 'wrong' };
  if (isWrongWay) return { code: 'wrong_direction', args: { message: name, from }, weight: 'wrong' };
  if (isReserved) return { code: 'reserved_message', args: { message: name }, weight: 'wrong' };

  const { error, warnings } = lazy.message.diagnostics;
  if (error) return { code: error.code, args: error.args, weight: 'wrong' };
  const excess = warnings.find(({ code }) => code === 'excess_bytes');
  // Games grow at the end of their messages.
  return excess && { code: 'excess_bytes', args: { message: name, ...excess.args }, weight: 'warning' };
}

/** The message that was judged last: what a demo has again is the same object. */
let judged:
  | { readonly message: Message; readonly clients: number | undefined; readonly odd: Impossible | undefined }
  | undefined;

/** A value for which the receiver drops the message; undefined for nearly all. */
function oddValue({ type, values, diagnostics }: Message, clients = maxClient + 1): Impossible | undefined {
  const dropped = diagnostics.warnings.find(({ code }) => code === 'out_of_bounds' || code === 'not_utf8');
  if (dropped) return { code: dropped.code, args: dropped.args, weight: 'warning' };
  if (type!.system) return undefined;
  for (const { name: field, type: meaning, value } of values) {
    const bounds = meaning.kind === 'int' ? valueBoundsOf(meaning as Meaning) : undefined;
    if (!bounds || !isOfManyClients(bounds, Number(value))) continue;
    const args = { message: type!.name, field, found: Number(value), ...bounds, rules: 'teeworlds' };
    return { code: 'out_of_bounds', args, weight: 'note' };
  }
  for (const { name: field, type: meaning, value } of values) {
    if (meaning.kind !== 'client' || !(Number(value) >= clients)) continue;
    const bounds = { ...valueBoundsOf(meaning as Meaning)!, max: clients - 1 };
    const args = { message: type!.name, field, found: Number(value), ...bounds };
    return { code: 'out_of_bounds', args, weight: 'warning' };
  }
  return undefined;
}

/** How many ints follow the number of a message: some of the last ones may be left out. */
interface IntCount {
  readonly least: number;
  readonly most: number;
}

const tables = new WeakMap<Messages, Record<'client' | 'server', readonly (IntCount | undefined)[]>>();

/**
 * By first byte: the ints that follow in a system message which one end sends and that consists of ints only; undefined
 * for all others.
 */
export const intsByFirstByte = ({ version, schema }: Protocol, from: 'client' | 'server') => {
  const messages = messagesOf(version, schema);
  const byEnd = getOr(tables, messages, () => ({
    client: intsOf(messages, 'client'),
    server: intsOf(messages, 'server'),
  }));
  return byEnd[from];
};

const intsOf = (messages: Messages, from: 'client' | 'server') =>
  Array.from({ length: 0x80 }, (_, byte) => {
    const type = messages.byFirstByte(byte)?.type;
    if (!type?.system || reserved.has(type.name) || (sentBy(type) ?? from) !== from) return undefined;
    const { fields } = type;
    const least = fields.findLastIndex(({ optional }) => !optional) + 1;
    const isOfInts = fields.every(({ type, optional }, i) => isInt(type) && (i >= least || !optional));
    return isOfInts && fields.length > 0 ? { least, most: fields.length } : undefined;
  });

/**
 * Whether the message `bytes[start, end)` is its number in a byte and so many ints, without a look at their values:
 * inputs and their timing are most of what a connection has beside snapshots. Ints that may be odd, of five bytes or
 * with a zero at their end, are left to {@link impossibleMessage}.
 */
export function isOfInts(bytes: Uint8Array, { least, most }: IntCount, start = 0, end: number = bytes.length): boolean {
  let count = 0;
  let first = start + 1;
  for (let at = first; at < end; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x80) continue;
    if (at - first > 3 || (byte === 0 && at > first)) return false;
    count++;
    first = at + 1;
  }
  return count >= least && count <= most && first === end;
}

/**
 * DDNet's client asks servers of 0.7 for a map with the number of 0.6, too: `RepackMsg` in its client.cpp leaves it as
 * it is.
 */
const untranslated = 'request_map_data';

/**
 * Bots made with the npm package `teeworlds` introduce themselves with this UUID and the address of the package: its
 * UUIDManager finds the one of `i_am_npm_package` by a position in a list that has others between.
 */
const introducing = 'sv_killmsgteam';

/** The version and variant of RFC 4122, which the UUIDs of games and mods have: they are hashes of names. */
const wellFormed = /^.{14}[1-8].{4}[89ab]/;

/** The numbers that games and mods use are below: larger ones are no numbers of messages. */
const maxNumber = 255;

const isWhole = ({ diagnostics }: Message) =>
  !diagnostics.error && !diagnostics.warnings.some(({ code }) => code === 'excess_bytes');

/** What its sender may have meant: the same bytes by another rule, which make sense to their end. */
function meantBy(
  bytes: Uint8Array,
  from: 'client' | 'server',
  { version, schema }: Protocol,
  padded: boolean,
): Pick<Impossible, 'code' | 'args'> | undefined {
  const number = messageNumber(bytes, 0, bytes.length);
  if (!number) return undefined;
  const fits = (of: Version, candidate: Uint8Array) => {
    const message = readMessage(candidate, 0, candidate.length, { version: of, schema }, { padded });
    const { type, values } = message;
    if (!type || reserved.has(type.name) || values.length === 0 || !isWhole(message)) return undefined;
    // All ints fit into tune params, which may end early: only as many as games send are meant.
    if (type.valueCounts.length > 0 && !type.valueCounts.includes(values.length)) return undefined;
    return sentBy(type) === from && makesSense(message) ? type.name : undefined;
  };

  for (const other of versions) {
    // No program translates messages to those of 0.5.
    const as = other !== version && other !== '0.5' ? fits(other, bytes) : undefined;
    if (as !== undefined) return { code: 'other_version_message', args: { version: other, as } };
  }

  const int = (number.id << 1) | Number(number.system);
  if (int < 0 || int > maxNumber) return undefined;
  for (const system of [0, 1]) {
    const as = fits(version, withNumber(bytes, (int << 1) | system));
    if (as !== undefined) return { code: 'unshifted_message', args: { as } };
  }
  return undefined;
}

/** The message with another first int. */
function withNumber(bytes: Uint8Array, int: number): Uint8Array {
  const into = new ByteBuffer();
  packInts(Int32Array.of(int), 0, 1, into);
  const head = bytes.findIndex((byte) => (byte & 0x80) === 0) + 1;
  return Uint8Array.from([...into.bytes.subarray(0, into.length), ...bytes.subarray(head)]);
}
