import type { Args, Code, Diagnostic } from '../../wire/bytes/diagnostic.ts';
import { boundsText, manyClientsSince } from '../../wire/protocol/bounds.ts';
import { printable } from '../text/escape.ts';
import { address, bitAddress, count, thousands } from '../text/number.ts';

/*
 * What is said of the bytes of one snapshot, delta, packet or message. The page of a report says nothing else itself,
 * and carries no other sentences.
 */

export type Message = (args: Args) => string;

/** The messages of what readers of payloads, packets and messages find. */
export const payloadMessages = {
  empty_input: () => 'the input is empty; expected a snapshot or a delta',
  input_too_large: ({ limit }) =>
    `larger than any snapshot (the games allow 64 KiB); only the first ${bytes(limit)} were read`,
  huffman_no_eof: ({ bytes: read }) => `the compressed bits end without the end symbol, after ${bytes(read)} of output`,
  huffman_output_full: ({ limit }) => `more than ${bytes(limit)} of output and still no end symbol`,
  huffman_after_eof: ({ bytes: left }) => `${bytes(left)} after the end symbol; the games ignore them`,
  huffman_padding: () => 'the bits after the end symbol are not all 0',
  truncated_varint: (args) => `${cutField(args)} continues after the last byte${progress(args)}`,
  overlong_varint: ({ value, bytes: used }) => `${value} has ${bytes(used)}; fewer are enough`,
  varint_padding: ({ byte }) =>
    `the fifth byte 0x${Number(byte).toString(16)} has padding bits set; they are masked off`,
  ints_not_aligned: (args) => `${bytes(args.bytes)} left over; expected 32-bit ints${progress(args)}`,
  truncated_delta: (args) => `the delta ${endsEarly(args)}${progress(args)}`,
  negative_count: ({ found }) => `a count of ${found}; expected 0 or more`,
  nonzero_zero: ({ found }) => `the third int is ${found}; expected 0`,
  bad_type: (args) => `type ${args.found}; expected 0 to ${args.limit}${progress(args)}`,
  bad_id: (args) => `id ${args.found}; expected 0 to ${args.limit}${progress(args)}`,
  bad_size: (args) => `a size of ${args.found} ints; expected 0 or more${progress(args)}`,
  excess_ints: ({ found }) => `${count(Number(found), 'int')} left over after the last item`,
  removed_twice: (args) => `${item(args)} is removed twice`,
  removed_and_updated: (args) => `${item(args)} is both removed and updated; the games keep it, as the last item`,
  updated_twice: (args) => `${item(args)} is updated twice; the last one counts`,
  size_differs: (args) => `${item(args)} has ${ints(args.found)}; expected ${ints(args.expected)}, as in the base`,
  truncated_snapshot: (args) => `the snapshot ${endsEarly(args)}${progress(args)}`,
  bad_data_size: ({ found }) => `a data size of ${found} bytes; expected 0 or more, a multiple of 4`,
  bad_offset: (args) => `offset[${args.index}] is ${args.found}; expected ${offsetExpected(args)}`,
  first_offset: ({ found }) => `the first item begins at ${found}; expected 0`,
  duplicate_key: (args) => `${item(args)} occurs twice`,
  invalid_key: ({ key }) => {
    const type = Number(key) >>> 16;
    return `the key 0x${hex8(key)} has the type 0x${type.toString(16)} (${type - 0x10000}), above 0x7fff: it belongs to no item`;
  },
  data_without_items: ({ bytes: size }) => `${bytes(size)} of data, but no items`,
  too_many_items: ({ found, limit }) =>
    `${thousands(Number(found))} items; the games allow ${thousands(Number(limit))}`,
  snapshot_too_large: ({ found, limit }) => `a snapshot of ${bytes(found)}; the games allow ${bytes(limit)}`,
  unusual_size: (args) => `${item(args)} has ${ints(args.found)}; expected ${ints(args.expected)}`,
  missing_registration: ({ type }) => `type ${type} is not registered here; the base of a delta may know it (--base)`,
  late_registration: ({ type }) => `type ${type} is registered only after its first use`,
  out_of_bounds: outOfBounds,
  never_sent: ({ name, id }) => `${id === undefined ? name : `${name} ${id}`}: no game puts this item into a snapshot`,
  unknown_removed: (args) => `${item(args)} is removed, but not in the base`,
  truncated_message: ({ message, field }) => `${message} ends early: ${field} is incomplete`,
  unterminated_string: ({ message, field }) => `${message} ends early: ${field} has no NUL after it`,
  not_utf8: ({ message, field }) => `${message}: ${field} is not UTF-8; DDNet drops the message from 18.0 on`,
  excess_bytes: ({ bytes: left }) => `${bytes(left)} left over after the last field; the games ignore them`,
  unknown_message: ({ message }) => `${message} is in no table of this protocol; the games drop it`,
  reserved_message: ({ message }) => `${message} has a number, but no game sends it; the games ignore it`,
  wrong_direction: ({ message, from }) =>
    `${message} from a ${from}; only ${from === 'client' ? 'servers' : 'clients'} send it`,
  wrong_flag: ({ message, system }) =>
    `${message} is sent as a ${system ? 'system' : 'game'} message; it is a ${system ? 'game' : 'system'} message, and the games drop it`,
  other_version_message: ({ message, as, version }) =>
    `${message} does not fit; read with the numbers of ${version}, it is ${as}`,
  unshifted_message: ({ message, as }) =>
    `${message} does not fit; it is ${as} if the number has no bit for system messages (number << 1 | system)`,
  out_of_place: ({ message, place }) =>
    `${message} ${place === 'before_info' ? 'before info' : 'after enter_game'}; servers ignore it there`,
  accept_token: ({ found, expected, isSwapped }) =>
    `the accept repeats the token ${hex8(expected)} as ${hex8(found)}${isSwapped ? ', its bytes in the other order, as servers of DDNet do' : ''}; clients do not look at it`,
  truncated_packet: ({ found, expected }) => `the packet ends early: ${found} of at least ${bytes(expected)}`,
  truncated_packet_chunk: ({ found, expected }) => `a chunk ends early: ${found} of ${bytes(expected)}`,
  missing_chunks: ({ found, expected }) => `the packet announces ${count(Number(expected), 'chunk')}, and has ${found}`,
  packet_excess: ({ bytes: left, chunks = 0 }) => {
    const are = Number(chunks) > 0 ? ` (${count(Number(chunks), 'whole chunk')})` : '';
    return `${bytes(left)} after the last chunk${are}; expected none, or a token of 4 bytes`;
  },
  packet_padding: ({ found }) => `unused bits of the header are set: 0x${Number(found).toString(16)}`,
  header_token: () => 'a token after the header, as 0.6.5 writes it; DDNet from 19.4 refuses that',
  packet_too_large: ({ found, limit }) => `a packet of ${bytes(found)}; the games refuse more than ${bytes(limit)}`,
  payload_too_large: ({ found, limit }) =>
    `a payload of ${bytes(found)} when decompressed; the games refuse more than ${bytes(limit)}`,
  no_chunks: () => 'a packet without chunks that requests none; DDNet from 19.4 refuses that',
  connless_version: ({ found }) => `a connectionless packet of version ${found}; 0.7 refuses all but 1`,
  compressed_control: () => 'a compressed control packet; DDNet from 19.4 refuses that',
  resend_in_control: () => 'a control packet that requests chunks; no game writes it',
  chunks_in_control: ({ found }) =>
    `a control packet that announces ${count(Number(found), 'chunk')}; DDNet from 19.4 refuses that`,
  missing_control: () => 'a control packet without a code; DDNet from 19.4 refuses that',
  unknown_control: ({ found }) => `${found} is not a code of a control packet; the games ignore it`,
  missing_token: () => 'the token that this packet should announce is missing; the games ignore it',
  short_token_request: ({ found, expected }) =>
    `a token request with ${bytes(found)}; servers answer from ${bytes(expected)} on, so that an answer is never longer`,
  unterminated_reason: () => 'the reason has no NUL after it; the games read it to the end of the packet',
  control_excess: ({ bytes: left }) => `${bytes(left)} left over after the control message; the games ignore them`,
  wrong_checksum: ({ found, expected }) => `the checksum is ${found}; the server announced ${expected}`,
} satisfies Partial<Record<Code, Message>>;

