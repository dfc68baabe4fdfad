import type { Protocol } from '../../wire/protocol/registry.ts';
import { ItemFields } from '../../wire/snapshot/item-fields.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { PlayerRef, Team } from './event.ts';
import { Players } from './players.ts';
import type { ScoreUnit } from './score.ts';

/**
 * A bit of `game_state_flags` in 0.6: DDNet stores the start tick of the race as a negative number in the warmup timer.
 */
export const raceTime06 = 8;
const teamGame = 1;
const flagGame = 2;
/** A bit of `game_flags` in 0.7, which only servers with races set. */
const race07 = 8;
/**
 * Bits of `game_info_ex.flags` for DDRace and DDNet: health has no meaning there, and damage indicators show freezing.
 */
const raceFlags = 16 | 32;
/** A bit of `game_info_ex.flags`: in 0.6 a score is a time. */
const timeScore = 1;
/** The bits of `game_info_ex.flags` and `flags2` that say which game it is. */
const gameTypes = {
  2: 'race',
  4: 'fastcap',
  8: 'fng',
  16: 'ddrace',
  32: 'ddnet',
  64: 'block worlds',
  128: 'vanilla',
  256: 'plus',
};
const gameTypes2 = { 2: 'city', 4: 'fddrace' };
/** Since version 7 of `game_info_ex`, clients show health and armour, or ammunition, only with these bits of `flags2`. */
const hudVersion = 7;
const healthFlag = 16;
const ammoFlag = 32;
/** A bit of `game_info_ex.flags2` in development builds before 20.1, whose items have fewer ints than this. */
const supports128Teams = 2048;
const developmentInfoSize = 6;

function itemsOf(protocol: Protocol) {
  const of = (name: string) => new ItemFields(protocol, name);
  const is07 = protocol.version === '0.7';
  return {
    playerInfos: of('obj_player_info'),
    /** 0.7 has an item with the team and the recording player, which only demos contain. */
    clientInfos: of('obj_de_client_info'),
    characters: of('obj_character'),
    ddnetCharacters: of('ddnet_character'),
    ddnetPlayers: of('ddnet_player'),
    races: of('obj_player_info_race'),
    spectators: of('obj_spectator_info'),
    gameInfo: of(is07 ? 'obj_de_game_info' : 'obj_game_info'),
    gameInfoEx: of('game_info_ex'),
    gameData: of('obj_game_data'),
    flags: of(is07 ? 'obj_game_data_flag' : 'obj_game_data'),
    scores: of(is07 ? 'obj_game_data_team' : 'obj_game_data'),
    deaths: of('event_death'),
    damage: of('event_damage'),
    spawns: of('event_spawn'),
    sounds: of('event_sound_world'),
  };
}

/** The known state of the game at a tick, shared by the event detectors. */
export class GameState {
  readonly protocol: Protocol;
  readonly items: ReturnType<typeof itemsOf>;
  readonly names = new Players();
  tick = -1;
  /** The client number of the player whose client received the snapshots. */
  local: number | undefined;
  hasTeams = false;
  hasFlags = false;
  isRace = false;
  scoreUnit: ScoreUnit = 'points';
  /** What `game_info_ex` says of the game: `ddrace`, `ddnet`. */
  types: readonly string[] = [];
  isDDNet = false;
  /** Whether clients show health and armour. */
  showsHealth = true;
  /** Whether clients show the ammunition of the weapon that is held. */
  showsAmmo = true;
  /** Whether the player numbers of the current message are not those of the snapshots. */
  hasForeignNumbers = false;
  /** The number of DDNet's teams, the super team among them; 0 if it is not sent. */
  #teams = 0;
  #supports128Teams = false;

  constructor(protocol: Protocol) {
    this.protocol = protocol;
    this.items = itemsOf(protocol);
  }

  onSnapshot(snapshot: Snapshot): void {
    this.names.onSnapshot(snapshot, this.protocol);
    const { gameInfo, gameInfoEx } = this.items;
    for (const i of gameInfo.all(snapshot)) {
      const flags = gameInfo.get(snapshot, i, 'game_flags');
      this.onGameFlags(flags);
    }
    gameInfoEx.register(snapshot);
    for (const i of gameInfoEx.all(snapshot)) {
      this.isDDNet = true;
      const flags = gameInfoEx.get(snapshot, i, 'flags');
      this.isRace = (flags & raceFlags) !== 0;
      const flags2 = gameInfoEx.get(snapshot, i, 'flags2');
      this.types = [...namesOf(gameTypes, flags), ...namesOf(gameTypes2, flags2)];
      const showsAll = gameInfoEx.get(snapshot, i, 'version') < hudVersion;
      this.showsHealth = showsAll || (flags2 & healthFlag) !== 0;
      this.showsAmmo = showsAll || (flags2 & ammoFlag) !== 0;
      if (this.protocol.version === '0.6') this.scoreUnit = (flags & timeScore) !== 0 ? 'seconds' : 'points';
      // Since 20.1 the bit means something else, and an int has the number of teams.
      this.#teams = gameInfoEx.get(snapshot, i, 'num_ddrace_teams');
      const hasFlag = snapshot.size(i) < developmentInfoSize;
      this.#supports128Teams = hasFlag && (flags2 & supports128Teams) !== 0;
    }
  }

  /** The `game_flags` of a snapshot, or of the message that a server of 0.7 sends instead. */
  onGameFlags(flags: number): void {
    this.hasTeams = (flags & teamGame) !== 0;
    this.hasFlags = (flags & flagGame) !== 0;
    if (this.protocol.version === '0.7') this.scoreUnit = (flags & race07) !== 0 ? 'milliseconds' : 'points';
  }

  player(client: number): PlayerRef {
    return this.hasForeignNumbers ? { client: -1, name: undefined } : { client, name: this.names.nameOf(client) };
  }

  optionalPlayer(client: number): PlayerRef | undefined {
    return client < 0 ? undefined : this.player(client);
  }

  /**
   * The number of DDNet's super team. It follows from the number of clients in the message that lists the teams. A
   * DDNet 19 client on a 20.0 server uses 64 with a list of 128; no snapshot shows this case, so it is not detected.
   */
  superTeam(clients: number): number {
    if (this.#teams > 0) return this.#teams - 1;
    if (clients <= 16) return 16;
    return clients > 64 && this.#supports128Teams ? 128 : 64;
  }

  teamOf(team: number): Team {
    if (team < 0) return 'spectators';
    if (!this.hasTeams) return 'game';
    return team === 0 ? 'red' : 'blue';
  }
}

const namesOf = (names: Readonly<Record<number, string>>, flags: number): string[] =>
  Object.entries(names).flatMap(([bit, name]) => ((flags & Number(bit)) === 0 ? [] : [name]));

/** Finds one kind of events. All detectors of a stream share the state of the game. */
export abstract class Detector {
  protected readonly state: GameState;

  constructor(state: GameState) {
    this.state = state;
  }
}
