import type { Diagnostic } from '../../wire/bytes/diagnostic.ts';
import type { Stream } from '../replay/stream.ts';
import type { ScoreUnit } from './score.ts';

/** What a server sends to its clients about one tick arrives in captures within this time, in seconds. */
export const arrivalSeconds = 0.05;

/** A player: the client number, -1 if unknown, and the name if known. Names are untrusted text. */
export interface PlayerRef {
  readonly client: number;
  readonly name: string | undefined;
  /** Whether a message names the player, but no snapshot so far has them. */
  readonly isAbsent?: true;
}

/** The team of a player; `game` if the game mode has no teams. */
export type Team = 'game' | 'red' | 'blue' | 'spectators';

export type Flag = 'red' | 'blue';

/** Notices about the recording itself. */
export type RecordingNotice =
  | { readonly what: 'full_snapshot'; readonly items: number }
  /** The players in the first snapshot; `local` is the player whose client received the snapshots. */
  | {
      readonly what: 'players_present';
      readonly playing: readonly PlayerRef[];
      readonly watching: readonly PlayerRef[];
      readonly local: PlayerRef | undefined;
    }
  | { readonly what: 'gap'; readonly ticks: number }
  /** A timeline marker of the demo header. `number` starts at 1; `of` is the number of markers. */
  | { readonly what: 'marker'; readonly number: number; readonly of: number }
  | { readonly what: 'diagnostic'; readonly diagnostic: Diagnostic }
  /** The number of events that were omitted from a tick with too many events. */
  | { readonly what: 'more'; readonly count: number };

/** Notices about players who join, leave, or change the name or the team. */
export type PlayerNotice =
  | { readonly what: 'joined'; readonly player: PlayerRef; readonly team: Team | undefined }
  | { readonly what: 'left'; readonly player: PlayerRef; readonly reason: string }
  | { readonly what: 'renamed'; readonly player: PlayerRef; readonly from: string }
  | { readonly what: 'changed_team'; readonly player: PlayerRef; readonly team: Team }
  /**
   * A DDNet team; 0 means none. `isSuper` marks the team of players with super powers; its number depends on the
   * version.
   */
  | { readonly what: 'ddrace_team'; readonly player: PlayerRef; readonly team: number; readonly isSuper?: true };

/**
 * Notices about deaths. `killer` is undefined if unknown. A negative `weapon` means that the game, the player or the
 * world caused the death.
 */
export type DeathNotice =
  | {
      readonly what: 'killed';
      readonly player: PlayerRef;
      readonly killer: PlayerRef | undefined;
      /** The team of a killer who has already left. */
      readonly killerTeam?: Flag;
      readonly weapon: number;
      readonly hadFlag: boolean;
    }
  /** A death that no message announced. */
  | { readonly what: 'died'; readonly player: PlayerRef }
  | { readonly what: 'team_killed'; readonly player: PlayerRef; readonly team: number };

/** Notices with text from players or from the server. All of it is untrusted. */
export type ChatNotice =
  /** `player` is undefined for text from the server. */
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

/** Notices about the match and the race. */
export type GameNotice =
  /**
   * `seconds` is the remaining time if the phase has a fixed end. `ranking` is present at the end of a round or game.
   */
  | {
      readonly what: 'game_phase';
      readonly phase: GamePhase;
      readonly on: boolean;
      readonly seconds: number | undefined;
      readonly ranking?: readonly { readonly player: PlayerRef; readonly score: number }[];
      /** Present if the scores are times. */
      readonly scoreUnit?: ScoreUnit;
    }
  | { readonly what: 'round' }
  /**
   * A 0.7 game message by its name in the source. `player` is who paused the game; `team` is the team that receives the
   * players.
   */
  | { readonly what: 'game_message'; readonly name: string; readonly player?: PlayerRef; readonly team?: Team }
  | { readonly what: 'flag_taken' | 'flag_dropped'; readonly player: PlayerRef; readonly flag: Flag }
  | { readonly what: 'flag_returned'; readonly flag: Flag }
  /** `ticks` is how long the flag was carried; only a message of 0.7 contains it. */
  | {
      readonly what: 'flag_captured';
      readonly player: PlayerRef;
      readonly flag: Flag;
      readonly ticks: number | undefined;
    }
  | { readonly what: 'score'; readonly red: number; readonly blue: number }
  /** Times are in milliseconds; `diff` is the difference from the previous best time. */
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

