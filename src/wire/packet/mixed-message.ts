import { getOr } from '../bytes/get-or.ts';
import { endOfInt, unpackInt } from '../codec/varint.ts';
import { type Meaning, type ValueBounds, valueBoundsOf } from '../protocol/meaning.ts';
import { isInt, type MessageField, type MessageFieldType, type MessageType } from '../protocol/message-type.ts';
import type { Protocol, Version } from '../protocol/registry.ts';
import {
  isText,
  type Message,
  type MessageHead,
  maxPadding,
  readMessage,
  readMessageHead,
  type VersionCertainty,
} from './message.ts';

const ofClients: ReadonlySet<string> = new Set(['info', 'ready', 'enter_game', 'input', 'rcon_cmd', 'rcon_auth']);

/**
 * Reads a message to a client where messages of 0.6 and 0.7 are mixed, as in the demos of DDNet servers with clients of
 * both, and in what DDNet sends to clients of 0.7. It is read in the stated version, unless only the other one makes
 * sense of it.
 * @param options as those of `readMessage`
 */
export function readMixedMessage(
  bytes: Uint8Array,
  stated: Pick<Protocol, 'version' | 'schema'>,
  options: { readonly padded?: boolean },
  start = 0,
  end = bytes.length,
): Message {
  const message = readMessage(bytes, start, end, stated, options);
  if (isPlausible(message)) return message;
  const version = otherThan(stated.version);
  const other = readMessage(bytes, start, end, { version, schema: stated.schema }, options);
  return isPlausible(other) ? { ...other, version } : message;
}

/**
 * The head of the message that {@link readMixedMessage} returns; undefined if only that function can find it. Most
 * messages of a server's demo consist of a few ints and a delta, so that a look at the ints decides.
 */
export function readMixedHead(
  bytes: Uint8Array,
  stated: Pick<Protocol, 'version' | 'schema'>,
  options: { readonly padded?: boolean },
): MessageHead | undefined {
  const head = readMessageHead(bytes, stated);
  const isRight = isPlausiblePlain(head, bytes, options);
  if (isRight !== false) return isRight && head;
  const version = otherThan(stated.version);
  const other = readMessageHead(bytes, { version, schema: stated.schema });
  const isOtherRight = isPlausiblePlain(other, bytes, options);
  if (isOtherRight === undefined) return undefined;
  // Without a spread, which takes several times as long.
  return isOtherRight ? { system: other.system, id: other.id, type: other.type!, version } : head;
}

const otherThan = (version: Version): Version => (version === '0.6' ? '0.7' : '0.6');

/** @param message the result of {@link readMixedMessage} for the same arguments */
export function versionCertainty(
  message: Message,
  bytes: Uint8Array,
  stated: Pick<Protocol, 'version' | 'schema'>,
  options: { readonly padded?: boolean },
): VersionCertainty {
  if (!isPlausible(message)) return 'neither';
  const version = message.version !== undefined ? stated.version : otherThan(stated.version);
  const other = readMessage(bytes, 0, bytes.length, { version, schema: stated.schema }, options);
  if (!isComplete(other) || isSame(other, message)) return 'certain';
  return isPlausible(other) ? 'ambiguous' : 'likely';
}

/**
 * The same as {@link versionCertainty} for the result of {@link readMixedHead}; undefined if the message has to be read
 * for that.
 */
export function headCertainty(
  head: MessageHead,
  bytes: Uint8Array,
  stated: Pick<Protocol, 'version' | 'schema'>,
  options: { readonly padded?: boolean },
): VersionCertainty | undefined {
  // The other version is only chosen for a message that makes sense in it.
  if (head.version === undefined && !isPlausiblePlain(head, bytes, options)) return undefined;
  const version = head.version !== undefined ? stated.version : otherThan(stated.version);
  const { type } = readMessageHead(bytes, { version, schema: stated.schema });
  if (!type) return 'certain';
  const fields = plainFieldsOf(type);
  const isIncomplete = fields !== 'other' && !hasPlainFields(bytes, fields, options.padded === true, false);
  return isIncomplete ? 'certain' : undefined;
}

/** Whether a message is known and ends with its last field. */
const isComplete = ({ type, diagnostics }: Message) =>
  type !== undefined && !diagnostics.error && diagnostics.warnings.every(({ code }) => code === 'out_of_bounds');

const isSame = (first: Message, second: Message) =>
  first.type?.name === second.type?.name &&
  first.values.length === second.values.length &&
  first.values.every(({ name, value }, i) => name === second.values[i]!.name && value === second.values[i]!.value);

/**
 * Whether a message of a connection has to be read by {@link readMixedMessage}: DDNet sends tune params to clients of
 * 0.7 in the order of 0.6.
 */
export const mayBeMixed = (version: Version, isToClient: boolean, firstByte: number | undefined): boolean =>
  isToClient && version === '0.7' && firstByte === tuneParamsHead;

/** The first byte of `sv_tuneparams`: game message 6, in both versions. */
const tuneParamsHead = 6 << 1;

