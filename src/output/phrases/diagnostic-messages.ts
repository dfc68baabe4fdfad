import type { Play } from '../../recording/playback/plays.ts';
import type { Args, Code, Diagnostic } from '../../wire/bytes/diagnostic.ts';
import { boundsText, manyClientsSince } from '../../wire/protocol/bounds.ts';
import { printable, quote } from '../text/escape.ts';
import { address, bitAddress, count, thousands } from '../text/number.ts';

type Message = (args: Args) => string;

/** The message of each code; a code without a message does not compile. */
const messages = {
  empty_input: () => 'the input is empty; expected a snapshot or a delta',
  input_too_large: ({ limit }) =>
    `larger than any snapshot (the games allow 64 KiB); only the first ${bytes(limit)} were read`,
  bad_hex: badHex,
  cut_text: ({ line }) => `the text is cut in line ${line}; the bytes after it are missing`,
  bad_json: (args) => `this JSON is not a snapshot or delta: ${wrongValue(args)}`,
  bad_schema: wrongValue,
  bad_budget: wrongValue,
  unrecognised: () =>
    'no reading is plausible; expected a snapshot, delta, message or packet (-f and -k force a reading)',
  undecided: ({ flaw, others, ...args }) => {
    const what = diagnosticMessage({ code: flaw as Code, args });
    return `${what}; the bytes may also be ${others} (-f, -k and -p choose one)`;
  },
  huffman_no_eof: ({ bytes: read }) => `the compressed bits end without the end symbol, after ${bytes(read)} of output`,
  huffman_output_full: ({ limit }) => `more than ${bytes(limit)} of output and still no end symbol`,
  huffman_after_eof: ({ bytes: left }) => `${bytes(left)} after the end symbol; the games ignore them`,
  huffman_padding: () => 'the bits after the end symbol are not all 0',
  truncated_varint: (args) => `${cutField(args)} continues after the last byte${progress(args)}`,
  overlong_varint: ({ value, bytes: used }) => `${value} has ${bytes(used)}; fewer are enough`,
  varint_padding: ({ byte }) =>
    `the fifth byte 0x${Number(byte).toString(16)} has padding bits set; they are masked off`,
  ints_not_aligned: (args) => `${bytes(args.bytes)} left over; expected 32-bit ints${progress(args)}`,
  truncated_delta: (args) => `the delta ends early${progress(args)}`,
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
  truncated_snapshot: (args) => `the snapshot ends early${progress(args)}`,
  bad_data_size: ({ found }) => `a data size of ${found} bytes; expected 0 or more, a multiple of 4`,
  bad_offset: (args) => `an item offset of ${args.found} bytes; expected ${offsetExpected(args)}`,
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
  bad_parts: ({ part, parts, bytes: size }) =>
    `part ${part} of a snapshot of ${count(Number(parts), 'part')}, with ${bytes(size)}; expected 1 to 64 parts, counted from 0, of at most 900 bytes`,
  changed_chunk: (args) =>
    `the vital chunk ${args.sequence} is sent again with other content; no game does that${copyText(args)}`,
  never_acknowledged: ({ sequence, message, times, seconds }) =>
    `the vital chunk ${sequence} (${message}) is sent ${count(Number(times), 'time')} in ${Number(seconds).toFixed(1)} s and never acknowledged`,
  unanswered: unansweredText,
  never_answered: ({ server, asks, ...of }) =>
    `${count(Number(asks), 'request')} of ${clientsText(of)} to connect to ${server}; no answer is in the capture`,
  never_went_on: ({ server, ...of }) =>
    `${server} answers ${clientsText(of)}, without any going on: forged, or the answers do not arrive`,
  player_without_info: ({ who, snapshots }) =>
    `${names(who)} is a player of ${inSnapshots(snapshots)}, and nothing says who that is`,
  character_without_player: ({ who, snapshots }) =>
    `the character of ${names(who)} is in ${inSnapshots(snapshots)}, and its player is not`,
  impossible_speed: ({ who, snapshots, vel_x, vel_y }) =>
    `${names(who)} moves faster than any game allows in ${inSnapshots(snapshots)}: vel_x ${vel_x}, vel_y ${vel_y}; expected at most 1536000`,
  outside_map: ({ who, snapshots, x, y }) =>
    `${names(who)} is outside of any map in ${inSnapshots(snapshots)}, at ${x}, ${y}; games let a character die there`,
  items_dropped: ({ items, bytes: size, snapshots, gone }) =>
    `no room in ${inSnapshots(snapshots)} (${size === undefined ? count(Number(items), 'item') : bytes(size)}): a server leaves out the rest${gone === '' ? '' : `; gone at once: ${printable(String(gone))}`}`,
  unregistered_items: ({ type, snapshots }) =>
    `items of the local type ${type} have no registration in ${inSnapshots(snapshots)}; the games drop them`,
  two_recorders: ({ who, snapshots }) =>
    `${inSnapshots(snapshots)} ${Number(snapshots) === 1 ? 'has' : 'have'} a second recording player, ${names(who)}; a server marks one`,
  newer_items: ({ who, snapshots }) =>
    `items with the UUID ${who} in ${inSnapshots(snapshots)} are in no table; a game that does not know them leaves them out`,
  others_absent: ({ who, snapshots }) =>
    `no characters of ${names(who)} in ${inSnapshots(snapshots)}, while the recording player watches; /specteam or /showothers hide them`,
  recorders_alternate: ({ who, changes }) =>
    `the recording player is ${names(who)} in turn, ${count(Number(changes), 'change')}: two connections in one demo`,
  recorder_changes: ({ who, changes }) =>
    `the recording player changes ${count(Number(changes), 'time')}, among ${names(who)}; the dummy key does that`,
  unknown_client: ({ name, field, found }) => `${name} has the client ${found} as ${field}, who is in no snapshot`,
  message_before_snapshot: () =>
    'a message comes before the first snapshot; before Teeworlds 0.7.2 it was taken without a state',
  not_stopped: ({ markers }) =>
    `the recording was not stopped: its header has no length${Number(markers) > 0 ? `, and its ${count(Number(markers), 'marker')} mean nothing` : ''}`,
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
  wrong_token: () => 'a packet with another token than its receiver expects; the games drop it',
  wrong_ack: () =>
    'a packet with an ack that its receiver does not expect: of what it has not sent, or an old one; the games drop it',
  false_close: () => 'a close, after which its sender went on: it was forged, or came late',
  implausible_tick: ({ found, last }) =>
    `a snapshot of tick ${found}, which does not fit tick ${last} and those after it`,
  not_a_demo: () => 'this is not a demo: it does not begin with TWDEMO',
  demo_version: ({ found }) => `demo version ${found}; expected 3 to 6, or the draft of 7`,
  draft_version: ({ found }) => `demo version ${found} is a draft (ddnet pull request 12681), which may still change`,
  demo_type: ({ found }) => `the type of the demo is ${quote(String(found))}; expected client or server`,
  truncated_header: ({ found, expected }) => `the header ends early: ${found} of ${bytes(expected)}`,
  negative_length: ({ found }) => `a length of ${found} seconds; expected 0 or more`,
  other_length: ({ found, expected }) =>
    `a length of ${count(Number(found), 'second')}; the ticks take ${count(Number(expected), 'second')}`,
  marker_count: ({ found, limit }) => `${found} markers; expected 0 to ${limit}`,
  marker_outside: ({ tick, from, to }) =>
    `the marker of tick ${tick} is outside the demo, which has ticks ${from} to ${to}`,
  marker_twice: ({ tick }) => `two markers at tick ${tick}`,
  header_text: ({ field }) => `the ${field} is not text with a NUL after it`,
  net_version: ({ found }) => `the net version is ${quote(String(found))}, which no game writes; DDNet plays it as 0.6`,
  other_net_version: ({ found }) => `the net version is ${quote(String(found))}, which is not that of Teeworlds 0.7.5`,
  map_size: ({ found, expected }) =>
    `the header says that the map has ${bytes(found)}; by its own header and the chunks after it, it has ${thousands(Number(expected))}`,
  no_sha256: () => 'the checksum of the map is missing from the header, as in the first demos of version 6',
  bad_map_size: ({ found }) => `a map of ${found} bytes; expected 0 or more`,
  truncated_map: ({ found, expected }) => `the file ends inside the map: ${found} of ${bytes(expected)}`,
  truncated_chunk: ({ found, expected }) => `the file ends inside a chunk: ${found} of ${bytes(expected)}`,
  chunk_type: () => 'a chunk of type 0, which no game writes; it is skipped',
  empty_chunk: ({ kind }) => `a ${kind} chunk without data`,
  bad_tick: ({ found }) => `tick ${found}; expected 0 to ${0x6ffffffe}`,
  tick_backwards: ({ found, last }) => `tick ${found} follows tick ${last}`,
  step_before_tick: () => 'a tick as a step, before any absolute tick',
  missing_tick: ({ tick }) => `no tick marker before the first snapshot, which is taken for that of tick ${tick}`,
  no_keyframe: () => 'no tick marker announces a full snapshot',
  empty_demo: ({ found }) => `${count(Number(found), 'tick marker')}; the games need two`,
  not_played: notPlayed,
  no_snapshot_before: () => 'a delta before the first snapshot',
  content_of_06: () => 'the header says 0.7, but the snapshots are of 0.6; no game writes that',
  content_of_07: () =>
    'the header says 0.6, but the snapshots are of 0.7: 0.7 inside a 0.6 demo, as DDNet servers write them',
  sizes_of_06: () =>
    'the deltas of this 0.7 demo contain sizes by the table of 0.6, as DDNet has written replays and cuts since 2026-03',
  framing_lost: ({ skipped, tick }) =>
    `damage: chunk framing is lost; ${bytes(skipped)} skipped, reading continues at the keyframe of tick ${tick}`,
  no_keyframe_left: ({ skipped }) => `damage: chunk framing is lost, and no keyframe follows; ${bytes(skipped)} lost`,
  repeated_snapshot: () => 'a second snapshot at this tick; no game records that',
  other_tick: ({ found, expected }) =>
    `the snapshot of tick ${found} has the checksum that the server announced for tick ${expected}`,
  other_checksum: ({ found, expected }) =>
    `beside the snapshot of tick ${found} is the checksum of tick ${expected}, and it differs`,
  snapshot_missing: ({ expected }) =>
    `the server announced a checksum for tick ${expected}, of which no snapshot is here`,
  wrong_checksum: ({ found, expected }) => `the checksum is ${found}; the server announced ${expected}`,
  other_map: ({ what, found, expected }) => `the map has the ${what} ${found}; the header says ${expected}`,
  chunk_too_large: ({ found, limit }) =>
    `a chunk of ${bytes(found)}; the games read at most ${thousands(Number(limit))}`,
  not_a_ghost: () => 'this is not a ghost: it does not begin with TWGHOST',
  ghost_version: ({ found }) => `ghost version ${found}; expected 4 to 6`,
  ghost_type: ({ found }) => `a chunk of type ${found}, which no game writes; the games skip it`,
  ghost_items: ({ found, expected }) => `a chunk announces ${count(Number(expected), 'item')}, and has ${found}`,
  ghost_unfinished: () => 'the header has no counts: the recording was not ended, so the games refuse it',
  ghost_count: ({ found, expected }) =>
    `${count(Number(found), 'character')}; the header says ${expected}, so the games refuse it`,
  ghost_time: ({ found, expected }) => `the ticks take ${found} ms; the header says ${expected} ms`,
  truncated_zip: () => 'the zip file ends early: its directory is missing',
  zip_files: ({ found, names }) =>
    found === 0 ? 'the zip file has no file in it' : `a zip of ${found} files: ${names}; unpack one`,
  bad_zip: ({ name }) => `the zip file is damaged: ${name} is outside of it`,
  encrypted_zip: ({ name }) => `${name} in the zip file is encrypted, which is not supported`,
  zip_method: ({ name, method }) => `${name} in the zip file is packed with method ${method}, which is not supported`,
  not_a_map: () => 'this is not a map: it does not begin with DATA',
  map_version: ({ found }) => `a datafile of version ${found}; expected 3 or 4`,
  bad_map: ({ part, found, expected }) => `the map is damaged: ${part} is ${found}, expected at most ${expected}`,
  no_game_layer: () => 'the map has no game layer',
  not_a_recording: () => 'this is not a recording: neither a demo, a ghost, a capture nor a network log',
  not_a_capture: () => 'this is not a capture: it begins neither as pcap nor as pcapng',
  truncated_record: ({ found, expected }) => `the file ends inside a record: ${found} of ${bytes(expected)}`,
  records_lost: ({ skipped, number }) =>
    `damage: record framing is lost${number === undefined ? ', and none follows' : ''}; ${bytes(skipped)} ${number === undefined ? 'lost' : `skipped, reading continues at number ${number}`}`,
  bad_block: ({ found, expected }) => `a block with room for ${bytes(found)}; expected ${expected}`,
  unknown_interface: ({ interface: number }) => `the file has packets of interface ${number}, but does not describe it`,
  unknown_link_type: ({ found, interface: number }) =>
    `the packets of interface ${number} can't be read: their link type is ${found}; expected Ethernet, Linux cooked, loopback or raw IP`,
  input_failed: ({ what }) => `what follows can't be read: ${what}`,
  too_many_connections: ({ connections, packets }) =>
    `${count(Number(packets), 'packet')} of ${count(Number(connections), 'connection')} not read: more than tw-snap follows at once`,
  unread_packets: ({ what, count: packets }) =>
    `${count(Number(packets), 'packet')} of ${what} not read: they may contain packets of the games`,
  cut_packet: ({ found, expected }) =>
    `only the first ${found} of ${bytes(expected)} of a packet were recorded; more packets may be cut`,
  bad_ip: ({ what }) => `an IP packet with an invalid ${what}`,
  bad_udp_length: ({ found, expected }) =>
    `a UDP datagram of ${bytes(found)}; ${expected === undefined ? 'its header alone has 8' : `its length says ${expected}`}`,
  missing_fragments: ({ found, datagrams }) =>
    datagrams === undefined
      ? `fragments of a datagram are missing; ${bytes(found)} lost`
      : `fragments of ${count(Number(datagrams), 'datagram')} are missing in all; ${bytes(found)} lost`,
} satisfies Record<Code, Message>;

