import { ignore, type Warn } from '../bytes/diagnostic.ts';
import { endOfInt, unpackInt } from '../codec/varint.ts';
import { boolean, enumeration, flags } from '../protocol/meaning.ts';
import type { MessageFieldType } from '../protocol/message-type.ts';
import type { MessageValue } from './message.ts';
import {
  connlessMarkSize,
  controlCode,
  controlsOf,
  isExtended,
  type Packet,
  type PacketVersion,
  tokenBytes,
  tokenMagic,
} from './packet.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const textType: MessageFieldType = { kind: 'string' };
const bytesType: MessageFieldType = { kind: 'data' };

/**
 * `-12` → -12, `1a` → 1, `0x1` → 0, `9999999999` → 1410065407: the digits at the beginning as a `long` of 64 bits, cut
 * to 32. Control characters are spaces by then.
 *
 * Source: `str_toint` of the games, which is `strtol` with base 10, in `CClient::ProcessServerInfo`.
 */
function numberIn(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: spaces by then
  const long = BigInt(/^[\x01-\x20]*([+-]?\d+)/.exec(text)?.[1] ?? 0);
  const most = 2n ** 63n - 1n;
  return Number(BigInt.asIntN(32, long > most ? most : long < ~most ? ~most : long));
}

/** Reads the values of a packet in sequence. Positions are offsets in the whole packet. */
class PacketValues {
  readonly #bytes: Uint8Array;
  /** The offset of `bytes` in the packet. */
  readonly #shift: number;
  readonly read: MessageValue[] = [];
  #at: number;

  constructor(bytes: Uint8Array, at: number, shift = 0) {
    this.#bytes = bytes;
    this.#at = at;
    this.#shift = shift;
  }

