import {
  emote,
  flagCarrier,
  gameFlags06,
  gameStateFlags06,
  heldWeapon,
  hookState,
  jumpedFlags,
  pickupSubtypes,
  playerFlags06,
  playerState05,
  powerup,
  requestedWeapon,
  sound,
  sound05,
  spectatorId06,
  team,
  weapon,
} from './enums.ts';
import { finishScore } from './enums-ddnet.ts';
import { type FieldShape, type ItemType, item, sizedItem } from './item.ts';
import {
  amount,
  boolean,
  client,
  enumeration,
  enumerationBy,
  fixed,
  flags,
  int,
  type Meaning,
  type Names,
  position,
  text,
  tick,
  tickCount,
  uuid,
} from './meaning.ts';

// The shapes that versions share; those that later ones use, too, are exported.

export const point = { x: position, y: position } satisfies FieldShape;

export const projectile = {
  ...point,
  vel_x: fixed(100, ''),
  vel_y: fixed(100, ''),
  type: enumeration(weapon),
  start_tick: tick,
} satisfies FieldShape;

export const laser = { ...point, from_x: position, from_y: position, start_tick: tick } satisfies FieldShape;

const powerupPickup = {
  ...point,
  type: enumeration(powerup),
  subtype: enumerationBy('type', pickupSubtypes),
} satisfies FieldShape;

/** An input; `player` is the field for the state of the player. */
export const input = (player: FieldShape, direction = int()): FieldShape => ({
  direction,
  target_x: int(),
  target_y: int(),
  jump: boolean,
  fire: int(),
  hook: boolean,
  ...player,
  wanted_weapon: enumeration(requestedWeapon),
  next_weapon: int(),
  prev_weapon: int(),
});

export const characterCore = {
  tick,
  ...point,
  vel_x: fixed(256, 'units/tick'),
  vel_y: fixed(256, 'units/tick'),
  angle: fixed(256, 'rad'),
  direction: int(-1, 1),
  jumped: flags(jumpedFlags),
  hooked_player: client,
  hook_state: enumeration(hookState),
  /** Counts ticks while the hook holds a player; it is not a point in time. */
  hook_tick: tickCount,
  hook_x: position,
  hook_y: position,
  hook_dx: fixed(256, ''),
  hook_dy: fixed(256, ''),
} satisfies FieldShape;

export const character = (player: FieldShape, ammo = int(-1, 10)): FieldShape => ({
  ...characterCore,
  ...player,
  health: int(0, 10),
  armor: int(0, 10),
  ammo_count: ammo,
  weapon: enumeration(heldWeapon),
  emote: enumeration(emote),
  attack_tick: tick,
});

export const carrier: Meaning = { kind: 'client', min: -3, names: flagCarrier };
export const teamScores = { teamscore_red: int(), teamscore_blue: int() } satisfies FieldShape;
const rounds = { round_num: int(0), round_current: int(0) } satisfies FieldShape;
const colors = { use_custom_color: boolean, color_body: int(), color_feet: int() } satisfies FieldShape;

/** The events of all versions, from this number on. */
export const commonEvents = (first: number): ItemType[] => [
  item(first, 'event_common', point),
  item(first + 1, 'event_explosion', point),
  item(first + 2, 'event_spawn', point),
  item(first + 3, 'event_hammer_hit', point),
  item(first + 4, 'event_death', { ...point, client_id: client }),
];

const events = (first: number, sounds: Names): ItemType[] => [
  ...commonEvents(first),
  item(first + 5, 'event_sound_global', { ...point, sound_id: enumeration(sounds) }),
  item(first + 6, 'event_sound_world', { ...point, sound_id: enumeration(sounds) }),
  item(first + 7, 'event_damage_ind', { ...point, angle: fixed(256, 'rad') }),
];

export const items05: readonly ItemType[] = [
  item(1, 'obj_player_input', input({ player_state: enumeration(playerState05) })),
  item(2, 'obj_projectile', projectile),
  item(3, 'obj_laser', laser),
  item(4, 'obj_pickup', powerupPickup),
  item(5, 'obj_flag', {
    ...point,
    team: enumeration(team),
    carried_by: { kind: 'client', min: -2, names: flagCarrier },
  }),
  item(6, 'obj_game', {
    flags: flags(gameFlags06),
    round_start_tick: tick,
    game_over: boolean,
    sudden_death: boolean,
    paused: boolean,
    score_limit: int(0),
    time_limit: amount('min', 0),
    warmup: tickCount,
    ...rounds,
    ...teamScores,
  }),
  item(7, 'obj_character_core', characterCore),
  item(8, 'obj_character', character({ player_state: enumeration(playerState05) })),
  item(9, 'obj_player_info', {
    local: boolean,
    client_id: client,
    team: enumeration(team),
    score: int(),
    latency: amount('ms', 0),
    latency_flux: amount('ms', 0),
  }),
  item(10, 'obj_client_info', { name: text(6), skin: text(6), ...colors }),
  ...events(11, sound05),
];

/** The items of 0.6. Their enumerations hold DDNet's values too, which are a superset. */
export const items06: readonly ItemType[] = [
  sizedItem(0, 'obj_ex', { uuid }),
  item(1, 'obj_player_input', input({ player_flags: flags(playerFlags06) })),
  /** DDNet may send the fields of `ddrace_projectile` here: `vel_y` is then `data`, not negative, with bit 512 set. */
  item(2, 'obj_projectile', projectile),
  item(3, 'obj_laser', laser),
  item(4, 'obj_pickup', powerupPickup),
  item(5, 'obj_flag', { ...point, team: enumeration(team) }),
  item(6, 'obj_game_info', {
    game_flags: flags(gameFlags06),
    game_state_flags: flags(gameStateFlags06),
    round_start_tick: tick,
    /** Ticks left; DDNet sends minus the tick at which a race began, with the flag `racetime`. */
    warmup_timer: { kind: 'tick', negative: 'race_start' },
    score_limit: int(0),
    time_limit: amount('min', 0),
    ...rounds,
  }),
  item(7, 'obj_game_data', { ...teamScores, flag_carrier_red: carrier, flag_carrier_blue: carrier }),
  item(8, 'obj_character_core', characterCore),
  item(9, 'obj_character', character({ player_flags: flags(playerFlags06) })),
  item(10, 'obj_player_info', {
    local: boolean,
    client_id: client,
    team: enumeration(team),
    score: int(undefined, undefined, finishScore),
    latency: amount('ms', 0),
  }),
  item(11, 'obj_client_info', { name: text(4), clan: text(3), country: int(), skin: text(6), ...colors }),
  item(12, 'obj_spectator_info', { spectator_id: { kind: 'client', min: -1, names: spectatorId06 }, ...point }),
  ...events(13, sound),
];