type Placed = Omit<Diagnostic, 'severity'> & Partial<Diagnostic>;

/** A diagnostic of a payload, packet or message, as `diagnosticLine` has it. */
export function payloadLine(diagnostic: Diagnostic): string {
  const messages: Readonly<Partial<Record<Code, Message>>> = payloadMessages;
  const message = messages[diagnostic.code]!;
  return placedLine(diagnostic, printable(message(diagnostic.args)));
}

/**
 * `truncated_varint at 0x0012: …`, with the position as in the hexdump; in a capture `at 0x1f40, frame 12`. Of several
 * `truncated_varint, first at 0x0012: …, 3 times`.
 */
export function placedLine(diagnostic: Placed, sentence: string, times = 1): string {
  const { code, offset, bit, unpacked, frame } = diagnostic;
  const span = spanText(diagnostic.args);
  if (span) return `${code}, ${span}: ${sentence}`;
  const inFile = `0x${bit ? bitAddress(8 * offset + bit) : address(offset)}`;
  const place = unpacked === undefined ? inFile : `${inFile} (unpacked 0x${address(unpacked)})`;
  const ofCapture = frame === undefined ? '' : `, frame ${frame}`;
  const line = `${code}${times > 1 ? ', first' : ''} at ${place}${ofCapture}: ${sentence}`;
  return times > 1 ? `${line}, ${count(times, 'time')}` : line;
}

