import type { MessageFields } from '../../wire/packet/message.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { GameEvent, PlayerRef, Team } from './event.ts';
import { Detector, type GameState } from './game-state.ts';
import { isPlaceholder } from './players.ts';

interface Player {
  /**
   * Whether the player is in the snapshots, or a message has announced a join or leave that the snapshots do not show
   * yet.
   */
  presence: 'present' | 'announced' | 'gone';
  lastMessage: number;
  name: string | undefined;
  team: Team | undefined;
}

const unknownNames = ['', '(connecting)'];

/** The number of ticks by which a snapshot may be older than a message. */
const lag = 50;

/**
 * Finds players who join, leave, or change the name or the team: in messages if there are any, otherwise in the
 * snapshots.
 */
export class Roster extends Detector {
  readonly #players = new Map<number, Player>();
  #started = false;
  /**
   * Whether the server announces joins and leaves only in chat, as DDNet does from 20.0 on. DDNet shows a 0.7 client at
   * most 62 players and assigns client numbers to the players nearby. For each reassignment it sends a silent
   * `sv_clientdrop` without a reason and a silent `sv_clientinfo`. Vanilla servers send silent messages only for
   * spectators (`sv_silent_spectator_mode`).
   */
  #announcesInChat = false;
  /** The tick of each recent announcement of the server in chat; a key is `joined cammo`. */
  readonly #chatLines = new Map<string, number>();

