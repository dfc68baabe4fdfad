import type { DemoHeader } from '../../recording/container/demo/header.ts';
import { type Ghost, runTime } from '../../recording/container/ghost/ghost.ts';
import type { HighClients, OddValues } from '../../recording/health/odd-values.ts';
import type { Oddity } from '../../recording/health/oddities.ts';
import { type GamePlay, type Play, plays } from '../../recording/playback/plays.ts';
import type { DatagramCounts } from '../../recording/replay/replay.ts';
import type { ChunkWait, ConnectionStream, Direction, Heard } from '../../recording/replay/stream.ts';
import type { Lag } from '../../recording/summary/input-timing.ts';
import type { RecordingSummary } from '../../recording/summary/recording-summary.ts';
import { perSecond, type RateStretch, secondsOf } from '../../recording/summary/snapshot-rates.ts';
import type { StreamSummary } from '../../recording/summary/stream-summary.ts';
import { fewClients, manyClientsSince } from '../../wire/protocol/bounds.ts';
import { defaultTuning } from '../../wire/protocol/tuning.ts';
import { diagnosticMessage } from '../phrases/diagnostic-messages.ts';
import { fieldsOf, pick, valuesOf } from './fields.ts';
import { choices, diagnosticFields, otherVersionFields, outcomeFields, rangeFields, rateModes } from './shared.ts';

export interface RecordingInfo {
  readonly file: string;
  readonly bytes: number;
  readonly summary: RecordingSummary;
  /** The number of findings that `explain` has for snapshots with correct checksums. */
  readonly findings?: number;
  /** What explain says first of the failures of a capture, if that is cheap to know. */
  readonly cause?: SaidCause;
}

/** A cause that the bytes of failures show, or the best fit. */
interface SaidCause {
  readonly title: string;
  readonly isShown: boolean;
}

/** A recording and one of its streams, for a row of a table. */
export interface SummaryRow extends RecordingInfo {
  readonly sha256?: string;
  /** Why it could not be read to its end. */
  readonly failure?: string | undefined;
  /** The only stream of a demo, or a connection; undefined for a capture without connections. */
  readonly stream: StreamSummary | undefined;
}

const ofFile = fieldsOf<SummaryRow>();
const ofHeader = fieldsOf<DemoHeader>();
const ofStream = fieldsOf<StreamSummary>();
const ofConnection = fieldsOf<ConnectionStream>();

// What has the same name and meaning in every output.

const fileFields = {
  file: ofFile.name('path of the recording, as it was given', ({ file }) => file),
  format: ofFile.text('demo, ghost, pcap, pcapng or netlog', ({ summary }) => summary.container),
  size: ofFile.bytes('bytes of the recording, unpacked', ({ bytes }) => bytes),
  health: ofFile.among(
    choices.health,
    `${choices.health.join(', ')}; of an unreadable file only file and error have another value`,
    ({ summary: { health }, failure }) => (failure === undefined ? health.state : 'damaged'),
  ),
  cut: ofFile.boolean('whether its only damage is that it ends early', ({ summary }) => summary.health.isCut),
  damaged_at: ofFile.ints('offsets of the errors', ({ summary }) => summary.health.at),
  seconds: ofFile.seconds('length by its times or ticks', ({ summary }) => summary.seconds),
};

const diagnosticsFields = {
  findings: ofFile.orAbsent.int(
    'how many things explain finds in snapshots with right checksums; absent without any',
    ({ findings = 0 }) => (findings > 0 ? findings : undefined),
  ),
  diagnostics: ofFile.table('what is unusual or wrong', ({ summary }) => summary.diagnostics, diagnosticFields),
  diagnostics_omitted: ofFile.orAbsent.int('number of those that are not listed', ({ summary }) => {
    return summary.omittedDiagnostics > 0 ? summary.omittedDiagnostics : undefined;
  }),
};

const headerFields = {
  version: ofHeader.int('version of the demo format', ({ version }) => version),
  type: ofHeader.text('client or server', ({ type }) => type),
  net_version: ofHeader.text(
    'version of the protocol and of the items, as the games write it',
    (header) => header.netVersion,
  ),
  timestamp: ofHeader.text('as the header has it: local time without a zone', ({ timestamp }) => timestamp),
  length: ofHeader.int('seconds, as the header says', ({ length }) => length),
};

const streamFields = {
  first_tick: ofStream.tick('the first; -1 without a tick', ({ firstTick }) => firstTick),
  last_tick: ofStream.tick('the last; -1 without a tick', ({ lastTick }) => lastTick),
  snapshots: ofStream.int('full ones and deltas', ({ snapshots }) => snapshots),
  keyframes: ofStream.int('full snapshots', ({ kinds }) => kinds.snapshot),
  deltas: ofStream.int('snapshots that are differences to an earlier one', ({ kinds }) => kinds.delta),
  most_items: ofStream.int('items of the largest snapshot', ({ peaks }) => peaks.items),
  ...ofStream.from(({ outcomes }) => outcomes, outcomeFields),
  empty: ofStream.int('snapshots without a change from their base, which have no checksum', ({ kinds }) => kinds.empty),
  player: ofStream.orNull.name('name of the player', ({ player }) => player),
  protocol: ofStream.among(choices.version, '0.5, 0.6 or 0.7', ({ stream }) => stream.protocol.version),
};

