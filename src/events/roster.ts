import { isPlaceholder } from '../recording/player-names.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { GameEvent, PlayerRef, Team } from './event.ts';
import type { GameState } from './game-state.ts';
import { ItemFields } from './item-fields.ts';
import type { MessageFields } from './message-fields.ts';

/** Whether somebody stands in the snapshots, or a message has told otherwise and the snapshots still lag behind. */
type Presence = 'here' | 'announced' | 'gone';

interface Player {
  presence: Presence;
  /** Tick of the last message about coming, going or the side. */
  heard: number;
  name: string | undefined;
  side: Team | undefined;
}

/** What stands for a name until it is known. */
const namesBefore = ['', '(connecting)'];

/** Ticks for which a snapshot may lag behind a message. */
const lag = 50;

/** Who comes, goes, changes the name or the team: by messages where there are any, else by the snapshots. */
export class Roster {
  readonly #scene: GameState;
  readonly #infos: ItemFields<'local' | 'team'>;
  readonly #clients: ItemFields<'local' | 'team'>;
  readonly #players = new Map<number, Player>();
  #started = false;
  /**
   * Whether the server announces in chat alone who joins and leaves, as DDNet from 20.0. To a client of 0.7 it shows at most 62
   * players, moves them between their numbers as they come near, and sends a silent `sv_clientdrop` without a reason and a silent
   * `sv_clientinfo` for each move. Vanilla servers send silent ones too if they are set up so, but only for spectators.
   */
  #announcesInChat = false;
  /** What the server has said in its own words, and when: `joined cammo`. */
  readonly #said = new Map<string, number>();

  constructor(scene: GameState) {
    this.#scene = scene;
    this.#infos = new ItemFields(scene.protocol, 'obj_player_info', ['local', 'team']);
    this.#clients = new ItemFields(scene.protocol, 'obj_de_client_info', ['local', 'team']);
  }

