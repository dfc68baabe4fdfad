import type { Code } from '../../wire/bytes/diagnostic.ts';

/**
 * What is expected in a recording, as data: one engine (`src/recording/story`) looks for what should have happened and
 * did not. The sentences are in `src/output/phrases`, and `docs/formats/expected.md` is generated from these rows.
 *
 * Each row is true about the games, not about the recordings at hand: its source names the function that answers, sends
 * or refuses. `unless` are the cases in which the games themselves do otherwise.
 */
export interface Expectation {
  readonly code: Code;
  /** `wrong`: the recording is suspect. `warning` and `note` are lines. */
  readonly weight: 'wrong' | 'warning' | 'note';
  /** The function of DDNet, whose Teeworlds does the same unless it is said. */
  readonly source: string;
  /** What is normal all the same, for the documentation. */
  readonly unless?: string;
}

/**
 * After a message the other end is expected to send one of the others. It is missing only if the message was
 * acknowledged, the other end was then heard for two of its own resends, and none of its numbers is missing; where the
 * message is not vital, if it was sent three times.
 */
export interface AnswerExpectation extends Expectation {
  readonly after: string;
  readonly by: 'client' | 'server' | 'both';
  /** The messages of the other end that are an answer. */
  readonly answers: readonly string[];
  /** Messages of either end after which no answer is due any more. */
  readonly ended?: readonly string[];
  /** The field that question and answer share. */
  readonly key?: string;
  /** Only if the one who has to answer then gives up. */
  readonly ifGivenUp?: true;
}

/** A message of the client has to have another one before it, or must not. */
interface OrderExpectation extends Expectation {
  readonly message: string;
  readonly place: 'before_info' | 'after_entering';
}

const nextMap = 'the next map begins before it';

/**
 * The messages after which another one is expected. Before it takes anything, Teeworlds 0.6.5 sends older clients a map
 * and con_ready as a challenge (`CNetServer::ConstructLegacyHandshake`), as DDNet does with sv_vanilla_antispoof. It may
 * drop the first messages then, and these clients join twice: any answer counts.
 */
export const answers: readonly AnswerExpectation[] = [
  {
    code: 'unanswered',
    weight: 'wrong',
    after: 'info',
    by: 'client',
    answers: ['map_change', 'redirect', 'reconnect'],
    source: 'CServer::OnNetMsgInfo: SendMap',
    unless: 'the version or the password is wrong, or the server is full: it closes the connection',
  },
  {
    code: 'unanswered',
    weight: 'warning',
    after: 'map_change',
    by: 'server',
    answers: ['ready', 'request_map_data', 'enter_game'],
    ended: ['map_change'],
    ifGivenUp: true,
    source: 'CClient::ProcessServerPacket, NETMSG_MAP_CHANGE',
    unless:
      'the map is downloaded by HTTP, which has no limit of time: only a connection that ends by a timeout shows it',
  },
  {
    code: 'unanswered',
    weight: 'wrong',
    after: 'request_map_data',
    by: 'client',
    key: 'chunk',
    answers: ['map_data'],
    ended: ['map_change', 'ready'],
    source: 'CServer::SendMapData',
    unless: 'the piece was sent ahead; 0.7 counts the pieces itself, so that any is an answer',
  },
  {
    code: 'unanswered',
    weight: 'wrong',
    after: 'ready',
    by: 'client',
    answers: ['con_ready'],
    ended: ['map_change'],
    source: 'CServer::OnNetMsgReady: SendConnectionReady',
    unless: nextMap,
  },
  {
    code: 'unanswered',
    weight: 'warning',
    after: 'con_ready',
    by: 'server',
    answers: ['cl_startinfo', 'enter_game', 'ready'],
    ended: ['map_change'],
    source: 'CGameClient::OnConnected: SendInfo',
    unless: nextMap,
  },
  {
    code: 'unanswered',
    weight: 'wrong',
    after: 'cl_startinfo',
    by: 'client',
    answers: ['sv_readytoenter'],
    ended: ['map_change', 'snap', 'snap_single', 'snap_empty'],
    source: 'CGameContext::OnStartInfoNetMessage: SV_READYTOENTER',
    unless: `${nextMap}; the client connects again and is in the game still, so that snapshots come`,
  },
  {
    code: 'unanswered',
    weight: 'wrong',
    after: 'sv_readytoenter',
    by: 'server',
    answers: ['enter_game'],
    ended: ['map_change'],
    source: 'CGameClient::OnMessage, NETMSGTYPE_SV_READYTOENTER: EnterGame',
    unless: nextMap,
  },
  {
    code: 'unanswered',
    weight: 'wrong',
    after: 'enter_game',
    by: 'client',
    answers: ['snap', 'snap_single', 'snap_empty'],
    ended: ['map_change'],
    source: 'CServer::DoSnapshot: at least every 10 ticks',
    unless: nextMap,
  },
  {
    code: 'unanswered',
    weight: 'warning',
    after: 'rcon_auth',
    by: 'client',
    answers: ['rcon_auth_status', 'rcon_auth_on', 'rcon_line'],
    source: 'CServer::OnNetMsgRconAuth',
    unless: 'too many wrong passwords: the server closes the connection',
  },
  {
    code: 'unanswered',
    weight: 'warning',
    after: 'ping_ex',
    by: 'client',
    answers: ['pong_ex'],
    source: 'CServer::ProcessClientPacket, NETMSG_PINGEX',
  },
  {
    code: 'unanswered',
    weight: 'warning',
    after: 'what_is',
    by: 'both',
    answers: ['it_is', 'i_dont_know'],
    source: 'UnpackMessageId in protocol_ex.cpp: UNPACKMESSAGE_ANSWER',
  },
  {
    code: 'unanswered',
    weight: 'note',
    after: 'cl_callvote',
    by: 'client',
    answers: ['sv_voteset', 'sv_chat'],
    source: 'CGameContext::OnCallVoteNetMessage: SendChatTarget, StartVote',
    unless: 'mods may drop it',
  },
];

