import type { Diagnostic } from '../bytes/diagnostic.ts';

/** A player: the client number, and the name if it is known. Names are untrusted text. */
export interface PlayerRef {
  readonly client: number;
  readonly name: string | undefined;
}

/** What a player plays in: `game` if there are no teams. */
export type Team = 'game' | 'red' | 'blue' | 'spectators';

export type Flag = 'red' | 'blue';

/** About the recording itself. */
type RecordingNotice =
  | { readonly what: 'full_snapshot'; readonly items: number }
  /** The players in the first snapshot; `local` is the one who recorded it. */
  | {
      readonly what: 'players_present';
      readonly playing: readonly PlayerRef[];
      readonly watching: readonly PlayerRef[];
      readonly local: PlayerRef | undefined;
    }
  /** Ticks without a record. */
  | { readonly what: 'gap'; readonly ticks: number }
  /** A marker of the header, by its number from 1, and the number of markers. */
  | { readonly what: 'marker'; readonly number: number; readonly of: number }
  | { readonly what: 'diagnostic'; readonly diagnostic: Diagnostic }
  /** The number of events that were left out of a tick with too many of them. */
  | { readonly what: 'more'; readonly count: number };

/** Players who join, leave or change. */
type PlayerNotice =
  | { readonly what: 'joined'; readonly player: PlayerRef; readonly team: Team | undefined }
  | { readonly what: 'left'; readonly player: PlayerRef; readonly reason: string }
  | { readonly what: 'renamed'; readonly player: PlayerRef; readonly from: string }
  | { readonly what: 'changed_team'; readonly player: PlayerRef; readonly team: Team }
  /** A DDNet team, 0 for none; `isSuper` for the team of those with super powers, whose number depends on the version. */
  | { readonly what: 'ddrace_team'; readonly player: PlayerRef; readonly team: number; readonly isSuper?: true };

/** Deaths. `killer` is undefined if unknown; a negative `weapon` is the game, the player or the world. */
type DeathNotice =
  | {
      readonly what: 'killed';
      readonly player: PlayerRef;
      readonly killer: PlayerRef | undefined;
      /** The team of a killer who has left already. */
      readonly killerTeam?: Flag;
      readonly weapon: number;
      readonly hadFlag: boolean;
    }
  /** A death without a message about the killer. */
  | { readonly what: 'died'; readonly player: PlayerRef }
  | { readonly what: 'team_killed'; readonly player: PlayerRef; readonly team: number };

/** Text from players and from the server, all of it untrusted. */
type ChatNotice =
  /** `player` is undefined for text of the server. */
  | {
      readonly what: 'chat';
      readonly player: PlayerRef | undefined;
      readonly to: 'all' | 'team' | 'whisper';
      readonly target?: PlayerRef;
      readonly text: string;
    }
  | { readonly what: 'announcement'; readonly kind: Announcement; readonly text: string }
  | {
      readonly what: 'vote';
      readonly player: PlayerRef | undefined;
      readonly kind: 'option' | 'kick' | 'spectate' | undefined;
      readonly description: string;
      readonly reason: string;
    }
  | { readonly what: 'vote_over'; readonly result: 'passed' | 'failed' | 'aborted' | undefined };

export type Announcement = 'broadcast' | 'motd' | 'alert' | 'moderator_alert' | 'map_info' | 'rcon' | 'map_change';

/** The match and the race. */
type GameNotice =
  /** `seconds` is the time that is left, if the phase has an end. The ranking comes with the end of a game. */
  | {
      readonly what: 'game_phase';
      readonly phase: GamePhase;
      readonly on: boolean;
      readonly seconds: number | undefined;
      readonly ranking?: readonly { readonly player: PlayerRef; readonly score: number }[];
    }
  | { readonly what: 'round' }
  /** A message of a 0.7 game about teams, by its name in the source. `player` paused the game; `team` gets the players. */
  | { readonly what: 'game_message'; readonly name: string; readonly player?: PlayerRef; readonly team?: Team }
  | { readonly what: 'flag_taken' | 'flag_dropped'; readonly player: PlayerRef; readonly flag: Flag }
  | { readonly what: 'flag_returned'; readonly flag: Flag }
  /** `ticks` that the flag was carried, if a message has them. */
  | {
      readonly what: 'flag_captured';
      readonly player: PlayerRef;
      readonly flag: Flag;
      readonly ticks: number | undefined;
    }
  | { readonly what: 'score'; readonly red: number; readonly blue: number }
  /** Times are in milliseconds; `diff` is the difference to the best time before. */
  | {
      readonly what: 'finished';
      readonly player: PlayerRef | undefined;
      readonly time: number;
      readonly diff: number | undefined;
      readonly record: 'server' | 'personal' | undefined;
    }
  | { readonly what: 'checkpoint'; readonly player: PlayerRef | undefined; readonly diff: number }
  | { readonly what: 'best_time'; readonly time: number }
  | { readonly what: 'tuned'; readonly params: readonly TuneChange[] };

export type GamePhase = 'warmup' | 'startcountdown' | 'paused' | 'suddendeath' | 'roundover' | 'gameover';

/** A tune parameter in its own unit; `old` is undefined if it was not sent before. */
export interface TuneChange {
  readonly name: string;
  readonly old: number | undefined;
  readonly new: number;
}

/** What players do all the time: a single action rarely matters. */
export type Action =
  | {
      readonly what: 'jumps' | 'air_jumps' | 'spawns' | 'frozen' | 'thawed' | 'starts_race';
      readonly player: PlayerRef;
    }
  | { readonly what: 'fires' | 'switches'; readonly player: PlayerRef; readonly weapon: number }
  | { readonly what: 'hooks'; readonly player: PlayerRef; readonly target: PlayerRef }
  /** The health and armor that were lost; `left` is the health after it, if the snapshot has it. */
  | {
      readonly what: 'hit';
      readonly player: PlayerRef;
      readonly health: number;
      readonly armor: number;
      readonly left: number | undefined;
    }
  /** `amount` is undefined if the snapshots do not show it. */
  | {
      readonly what: 'picks_up';
      readonly player: PlayerRef;
      readonly pickup: Pickup;
      readonly amount: number | undefined;
    }
  | { readonly what: 'emoticon'; readonly player: PlayerRef; readonly emoticon: number }
  /** The player moves after standing still. */
  | { readonly what: 'moves_on'; readonly player: PlayerRef; readonly seconds: number }
  | { readonly what: 'watches'; readonly player: PlayerRef; readonly target: PlayerRef | undefined }
  | { readonly what: 'afk'; readonly player: PlayerRef; readonly on: boolean };

export type Pickup = 'health' | 'armor' | 'hammer' | 'gun' | 'shotgun' | 'grenade' | 'laser' | 'ninja';

export type Notice = RecordingNotice | PlayerNotice | DeathNotice | ChatNotice | GameNotice;

/** Something that happened in a recording: data, without wording. */
export type GameEvent = Notice | Action;

/** A recorded tick and its events, mostly none. */
export interface TickEvents {
  readonly tick: number;
  readonly events: readonly GameEvent[];
}

const actions: Readonly<Record<Action['what'], true>> = {
  jumps: true,
  air_jumps: true,
  spawns: true,
  frozen: true,
  thawed: true,
  starts_race: true,
  fires: true,
  switches: true,
  hooks: true,
  hit: true,
  picks_up: true,
  emoticon: true,
  moves_on: true,
  watches: true,
  afk: true,
};

export function isAction(event: GameEvent): event is Action {
  return event.what in actions;
}
