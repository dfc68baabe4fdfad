import type { MessageFields } from '../../wire/packet/message.ts';
import { gameMsg } from '../../wire/protocol/messages.ts';
import { defaultTuning, isDefaultTuning } from '../../wire/protocol/tuning.ts';
import type { Announcement, GameEvent, PlayerRef, TuneChange } from './event.ts';
import { Detector, type GameState } from './game-state.ts';
import type { Roster } from './roster.ts';

const announcements: Readonly<Record<string, readonly [kind: Announcement, field: string]>> = {
  sv_motd: ['motd', 'message'],
  sv_broadcast: ['broadcast', 'message'],
  sv_serveralert: ['alert', 'message'],
  sv_moderatoralert: ['moderator_alert', 'message'],
  sv_mapinfo: ['map_info', 'description'],
  rcon_line: ['rcon', 'line'],
  map_change: ['map_change', 'name'],
};

export const voteKinds = [undefined, 'option', 'kick', 'spectate'] as const;
export const voteResults: Readonly<Record<number, 'aborted' | 'passed' | 'failed'>> = {
  4: 'aborted',
  5: 'passed',
  6: 'failed',
};

export interface Chat {
  readonly player: PlayerRef | undefined;
  readonly to: 'all' | 'team' | 'whisper';
  readonly target: PlayerRef | undefined;
}

/** @param local the player who received the message */
export function chatOf(
  fields: MessageFields,
  playerOf: (client: number) => PlayerRef | undefined,
  local: PlayerRef | undefined,
): Chat {
  const player = playerOf(fields.int('client_id'));
  if (fields.numbers.has('mode')) {
    const mode = fields.int('mode');
    if (mode === 3) return { player, to: 'whisper', target: playerOf(fields.int('target_id')) };
    return { player, to: mode === 2 ? 'team' : 'all', target: undefined };
  }

  const team = fields.int('team');
  // In DDNet, the player is the receiver of a whisper (2) or its sender (3).
  if (team === 2) return { player: local, to: 'whisper', target: player };
  if (team === 3) return { player, to: 'whisper', target: local };
  return { player, to: team === 1 ? 'team' : 'all', target: undefined };
}

/** The finish that a line of the chat announces: the player's name, and milliseconds. */
export function finishInChat(text: string): { readonly name: string; readonly time: number } | undefined {
  const [, name, minutes, seconds, fraction = ''] = finishLine.exec(text) ?? [];
  if (name === undefined) return undefined;
  return { name, time: 60_000 * Number(minutes) + 1000 * Number(seconds) + Math.round(1000 * Number(`0.${fraction}`)) };
}

export function finishOf(message: string, fields: MessageFields) {
  if (message !== 'sv_racefinish') {
    return { time: 10 * fields.int('time'), diff: 10 * fields.int('check') || undefined, record: undefined };
  }
  const personal = fields.int('record_personal') ? 'personal' : undefined;
  const record = fields.int('record_server') ? 'server' : personal;
  return { time: fields.int('time'), diff: fields.int('diff'), record } as const;
}

interface FinishFacts {
  readonly player: { readonly client: number; readonly name: string | undefined } | undefined;
  /** In milliseconds. */
  readonly time: number;
  readonly diff: number | undefined;
  readonly record: 'server' | 'personal' | undefined;
}

interface OfPlayer {
  readonly player: { readonly name: string | undefined } | undefined;
  readonly time: number;
}

/**
 * Whether two sources report the same finish, one without a name maybe that of several players. Some cut hundredths of
 * a second off.
 */
export function isSameFinish({ player: a, time }: OfPlayer, { player: b, time: other }: OfPlayer): boolean {
  return Math.abs(time - other) <= 10 && (a?.name === b?.name || a?.name === undefined || b?.name === undefined);
}

/** Whether a kill message is about a suicide or a fall: the games name the victim as killer, and it is nobody's kill. */
export const isBySelf = (fields: MessageFields): boolean => fields.int('killer') === fields.int('victim');