/** What became of the copy before one with other content, if it was not taken. */
const copies: Args = { early: 'came early and was dropped', lost: 'did not arrive' };
const copyText = ({ before, fate }: Args) => (copies[fate!] ? `; the copy in frame ${before} ${copies[fate!]}` : '');

/** Whether a finding is a diagnostic. */
export const isDiagnosticCode = (code: string): code is Code => Object.hasOwn(messages, code);

/**
 * A diagnostic as a sentence for people, without its code and place. The words may change; programs use `code` and
 * `args`.
 *
 * @example
 * ```ts
 * import { diagnosticMessage, readDemo } from 'tw-snap';
 *
 * for (const entry of readDemo(bytes)) {
 *   if (entry.record === 'diagnostic') console.log(entry.diagnostic.offset, diagnosticMessage(entry.diagnostic));
 * }
 * ```
 */
export function diagnosticMessage({ code, args }: Pick<Diagnostic, 'code' | 'args'>): string {
  return printable((messages[code] as Message)(args));
}

/**
 * `truncated_varint at 0x0012: …`, with the position as in the hexdump; in a capture `at 0x1f40, frame 12`. Of several
 * `truncated_varint, first at 0x0012: …, 3 times`.
 */
export function diagnosticLine(diagnostic: Omit<Diagnostic, 'severity'> & Partial<Diagnostic>, times = 1): string {
  const { code, offset, bit, unpacked, frame } = diagnostic;
  const span = spanText(diagnostic.args);
  if (span) return `${code}, ${span}: ${diagnosticMessage(diagnostic)}`;
  const inFile = `0x${bit ? bitAddress(8 * offset + bit) : address(offset)}`;
  const place = unpacked === undefined ? inFile : `${inFile} (unpacked 0x${address(unpacked)})`;
  const ofCapture = frame === undefined ? '' : `, frame ${frame}`;
  const line = `${code}${times > 1 ? ', first' : ''} at ${place}${ofCapture}: ${diagnosticMessage(diagnostic)}`;
  return times > 1 ? `${line}, ${count(times, 'time')}` : line;
}

