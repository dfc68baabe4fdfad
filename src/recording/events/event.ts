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

/** The flag of a team. */
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
  | { readonly what: 'diagnostic'; readonly diagnostic: Diagnostic };

/** Notices about players who join, leave, or change the name or the team. */
export type PlayerNotice =
  | { readonly what: 'join'; readonly player: PlayerRef; readonly team: Team | undefined }
  | { readonly what: 'leave'; readonly player: PlayerRef; readonly reason: string }
  | { readonly what: 'rename'; readonly player: PlayerRef; readonly from: string }
  | { readonly what: 'change_team'; readonly player: PlayerRef; readonly team: Team }
  /**
   * A DDNet team; 0 means none. `isSuper` marks the team of players with super powers; its number depends on the
   * version.
   */
  | { readonly what: 'ddrace_team'; readonly player: PlayerRef; readonly team: number; readonly isSuper?: true };

/** Notices about deaths. A negative `weapon` means that the game, the player or the world caused the death. */
export type DeathNotice =
  | {
      readonly what: 'kill';
      readonly victim: PlayerRef;
      /** Another player. Undefined if it is none, or one who has left. */
      readonly killer: PlayerRef | undefined;
      /** Whether the victims killed themselves, with a weapon, by a fall or with the command. */
      readonly bySelf?: true;
      /** The team of a killer who has already left. */
      readonly killerTeam?: Flag;
      readonly weapon: number;
      readonly hadFlag: boolean;
    }
  /** A death that no message announced. */
  | { readonly what: 'death'; readonly victim: PlayerRef }
  | { readonly what: 'team_kill'; readonly victim: PlayerRef; readonly team: number };

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
  | { readonly what: 'vote_end'; readonly result: 'passed' | 'failed' | 'aborted' | undefined };

/** What a text of the server is, if it is no chat. */
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
  | { readonly what: 'flag_take' | 'flag_drop'; readonly player: PlayerRef; readonly flag: Flag }
  | { readonly what: 'flag_return'; readonly flag: Flag }
  /** `ticks` is how long the flag was carried; only a message of 0.7 contains it. */
  | {
      readonly what: 'flag_capture';
      readonly player: PlayerRef;
      readonly flag: Flag;
      readonly ticks: number | undefined;
    }
  | { readonly what: 'score'; readonly red: number; readonly blue: number }
  /** Times are in milliseconds; `diff` is the difference from the previous best time. */
  | {
      readonly what: 'finish';
      readonly player: PlayerRef | undefined;
      readonly time: number;
      readonly diff: number | undefined;
      readonly record: 'server' | 'personal' | undefined;
    }
  | { readonly what: 'checkpoint'; readonly player: PlayerRef | undefined; readonly diff: number }
  | { readonly what: 'best_time'; readonly time: number }
  | { readonly what: 'tune'; readonly params: readonly TuneChange[] };

/** Notices about the connections of a capture. */
export type ConnectionNotice =
  | { readonly what: 'connect'; readonly server: string; readonly version: '0.6' | '0.7' }
  /** How long the handshake took: packets, and seconds if they have times. */
  | { readonly what: 'accept'; readonly packets: number; readonly seconds: number | undefined }
  | { readonly what: 'enter' }
  /** The server closes the connection before the client enters the game. */
  | { readonly what: 'refuse'; readonly reason: string }
  | { readonly what: 'close'; readonly side: 'client' | 'server'; readonly reason: string }
  /** A time in which an end said nothing, if that is more than loss. */
  | { readonly what: 'silence'; readonly side: 'client' | 'server'; readonly seconds: number }
  /** An end is silent at the end: the other one closes the connection for that, or nobody closes it. */
  | { readonly what: 'timeout'; readonly side: 'client' | 'server'; readonly seconds: number }
  /** More requests to connect in a second than DDNet's server expects; of no connection. */
  | {
      readonly what: 'flood';
      readonly server: string;
      readonly requests: number;
      readonly addresses: number;
      readonly seconds: number;
    };