  /** Takes a line of the server's: what it says need not be told again. */
  said(line: string): void {
    for (const [kind, pattern] of lines) {
      const name = pattern.exec(line)?.[1];
      if (name !== undefined) this.#said.set(`${kind} ${name}`, this.#scene.tick);
    }
    for (const [key, tick] of this.#said) if (Math.abs(this.#scene.tick - tick) > 2 * lag) this.#said.delete(key);
  }

  /** Whether the server has said it just now. */
  wasSaid(kind: (typeof lines)[number][0], name: string | undefined): boolean {
    const tick = this.#said.get(`${kind} ${name}`);
    return tick !== undefined && Math.abs(this.#scene.tick - tick) <= 2 * lag;
  }

  *onMessage(message: string, fields: MessageFields): Iterable<GameEvent> {
    const client = fields.int('client_id');
    switch (message) {
      case 'sv_clientinfo': {
        const [name, side] = [fields.text('name'), this.#scene.side(fields.int('team'))];
        const isSilent = fields.int('silent') === 1;
        this.#announcesInChat = isSilent && (this.#announcesInChat || side !== 'spectators');
        if (!this.#announcesInChat) yield* this.#announce(client, name, side);
        else this.#players.set(client, { presence: 'announced', heard: this.#scene.tick, name, side });
        break;
      }
      case 'de_cliententer':
        yield* this.#announce(client, fields.text('name'), this.#scene.side(fields.int('team')));
        break;
      case 'sv_clientdrop':
      case 'de_clientleave': {
        const player = this.#players.get(client);
        if (player?.presence === 'gone') break;
        const name = fields.text('name') || player?.name;
        const reason = fields.text('reason');
        this.#players.set(client, { presence: 'gone', heard: this.#scene.tick, name, side: undefined });
        if (fields.int('silent') === 1 && reason === '' && player?.side !== 'spectators') this.#announcesInChat = true;
        if (this.#announcesInChat && (reason === '' || this.wasSaid('left', name))) break;
        yield { what: 'left', who: { client, name }, reason };
        break;
      }
      case 'sv_team': {
        const player = this.#players.get(client);
        if (!player) break;
        yield* this.#moved(client, player, this.#scene.side(fields.int('team')));
        player.heard = this.#scene.tick;
        break;
      }
    }
  }

  *onSnapshot(snapshot: Snapshot): Iterable<GameEvent> {
    const found = this.#infos.all(snapshot);
    const seen = new Set<number>();
    for (const i of found) {
      const client = snapshot.id(i);
      seen.add(client);
      const side = this.#sideOf(snapshot, i);
      yield* this.#seen(client, side);
    }
    for (const [client, player] of this.#players) {
      if (seen.has(client) || player.presence === 'announced') continue;
      this.#players.delete(client);
      if (player.presence === 'here' && !this.#announcesInChat && !this.wasSaid('left', player.name)) {
        yield { what: 'left', who: { client, name: player.name }, reason: '' };
      }
    }
    if (!this.#started && found.length > 0) yield this.#cast();
    this.#started ||= found.length > 0;
  }

  #sideOf(snapshot: Snapshot, i: number): Team | undefined {
    const [infos, clients] = [this.#infos, this.#clients];
    // 0.6 has both in the player's info, 0.7 in what only demos hold.
    const at = clients.type < 0 ? i : clients.find(snapshot, snapshot.id(i));
    const places = clients.type < 0 ? infos : clients;
    if (at < 0) return undefined;
    if (places.get(snapshot, at, 'local') === 1) this.#scene.local = snapshot.id(i);
    return this.#scene.side(places.get(snapshot, at, 'team'));
  }

  *#seen(client: number, side: Team | undefined): Iterable<GameEvent> {
    const name = this.#scene.names.of(client);
    if (isPlaceholder(client, name)) return;
    const player = this.#players.get(client);
    const lags = player !== undefined && Math.abs(this.#scene.tick - player.heard) <= lag;
    if (!player || (player.presence === 'gone' && !lags)) {
      this.#players.set(client, { presence: 'here', heard: Number.NEGATIVE_INFINITY, name, side });
      const isAnnounced = this.#announcesInChat || this.wasSaid('joined', name);
      if (this.#started && !isAnnounced) yield { what: 'joined', who: this.#scene.who(client), side };
      return;
    }
    if (player.presence === 'gone') return;
    player.presence = 'here';
    if (name !== undefined) yield* this.#named(client, player, name);
    if (side !== undefined && !lags) yield* this.#moved(client, player, side);
  }

  *#announce(client: number, name: string, side: Team): Iterable<GameEvent> {
    const player = this.#players.get(client);
    if (player && player.presence !== 'gone') {
      yield* this.#named(client, player, name);
      return;
    }
    this.#players.set(client, { presence: 'announced', heard: this.#scene.tick, name, side });
    yield { what: 'joined', who: { client, name }, side };
  }

  *#named(client: number, player: Player, name: string): Iterable<GameEvent> {
    const from = player.name;
    player.name = name;
    if (from === undefined || from === name || namesBefore.includes(from)) return;
    if (this.#announcesInChat || this.wasSaid('renamed', from)) return;
    yield { what: 'renamed', who: { client, name }, from };
  }

  *#moved(client: number, player: Player, side: Team): Iterable<GameEvent> {
    const from = player.side;
    player.side = side;
    if (from !== undefined && from !== side && !this.wasSaid('side', player.name))
      yield { what: 'side', who: this.#scene.who(client), side };
  }

  #cast(): GameEvent {
    const playing: PlayerRef[] = [];
    const watching: PlayerRef[] = [];
    for (const [client, { name, side }] of [...this.#players].sort(([a], [b]) => a - b)) {
      if (isPlaceholder(client, name)) continue;
      (side === 'spectators' ? watching : playing).push(this.#scene.who(client));
    }
    const { local } = this.#scene;
    return { what: 'cast', playing, watching, local: local === undefined ? undefined : this.#scene.who(local) };
  }
}

/** What a 0.6 server says in chat of those who come and go. */
const lines = [
  ['joined', /^'(.*)' entered and joined the /],
  ['left', /^'(.*)' has left the game/],
  ['renamed', /^'(.*)' changed name to '/],
  ['side', /^'(.*)' joined the /],
  ['ddrace_team', /^'(.*)' joined team /],
] as const;