  /** The offset of the next value in the packet. */
  get position(): number {
    return this.#shift + this.#at;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  begins(with_: readonly number[]): boolean {
    return with_.every((byte, i) => this.#bytes[this.#at + i] === byte);
  }

  beginsWithText(length: number): boolean {
    const start = this.#bytes.subarray(this.#at, this.#at + length);
    return start.length === length && start.every((byte) => byte >= 0x20 && byte < 0x7f);
  }

  /** Adds the next `length` bytes as a value if there are any; `value` replaces them if they are a number. */
  add(name: string, type: MessageFieldType, length: number, value?: number): void {
    const start = this.#at;
    const end = Math.min(start + length, this.#bytes.length);
    if (end <= start) return;
    const content = this.#bytes.subarray(start, end);
    this.#push(name, type, end, value ?? (type.kind === 'string' ? utf8.decode(content) : content));
  }

  /**
   * Adds the next text with its NUL, or all remaining bytes; returns false if the NUL is missing.
   * @param mayBeToken whether four bytes that do not end in a NUL are a token instead
   */
  addReason(mayBeToken: boolean): boolean {
    const length = this.#bytes.subarray(this.#at).indexOf(0);
    const isToken = mayBeToken && this.left === tokenBytes && length !== tokenBytes - 1;
    if (this.left === 0 || isToken) return true;
    const end = length < 0 ? this.#bytes.length : this.#at + length + 1;
    const value = utf8.decode(this.#bytes.subarray(this.#at, length < 0 ? end : end - 1));
    this.#push('reason', textType, end, value);
    return length >= 0;
  }

  /** Adds the next text with its NUL; of a number what the games read in it. Returns false if there is no NUL. */
  addText(name: string, type: MessageFieldType): boolean {
    const length = this.#bytes.subarray(this.#at).indexOf(0);
    if (length < 0) return false;
    const text = utf8.decode(this.#bytes.subarray(this.#at, this.#at + length));
    this.#push(name, type, this.#at + length + 1, type.kind === 'string' ? text : numberIn(text));
    return true;
  }

  /** Adds the next packed int; returns false if it is cut. */
  addInt(name: string, type: MessageFieldType): boolean {
    const end = endOfInt(this.#bytes, this.#at, this.#bytes.length);
    if (end >= 0) this.#push(name, type, end, unpackInt(this.#bytes, this.#at, end, ignore));
    return end >= 0;
  }

  /** Adds all remaining bytes; in a request zeros, which pad it to the length of its answer. */
  addRest(isRequest = false): void {
    const isPadding = isRequest && this.#bytes.subarray(this.#at).every((byte) => byte === 0);
    this.add(isPadding ? 'padding' : 'data', bytesType, this.left);
  }

  #push(name: string, type: MessageFieldType, end: number, value: MessageValue['value']): void {
    const shift = this.#shift;
    this.read.push({ name, path: [name], type, start: shift + this.#at, end: shift + end, value });
    this.#at = end;
  }
}

/** The token of a sender who has none yet, and `NET_TOKENREQUEST_DATASIZE`, the least payload of its request. */
const noToken = 0xffffffff;
const tokenRequestBytes = 512;

/**
 * The values of a control packet; positions are offsets in the whole packet, decompressed.
 * ```
 * 0.6     code u8   [reason NUL]   [magic "TKEN"]   [token[4]]                  magic and token of DDNet
 * 0.6.5   code u8   [zeros[4]]   [token[4]]   [zeros]                           of a connect, with a token to send packets with
 * 0.7     code u8   [reason NUL]   [response_token[4]]   [zeros]
 * ```
 */
export function readControl(
  { version, headSize, control, payload, token }: Packet,
  warn: Warn = ignore,
): MessageValue[] {
  const values = new PacketValues(payload, 0, headSize);
  const isClose = control === controlCode.close;
  values.add('code', enumeration(controlsOf(version)), 1, control);
  if (isClose) {
    const { position } = values;
    if (!values.addReason(version === '0.6')) warn('unterminated_reason', position);
  }
  if (version === '0.6') {
    if (values.begins(tokenMagic)) values.add('magic', textType, tokenMagic.length);
    else if (control === controlCode.connect && values.left > tokenBytes && values.begins(noMagic)) {
      values.add('padding', bytesType, noMagic.length);
      values.add('token', bytesType, tokenBytes);
    }
    if (values.left === tokenBytes) values.add('token', bytesType, tokenBytes);
  } else if (control !== controlCode.keepAlive && !isClose && values.left >= tokenBytes) {
    values.add('response_token', bytesType, tokenBytes);
  }
  const isRequest = version === '0.7' && control === controlCode.token && token === noToken;
  if (isRequest && payload.length > tokenBytes && payload.length < tokenRequestBytes)
    warn('short_token_request', headSize, { found: payload.length, expected: tokenRequestBytes });
  const { left, position } = values;
  values.addRest(control === controlCode.connect || control === controlCode.token);
  if (values.read.at(-1)?.name === 'data') warn('control_excess', position, { bytes: left });
  return values.read;
}

/** A connect of 0.6.5 has zeros at the position of DDNet's magic bytes. */
const noMagic = [0, 0, 0, 0];

const number: MessageFieldType = { kind: 'int' };
const infoFlags = flags({ 1: 'password', 2: 'timescore' });
const counts = { num_players: number, max_players: number, num_clients: number, max_clients: number };
const head = { browse_token: number, version: textType, server_name: textType };
const tail = { map: textType, game_type: textType, flags: infoFlags };
const player = { name: textType, clan: textType, country: number, score: number };
const player06 = { ...player, is_player: boolean };

type Shape = Readonly<Record<string, MessageFieldType>>;

/**
 * The fields of server information and of its players, by the name of the packet. In 0.6 numbers are texts, in 0.7
 * packed ints, as is the offset of the first player in 0.6's information for 64 players.
 *
 * Source: `CServer::CacheServerInfo` and `CacheServerInfoSixup` in `src/engine/server/server.cpp` of DDNet.
 */
const infos: Readonly<
  Record<PacketVersion, Readonly<Record<string, { readonly fields: Shape; readonly player?: Shape }>>>
> = {
  '0.6': {
    inf3: { fields: { ...head, ...tail, ...counts }, player: player06 },
    dtsf: { fields: { ...head, ...tail, ...counts, offset: number }, player: player06 },
    iext: {
      fields: {
        ...head,
        map: textType,
        map_crc: number,
        map_size: number,
        game_type: textType,
        flags: infoFlags,
        ...counts,
        extra_info: textType,
      },
      player: { ...player06, extra_info: textType },
    },
    'iex+': {
      fields: { browse_token: number, part: number, extra_info: textType },
      player: { ...player06, extra_info: textType },
    },
  },
  '0.7': {
    gie3: { fields: { browse_token: number } },
    inf3: {
      fields: { ...head, hostname: textType, ...tail, skill_level: number, ...counts },
      player: { ...player, flags: flags({ 1: 'spectator', 2: 'bot' }) },
    },
  },
};

/** Reads the fields of server information, as many players as there are. What does not fit remains. */
function readInfo(values: PacketValues, name: string, version: PacketVersion): void {
  const { fields, player } = infos[version][name] ?? { fields: {} };
  const addAll = (shape: Shape, prefix = '') =>
    Object.entries(shape).every(([field, type]) => {
      const isPacked = field === 'offset' || (version === '0.7' && type.kind !== 'string');
      return isPacked ? values.addInt(prefix + field, type) : values.addText(prefix + field, type);
    });
  if (!addAll(fields) || !player) return;
  for (let i = 0; values.left > 0; i++) if (!addAll(player, `players[${i}].`)) return;
}

/** The fields of server information of all versions, those of its players as `players.name`. */
export const infoFields: ReadonlyMap<string, MessageFieldType> = new Map(
  Object.values(infos).flatMap((byName) =>
    Object.values(byName).flatMap(({ fields, player = {} }) => [
      ...Object.entries(fields),
      ...Object.entries(player).map(([name, type]) => [`players.${name}`, type] as const),
    ]),
  ),
);

/** Server information by the names of its fields. */
export interface InfoFields {
  readonly fields: Readonly<Record<string, string | number>>;
  readonly players: readonly Readonly<Record<string, string | number>>[];
}

/** The fields of server information among the values of a packet. */
export function infoOf(values: readonly MessageValue[]): InfoFields {
  const fields: Record<string, string | number> = {};
  const players: Record<string, string | number>[] = [];
  for (const { name, value } of values) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    const [, index, field] = /^players\[(\d+)\]\.(\w+)$/.exec(name) ?? [];
    if (field === undefined) fields[name] = value;
    else players[Number(index)] = { ...players[Number(index)], [field]: value };
  }
  return { fields, players };
}

/** The values of a connectionless packet, after its mark. */
export function readConnless(packet: Uint8Array, { version }: Pick<Packet, 'version'>): MessageValue[] {
  const values = new PacketValues(packet, connlessMarkSize(packet, version));
  if (version === '0.7') for (const name of ['token', 'response_token']) values.add(name, bytesType, tokenBytes);
  else if (isExtended(packet)) values.add('extra', bytesType, 4);
  if (values.begins(marker)) values.add('marker', bytesType, marker.length);
  if (values.beginsWithText(nameBytes)) values.add('name', textType, nameBytes);
  const name = String(values.read.at(-1)?.value);
  // DDNet adds the upper bits of the token as the first two extra bytes.
  if (version === '0.6' && /^(gie3|fstd)$/.test(name) && values.left === 1)
    values.add('browse_token', number, 1, packet.at(-1));
  else readInfo(values, name, version);
  values.addRest();
  return values.read;
}

const marker = [0xff, 0xff, 0xff, 0xff];
const nameBytes = 4;