/** `frames 8 to 33`, `ticks 1050 to 1118`; empty for what has no length. */
export function spanText({ first_frame, last_frame = first_frame, first_tick, last_tick = first_tick }: Args): string {
  if (first_frame !== undefined) return rangeText('frame', first_frame, last_frame!);
  return first_tick === undefined ? '' : rangeText('tick', first_tick, last_tick!);
}

const rangeText = (unit: string, first: string | number, last: string | number) =>
  first === last ? `${unit} ${first}` : `${unit}s ${first} to ${last}`;

const names = (who: string | number | undefined) => printable(String(who));

const clientsText = ({ client, clients }: Args) =>
  Number(clients) > 1 ? count(Number(clients), 'client') : String(client);

const inSnapshots = (snapshots: string | number | undefined) => count(Number(snapshots), 'snapshot');

/** `piece 1 of the map was asked for 13 times and never sent, though the server took the request (frame 9) …` */
function unansweredText({ message, expected, times, seconds, key, taken, bytes: came, size }: Args): string {
  const by = serverMessages.has(String(message)) ? 'client' : 'server';
  const often = Number(times) > 1 ? `, sent ${count(Number(times), 'time')},` : '';
  const asked = key === undefined ? `${message}${often} is not answered by ${expected}` : pieceText(key, times);
  const proof =
    taken === undefined ? '' : `, though the ${by} took it (frame ${taken}) and spoke for ${seconds} s after that`;
  const rest = size === undefined ? '' : `; ${thousands(Number(came))} of ${bytes(size)} came`;
  return `${asked}${proof}${rest}`;
}