const playersField = ofStream.names('names of players', ({ names }) => [...names.seen]);

const connectionFields = {
  connection: ofConnection.int('from 1, in the order in which connections begin', ({ number }) => number),
  client: ofConnection.text('address of the client', ({ client }) => client),
  server: ofConnection.text('address of the server', ({ server }) => server),
  first_time: ofConnection.orNull.time('seconds since 1970', ({ firstTime }) => firstTime),
  last_time: ofConnection.orNull.time('seconds since 1970', ({ lastTime }) => lastTime),
  undecodable: ofConnection.int('packets that cannot be read to their end', ({ undecodable }) => undecodable),
  rejected: ofConnection.int('rejected packets: forged, stray or refused', (stream) => stream.rejectedPackets),
  map_changes: ofConnection.int(
    'how often the server changed the map, the first one included',
    (stream) => stream.mapChanges,
  ),
};

// The objects of `info -t json`.

/** The row of a demo or a ghost: its only stream is known. */
type StreamRow = SummaryRow & { readonly stream: StreamSummary };

const ofRow = fieldsOf<StreamRow>();

const countsOf = (counts: ReadonlyMap<string | number, number>): Record<string, number> => Object.fromEntries(counts);

const ofTuning = fieldsOf<readonly [string, { readonly value: number; readonly tick: number }]>();

const tuningFields = {
  name: ofTuning.text('name of the tune param', ([name]) => name),
  value: ofTuning.number('its value', ([, { value }]) => value / 100),
  default: ofTuning.number('the default of the games', ([name]) => defaultTuning(name)! / 100),
  tick: ofTuning.tick('from which it differs; -1 before the first tick', ([, { tick }]) => tick),
};

const ofOdd = fieldsOf<OddValues>();

const oddFields = {
  item: ofOdd.text('kind of item', ({ item }) => item),
  field: ofOdd.orNull.text('field; null if the item itself is odd', ({ field }) => field),
  value: ofOdd.orNull.int('the first value of the field', ({ field, value }) =>
    field === undefined ? undefined : value,
  ),
  min: ofOdd.orNull.int('lower bound', ({ bounds }) => bounds?.min),
  max: ofOdd.orNull.int('upper bound', ({ bounds }) => bounds?.max),
  count: ofOdd.int('how often an item got such a value', ({ count }) => count),
  tick: ofOdd.tick('of the first one', ({ tick }) => tick),
};

const ofHigh = fieldsOf<HighClients>();

const highFields = {
  item: ofHigh.text('kind of item or message', ({ item }) => item),
  field: ofHigh.text('field', ({ field }) => field),
  value: ofHigh.int('the highest number', ({ value }) => value),
  taken: ofHigh.orNull.int(
    'the one that DDNet before uses instead; Teeworlds drops the item; null for a message, which both drop',
    ({ isMessage }) => (isMessage ? undefined : fewClients - 1),
  ),
  count: ofHigh.int('how often an item got such a number, or a message has it', ({ count }) => count),
};

const ofOddity = fieldsOf<Oddity>();

const oddityFields = {
  weight: ofOddity.among(
    ['note', 'warning', 'wrong'],
    'wrong makes the recording suspect, a note does nothing',
    ({ weight }) => weight,
  ),
  code: ofOddity.text('a name that never changes', ({ diagnostic }) => diagnostic.code),
  direction: ofOddity.among(choices.direction, 'to the end that is sent it', ({ direction }) => direction),
  count: ofOddity.int('how often', ({ count }) => count),
  tick: ofOddity.orAbsent.tick('of the first one, if it has one', ({ tick }) => tick),
  frame: ofOddity.orAbsent.int('of a capture: number of the first packet with it, from 1', (oddity) => {
    return oddity.diagnostic.frame;
  }),
  message: ofOddity.text('the first one, as a sentence', ({ diagnostic }) => diagnosticMessage(diagnostic)),
};

const ofGame = fieldsOf<StreamSummary['game']>();

const gameFields = {
  types: ofGame.names('types that `game_info_ex` names', ({ types }) => types),
  teams: ofGame.boolean('whether there are two teams', ({ hasTeams }) => hasTeams),
  flags: ofGame.boolean('whether there are flags to capture', ({ hasFlags }) => hasFlags),
  scores: ofGame.among(
    ['points', 'seconds', 'milliseconds'],
    'the unit of scores: times in a race',
    (game) => game.scoreUnit,
  ),
};