/** In the order of `ProcessClientPacket` in server.cpp, where each state of a client takes its own messages. */
export const order: readonly OrderExpectation[] = [
  {
    code: 'out_of_place',
    weight: 'wrong',
    message: 'ready',
    place: 'before_info',
    source: 'CServer::OnNetMsgReady: the state of the client',
    unless: 'the capture begins late, or lacks packets',
  },
  {
    code: 'out_of_place',
    weight: 'wrong',
    message: 'enter_game',
    place: 'before_info',
    source: 'CServer::OnNetMsgEnterGame: the state of the client',
    unless: 'the capture begins late, or lacks packets; before `ready` clients of DDNet 20 do send it',
  },
  {
    code: 'out_of_place',
    weight: 'wrong',
    message: 'info',
    place: 'after_entering',
    source: 'CServer::OnNetMsgInfo: the state of the client',
  },
];

/** What a snapshot says of a client: the items that it has, who records, and a speed or a place that no game makes. */
export type ClientFact = 'player' | 'info' | 'character' | 'recorder' | 'fast' | 'outside';

/** What has to be true of the items of each snapshot. */
interface ItemExpectation extends Expectation {
  /** It is broken by each client of whom a snapshot says one thing, and not the other. Further rows have code. */
  readonly has?: ClientFact;
  readonly lacks?: ClientFact;
  /** For the documentation: what is expected, and of what. */
  readonly expected: string;
  /** The snapshots in a row from which it is told. */
  readonly least: number;
  /** Whether all of one kind are told together at the end, since they come and go with single snapshots. */
  readonly joins?: true;
}

const items = {
  player_without_info: {
    code: 'player_without_info',
    weight: 'wrong',
    has: 'player',
    lacks: 'info',
    expected: 'a player has a name: in 0.6 its item in the same snapshot, in 0.7 a message before',
    least: 2,
    source: 'CPlayer::Snap; 0.7: CGameContext::OnClientEnter',
    unless: 'the snapshot is full; in 0.7 the capture begins late or lacks packets',
  },
  character_without_player: {
    code: 'character_without_player',
    weight: 'wrong',
    has: 'character',
    lacks: 'player',
    expected: 'a character belongs to a player of the same snapshot',
    least: 2,
    source: 'CCharacter::Snap, which only CPlayer has; CPlayer::Snap',
    unless: 'the snapshot is full; demos that libraries write have characters alone',
  },
  impossible_speed: {
    code: 'impossible_speed',
    weight: 'wrong',
    has: 'fast',
    expected: 'a character moves by 6,000 units in a tick at most; twice that is told, since explosions come later',
    least: 1,
    joins: true,
    source: 'CCharacterCore::TickDeferred',
  },
  outside_map: {
    code: 'outside_map',
    weight: 'wrong',
    has: 'outside',
    expected: 'a character is within 131,072 tiles of the corner of the map: outside of it characters die',
    least: 1,
    joins: true,
    source: 'CEntity::GameLayerClipped in CCharacter::HandleTiles',
  },
  items_dropped: {
    code: 'items_dropped',
    weight: 'wrong',
    expected: 'a snapshot has room for another item: a server leaves out what does not fit',
    least: 1,
    joins: true,
    source: 'CSnapshotBuilder::NewItemRaw (Teeworlds: NewItem)',
  },
  unregistered_items: {
    code: 'unregistered_items',
    weight: 'wrong',
    expected: 'an item of a local type has an item of type 0 that says its UUID',
    least: 3,
    source: 'CSnapshotBuilder::AddExtendedItemType',
    unless: 'servers send it two snapshots later now and then',
  },
  two_recorders: {
    code: 'two_recorders',
    weight: 'wrong',
    expected: 'one player is the one who receives the snapshots',
    least: 1,
    joins: true,
    source: 'CPlayer::Snap: m_Local',
  },
  newer_items: {
    code: 'newer_items',
    weight: 'note',
    expected: 'the UUID of an item is in the tables: a client that does not know it leaves the item out',
    least: 1,
    joins: true,
    source: 'CClient::UnpackAndValidateSnapshot',
  },
  others_absent: {
    code: 'others_absent',
    weight: 'note',
    expected: 'the characters of others stay when the recording player begins to watch',
    least: 1,
    source: 'CCharacter::CanSnapCharacter: /specteam, /showothers',
  },
} as const satisfies Partial<Record<Code, ItemExpectation>>;