/** `nameless tee finished in: 1 minute(s) 23.45 second(s)`, a chat message of DDNet. */
const finishLine = /^(.*) finished in: (\d+) minute\(s\) +(\d+)\.(\d+) second\(s\)/;

/** Matches lines of the remote console that repeat the chat. */
const chatLine = /\[chat\]: | I chat: /;

/** Finds events in messages. {@link Roster} finds joins and leaves, {@link CaptureTheFlag} the events of flags. */
export class MessageEvents extends Detector {
  readonly #roster: Roster;
  /** The parameters of both versions, which differ. */
  readonly #tuning = new Map<string, number>();
  #bestTime = 0;
  readonly #teams = new Map<number, number>();
  /** The finishes that messages of this tick announced. */
  #finishes: FinishFacts[] = [];
  #finishesAt = -1;

  constructor(state: GameState, roster: Roster) {
    super(state);
    this.#roster = roster;
  }

  *onMessage(message: string, fields: MessageFields): Iterable<GameEvent> {
    const state = this.state;
    const announcement = announcements[message];
    if (announcement) {
      const [kind, field] = announcement;
      const text = fields.text(field);
      if (text !== '' && !(kind === 'rcon' && chatLine.test(text))) yield { what: 'announcement', kind, text };
      return;
    }
    const player = () => state.player(fields.int('client_id'));
    const name = message.replace(/legacy$/, '');
    if (name === 'sv_chat') yield* this.#chat(fields);
    else if (name === 'sv_killmsg') yield this.#kill(fields);
    else if (name === 'sv_killmsgteam')
      yield { what: 'team_kill', victim: state.player(fields.int('first')), team: fields.int('team') };
    else if (name === 'sv_emoticon') yield { what: 'emoticon', player: player(), emoticon: fields.int('emoticon') };
    else if (name === 'sv_voteset') yield this.#vote(fields);
    else if (name === 'sv_gamemsg') yield* this.#gameMessage(fields);
    else if (name === 'sv_racefinish') yield* this.#finish({ player: player(), ...finishOf(message, fields) });
    else if (name === 'sv_ddracetime') yield* this.#ddraceTime(message, fields);
    else if (name === 'sv_checkpoint')
      yield { what: 'checkpoint', player: this.#localPlayer, diff: fields.int('diff') };
    else if (name === 'sv_teamsstate') yield* this.#ddraceTeams(fields);
    else if (name === 'sv_tuneparams') yield* this.#tuned(fields);
    else if (name === 'sv_record') {
      const best = fields.int('server_time_best');
      if (best > 0 && best !== this.#bestTime) yield { what: 'best_time', time: 10 * best };
      this.#bestTime = best;
    }
  }

  *#gameMessage(fields: MessageFields): Iterable<GameEvent> {
    const name = gameMsg[fields.int('game_msg_id')];
    const parameter = fields.int('parameters[0]');
    // What happens to flags is found by {@link CaptureTheFlag}.
    if (name === undefined || name.startsWith('ctf_')) return;
    if (name === 'game_paused') yield { what: 'game_message', name, player: this.state.player(parameter) };
    else if (name === 'team_all' || name === 'team_balance_victim')
      yield { what: 'game_message', name, team: this.state.teamOf(parameter) };
    else yield { what: 'game_message', name };
  }

  get #localPlayer() {
    return this.state.local === undefined ? undefined : this.state.player(this.state.local);
  }

  *#chat(fields: MessageFields): Iterable<GameEvent> {
    const state = this.state;
    const text = fields.text('message');
    const client = fields.int('client_id');
    const player = state.optionalPlayer(client);
    if (!player) this.#roster.onServerLine(text);
    const { target, ...chat } = chatOf(fields, (player) => state.optionalPlayer(player), this.#localPlayer);
    yield { what: 'chat', ...chat, ...(target ? { target } : {}), text };
    const finish = player ? undefined : finishInChat(text);
    if (!finish) return;
    const { name, time } = finish;
    const number = state.hasForeignNumbers ? undefined : state.names.clientOf(name);
    yield* this.#finish({ player: { client: number ?? -1, name }, time, diff: undefined, record: undefined });
  }

