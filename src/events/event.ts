import type { Diagnostic } from '../bytes/diagnostic.ts';

/** A player: the number, and the name where one is known. Names are text from strangers. */
export interface PlayerRef {
  readonly client: number;
  readonly name: string | undefined;
}

/** Where a player plays: `game` where there are no teams. */
export type Team = 'game' | 'red' | 'blue' | 'spectators';

export type Flag = 'red' | 'blue';

/** What the recording itself tells. */
type OfRecording =
  | { readonly what: 'full_snapshot'; readonly items: number }
  /** Who is there when it begins; `local` is the player who recorded it. */
  | {
      readonly what: 'cast';
      readonly playing: readonly PlayerRef[];
      readonly watching: readonly PlayerRef[];
      readonly local: PlayerRef | undefined;
    }
  /** Ticks that nothing was recorded of. */
  | { readonly what: 'gap'; readonly ticks: number }
  /** Its number, from 1, of how many. */
  | { readonly what: 'marker'; readonly number: number; readonly of: number }
  | { readonly what: 'diagnostic'; readonly diagnostic: Diagnostic }
  /** Happenings that were too many for one tick. */
  | { readonly what: 'more'; readonly count: number };

/** Who comes and goes. */
type OfPlayers =
  | { readonly what: 'joined'; readonly who: PlayerRef; readonly side: Team | undefined }
  | { readonly what: 'left'; readonly who: PlayerRef; readonly reason: string }
  | { readonly what: 'renamed'; readonly who: PlayerRef; readonly from: string }
  | { readonly what: 'side'; readonly who: PlayerRef; readonly side: Team }
  /** A DDNet team, 0 for none; `isSuper` for the team of those with super powers, whose number depends on the version. */
  | { readonly what: 'ddrace_team'; readonly who: PlayerRef; readonly team: number; readonly isSuper?: true };

/** Fights. `killer` is undefined where it isn't known; a negative `weapon` is no weapon: game, self or world. */
type OfDeath =
  | {
      readonly what: 'killed';
      readonly who: PlayerRef;
      readonly killer: PlayerRef | undefined;
      /** Of a killer who has left already. */
      readonly killerSide?: Flag;
      readonly weapon: number;
      readonly hadFlag: boolean;
    }
  /** Without a message that tells how. */
  | { readonly what: 'died'; readonly who: PlayerRef }
  | { readonly what: 'team_killed'; readonly who: PlayerRef; readonly team: number };

/** Text from strangers and from the server. */
type OfTalk =
  /** `who` is undefined where the server speaks. */
  | {
      readonly what: 'chat';
      readonly who: PlayerRef | undefined;
      readonly to: 'all' | 'team' | 'whisper';
      readonly target?: PlayerRef;
      readonly text: string;
    }
  | { readonly what: 'says'; readonly kind: Announcement; readonly text: string }
  | {
      readonly what: 'vote';
      readonly who: PlayerRef | undefined;
      readonly kind: 'option' | 'kick' | 'spectate' | undefined;
      readonly description: string;
      readonly reason: string;
    }
  | { readonly what: 'vote_over'; readonly result: 'passed' | 'failed' | 'aborted' | undefined };

export type Announcement = 'broadcast' | 'motd' | 'alert' | 'moderator_alert' | 'map_info' | 'rcon' | 'map_change';

/** The match and the race. */
type OfGame =
  /** `seconds`: how long it will last, where it has an end. The standing comes with the end of a game. */
  | {
      readonly what: 'state';
      readonly state: GamePhase;
      readonly on: boolean;
      readonly seconds: number | undefined;
      readonly standing?: readonly { readonly who: PlayerRef; readonly score: number }[];
    }
  | { readonly what: 'round' }
  /** 0.7: what the game does with teams, by its name in the documents. `who` paused it; `side` takes everybody. */
  | { readonly what: 'game_message'; readonly name: string; readonly who?: PlayerRef; readonly side?: Team }
  | { readonly what: 'flag_taken' | 'flag_dropped'; readonly who: PlayerRef; readonly flag: Flag }
  | { readonly what: 'flag_returned'; readonly flag: Flag }
  /** `ticks` it was carried, where that is told. */
  | { readonly what: 'flag_captured'; readonly who: PlayerRef; readonly flag: Flag; readonly ticks: number | undefined }
  | { readonly what: 'score'; readonly red: number; readonly blue: number }
  /** Milliseconds; `diff` to the best time before. */
  | {
      readonly what: 'finished';
      readonly who: PlayerRef | undefined;
      readonly time: number;
      readonly diff: number | undefined;
      readonly record: 'server' | 'personal' | undefined;
    }
  | { readonly what: 'checkpoint'; readonly who: PlayerRef | undefined; readonly diff: number }
  | { readonly what: 'best_time'; readonly time: number }
  | { readonly what: 'tuned'; readonly params: readonly TuneChange[] };

export type GamePhase = 'warmup' | 'startcountdown' | 'paused' | 'suddendeath' | 'roundover' | 'gameover';

/** A tune parameter, in its own unit; `old` is undefined of one that was not sent before. */
export interface TuneChange {
  readonly name: string;
  readonly old: number | undefined;
  readonly new: number;
}

/** What players do all the time: single ones rarely matter. */
export type Action =
  | { readonly what: 'jumps' | 'air_jumps' | 'spawns' | 'frozen' | 'thawed' | 'starts_race'; readonly who: PlayerRef }
  | { readonly what: 'fires' | 'switches'; readonly who: PlayerRef; readonly weapon: number }
  | { readonly what: 'hooks'; readonly who: PlayerRef; readonly target: PlayerRef }
  /** What was lost; `left` is the health that is left, where it is told. */
  | {
      readonly what: 'hit';
      readonly who: PlayerRef;
      readonly health: number;
      readonly armor: number;
      readonly left: number | undefined;
    }
  /** `amount` is undefined where it can't be seen. */
  | {
      readonly what: 'picks_up';
      readonly who: PlayerRef;
      readonly thing: PickedUp;
      readonly amount: number | undefined;
    }
  | { readonly what: 'emoticon'; readonly who: PlayerRef; readonly emoticon: number }
  /** After it stood still. */
  | { readonly what: 'moves_on'; readonly who: PlayerRef; readonly seconds: number }
  | { readonly what: 'watches'; readonly who: PlayerRef; readonly target: PlayerRef | undefined }
  | { readonly what: 'afk'; readonly who: PlayerRef; readonly on: boolean };

export type PickedUp = 'health' | 'armor' | 'hammer' | 'gun' | 'shotgun' | 'grenade' | 'laser' | 'ninja';

export type Notice = OfRecording | OfPlayers | OfDeath | OfTalk | OfGame;

/** Something that happened in a recording: data, without wording. */
export type GameEvent = Notice | Action;

/** A recorded tick and what happened in it, nothing mostly. */
export interface TickEvents {
  readonly tick: number;
  readonly events: readonly GameEvent[];
}

const deeds: Readonly<Record<Action['what'], true>> = {
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
  return event.what in deeds;
}
