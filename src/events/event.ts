import type { Finding } from '../decode/findings.ts';

/** A player: the number, and the name where one is known. Names are text from strangers. */
export interface Who {
  readonly client: number;
  readonly name: string | undefined;
}

/** Where a player plays: `game` where there are no teams. */
export type Side = 'game' | 'red' | 'blue' | 'spectators';

export type Flag = 'red' | 'blue';

/** What the recording itself tells. */
type OfRecording =
  | { readonly what: 'full_snapshot'; readonly items: number }
  /** Who is there when it begins; `local` is the player who recorded it. */
  | {
      readonly what: 'cast';
      readonly playing: readonly Who[];
      readonly watching: readonly Who[];
      readonly local: Who | undefined;
    }
  /** Ticks that nothing was recorded of. */
  | { readonly what: 'gap'; readonly ticks: number }
  /** Its number, from 1, of how many. */
  | { readonly what: 'marker'; readonly number: number; readonly of: number }
  | { readonly what: 'finding'; readonly finding: Finding }
  /** Happenings that were too many for one tick. */
  | { readonly what: 'more'; readonly count: number };

/** Who comes and goes. */
type OfPlayers =
  | { readonly what: 'joined'; readonly who: Who; readonly side: Side | undefined }
  | { readonly what: 'left'; readonly who: Who; readonly reason: string }
  | { readonly what: 'renamed'; readonly who: Who; readonly from: string }
  | { readonly what: 'side'; readonly who: Who; readonly side: Side }
  /** Of DDNet; 0 is none. */
  | { readonly what: 'ddrace_team'; readonly who: Who; readonly team: number };

/** Fights. `killer` is undefined where it isn't known; a negative `weapon` is no weapon: game, self or world. */
type OfDeath =
  | {
      readonly what: 'killed';
      readonly who: Who;
      readonly killer: Who | undefined;
      /** Of a killer who has left already. */
      readonly killerSide?: Flag;
      readonly weapon: number;
      readonly hadFlag: boolean;
    }
  /** Without a message that tells how. */
  | { readonly what: 'died'; readonly who: Who }
  | { readonly what: 'team_killed'; readonly who: Who; readonly team: number };

/** Text from strangers and from the server. */
type OfTalk =
  /** `who` is undefined where the server speaks. */
  | {
      readonly what: 'chat';
      readonly who: Who | undefined;
      readonly to: 'all' | 'team' | 'whisper';
      readonly target?: Who;
      readonly text: string;
    }
  | { readonly what: 'says'; readonly kind: Announcement; readonly text: string }
  | {
      readonly what: 'vote';
      readonly who: Who | undefined;
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
      readonly state: GameState;
      readonly on: boolean;
      readonly seconds: number | undefined;
      readonly standing?: readonly { readonly who: Who; readonly score: number }[];
    }
  | { readonly what: 'round' }
  /** 0.7: what the game does with teams, by its name in the documents. `who` paused it; `side` takes everybody. */
  | { readonly what: 'game_message'; readonly name: string; readonly who?: Who; readonly side?: Side }
  | { readonly what: 'flag_taken' | 'flag_dropped'; readonly who: Who; readonly flag: Flag }
  | { readonly what: 'flag_returned'; readonly flag: Flag }
  /** `ticks` it was carried, where that is told. */
  | { readonly what: 'flag_captured'; readonly who: Who; readonly flag: Flag; readonly ticks: number | undefined }
  | { readonly what: 'score'; readonly red: number; readonly blue: number }
  /** Milliseconds; `diff` to the best time before. */
  | {
      readonly what: 'finished';
      readonly who: Who | undefined;
      readonly time: number;
      readonly diff: number | undefined;
      readonly record: 'server' | 'personal' | undefined;
    }
  | { readonly what: 'checkpoint'; readonly who: Who | undefined; readonly diff: number }
  | { readonly what: 'best_time'; readonly time: number }
  | { readonly what: 'tuned'; readonly params: readonly Tuned[] };

export type GameState = 'warmup' | 'startcountdown' | 'paused' | 'suddendeath' | 'roundover' | 'gameover';

/** A tune parameter, in its own unit; `old` is undefined of one that was not sent before. */
export interface Tuned {
  readonly name: string;
  readonly old: number | undefined;
  readonly new: number;
}

/** What players do all the time: single ones rarely matter. */
export type Deed =
  | { readonly what: 'jumps' | 'air_jumps' | 'spawns' | 'frozen' | 'thawed' | 'starts_race'; readonly who: Who }
  | { readonly what: 'fires' | 'switches'; readonly who: Who; readonly weapon: number }
  | { readonly what: 'hooks'; readonly who: Who; readonly target: Who }
  /** What was lost; `left` is the health that is left, where it is told. */
  | {
      readonly what: 'hit';
      readonly who: Who;
      readonly health: number;
      readonly armor: number;
      readonly left: number | undefined;
    }
  /** `amount` is undefined where it can't be seen. */
  | { readonly what: 'picks_up'; readonly who: Who; readonly thing: Thing; readonly amount: number | undefined }
  | { readonly what: 'emoticon'; readonly who: Who; readonly emoticon: number }
  /** After it stood still. */
  | { readonly what: 'moves_on'; readonly who: Who; readonly seconds: number }
  | { readonly what: 'watches'; readonly who: Who; readonly target: Who | undefined }
  | { readonly what: 'afk'; readonly who: Who; readonly on: boolean };

export type Thing = 'health' | 'armor' | 'hammer' | 'gun' | 'shotgun' | 'grenade' | 'laser' | 'ninja';

export type News = OfRecording | OfPlayers | OfDeath | OfTalk | OfGame;

/** Something that happened in a recording: data, without wording. */
export type Happening = News | Deed;

/** A recorded tick and what happened in it, nothing mostly. */
export interface Moment {
  readonly tick: number;
  readonly happenings: readonly Happening[];
}

const deeds: Readonly<Record<Deed['what'], true>> = {
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

export function isDeed(happening: Happening): happening is Deed {
  return happening.what in deeds;
}