/** What the game is in besides playing. */
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
      readonly what: 'jump' | 'air_jump' | 'spawn' | 'freeze' | 'thaw' | 'start_race';
      readonly player: PlayerRef;
    }
  | { readonly what: 'fire' | 'switch'; readonly player: PlayerRef; readonly weapon: number }
  | { readonly what: 'hook'; readonly player: PlayerRef; readonly target: PlayerRef }
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
      readonly what: 'pick_up';
      readonly player: PlayerRef;
      readonly pickup: Pickup;
      readonly amount: number | undefined;
    }
  | { readonly what: 'emoticon'; readonly player: PlayerRef; readonly emoticon: number }
  /** The player moves after standing still for `seconds`. */
  | { readonly what: 'move_on'; readonly player: PlayerRef; readonly seconds: number }
  | { readonly what: 'watch'; readonly player: PlayerRef; readonly target: PlayerRef | undefined }
  | { readonly what: 'afk'; readonly player: PlayerRef; readonly on: boolean };

/** What a player picks up. */
export type Pickup = 'health' | 'armor' | 'hammer' | 'gun' | 'shotgun' | 'grenade' | 'laser' | 'ninja';

/** Everything but what players do: actions are told by snapshots alone. */
export type Notice = (RecordingNotice | PlayerNotice | DeathNotice | ChatNotice | GameNotice | ConnectionNotice) & {
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
  /**
   * Seconds since the beginning of the recording: the `seconds` of `dump`; missing before the first tick, and in what an
   * `EventFinder` returns. Not `seconds`, which is how long a handshake or a silence took.
   */
  readonly elapsed?: number;
};

/** A recorded tick and its events; most ticks have none. */
export interface TickEvents {
  /** That of a connection's last snapshot; -1 before the first. */
  readonly tick: number;
  readonly events: readonly GameEvent[];
  /** The connection of a capture; of what several clients are told, the first. */
  readonly stream?: Stream;
}

/** What kinds of events are about; a word that selects them, too: `death` is any of deaths. */
export type EventGroup = 'player' | 'death' | 'talk' | 'game' | 'flag' | 'race' | 'connection' | 'action';

/**
 * The kinds of events, by what they are about, without those about the recording itself. This is the one list:
 * `--events --type`, `--where`, `--around` and the library have these names. A kind without a place does not compile.
 */
export const eventGroups = {
  join: 'player',
  leave: 'player',
  rename: 'player',
  change_team: 'player',
  ddrace_team: 'player',
  kill: 'death',
  death: 'death',
  team_kill: 'death',
  chat: 'talk',
  announcement: 'talk',
  vote: 'talk',
  vote_end: 'talk',
  game_phase: 'game',
  round: 'game',
  game_message: 'game',
  score: 'game',
  tune: 'game',
  flag_take: 'flag',
  flag_drop: 'flag',
  flag_return: 'flag',
  flag_capture: 'flag',
  finish: 'race',
  checkpoint: 'race',
  best_time: 'race',
  connect: 'connection',
  accept: 'connection',
  enter: 'connection',
  refuse: 'connection',
  close: 'connection',
  silence: 'connection',
  timeout: 'connection',
  flood: 'connection',
  jump: 'action',
  air_jump: 'action',
  spawn: 'action',
  freeze: 'action',
  thaw: 'action',
  start_race: 'action',
  fire: 'action',
  switch: 'action',
  hook: 'action',
  hit: 'action',
  pick_up: 'action',
  emoticon: 'action',
  move_on: 'action',
  watch: 'action',
  afk: 'action',
} as const satisfies Record<Exclude<GameEvent['what'], RecordingNotice['what']>, EventGroup> &
  Record<Action['what'], 'action'>;

export type EventKind = keyof typeof eventGroups;

export const eventKinds = Object.keys(eventGroups) as EventKind[];

/** What a word selects: the kinds of that group, the kind, and those whose names begin with it: `flag`, `flag_take`. */
export const eventKindsOf = (word: string): readonly EventKind[] =>
  eventKinds.filter((kind) => eventGroups[kind] === word || kind === word || kind.startsWith(`${word}_`));

const isActionName: ReadonlySet<string> = new Set(eventKinds.filter((kind) => eventGroups[kind] === 'action'));

export function isAction(event: GameEvent): event is Action {
  return isActionName.has(event.what);
}

const killedByGame = -3;

export const isDeathByGame = (event: GameEvent): event is GameEvent & { readonly what: 'kill' } =>
  event.what === 'kill' && event.weapon === killedByGame;

/** Whether the victim of the game leaves or changes the team in another event: the game kills them first. */
export function explains(event: GameEvent, { victim: { client, name } }: { readonly victim: PlayerRef }): boolean {
  if (event.what === 'leave' || event.what === 'change_team') return event.player.client === client;
  if (event.what !== 'chat' || event.player) return false;
  return event.text.startsWith(`'${name}' has left`) || event.text.startsWith(`'${name}' joined`);
}