/** What tells more of the messages and values of a stream, where there is something to tell. */
const versionFields = {
  other_version: ofRow.orAbsent.object(
    "messages of the other version than the recording's; absent without any",
    ({ stream: { otherVersion } }) =>
      Object.values(otherVersion).some((times) => times > 0) ? otherVersion : undefined,
    otherVersionFields,
  ),
  game: ofRow.orAbsent.object(
    'which game it is, as its snapshots say; absent where they say nothing',
    ({ stream: { game } }) =>
      game.types.length > 0 || game.hasTeams || game.hasFlags || game.scoreUnit !== 'points' ? game : undefined,
    gameFields,
  ),
  extended_items: ofRow.orAbsent.names(
    'the extended items, by name, or by UUID if no table has it; absent without any',
    ({ stream: { items } }) => (items.extended.size > 0 ? [...items.extended] : undefined),
  ),
  newer: ofRow.orAbsent.names(
    'values that the tables of tw-snap do not have; absent without any, and in a damaged recording',
    ({ stream: { items }, summary }) =>
      items.newer.size > 0 && summary.health.state !== 'damaged' ? [...items.newer] : undefined,
  ),
  tuning: ofRow.orAbsent.table(
    'tune params whose last value is not the default of the games; absent without any',
    ({ stream: { tuning } }) => (tuning.size > 0 ? [...tuning] : undefined),
    tuningFields,
  ),
  odd_values: ofRow.orAbsent.table(
    'values of items that clients do not take, and items that are in no snapshot of the games; absent without any, and in a damaged recording',
    ({ stream: { items }, summary }) =>
      items.odd.length > 0 && summary.health.state !== 'damaged' ? items.odd : undefined,
    oddFields,
  ),
  oddities: ofRow.orAbsent.table(
    'what no game sends, or its receiver drops, each kind once; absent without any',
    ({ stream: { oddities } }) => {
      const all = [...oddities.all];
      return all.length > 0 ? all : undefined;
    },
    oddityFields,
  ),
  last_finish: ofRow.orAbsent.tick(
    'of the last message that says that a player finishes, -1 before the first tick; absent without one',
    ({ stream }) => stream.lastFinish,
  ),
  high_clients: ofRow.orAbsent.table(
    `client numbers that only DDNet from ${manyClientsSince} on takes, for a receiver of unknown version; absent without any, and in a damaged recording`,
    ({ stream: { items }, summary }) =>
      items.high.length > 0 && summary.health.state !== 'damaged' ? items.high : undefined,
    highFields,
  ),
};

type MapRow = Pick<RecordingSummary, 'map'> & { readonly header: DemoHeader };

const ofMap = fieldsOf<MapRow>();

const mapFields = {
  name: ofMap.name('name, as the header says', ({ header }) => header.mapName),
  size: ofMap.int('bytes, as the header says', ({ header }) => header.mapSize),
  size_found: ofMap.orNull.int('bytes of the map in the file; null without one', ({ map }) => map?.bytes),
  crc: ofMap.crc('CRC-32, as the header says', ({ header }) => header.mapCrc),
  crc_found: ofMap.orNull.crc('CRC-32 of the map in the file', ({ map }) => map?.crc),
  sha256: ofMap.orNull.text('64 hex digits, as the header says since version 6', ({ header }) => header.sha256),
  sha256_found: ofMap.orNull.text('SHA-256 of the map in the file', ({ map }) => map?.sha256),
  ok: ofMap.orNull.boolean('whether the map is the one of the header', ({ map, header }) => map?.matches(header)),
};

const headerOf = ({ summary: { header } }: SummaryRow) => header;

/** The results for checksums that the messages of a player's demo announce. */
const announced = ({ stream }: Pick<StreamRow, 'stream'>) => (stream.judge.sums.announced > 0 ? stream : undefined);

const ofPlay = fieldsOf<GamePlay>();

const playFields = {
  game: ofPlay.among(['DDNet', 'Teeworlds'], 'DDNet or Teeworlds', ({ game }) => game),
  from: ofPlay.text('first version', ({ from }) => from),
  before: ofPlay.orNull.text(
    'first version after it that does something else; null for the last ones',
    (play) => play.before,
  ),
  play: ofPlay.among(Object.keys(plays) as Play[], Object.keys(plays).join(', '), ({ play }) => play),
  code: ofPlay.orNull.text('code of why it is misread or needs the map; null otherwise', ({ code }) => code),
  sentence: ofPlay.orNull.text(
    'what the last of these versions says when it refuses it or stops, or what cannot be known; null if it is played to its end',
    ({ sentence }) => sentence,
  ),
  tick: ofPlay.orNull.int(
    'tick that is played last, -1 before the first; null if it does not stop',
    ({ tick }) => tick,
  ),
  offset: ofPlay.orNull.int('up to where the game has read then; null if it does not stop', ({ offset }) => offset),
  seeks: ofPlay.boolean(
    'whether jumping is safe; without a keyframe some versions read beyond their memory',
    ({ seeks }) => seeks,
  ),
};

const playsField = {
  plays: ofRow.orAbsent.table(
    'what the games do with it, as their own readers do; absent without a header',
    ({ summary }) => (summary.plays.length > 0 ? summary.plays : undefined),
    playFields,
  ),
};

