import type { Code } from '../../wire/bytes/diagnostic.ts';

/**
 * What is expected in a recording, as data: one engine (`src/recording/story`) looks for what should have happened and
 * did not. The sentences are in `src/output/phrases`.
 *
 * Each row is true about the games, not about the recordings at hand: `docs/formats/expected.md` has the same rows with
 * what is expected, the function that answers, sends or refuses, and the cases in which the games do otherwise.
 */
export interface Expectation {
  readonly code: Code;
  /** `wrong`: the recording is suspect. `warning` and `note` are lines. */
  readonly weight: 'wrong' | 'warning' | 'note';
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
  },
  {
    code: 'unanswered',
    weight: 'warning',
    after: 'map_change',
    by: 'server',
    answers: ['ready', 'request_map_data', 'enter_game'],
    ended: ['map_change'],
    ifGivenUp: true,
  },
  {
    code: 'unanswered',
    weight: 'wrong',
    after: 'request_map_data',
    by: 'client',
    key: 'chunk',
    answers: ['map_data'],
    ended: ['map_change', 'ready'],
  },
  { code: 'unanswered', weight: 'wrong', after: 'ready', by: 'client', answers: ['con_ready'], ended: ['map_change'] },
  {
    code: 'unanswered',
    weight: 'warning',
    after: 'con_ready',
    by: 'server',
    answers: ['cl_startinfo', 'enter_game', 'ready'],
    ended: ['map_change'],
  },
  {
    code: 'unanswered',
    weight: 'wrong',
    after: 'cl_startinfo',
    by: 'client',
    answers: ['sv_readytoenter'],
    ended: ['map_change', 'snap', 'snap_single', 'snap_empty'],
  },
  {
    code: 'unanswered',
    weight: 'wrong',
    after: 'sv_readytoenter',
    by: 'server',
    answers: ['enter_game'],
    ended: ['map_change'],
  },
  {
    code: 'unanswered',
    weight: 'wrong',
    after: 'enter_game',
    by: 'client',
    answers: ['snap', 'snap_single', 'snap_empty'],
    ended: ['map_change'],
  },
  {
    code: 'unanswered',
    weight: 'warning',
    after: 'rcon_auth',
    by: 'client',
    answers: ['rcon_auth_status', 'rcon_auth_on', 'rcon_line'],
  },
  { code: 'unanswered', weight: 'warning', after: 'ping_ex', by: 'client', answers: ['pong_ex'] },
  { code: 'unanswered', weight: 'warning', after: 'what_is', by: 'both', answers: ['it_is', 'i_dont_know'] },
  { code: 'unanswered', weight: 'note', after: 'cl_callvote', by: 'client', answers: ['sv_voteset', 'sv_chat'] },
];

/** In the order of `ProcessClientPacket` in server.cpp, where each state of a client takes its own messages. */
export const order: readonly OrderExpectation[] = [
  { code: 'out_of_place', weight: 'wrong', message: 'ready', place: 'before_info' },
  { code: 'out_of_place', weight: 'wrong', message: 'enter_game', place: 'before_info' },
  { code: 'out_of_place', weight: 'wrong', message: 'info', place: 'after_entering' },
];

/** What a snapshot says of a client: the items that it has, who records, and a speed or a place that no game makes. */
export type ClientFact = 'player' | 'info' | 'character' | 'recorder' | 'fast' | 'outside';

/** What has to be true of the items of each snapshot. */
interface ItemExpectation extends Expectation {
  /** It is broken by each client of whom a snapshot says one thing, and not the other. Further rows have code. */
  readonly has?: ClientFact;
  readonly lacks?: ClientFact;
  /** The snapshots in a row from which it is told. */
  readonly least: number;
  /** Whether all of one kind are told together at the end, since they come and go with single snapshots. */
  readonly joins?: true;
}

const items = {
  player_without_info: { code: 'player_without_info', weight: 'wrong', has: 'player', lacks: 'info', least: 2 },
  character_without_player: {
    code: 'character_without_player',
    weight: 'wrong',
    has: 'character',
    lacks: 'player',
    least: 2,
  },
  impossible_speed: { code: 'impossible_speed', weight: 'wrong', has: 'fast', least: 1, joins: true },
  outside_map: { code: 'outside_map', weight: 'wrong', has: 'outside', least: 1, joins: true },
  items_dropped: { code: 'items_dropped', weight: 'wrong', least: 1, joins: true },
  unregistered_items: { code: 'unregistered_items', weight: 'wrong', least: 3 },
  two_recorders: { code: 'two_recorders', weight: 'wrong', least: 1, joins: true },
  newer_items: { code: 'newer_items', weight: 'note', least: 1, joins: true },
  others_absent: { code: 'others_absent', weight: 'note', least: 1 },
} as const satisfies Partial<Record<Code, ItemExpectation>>;

export type ItemCode = keyof typeof items;

export const itemRows: Readonly<Record<ItemCode, ItemExpectation>> = items;

/** What has to be true of a whole recording. */
const whole = {
  never_answered: { code: 'never_answered', weight: 'wrong' },
  never_went_on: { code: 'never_went_on', weight: 'wrong' },
  flood: { code: 'flood', weight: 'note' },
  never_acknowledged: { code: 'never_acknowledged', weight: 'wrong' },
  recorders_alternate: { code: 'recorders_alternate', weight: 'wrong' },
  recorder_changes: { code: 'recorder_changes', weight: 'note' },
  unknown_client: { code: 'unknown_client', weight: 'note' },
  message_before_snapshot: { code: 'message_before_snapshot', weight: 'note' },
  not_stopped: { code: 'not_stopped', weight: 'note' },
} as const satisfies Partial<Record<Code, Expectation>>;

export const wholeRows: Readonly<Record<keyof typeof whole, Expectation>> = whole;

/** The codes of all rows: what is wrong there is wrong in the story, not in the bytes. */
export const expectedCodes: ReadonlySet<string> = new Set(
  [...answers, ...order, ...Object.values(itemRows), ...Object.values(wholeRows)].map(({ code }) => code),
);