  /**
   * Whether players appear in snapshots and vanish from them without joining or leaving. DDNet announces every join and
   * leave to a client of 0.7 in a message.
   */
  get #movesPlayers(): boolean {
    return this.#announcesInChat || (this.state.isDDNet && this.state.protocol.version === '0.7');
  }

  readonly #withTold: boolean;

  /** @param withTold whether what the chat announces is an event, too */
  constructor(state: GameState, withTold: boolean) {
    super(state);
    this.#withTold = withTold;
  }

  /** Stores the announcement in a chat line of the server, so that no event repeats it. */
  onServerLine(line: string): void {
    for (const [kind, pattern] of serverLines) {
      const name = pattern.exec(line)?.[1];
      if (name !== undefined) this.#chatLines.set(`${kind} ${name}`, this.state.tick);
    }
    for (const [key, tick] of this.#chatLines)
      if (Math.abs(this.state.tick - tick) > 2 * lag) this.#chatLines.delete(key);
  }

  /** Whether the chat announces it, and this is enough. */
  isTold(kind: (typeof serverLines)[number][0], name: string | undefined): boolean {
    return !this.#withTold && this.#wasInChat(kind, name);
  }

  #wasInChat(kind: (typeof serverLines)[number][0], name: string | undefined): boolean {
    const tick = this.#chatLines.get(`${kind} ${name}`);
    return tick !== undefined && Math.abs(this.state.tick - tick) <= 2 * lag;
  }

  *onMessage(message: string, fields: MessageFields): Iterable<GameEvent> {
    const client = fields.int('client_id');
    const player = this.#players.get(client);
    const { tick } = this.state;
    const name = fields.text('name');
    const team = this.state.teamOf(fields.int('team'));
    const isSilent = fields.int('silent') === 1;
    if (message === 'sv_clientinfo') {
      this.#announcesInChat = isSilent && (this.#announcesInChat || team !== 'spectators');
      if (!this.#announcesInChat) yield* this.#onJoin(client, name, team);
      else this.#players.set(client, { presence: 'announced', lastMessage: tick, name, team });
    } else if (message === 'de_cliententer') yield* this.#onJoin(client, name, team);
    else if (message === 'sv_team' && player) {
      yield* this.#onTeam(client, player, team);
      player.lastMessage = tick;
    } else if ((message === 'sv_clientdrop' || message === 'de_clientleave') && player?.presence !== 'gone') {
      const known = name || player?.name;
      const reason = fields.text('reason');
      this.#players.set(client, { presence: 'gone', lastMessage: tick, name: known, team: undefined });
      if (isSilent && reason === '' && player?.team !== 'spectators') this.#announcesInChat = true;
      const isInChat = this.#wasInChat('leave', known);
      if (this.#announcesInChat && (reason === '' || isInChat) && !(this.#withTold && isInChat)) return;
      yield { what: 'leave', player: { client, name: known }, reason };
    }
  }

  /** Whether the snapshots have players, but not this one. */
  lacks(client: number): boolean {
    return this.#started && !this.#players.has(client);
  }

  *onSnapshot(snapshot: Snapshot): Iterable<GameEvent> {
    const found = this.state.items.playerInfos.all(snapshot);
    const seen = new Set(found.map((i) => snapshot.id(i)));
    for (const i of found) {
      const client = snapshot.id(i);
      const team = this.#teamOf(snapshot, i);
      // Nearly all are as before, and a generator for each of 34 players took 4 % of a report.
      if (!this.#isAsBefore(client, team)) yield* this.#onPlayer(client, team);
    }
    for (const [client, player] of this.#players) {
      if (seen.has(client) || player.presence === 'announced') continue;
      this.#players.delete(client);
      if (player.presence === 'present' && !this.#movesPlayers && !this.isTold('leave', player.name)) {
        yield { what: 'leave', player: { client, name: player.name }, reason: '' };
      }
    }
    if (!this.#started && found.length > 0) yield this.#playersPresent();
    this.#started ||= found.length > 0;
  }

  #teamOf(snapshot: Snapshot, i: number): Team | undefined {
    const { playerInfos: infos, clientInfos: clients } = this.state.items;
    // 0.6 has both fields in the player info, 0.7 in an item that only demos contain.
    const at = clients.type < 0 ? i : clients.find(snapshot, snapshot.id(i));
    const items = clients.type < 0 ? infos : clients;
    if (at < 0) return undefined;
    if (items.get(snapshot, at, 'local') === 1) this.state.local = snapshot.id(i);
    return this.state.teamOf(items.get(snapshot, at, 'team'));
  }

  #isAsBefore(client: number, team: Team | undefined): boolean {
    const player = this.#players.get(client);
    const name = this.state.names.nameOf(client);
    const isSame = (name === undefined || name === player?.name) && (team === undefined || team === player?.team);
    return player?.presence === 'present' && isSame;
  }

  *#onPlayer(client: number, team: Team | undefined): Iterable<GameEvent> {
    const name = this.state.names.nameOf(client);
    if (isPlaceholder(client, name)) return;
    const player = this.#players.get(client);
    const lags = player !== undefined && Math.abs(this.state.tick - player.lastMessage) <= lag;
    if (!player || (player.presence === 'gone' && !lags)) {
      this.#players.set(client, { presence: 'present', lastMessage: Number.NEGATIVE_INFINITY, name, team });
      const isAnnounced = this.#movesPlayers || this.isTold('join', name);
      if (this.#started && !isAnnounced) yield { what: 'join', player: this.state.player(client), team };
      return;
    }
    if (player.presence === 'gone') return;
    player.presence = 'present';
    if (name !== undefined) yield* this.#onName(client, player, name);
    if (team !== undefined && !lags) yield* this.#onTeam(client, player, team);
  }

  *#onJoin(client: number, name: string, team: Team): Iterable<GameEvent> {
    const player = this.#players.get(client);
    if (player && player.presence !== 'gone') {
      yield* this.#onName(client, player, name);
      return;
    }
    this.#players.set(client, { presence: 'announced', lastMessage: this.state.tick, name, team });
    yield { what: 'join', player: { client, name }, team };
  }

  *#onName(client: number, player: Player, name: string): Iterable<GameEvent> {
    const from = player.name;
    player.name = name;
    if (from === undefined || from === name || unknownNames.includes(from)) return;
    const isInChat = this.#wasInChat('rename', from);
    if ((this.#announcesInChat || isInChat) && !(this.#withTold && isInChat)) return;
    yield { what: 'rename', player: { client, name }, from };
  }

  *#onTeam(client: number, player: Player, team: Team): Iterable<GameEvent> {
    const from = player.team;
    player.team = team;
    if (from !== undefined && from !== team && !this.isTold('change_team', player.name))
      yield { what: 'change_team', player: this.state.player(client), team };
  }

  #playersPresent(): GameEvent {
    const playing: PlayerRef[] = [];
    const watching: PlayerRef[] = [];
    for (const [client, { name, team }] of [...this.#players].sort(([a], [b]) => a - b)) {
      if (isPlaceholder(client, name)) continue;
      (team === 'spectators' ? watching : playing).push(this.state.player(client));
    }
    const { local } = this.state;
    return {
      what: 'players_present',
      playing,
      watching,
      local: local === undefined ? undefined : this.state.player(local),
    };
  }
}

const serverLines = [
  ['join', /^'(.*)' entered and joined the /],
  ['leave', /^'(.*)' has left the game/],
  ['rename', /^'(.*)' changed name to '/],
  ['change_team', /^'(.*)' joined the /],
  ['ddrace_team', /^'(.*)' joined team /],
] as const;