export const demoFields = {
  file: fileFields.file,
  format: ofFile.among(
    ['demo', 'ghost'],
    'demo; ghost only for a ghost whose header cannot be read',
    ({ summary: { container } }) => (container === 'ghost' ? container : 'demo'),
  ),
  ...pick(fileFields, 'size', 'health', 'cut', 'damaged_at'),
  ...ofRow.orAbsent.from(headerOf, pick(headerFields, 'version', 'type', 'net_version')),
  ...ofRow.orAbsent.from((row) => row.summary.header && row.stream, pick(streamFields, 'protocol')),
  ...ofRow.orAbsent.from(headerOf, pick(headerFields, 'timestamp')),
  map: ofRow.orAbsent.object(
    'the map of the header, and the one in the file',
    ({ summary: { header, map } }) => header && { header, map },
    mapFields,
  ),
  ...ofRow.orAbsent.from(headerOf, pick(headerFields, 'length')),
  ...ofRow.orAbsent.from((row) => row.summary.header && row, pick(fileFields, 'seconds')),
  ...ofRow.orAbsent.from((row) => row.summary.header && row.stream, pick(streamFields, 'first_tick', 'last_tick')),
  ...playsField,
  markers: ofRow.orAbsent.ints('ticks that the recording player marked', (row) => headerOf(row) && row.summary.markers),
  ...ofRow.from(({ stream }) => stream, pick(streamFields, 'snapshots', 'keyframes', 'deltas')),
  longest_replay: ofRow.orAbsent.int(
    'ticks from a keyframe to the next one or the end, at most: a jump to any tick replays no more; absent without keyframes',
    ({ stream }) => (stream.kinds.snapshot > 0 ? stream.longestReplay : undefined),
  ),
  announced: ofRow.orAbsent.int('checksums that its messages announce; absent without any', (row) => {
    return announced(row)?.judge.sums.announced;
  }),
  ...ofRow.orAbsent.from(announced, pick(streamFields, 'matched', 'mismatched')),
  ticks: ofRow.table('what is known of which ticks', ({ stream }) => stream.judge.ranges, rangeFields),
  ...ofRow.from(({ stream }) => stream, pick(streamFields, 'most_items')),
  most_bytes: ofRow.int('bytes of the largest snapshot in memory', ({ stream }) => stream.peaks.snapshotBytes),
  messages: ofRow.counts('number of messages by name', ({ stream }) => countsOf(stream.messages.to_client)),
  ...versionFields,
  ...ofRow.from(({ stream }) => stream, { ...pick(streamFields, 'player'), players: playersField }),
  ...diagnosticsFields,
};

const ofGhost = fieldsOf<Ghost>();

/** The map of a ghost's header, in `info` and in `dump`. */
export const ghostMapFields = {
  name: ofGhost.name('name', ({ mapName }) => mapName),
  crc: ofGhost.orNull.crc('CRC-32, up to version 5', ({ mapCrc }) => mapCrc),
  sha256: ofGhost.orNull.text('64 hex digits, since version 6', ({ mapSha256 }) => mapSha256),
};

const ghostHeaderFields = {
  version: ofGhost.int('version of the ghost format', ({ version }) => version),
  player: ofGhost.name('name of the player', ({ owner }) => owner),
  skin: ofGhost.name("name of the player's skin", ({ skin }) => skin),
  map: ofGhost.object('the map of the header', (ghost) => ghost, ghostMapFields),
  characters: ofGhost.int('number of characters, as the header says', ({ characters }) => characters),
  characters_found: ofGhost.int('number of characters in the file', ({ found }) => found),
  time_ms: ofGhost.int('time of the race in milliseconds, as the header says', ({ time }) => time),
  time_found_ms: ofGhost.orNull.int('the same by the ticks in the file; null without characters', (ghost) =>
    ghost.found > 0 ? runTime(ghost) : undefined,
  ),
  start_tick: ofGhost.orNull.tick('tick at which the race begins; null without one', ({ startTick }) => startTick),
};

const ghostOf = ({ summary: { ghost } }: SummaryRow) => ghost!;

export const ghostFields = {
  file: fileFields.file,
  format: ofFile.among(['ghost'], 'ghost', () => 'ghost'),
  ...pick(fileFields, 'size', 'health', 'cut', 'damaged_at'),
  ...ofRow.from(ghostOf, ghostHeaderFields),
  ...ofRow.from(({ stream }) => stream, pick(streamFields, 'first_tick', 'last_tick')),
  ...playsField,
  steps: ofRow.counts('how often each number of ticks is between two characters', (row) =>
    countsOf(ghostOf(row).steps),
  ),
  ...diagnosticsFields,
};

type Close = NonNullable<StreamSummary['close']>;

const ofClose = fieldsOf<Close>();

/** A close of an end, or what ended the connection. */
const closeFields = {
  direction: ofClose.among(choices.direction, 'to the end that was told so', ({ direction }) => direction),
  reason: ofClose.text('what the other end said of it', ({ reason }) => reason),
  heard: ofClose.boolean('whether the other end knew of it, rather than went on', ({ isHeard }) => isHeard),
};

