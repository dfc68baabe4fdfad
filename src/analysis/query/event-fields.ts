import type { GameEvent } from '../../recording/events/event.ts';
import { emoticon, killWeapon, weapon } from '../../wire/protocol/enums.ts';
import type { Names } from '../../wire/protocol/meaning.ts';

/** What an event's value is: a player, a text, a number, a boolean, or the number of a name. */
export type EventField = 'player' | 'text' | 'number' | 'boolean' | Names;

type EventName = GameEvent['what'];

const player = { player: 'player' } as const;
const ofFlag = { ...player, flag: 'text' } as const;

/**
 * The values of each kind of event, as `dump --events -t ndjson` names them. Events are types only, which are gone when
 * a program runs; a kind that is missing here does not compile.
 */
export const eventFields: Readonly<Record<EventName, Readonly<Record<string, EventField>>>> = {
  full_snapshot: { items: 'number' },
  players_present: {},
  gap: { ticks: 'number' },
  marker: { number: 'number', of: 'number' },
  diagnostic: {},
  more: { count: 'number' },
  joined: { ...player, team: 'text' },
  left: { ...player, reason: 'text' },
  renamed: { ...player, from: 'text' },
  changed_team: { ...player, team: 'text' },
  ddrace_team: { ...player, team: 'number', is_super: 'boolean' },
  killed: { ...player, killer: 'player', killer_team: 'text', weapon: killWeapon, had_flag: 'boolean' },
  died: player,
  team_killed: { ...player, team: 'number' },
  chat: { ...player, to: 'text', target: 'player', text: 'text' },
  announcement: { kind: 'text', text: 'text' },
  vote: { ...player, kind: 'text', description: 'text', reason: 'text' },
  vote_over: { result: 'text' },
  game_phase: { phase: 'text', on: 'boolean', seconds: 'number' },
  round: {},
  game_message: { ...player, name: 'text', team: 'text' },
  flag_taken: ofFlag,
  flag_dropped: ofFlag,
  flag_returned: { flag: 'text' },
  flag_captured: { ...ofFlag, ticks: 'number' },
  score: { red: 'number', blue: 'number' },
  finished: { ...player, time: 'number', diff: 'number', record: 'text' },
  checkpoint: { ...player, diff: 'number' },
  best_time: { time: 'number' },
  tuned: {},
  jumps: player,
  air_jumps: player,
  spawns: player,
  frozen: player,
  thawed: player,
  starts_race: player,
  fires: { ...player, weapon },
  switches: { ...player, weapon },
  hooks: { ...player, target: 'player' },
  hit: { ...player, health: 'number', armor: 'number', left: 'number' },
  picks_up: { ...player, pickup: 'text', amount: 'number' },
  emoticon: { ...player, emoticon },
  moves_on: { ...player, seconds: 'number' },
  watches: { ...player, target: 'player' },
  afk: { ...player, on: 'boolean' },
};

/** The value of an event, whose own names have capital letters: `had_flag` is `hadFlag`. */
export const eventValue = (event: GameEvent, field: string): unknown =>
  (event as unknown as Record<string, unknown>)[
    field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  ];