  /** A server may announce a finish in chat and in messages: the first of a tick is the event. */
  *#finish(finish: FinishFacts): Iterable<GameEvent> {
    const { tick } = this.state;
    if (tick !== this.#finishesAt) this.#finishes = [];
    this.#finishesAt = tick;
    if (this.#finishes.some((other) => isSameFinish(other, finish))) return;
    this.#finishes.push(finish);
    yield { what: 'finish', ...finish };
  }

  #named(client: number): PlayerRef {
    const player = this.state.player(client);
    const isAbsent = player.client >= 0 && player.name === undefined && this.#roster.lacks(client);
    return isAbsent ? { ...player, isAbsent } : player;
  }

  #kill(fields: MessageFields): GameEvent {
    const killer = fields.int('killer');
    const bySelf = isBySelf(fields);
    // In 0.7, a negative killer is the team of a killer who has left.
    const isTeam = this.state.protocol.version === '0.7' && killer < 0;
    const team = killer === -1 ? 'red' : 'blue';
    return {
      what: 'kill',
      victim: this.#named(fields.int('victim')),
      killer: killer < 0 || bySelf ? undefined : this.#named(killer),
      ...(bySelf ? { bySelf } : {}),
      ...(isTeam ? { killerTeam: team } : {}),
      weapon: fields.int('weapon'),
      hadFlag: (fields.int('mode_special') & 1) !== 0,
    };
  }

  #vote(fields: MessageFields): GameEvent {
    const description = fields.text('description');
    const reason = fields.text('reason');
    if (!fields.numbers.has('type')) {
      return fields.int('timeout') > 0
        ? { what: 'vote', player: undefined, kind: undefined, description, reason }
        : { what: 'vote_end', result: undefined };
    }
    const result = voteResults[fields.int('type')];
    if (result) return { what: 'vote_end', result };
    if (fields.int('timeout') === 0) return { what: 'vote_end', result: undefined };
    const player = this.state.optionalPlayer(fields.int('client_id'));
    return { what: 'vote', player, kind: voteKinds[fields.int('type')], description, reason };
  }

  *#ddraceTime(message: string, fields: MessageFields): Iterable<GameEvent> {
    const { diff, ...finish } = finishOf(message, fields);
    if (fields.int('finish') === 0) {
      if (diff !== undefined) yield { what: 'checkpoint', player: this.#localPlayer, diff };
    } else yield* this.#finish({ player: this.#localPlayer, diff, ...finish });
  }

  *#ddraceTeams(fields: MessageFields): Iterable<GameEvent> {
    const superTeam = this.state.superTeam(fields.numbers.size);
    for (const [client, team] of [...fields.numbers.values()].entries()) {
      if (team === (this.#teams.get(client) ?? 0)) continue;
      this.#teams.set(client, team);
      const player = this.state.player(client);
      if (!this.#roster.isTold('ddrace_team', player.name)) {
        yield { what: 'ddrace_team', player, team, ...(team === superTeam ? { isSuper: true } : {}) };
      }
    }
  }

  /** DDNet sends the tuning with every snapshot, so only changes are events. */
  *#tuned({ numbers }: MessageFields): Iterable<GameEvent> {
    const params: TuneChange[] = [];
    for (const [name, value] of numbers) {
      const old = this.#tuning.get(name);
      if (old === value) continue;
      this.#tuning.set(name, value);
      const before = old ?? (isDefaultTuning(name, value) ? undefined : defaultTuning(name));
      if (before !== undefined) params.push({ name, old: before / 100, new: value / 100 });
    }
    if (params.length > 0) yield { what: 'tune', params };
  }
}