type Traffic = ReturnType<ConnectionStream['counts']> & {
  readonly messages: ReadonlyMap<string, number>;
  readonly slowest: ChunkWait | undefined;
  readonly stuck: ChunkWait | undefined;
  readonly heard: Heard;
};

const ofChunk = fieldsOf<ChunkWait>();

const stuckFields = {
  sequence: ofChunk.int('its number, 0 to 1023', ({ sequence }) => sequence),
  message: ofChunk.name('the message in it', ({ message }) => message),
  frame: ofChunk.int('frame in which it was sent first', ({ frame }) => frame),
  times: ofChunk.int('how often it was sent', ({ times }) => times),
  seconds: ofChunk.seconds('how long it waited', ({ seconds }) => seconds),
};

const ofTraffic = fieldsOf<Traffic>();

/** What one end of a connection sent. */
export const trafficFields = {
  packets: ofTraffic.int('packets', ({ packets }) => packets),
  bytes: ofTraffic.bytes('bytes of these packets', ({ bytes }) => bytes),
  chunks: ofTraffic.int('chunks in them', ({ chunks }) => chunks),
  resent: ofTraffic.int('chunks that were sent again', ({ resent }) => resent),
  lost: ofTraffic.int('chunks that were not captured', ({ lost }) => lost),
  sent: ofTraffic.int('vital chunks, each copy of them', ({ sent }) => sent),
  taken: ofTraffic.int('those of them that their receiver took', ({ taken }) => taken),
  open: ofTraffic.int('those of which nothing shows whether it did', ({ open }) => open),
  longest_wait: ofTraffic.orNull.seconds(
    'the longest time until a vital chunk was acknowledged; null if none was sent, or without times',
    ({ slowest }) => slowest?.seconds,
  ),
  stuck: ofTraffic.orNull.object(
    'the vital chunk that was never acknowledged, although it was sent again and again',
    ({ stuck }) => stuck,
    stuckFields,
  ),
  longest_silence: ofTraffic.seconds('the longest time between two packets', ({ heard }) => heard.silence.seconds),
  messages: ofTraffic.counts('number of messages by name', ({ messages }) => countsOf(messages)),
};

const trafficOf =
  (direction: Direction) =>
  ({ connection, stream }: ConnectionRow): Traffic => ({
    ...connection.counts(direction),
    slowest: connection.slowest(direction),
    stuck: connection.stuck(direction),
    heard: connection.heartbeat(direction),
    messages: stream.messages[direction],
  });

const ofRate = fieldsOf<RateStretch>();

const rateFields = {
  mode: ofRate.among(rateModes.among, rateModes.meaning, ({ mode }) => mode),
  per_second: ofRate.number('snapshots a second that the server aims at', perSecond),
  first_tick: ofRate.tick('of the first snapshot', ({ fromTick }) => fromTick),
  last_tick: ofRate.tick('at which the next stretch begins, or of the last snapshot', ({ toTick }) => toTick),
  seconds: ofRate.seconds('between the two ticks', secondsOf),
  snapshots: ofRate.int('number of snapshots', ({ snapshots }) => snapshots),
};

const ofInputs = fieldsOf<Lag>();

const inputFields = {
  timed: ofInputs.int('how many', ({ timed }) => timed),
  late: ofInputs.int('those that came after their tick', ({ late }) => late),
  worst_ms: ofInputs.int('by how many milliseconds the latest was late; 0 or less if none was', ({ worst }) => worst),
  longest_stall: ofInputs.seconds(
    'the longest time in which inputs acknowledged no newer snapshot',
    ({ stall }) => stall.seconds,
  ),
};

export type ConnectionRow = StreamRow & { readonly connection: ConnectionStream };

const ofConnectionRow = fieldsOf<ConnectionRow>();
const connectionOf = (row: ConnectionRow) => row.connection;
const streamOf = (row: StreamRow) => row.stream;

export const infoConnectionFields = {
  ...ofConnectionRow.from(connectionOf, pick(connectionFields, 'connection', 'client', 'server')),
  version: ofConnectionRow.orNull.text('0.6 or 0.7; null where nothing tells it', (row) => row.connection.version),
  handshake: ofConnectionRow.boolean('whether the handshake was captured', (row) => row.connection.hasHandshake),
  ...ofConnectionRow.from(streamOf, pick(streamFields, 'player')),
  ...ofConnectionRow.from(connectionOf, pick(connectionFields, 'first_time', 'last_time')),
  close: ofConnectionRow.orNull.object(
    'how the connection ended; null if nobody closed it',
    ({ stream }) => stream.close,
    closeFields,
  ),
  to_server: ofConnectionRow.object('what the client sent', trafficOf('to_server'), trafficFields),
  to_client: ofConnectionRow.object('what the server sent', trafficOf('to_client'), trafficFields),
  ...versionFields,
  ...ofConnectionRow.from(connectionOf, pick(connectionFields, 'undecodable', 'rejected')),
  late_snapshots: ofConnectionRow.int(
    'snapshots, or parts of them, after the client had acknowledged a newer one: it drops them',
    ({ connection }) => connection.lateSnapshots,
  ),
  tokens: ofConnectionRow.boolean('whether its packets have tokens', ({ connection }) => connection.hasTokens),
  ...ofConnectionRow.from(connectionOf, pick(connectionFields, 'map_changes')),
  ...ofConnectionRow.from(streamOf, {
    snapshots: streamFields.snapshots,
    full: streamFields.keyframes,
    ...pick(streamFields, 'deltas', 'empty', 'matched', 'mismatched', 'missing_base', 'missing_part', 'damaged'),
    ...pick(streamFields, 'most_items'),
    most_bytes: ofStream.int('bytes of the largest payload', ({ peaks }) => peaks.payloadBytes),
    ...pick(streamFields, 'first_tick', 'last_tick'),
    maps: ofStream.names('names of the maps that the server announced', ({ maps }) => [...maps]),
    players: playersField,
  }),
  inputs: ofConnectionRow.object(
    'the inputs that the server timed, and what they show of lag',
    ({ stream }) => stream.lag,
    inputFields,
  ),
  rates: ofConnectionRow.table('stretches with one rate', ({ stream }) => stream.rates.stretches, rateFields),
};