/**
 * Whether a message to a client shows that there are clients of 0.7 among those of 0.6: system message 8, which is
 * `snap_single` in 0.7; in 0.6 it is reserved, and no server sends it.
 */
export const isOnlyOf07 = (firstByte: number | undefined): boolean => firstByte === ((8 << 1) | 1);

/** Whether all bytes of a message make sense as what a server sends. */
function isPlausible(message: Message): boolean {
  const { type, uuid } = message;
  if (!type) return uuid !== undefined;
  return !matchesClient(type) && makesSense(message);
}

/** Whether a known message ends with its last field, and its values are within their bounds. */
export function makesSense(message: Message): boolean {
  const { type, values } = message;
  if (!type || !isComplete(message)) return false;
  for (const { name, type: field, value } of values) {
    if (typeof value === 'string' && field.kind === 'string' && !isText(value)) return false;
    if (typeof value === 'number' && !isInBounds(field, value)) return false;
    if (typeof value === 'number' && !isOfOwnBounds(type.name, name, value)) return false;
  }
  return true;
}

/** The same as {@link isPlausible} for a message that was not read; undefined if it has to be read for that. */
function isPlausiblePlain(
  { type, id }: MessageHead,
  bytes: Uint8Array,
  { padded = false }: { readonly padded?: boolean },
): boolean | undefined {
  // The UUID follows the number 0.
  if (!id) return undefined;
  if (!type || matchesClient(type)) return false;
  const fields = plainFieldsOf(type);
  return fields === 'other' || ownBounds[type.name] ? undefined : hasPlainFields(bytes, fields, padded);
}

const matchesClient = ({ name, system }: MessageType) => name.startsWith('cl_') || (system && ofClients.has(name));

function isInBounds(field: MessageFieldType, value: number): boolean {
  const bounds = valueBoundsOf(field as Meaning);
  return !bounds || (value >= bounds.min && value <= bounds.max);
}

const ownBounds: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  // In the other version, `laser_damage` shifts what is after it.
  sv_tuneparams: { player_collision: [0, 100], player_hooking: [0, 100] },
  // In 0.7 the number is that of `input_timing`, with a tick.
  rcon_auth_status: { auth_level: [0, 1, 2, 3], level: [0, 1, 2, 3], receive_commands: [0, 1] },
  // In 0.7 the number is that of `sv_team`, with a tick at this place.
  sv_killmsg: { mode_special: Array.from({ length: 16 }, (_, i) => i) },
};

function isOfOwnBounds(message: string, field: string, value: number): boolean {
  const allowed = ownBounds[message]?.[field.slice(field.lastIndexOf('[') + 1).replace(']', '')];
  return !allowed || allowed.includes(value);
}

/** The bounds of a field of one int, or `data` for bytes whose number is the int before them. */
type PlainField = ValueBounds | 'data';

const anyInt: ValueBounds = { min: -(2 ** 31), max: 2 ** 31 - 1 };

const known = new WeakMap<MessageType, readonly PlainField[] | 'other'>();

/**
 * The fields of a message that consists of single ints and data only, as snapshot messages do; `other` for all other
 * messages.
 */
export const plainFieldsOf = (type: MessageType) => getOr(known, type, findPlainFields);

function findPlainFields({ fields }: MessageType): readonly PlainField[] | 'other' {
  const isPlain = fields.every(({ type, optional }) => !optional && (type.kind === 'data' || isInt(type)));
  const plainField = ({ type }: MessageField) =>
    type.kind === 'data' ? 'data' : (valueBoundsOf(type as Meaning) ?? anyInt);
  return isPlain ? fields.map(plainField) : 'other';
}

/** Whether anything was warned of since it was last set to false: a function of its own for each message takes longer. */
const noted = { isWarned: false };
const note = () => {
  noted.isWarned = true;
};

/**
 * Whether `bytes` are the number of a message and these fields, complete, within their bounds and without a warning:
 * what `readMessage` finds, without its lists of values.
 * @param isPadded for demos: up to three NULs may follow
 * @param isBounded whether values outside the bounds count
 */
export function hasPlainFields(
  bytes: Uint8Array,
  fields: readonly PlainField[],
  isPadded: boolean,
  isBounded = true,
): boolean {
  noted.isWarned = false;
  const { length } = bytes;
  let pos = endOfInt(bytes, 0, length);
  if (pos < 0) return false;
  let int = unpackInt(bytes, 0, pos, note);
  for (const field of fields) {
    const end = field !== 'data' ? endOfInt(bytes, pos, length) : int < 0 ? -1 : pos + int;
    if (end < 0 || end > length) return false;
    if (field !== 'data') {
      int = unpackInt(bytes, pos, end, note);
      if (isBounded && (int < field.min || int > field.max)) return false;
    }
    pos = end;
  }
  if (noted.isWarned || (pos < length && !(isPadded && length - pos <= maxPadding))) return false;
  while (pos < length) if (bytes[pos++] !== 0) return false;
  return true;
}