const serverMessages: ReadonlySet<string> = new Set(['map_change', 'con_ready', 'sv_readytoenter']);

const pieceText = (piece: string | number, times: string | number | undefined) =>
  `piece ${piece} of the map is asked for${Number(times) > 1 ? ` ${count(Number(times), 'time')}` : ''} and never sent`;

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

const bytes = (value: Args[string] | undefined) => count(Number(value), 'byte');
const hex8 = (value: Args[string] | undefined) => (Number(value) >>> 0).toString(16).padStart(8, '0');
const ints = (value: Args[string] | undefined) => count(Number(value), 'int');
const item = ({ type, id, name }: Args) => `${name ?? `type_${type}`} ${id}`;

/** `found 0g 00 in line 2, column 7; expected hex digits (read as hex)` */
function wrongValue({ path, found, expected }: Args): string {
  return `${path === '' ? '' : `${path}: `}found ${found}, expected ${expected}`;
}

function badHex({ found, expected, line, column, form, what }: Args): string {
  const place = line === undefined ? '' : ` in line ${line}, column ${column}`;
  const is = what === undefined ? '' : `this is ${what}: `;
  return `${is}found ${found}${place}; expected ${expected}${form === undefined ? '' : ` (read as ${form})`}`;
}

function cutField({ item, id, field }: Args): string {
  if (item === undefined) return 'an int';
  return field === undefined ? `${item} ${id}` : `${field} of ${item} ${id}`;
}

function progress({ read, items, have, of, expected, found }: Args): string {
  const parts: string[] = [];
  if (of !== undefined) parts.push(`${have} of ${of} fields`);
  if (items !== undefined) parts.push(`${read} of ${count(Number(items), 'item')}`);
  else if (expected !== undefined) parts.push(`${found} of ${ints(expected)}`);
  return parts.length > 0 ? ` (read ${parts.join(', ')})` : '';
}

function offsetExpected({ expected, limit }: Args): string {
  return expected === undefined ? `0 to ${limit}, a multiple of 4` : `at least ${expected}`;
}

/** `DDNet from 19.2 refuses it: "Error scanning demo file"`: why a game does not play a demo. */
function notPlayed({ game, from, play, sentence, tick, code }: Args): string {
  const place = Number(tick) < 0 ? '' : ` at tick ${tick}`;
  const deeds: Partial<Record<Play, string>> = {
    refused: 'refuses it',
    stops: `stops${place}`,
    crashes: `crashes${place}`,
    misread: `misreads it${code ? ` (${code})` : ''}`,
  };
  return `${game} from ${from} ${deeds[play as Play]}${sentence ? `: ${quote(String(sentence))}` : ''}`;
}