const ofDropped = fieldsOf<DatagramCounts['dropped']>();

const droppedFields = {
  connections: ofDropped.int('number of connections', ({ connections }) => connections),
  packets: ofDropped.int('packets of these', ({ packets }) => packets),
  undecodable: ofDropped.int('those of the packets that cannot be read to their end', (packets) => packets.undecodable),
};

const ofDatagrams = fieldsOf<DatagramCounts>();
const ofServerInfo = fieldsOf<DatagramCounts['serverInfo']>();

const serverInfoFields = {
  asked: ofServerInfo.int('requests', ({ asked }) => asked),
  answered: ofServerInfo.int('requests with an answer', ({ answered }) => answered),
  other_token: ofServerInfo.int('answers with a token that was not asked with', ({ otherToken }) => otherToken),
  other_server: ofServerInfo.int(
    'answers with the token of a request to another server',
    ({ otherServer }) => otherServer,
  ),
  unasked: ofServerInfo.int('answers to who was not seen to ask', ({ unasked }) => unasked),
  announced: ofServerInfo.int('what servers send to their players by themselves', ({ announced }) => announced),
  incomplete: ofServerInfo.int('answers without all of their parts', ({ incomplete }) => incomplete),
  missing_players: ofServerInfo.int('players in these parts', ({ missingPlayers }) => missingPlayers),
  foreign_token: ofServerInfo.int(
    'unanswered requests with the token that another server gave',
    ({ foreignToken }) => foreignToken,
  ),
  too_large: ofServerInfo.int(
    'answers over 1,400 bytes, of which no more arrives: they answer no request',
    ({ tooLarge }) => tooLarge,
  ),
};

export const datagramFields = {
  datagrams: ofDatagrams.int('UDP datagrams', ({ total }) => total),
  connectionless: ofDatagrams.int(
    'datagrams without a connection, such as server information',
    (datagrams) => datagrams.connless,
  ),
  handshakes: ofDatagrams.int('datagrams of handshakes without a connection', ({ handshakes }) => handshakes),
  dropped: ofDatagrams.object('connections beyond the limit', ({ dropped }) => dropped, droppedFields),
  other: ofDatagrams.int('datagrams that are no traffic of the games', ({ other }) => other),
  copies: ofDatagrams.orAbsent.int(
    'datagrams that another interface recorded before, which are not read',
    ({ copies }) => copies || undefined,
  ),
  server_info: ofDatagrams.object('server information', ({ serverInfo }) => serverInfo, serverInfoFields),
};

const captureFormats = ['pcap', 'pcapng', 'netlog'] as const;
type CaptureFormat = (typeof captureFormats)[number];

/** A connection of a capture has a row of its own. */
export const connectionRows = (row: SummaryRow): ConnectionRow[] =>
  row.summary.streams.flatMap((stream) => {
    const { connection } = stream;
    return connection ? [{ ...row, stream, connection }] : [];
  });

export const captureFields = {
  file: fileFields.file,
  format: ofFile.among(captureFormats, captureFormats.join(', '), ({ summary }) => summary.container as CaptureFormat),
  ...pick(fileFields, 'size', 'health'),
  first_time: ofFile.orNull.time('seconds since 1970; null without times', ({ summary }) => summary.firstTime),
  ...pick(fileFields, 'seconds'),
  ...ofFile.from(({ summary }) => summary.datagrams!, datagramFields),
  undecodable: ofFile.int('packets that cannot be read to their end', ({ summary }) => summary.counts.undecodable),
  rejected: ofFile.int('rejected packets: forged, stray or refused', ({ summary }) => summary.counts.rejectedPackets),
  snapshots: ofFile.int('full ones and deltas', ({ summary }) => summary.counts.snapshots),
  connections: ofFile.table('the connections', connectionRows, infoConnectionFields),
  ...diagnosticsFields,
};

