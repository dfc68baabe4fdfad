import type { Flag } from '../../recording/events/event.ts';
import { type GameState, raceTime06 } from '../../recording/events/game-state.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';

/** Bits of `game_flags` in 0.6. */
const teamGame = 1;
const flagGame = 2;
/** Bits of `game_state_flags`. In 0.7 a round may be over, or the game. */
const over06 = 1;
const over07 = 4 | 8;
const suddenDeath = 2;
const warmup07 = 1;

/** Where a flag is: with a player, by client number, or not. */
type FlagPlace = number | 'at its stand' | 'on the ground';

/** What the game shows above the match. */
export interface MatchState {
  /**
   * In seconds: what is left if the time is limited, or else what has passed since the match began, or the race of who
   * recorded. When a match of 0.7 is over, how long it was. Undefined if the tick of the snapshot is not known.
   */
  readonly clock: number | undefined;
  readonly isLeft: boolean;
  /** The seconds since the match began. */
  readonly passed: number;
  /** The game then shows no clock. */
  readonly isSuddenDeath: boolean;
  /** The points of the teams, and where their flags are, in a game that has them. */
  readonly teams: readonly { readonly team: Flag; readonly points: number; readonly flag: FlagPlace | undefined }[];
}

/**
 * The state of the match in a snapshot; undefined if it does not have one.
 *
 * Source: `CHud::RenderGameTimer` and `RenderScoreHud` of the games' clients.
 */
export function matchState({ items, protocol }: GameState, snapshot: Snapshot, tick: number): MatchState | undefined {
  const is07 = protocol.version === '0.7';
  const { gameInfo, gameData, scores, flags } = items;
  const [info] = gameInfo.all(snapshot);
  const [score] = scores.all(snapshot);
  const [flag] = flags.all(snapshot);
  const [timed, time] = is07 ? [gameData, gameData.all(snapshot)[0]] : [gameInfo, info];
  if (time === undefined) return undefined;
  const state = timed.get(snapshot, time, 'game_state_flags');
  const start = timed.get(snapshot, time, is07 ? 'game_start_tick' : 'round_start_tick');
  const isWarmup = is07 ? (state & warmup07) !== 0 : gameInfo.get(snapshot, time, 'warmup_timer') > 0;
  // A capture of 0.7 has the limit in a message only: the clock then shows what has passed.
  const limit = info === undefined || isWarmup ? 0 : 60 * gameInfo.get(snapshot, info, 'time_limit');
  const passed = (tick - start) / ticksPerSecond;
  const isOver = (state & (is07 ? over07 : over06)) !== 0;
  const inTicks = (field: string, add: number) => (add + timed.get(snapshot, time, field)) / ticksPerSecond;
  let clock = passed;
  if (limit > 0) clock = isOver ? 0 : limit - passed;
  else if (is07 && isOver) clock = inTicks('game_state_end_tick', 0);
  else if (!is07 && (state & raceTime06) !== 0) clock = inTicks('warmup_timer', tick);
  // 0.7 sends the points in team games only, and the flags only in games with flags; 0.6 says which game it is.
  const kind = is07 || info === undefined ? teamGame | flagGame : gameInfo.get(snapshot, info, 'game_flags');
  const hasTeams = score !== undefined && (kind & teamGame) !== 0;
  const hasFlags = flag !== undefined && (kind & flagGame) !== 0;
  const teams = (['red', 'blue'] as const).map((team) => ({
    team,
    points: scores.get(snapshot, score!, `teamscore_${team}`),
    flag: hasFlags ? placeOf(flags.get(snapshot, flag, `flag_carrier_${team}`)) : undefined,
  }));
  return {
    clock: tick < 0 ? undefined : clock,
    isLeft: limit > 0,
    passed,
    isSuddenDeath: (state & suddenDeath) !== 0,
    teams: hasTeams ? teams : [],
  };
}

/** The place that a carrier's number means. A missing flag has none. */
function placeOf(carrier: number): FlagPlace | undefined {
  if (carrier >= 0) return carrier;
  return { [-2]: 'at its stand', [-1]: 'on the ground' }[carrier] as FlagPlace | undefined;
}