/** A change of a tune parameter, in its own unit. */
export interface TuneChange {
  readonly name: string;
  readonly old: number;
  readonly new: number;
}

/** Frequent player actions. A single one rarely matters, so timelines can batch them. */
export type Action =
  | {
      readonly what: 'jumps' | 'air_jumps' | 'spawns' | 'frozen' | 'thawed' | 'starts_race';
      readonly player: PlayerRef;
    }
  | { readonly what: 'fires' | 'switches'; readonly player: PlayerRef; readonly weapon: number }
  | { readonly what: 'hooks'; readonly player: PlayerRef; readonly target: PlayerRef }
  /** `health` and `armor` are the amounts lost; `left` is the remaining health, if the snapshot contains it. */
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
  /** The player moves after standing still for `seconds`. */
  | { readonly what: 'moves_on'; readonly player: PlayerRef; readonly seconds: number }
  | { readonly what: 'watches'; readonly player: PlayerRef; readonly target: PlayerRef | undefined }
  | { readonly what: 'afk'; readonly player: PlayerRef; readonly on: boolean };

export type Pickup = 'health' | 'armor' | 'hammer' | 'gun' | 'shotgun' | 'grenade' | 'laser' | 'ninja';

export type Notice = (RecordingNotice | PlayerNotice | DeathNotice | ChatNotice | GameNotice) & {
  /** The number of receivers of the message, if there are several: a server's demo contains a message once for each. */
  readonly receivers?: number;
  /** Whether the message makes as much sense in the other version, or none in any. */
  readonly uncertain?: boolean;
};

/** Something that happened in a recording, as data without wording. */
export type GameEvent = (Notice | Action) & {
  /**
   * When the packet that says so was captured, in seconds since 1970; NaN in a capture without times, missing in demos.
   * Not `time`, which is how long a race took.
   */
  readonly at?: number;
};

/** A recorded tick and its events; most ticks have none. */
export interface TickEvents {
  /** That of a connection's last snapshot; -1 before the first. */
  readonly tick: number;
  readonly events: readonly GameEvent[];
  /** The connection of a capture; of what several clients are told, the first. */
  readonly stream?: Stream;
}

/** Each kind, so that one without its name here does not compile. */
const actions = Object.keys({
  ...{ jumps: 0, air_jumps: 0, spawns: 0, frozen: 0, thawed: 0, starts_race: 0, fires: 0, switches: 0, hooks: 0 },
  ...{ hit: 0, picks_up: 0, emoticon: 0, moves_on: 0, watches: 0, afk: 0 },
} satisfies Record<Action['what'], 0>) as Action['what'][];

const isActionName: ReadonlySet<string> = new Set(actions);

/** The kinds of events, without those about the recording itself. */
export const eventKinds = Object.keys({
  ...{ joined: 0, left: 0, renamed: 0, changed_team: 0, ddrace_team: 0, killed: 0, died: 0, team_killed: 0, chat: 0 },
  ...{ announcement: 0, vote: 0, vote_over: 0, game_phase: 0, round: 0, game_message: 0, flag_taken: 0 },
  ...{
    flag_dropped: 0,
    flag_returned: 0,
    flag_captured: 0,
    score: 0,
    finished: 0,
    checkpoint: 0,
    best_time: 0,
    tuned: 0,
  },
} satisfies Record<Exclude<Notice['what'], RecordingNotice['what']>, 0>).concat(actions) as GameEvent['what'][];

export function isAction(event: GameEvent): event is Action {
  return isActionName.has(event.what);
}

const killedByGame = -3;

export const isDeathByGame = (event: GameEvent): event is GameEvent & { readonly what: 'killed' } =>
  event.what === 'killed' && event.weapon === killedByGame;

/** Whether the player of a death by the game leaves or changes the team in another event: the game kills them first. */
export function explains(event: GameEvent, { player: { client, name } }: { readonly player: PlayerRef }): boolean {
  if (event.what === 'left' || event.what === 'changed_team') return event.player.client === client;
  if (event.what !== 'chat' || event.player) return false;
  return event.text.startsWith(`'${name}' has left`) || event.text.startsWith(`'${name}' joined`);
}