export const demoValues = (row: StreamRow) => valuesOf(demoFields, row);
export const ghostValues = (row: StreamRow) => valuesOf(ghostFields, row);
export const captureValues = (row: SummaryRow) => valuesOf(captureFields, row);

/** A recording as `info -t json` prints it. */
export function infoValues(info: RecordingInfo) {
  const [stream] = info.summary.streams;
  // The stream of a demo or ghost is there from the beginning, and is no connection.
  if (!stream || stream.connection) return captureValues({ ...info, stream });
  return info.summary.ghost ? ghostValues({ ...info, stream }) : demoValues({ ...info, stream });
}

// The columns of tables: of `info -t csv`, and of the tables `demos` and `connections` of export. A list is JSON there,
// or counted.

/** The fields of the stream of a row, if it has one. */
const streamColumns = {
  messages: ofStream.int('number of messages', ({ messageCount }) => messageCount),
  players: ofStream.int('number of names of players', ({ names }) => names.seen.size),
  player_names: ofStream.names('JSON', ({ names }) => [...names.seen]),
  stream: ofStream.int('number of the connection, from 1; 1 in demos', ({ stream }) => stream.number),
  session: ofStream.int('map changes of the stream, 0 in demos', ({ stream }) => stream.mapChanges),
  end: ofStream.orNull.among(
    ['client', 'server', 'timeout'],
    'who closes it; timeout where an end says nothing for longer than the games wait; null where its end is not seen',
    ({ end }) => end,
  ),
  close_reason: ofStream.orNull.text('null if nobody closed the connection', ({ close }) => close?.reason),
};

const fileColumns = {
  bytes: ofFile.orNull.bytes('bytes of the recording, unpacked', ({ bytes }) => bytes),
  sha256: ofFile.orNull.text('of the recording, unpacked', ({ sha256 }) => sha256),
  error: ofFile.orNull.text(
    'code of the first error; of a file that cannot be opened, why',
    ({ summary, failure }) => summary.diagnostics.find(({ severity }) => severity === 'error')?.code ?? failure,
  ),
  problems: ofFile.int(
    'diagnostics, warnings among them',
    ({ summary, failure }) => summary.diagnostics.length + summary.omittedDiagnostics + (failure === undefined ? 0 : 1),
  ),
  map: ofFile.orNull.name('of a capture all maps, separated by spaces', ({ summary, stream }) => {
    return summary.header?.mapName ?? summary.ghost?.mapName ?? (stream && [...stream.maps].join(' '));
  }),
};

const summaryOfHeader = ({ summary }: SummaryRow) => summary.header && summary;
const ofSummary = fieldsOf<RecordingSummary>();

const trafficColumns = {
  packets_to_server: ofConnection.int('packets that the client sent', (stream) => stream.counts('to_server').packets),
  bytes_to_server: ofConnection.bytes('bytes of these packets', (stream) => stream.counts('to_server').bytes),
  packets_to_client: ofConnection.int('packets that the server sent', (stream) => stream.counts('to_client').packets),
  bytes_to_client: ofConnection.bytes('bytes of these packets', (stream) => stream.counts('to_client').bytes),
  resent: ofConnection.int('chunks that were sent again', (stream) => {
    return stream.counts('to_server').resent + stream.counts('to_client').resent;
  }),
  lost: ofConnection.int('chunks that were not captured', (stream) => {
    return stream.counts('to_server').lost + stream.counts('to_client').lost;
  }),
};

/** What the last version of a game does, of those in the list of JSON. */
const lastPlayField = (game: GamePlay['game']) =>
  ofFile.orNull.among(
    Object.keys(plays) as Play[],
    `what the last ${game} does: ${Object.keys(plays).join(', ')}; null if it has no player for it`,
    ({ summary }) => summary.plays.find((play) => play.game === game && play.before === undefined)?.play,
  );

const anyStream = ({ stream }: SummaryRow) => stream;
const streamOfSnapshots = (row: SummaryRow) => (row.summary.ghost ? undefined : row.stream);
/** A stream whose snapshots have announced checksums: of demos those of some players. */
const checkedStream = ({ summary, stream }: SummaryRow) => (summary.header && stream ? announced({ stream }) : stream);
const streamOfOthers = (row: SummaryRow) => (row.summary.header ? undefined : row.stream);
const connectionOfRow = (row: SummaryRow) => streamOfOthers(row)?.connection;