/** `frames 8 to 33`, `ticks 1050 to 1118`; empty for what has no length. */
export function spanText({ first_frame, last_frame = first_frame, first_tick, last_tick = first_tick }: Args): string {
  if (first_frame !== undefined) return rangeText('frame', first_frame, last_frame!);
  return first_tick === undefined ? '' : rangeText('tick', first_tick, last_tick!);
}

const rangeText = (unit: string, first: string | number, last: string | number) =>
  first === last ? `${unit} ${first}` : `${unit}s ${first} to ${last}`;

/** `obj_character 0: ammo_count is 77, outside -1 to 10; DDNet takes 10, Teeworlds drops the item` */
function outOfBounds({ name, id, message, field, found, min, max, rules }: Args): string {
  const bounds = boundsText(Number(min), Number(max));
  if (message !== undefined) {
    const dropped =
      rules === 'teeworlds'
        ? `Teeworlds drops the message, DDNet takes it from ${manyClientsSince} on`
        : 'the games drop the message';
    return `${message}: ${field} is ${found}, ${bounds}; ${dropped}`;
  }
  const what = id === undefined ? `${name}.${field}` : `${name} ${id}: ${field}`;
  const nearest = Number(found) < Number(min) ? min : max;
  const ddnet = `DDNet takes ${nearest}`;
  const then =
    rules === '0.7' ? 'the games drop the item' : rules === 'ddnet' ? ddnet : `${ddnet}, Teeworlds drops the item`;
  return `${what} is ${found}, ${bounds}; ${then}`;
}

export const bytes = (value: Args[string] | undefined) => count(Number(value), 'byte');
const hex8 = (value: Args[string] | undefined) => (Number(value) >>> 0).toString(16).padStart(8, '0');
const ints = (value: Args[string] | undefined) => count(Number(value), 'int');
const item = ({ type, id, name }: Args) => `${name ?? `type_${type}`} ${id}`;

function cutField({ item, id, field }: Args): string {
  if (item === undefined) return 'an int';
  return field === undefined ? `${item} ${id}` : `${field} of ${item} ${id}`;
}

function endsEarly(args: Args): string {
  if (args.item === undefined) return 'ends early';
  return `ends ${args.field === undefined ? 'inside' : 'before'} ${cutField(args)}`;
}

function progress({ read, items, have, of, expected, found }: Args): string {
  const parts: string[] = [];
  if (of !== undefined) parts.push(`${have} of ${of} fields`);
  if (items !== undefined) parts.push(`${read} of ${count(Number(items), 'item')}`);
  else if (expected !== undefined) parts.push(`${found} of ${ints(expected)}`);
  return parts.length > 0 ? ` (read ${parts.join(', ')})` : '';
}

/** Of an offset that is not above the one before it, that one, too. */
function offsetExpected({ index, expected, limit }: Args): string {
  if (expected === undefined) return `0 to ${limit}, a multiple of 4`;
  return `at least ${expected}, since offset[${Number(index) - 1}] is ${Number(expected) - 4}`;
}
