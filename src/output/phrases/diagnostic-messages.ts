import type { Play } from '../../recording/playback/plays.ts';
import type { Args, Code, Diagnostic } from '../../wire/bytes/diagnostic.ts';
import { expects } from '../../wire/bytes/expects.ts';
import { printable, quote } from '../text/escape.ts';
import { count, thousands } from '../text/number.ts';
import { bytes, type Message, payloadMessages, placedLine } from './payload-messages.ts';

/** The message of each code; a code without a message does not compile. */
const messages = {
  ...payloadMessages,
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
  bad_parts: ({ part, parts, bytes: size }) =>
    `part ${part} of a snapshot of ${count(Number(parts), 'part')}, with ${bytes(size)}; expected 1 to 64 parts, counted from 0, of 900 bytes, but the last may be shorter`,
  changed_part: ({ tick, part, changed }) =>
    `part ${part} of the snapshot of tick ${tick} has ${changed} than came before; no game does that`,
  mostly_rejected: ({ rejected }) =>
    `${count(Number(rejected), 'packet')} from the server, most of what it sent, have a token, an ack or a tick for which the client drops them`,
  changed_chunk: (args) =>
    `the vital chunk ${args.sequence} is sent again with other content; no game does that${copyText(args)}`,
  never_acknowledged: ({ sequence, message, times, seconds }) =>
    `the vital chunk ${sequence} (${message}) is sent ${count(Number(times), 'time')} in ${Number(seconds).toFixed(1)} s and never acknowledged; in the games the connection ends after 10 s of this (DDNet: 100 s)`,
  unanswered: unansweredText,
  never_answered: ({ server, asks, ...of }) =>
    `${count(Number(asks), 'request')} of ${clientsText(of)} to connect to ${server}; no answer is in the capture`,
  never_went_on: ({ server, ...of }) =>
    `${server} answers ${clientsText(of)}, without any going on: forged, or the answers do not arrive`,
  flood: ({ server, requests, seconds }) =>
    `${server} gets ${count(Number(requests), 'request')} to connect in ${Number(seconds).toFixed(2)} s; DDNet expects at most 10 in a second`,
  limit_reached: ({ of, limit }) =>
    `more than ${thousands(Number(limit))} ${String(of).replaceAll('_', ' ')}: what is beyond that is not looked at`,
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
  wrong_token: () => 'a packet with another token than its receiver expects; the games drop it',
  wrong_ack: ({ count: chunks }) =>
    chunks === undefined
      ? 'a packet with an ack that its receiver does not expect: of what it has not sent, or an old one; the games drop it'
      : `acks of ${count(Number(chunks), 'chunk')} that were not sent yet; the games drop such packets`,
  false_close: () => 'a close, after which its sender went on: it was forged, or came late',
  implausible_tick: ({ found, last }) =>
    `a snapshot of tick ${found}, which does not fit tick ${last} and those after it`,
  not_a_demo: () => 'this is not a demo: it does not begin with TWDEMO',
  demo_version: ({ found }) => `demo version ${found}; games write 3 to 6, and DDNet reads a later one as 6`,
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
  unknown_interface: ({ interface: number }) => `packets of interface ${number}: not described, or beyond 4,096`,
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
  time_backwards: ({ seconds }) =>
    `${Number(seconds).toFixed(2)} s before an earlier packet: the clock was set back, or files are joined out of order`,
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
export function diagnosticMessage(diagnostic: Pick<Diagnostic, 'code' | 'args'>): string {
  const message = messages[diagnostic?.code] as Message | undefined;
  if (!message) expects('diagnosticMessage', 'a diagnostic of a record', diagnostic);
  return printable(message(diagnostic.args));
}

/** The same with its code and place. */
export const diagnosticLine = (diagnostic: Omit<Diagnostic, 'severity'> & Partial<Diagnostic>, times = 1): string =>
  placedLine(diagnostic, diagnosticMessage(diagnostic), times);

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

/** `found 0g 00 in line 2, column 7; expected hex digits (read as hex)` */
function wrongValue({ path, found, expected }: Args): string {
  return `${path === '' ? '' : `${path}: `}found ${found}, expected ${expected}`;
}

function badHex({ found, expected, line, column, form, what }: Args): string {
  const place = line === undefined ? '' : ` in line ${line}, column ${column}`;
  const is = what === undefined ? '' : `this is ${what}: `;
  const log = what === 'text' ? "; tw-snap explain reads a client's log" : '';
  return `${is}found ${found}${place}; expected ${expected}${form === undefined ? '' : ` (read as ${form})`}${log}`;
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