export type ItemCode = keyof typeof items;

export const itemRows: Readonly<Record<ItemCode, ItemExpectation>> = items;

/** What has to be true of a whole recording. */
interface WholeExpectation extends Expectation {
  readonly expected: string;
}

const whole = {
  never_answered: {
    code: 'never_answered',
    weight: 'wrong',
    expected: 'a client that asks to connect is answered, before it has asked three times within a second each',
    source: 'CNetServer::OnPreConnMsg, OnTokenCtrlMsg; CNetConnection::Update asks again',
    unless: 'another address of the server answers at the same time; after a flood, clients are told that ask once',
  },
  never_went_on: {
    code: 'never_went_on',
    weight: 'wrong',
    expected: 'a client that is accepted, or given a token, goes on',
    source: 'CNetConnection::Feed; CNetServer::OnTokenCtrlMsg keeps no state of it',
    unless: 'other clients of the server go on, and there is no flood',
  },
  flood: {
    code: 'flood',
    weight: 'note',
    expected: 'a server is asked to connect at most ten times in a second',
    source: 'CNetServer::OnPreConnMsg of DDNet: sv_van_conn_per_second',
    unless: 'many players come back together, as after a restart',
  },
  never_acknowledged: {
    code: 'never_acknowledged',
    weight: 'wrong',
    expected: 'a vital chunk that is sent three times is acknowledged while its receiver speaks on for two seconds',
    source: 'CNetConnection::Update: "Too weak connection" after 10 s (DDNet: conn_timeout, 100 s)',
    unless: 'it waits for less than ten seconds: then it is a warning',
  },
  recorders_alternate: {
    code: 'recorders_alternate',
    weight: 'wrong',
    expected: 'the recording player stays the same: no hand goes to the dummy and back three times within 12 ticks',
    source: 'CPlayer::Snap: m_Local; CClient records the connection that is active',
  },
  recorder_changes: {
    code: 'recorder_changes',
    weight: 'note',
    expected: 'the recording player stays the same: the dummy key of DDNet changes it',
    source: 'CClient: the connection that is active is recorded',
    unless: 'the name or the map changes',
  },
  unknown_client: {
    code: 'unknown_client',
    weight: 'note',
    expected: 'who kills, is killed or shows an emoticon was in a snapshot',
    source: 'CCharacter::Die, CGameContext::SendEmoticon',
    unless: 'snapshots could not be rebuilt',
  },
  message_before_snapshot: {
    code: 'message_before_snapshot',
    weight: 'note',
    expected: 'after the first tick marker of a demo a snapshot comes before messages',
    source: 'CDemoRecorder::RecordMessage; players before Teeworlds 0.7.2 take the message without a state',
  },
  not_stopped: {
    code: 'not_stopped',
    weight: 'note',
    expected: 'the header of a demo has its length, and the markers: written when the recording is stopped',
    source: 'CDemoRecorder::Stop',
  },
} as const satisfies Partial<Record<Code, WholeExpectation>>;

export const wholeRows: Readonly<Record<keyof typeof whole, WholeExpectation>> = whole;

/** The codes of all rows: what is wrong there is wrong in the story, not in the bytes. */
export const expectedCodes: ReadonlySet<string> = new Set(
  [...answers, ...order, ...Object.values(itemRows), ...Object.values(wholeRows)].map(({ code }) => code),
);