/** The columns of `info -t csv`. Those for demos are empty for connections, and vice versa. */
export const infoColumns = {
  ...pick(fileFields, 'file', 'format', 'size', 'health'),
  ...pick(fileColumns, 'error'),
  ...ofFile.orNull.from(anyStream, pick(streamFields, 'protocol')),
  ...pick(fileColumns, 'map'),
  ...pick(fileFields, 'seconds'),
  ...ofFile.orNull.from(anyStream, {
    ...pick(streamFields, 'first_tick', 'last_tick', 'snapshots'),
    ...pick(streamColumns, 'messages', 'players', 'player_names'),
  }),
  ...ofFile.orNull.from(headerOf, pick(headerFields, 'version', 'type', 'timestamp', 'length')),
  ...ofFile.orNull.from(streamOfSnapshots, pick(streamFields, 'keyframes', 'deltas')),
  ...ofFile.orNull.from(summaryOfHeader, {
    markers: ofSummary.int('number of markers', ({ markers }) => markers.length),
    marker_ticks: ofSummary.ints('JSON', ({ markers }) => markers),
  }),
  ...ofFile.orNull.from(connectionOfRow, pick(connectionFields, 'connection', 'client', 'server')),
  ...ofFile.orNull.from(anyStream, pick(streamFields, 'player')),
  ...ofFile.orNull.from(connectionOfRow, {
    ...pick(connectionFields, 'first_time', 'last_time'),
    ...trafficColumns,
    ...pick(connectionFields, 'undecodable', 'rejected'),
  }),
  ...ofFile.orNull.from(streamOfOthers, pick(streamColumns, 'end', 'close_reason')),
  ...ofFile.orNull.from(streamOfOthers, pick(streamFields, 'empty')),
  ...ofFile.orNull.from(checkedStream, pick(streamFields, 'matched', 'mismatched')),
  ...ofFile.orNull.from(streamOfOthers, pick(streamFields, 'missing_base', 'missing_part', 'damaged')),
  in_ddnet: lastPlayField('DDNet'),
  in_teeworlds: lastPlayField('Teeworlds'),
};

/** The rows of a table of `info`: one for each connection of a capture, one for a demo. */
export function summaryRows(info: RecordingInfo): SummaryRow[] {
  const { streams } = info.summary;
  return streams.length === 0
    ? [{ ...info, stream: undefined }]
    : streams.map((stream): SummaryRow => ({ ...info, stream }));
}

/** Without a header the protocol and the map are not known. */
const streamOfHeader = (row: SummaryRow) => (row.summary.header ?? row.summary.ghost) && row.stream;
const rowOfHeader = (row: SummaryRow) => (row.summary.header ?? row.summary.ghost) && row;

/** The table `demos` of export: all but three are null for a file that cannot be read. */
export const demosColumns = {
  file: fileFields.file,
  ...ofFile.orNull.from(anyStream, pick(streamColumns, 'stream', 'session')),
  ...pick(fileColumns, 'sha256', 'bytes'),
  ...ofFile.orNull.from(headerOf, pick(headerFields, 'version', 'net_version')),
  ...ofFile.orNull.from(streamOfHeader, pick(streamFields, 'protocol')),
  ...ofFile.orNull.from(rowOfHeader, pick(fileColumns, 'map')),
  ...ofFile.orNull.from(headerOf, {
    map_crc: ofHeader.crc('CRC-32 of the map, as the header says', ({ mapCrc }) => mapCrc),
    map_sha256: ofHeader.orNull.text('SHA-256 of the map, as the header says since version 6', ({ sha256 }) => sha256),
    map_bytes: ofHeader.int('bytes of the map, as the header says', ({ mapSize }) => mapSize),
    type: headerFields.type,
    recorded: headerFields.timestamp,
    length_s: headerFields.length,
  }),
  ...ofFile.orNull.from(anyStream, {
    ...pick(streamFields, 'first_tick', 'last_tick', 'snapshots', 'keyframes'),
    ...pick(streamColumns, 'messages'),
    ...pick(streamFields, 'most_items'),
  }),
  ...pick(fileColumns, 'problems'),
  ...pick(fileFields, 'health'),
  ...pick(fileColumns, 'error'),
};

/** The table `connections` of export. */
export const connectionsColumns = {
  file: fileFields.file,
  ...ofConnectionRow.from(streamOf, pick(streamColumns, 'stream')),
  ...ofConnectionRow.from(connectionOf, pick(connectionFields, 'client', 'server')),
  ...ofConnectionRow.from(streamOf, pick(streamFields, 'protocol', 'player')),
  first_seconds: ofConnectionRow.orNull.seconds(
    'seconds since the beginning of the recording, at its first packet',
    ({ connection, summary }) => connection.firstTime - summary.firstTime,
  ),
  last_seconds: ofConnectionRow.orNull.seconds(
    'seconds since the beginning of the recording, at its last packet',
    ({ connection, summary }) => connection.lastTime - summary.firstTime,
  ),
  ...ofConnectionRow.from(connectionOf, {
    ...pick(connectionFields, 'first_time', 'last_time'),
    ...pick(trafficColumns, 'packets_to_client', 'packets_to_server', 'bytes_to_client', 'bytes_to_server'),
    ...pick(connectionFields, 'undecodable'),
  }),
  ...ofConnectionRow.from(streamOf, {
    ...pick(streamFields, 'first_tick', 'last_tick', 'snapshots', 'empty'),
    ...pick(streamFields, 'matched', 'mismatched', 'missing_base', 'missing_part', 'damaged'),
  }),
  ...ofConnectionRow.from(connectionOf, pick(connectionFields, 'map_changes')),
  ...ofConnectionRow.from(streamOf, pick(streamColumns, 'end', 'close_reason')),
};
