import type { Protocol } from '../protocol/registry.ts';
import { Players } from '../recording/players.ts';
import { ItemFields } from '../snapshot/item-fields.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { PlayerRef, Team } from './event.ts';

const teamGame = 1;
const flagGame = 2;
/** Bits of `game_info_ex.flags` for DDRace and DDNet: health has no meaning there, and damage indicators show freezing. */
const raceFlags = 16 | 32;
/** A bit of `game_info_ex.flags2` that DDNet servers set from 20.0 on. */
const supports128Teams = 2048;

/** The known state of the game at a tick, shared by the event detectors. */
export class GameState {
  readonly protocol: Protocol;
  readonly names = new Players();
  tick = -1;
  /** The client number of the player whose client received the snapshots. */
  local: number | undefined;
  hasTeams = false;
  hasFlags = false;
  isRace = false;
  /** Whether the snapshots are those of a DDNet server. */
  isDDNet = false;
  /** Whether the player numbers of the current message are not those of the snapshots. */
  hasForeignNumbers = false;
  #supports128Teams = false;
  readonly #gameInfo: readonly ItemFields<'game_flags'>[];
  readonly #gameInfoEx: ItemFields<'flags' | 'flags2'>;

  constructor(protocol: Protocol) {
    this.protocol = protocol;
    this.#gameInfo = ['obj_game_info', 'obj_de_game_info'].map(
      (name) => new ItemFields(protocol, name, ['game_flags'] as const),
    );
    this.#gameInfoEx = new ItemFields(protocol, 'game_info_ex', ['flags', 'flags2']);
  }

  onSnapshot(snapshot: Snapshot): void {
    this.names.onSnapshot(snapshot, this.protocol);
    for (const info of this.#gameInfo) {
      for (const i of info.all(snapshot)) {
        const flags = info.get(snapshot, i, 'game_flags');
        this.hasTeams = (flags & teamGame) !== 0;
        this.hasFlags = (flags & flagGame) !== 0;
      }
    }
    this.#gameInfoEx.register(snapshot);
    for (const i of this.#gameInfoEx.all(snapshot)) {
      this.isDDNet = true;
      this.isRace = (this.#gameInfoEx.get(snapshot, i, 'flags') & raceFlags) !== 0;
      this.#supports128Teams = (this.#gameInfoEx.get(snapshot, i, 'flags2') & supports128Teams) !== 0;
    }
  }

  player(client: number): PlayerRef {
    return this.hasForeignNumbers ? { client: -1, name: undefined } : { client, name: this.names.nameOf(client) };
  }

  /** Undefined if the number is negative, which means no client. */
  optionalPlayer(client: number): PlayerRef | undefined {
    return client < 0 ? undefined : this.player(client);
  }

  /**
   * The number of DDNet's super team. It follows from the number of clients in the message that lists the teams. A DDNet 19 client
   * on a 20.0 server uses 64 with a list of 128; no snapshot shows this case, so it is not detected.
   */
  superTeam(clients: number): number {
    if (clients <= 16) return 16;
    return clients > 64 && this.#supports128Teams ? 128 : 64;
  }

  teamOf(team: number): Team {
    if (team < 0) return 'spectators';
    if (!this.hasTeams) return 'game';
    return team === 0 ? 'red' : 'blue';
  }
}
