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
  #finishAnnouncedAt = Number.NEGATIVE_INFINITY;

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
    if (name === 'sv_chat') yield this.#chat(fields);
    else if (name === 'sv_killmsg') yield this.#kill(fields);
    else if (name === 'sv_killmsgteam')
      yield { what: 'team_killed', player: state.player(fields.int('first')), team: fields.int('team') };
    else if (name === 'sv_emoticon') yield { what: 'emoticon', player: player(), emoticon: fields.int('emoticon') };
    else if (name === 'sv_voteset') yield this.#vote(fields);
    else if (name === 'sv_gamemsg') yield* this.#gameMessage(fields);
    else if (name === 'sv_racefinish') yield { what: 'finished', player: player(), ...finishOf(message, fields) };
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

  #chat(fields: MessageFields): GameEvent {
    const state = this.state;
    const text = fields.text('message');
    const client = fields.int('client_id');
    const player = state.optionalPlayer(client);
    if (!player) {
      this.#roster.onServerLine(text);
      if (/ finished in: /.test(text)) this.#finishAnnouncedAt = state.tick;
    }
    const { target, ...chat } = chatOf(fields, (player) => state.optionalPlayer(player), this.#localPlayer);
    return { what: 'chat', ...chat, ...(target ? { target } : {}), text };
  }

  #named(client: number): PlayerRef {
    const player = this.state.player(client);
    const isAbsent = player.client >= 0 && player.name === undefined && this.#roster.lacks(client);
    return isAbsent ? { ...player, isAbsent } : player;
  }

  #kill(fields: MessageFields): GameEvent {
    const killer = fields.int('killer');
    // In 0.7, a negative killer is the team of a killer who has left.
    const isTeam = this.state.protocol.version === '0.7' && killer < 0;
    const team = killer === -1 ? 'red' : 'blue';
    return {
      what: 'killed',
      player: this.#named(fields.int('victim')),
      killer: killer < 0 ? undefined : this.#named(killer),
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
        : { what: 'vote_over', result: undefined };
    }
    const result = voteResults[fields.int('type')];
    if (result) return { what: 'vote_over', result };
    if (fields.int('timeout') === 0) return { what: 'vote_over', result: undefined };
    const player = this.state.optionalPlayer(fields.int('client_id'));
    return { what: 'vote', player, kind: voteKinds[fields.int('type')], description, reason };
  }

  *#ddraceTime(message: string, fields: MessageFields): Iterable<GameEvent> {
    const { diff, ...finish } = finishOf(message, fields);
    if (fields.int('finish') === 0) {
      if (diff !== undefined) yield { what: 'checkpoint', player: this.#localPlayer, diff };
    } else if (this.#finishAnnouncedAt !== this.state.tick) {
      yield { what: 'finished', player: this.#localPlayer, diff, ...finish };
    }
  }

  *#ddraceTeams(fields: MessageFields): Iterable<GameEvent> {
    const superTeam = this.state.superTeam(fields.numbers.size);
    for (const [client, team] of [...fields.numbers.values()].entries()) {
      if (team === (this.#teams.get(client) ?? 0)) continue;
      this.#teams.set(client, team);
      const player = this.state.player(client);
      if (!this.#roster.wasInChat('ddrace_team', player.name)) {
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
    if (params.length > 0) yield { what: 'tuned', params };
  }
}
