import {
  emote,
  flagCarrier,
  gameFlags06,
  heldWeapon,
  hookState,
  jumpedFlags,
  pickupSubtypes,
  playerState05,
  powerup,
  requestedWeapon,
  sound05,
  team,
  weapon,
} from './enums.ts';
import { type FieldShape, type ItemType, item } from './item.ts';
import {
  amount,
  boolean,
  client,
  enumeration,
  enumerationBy,
  fixed,
  flags,
  int,
  position,
  text,
  tick,
  tickCount,
} from './meaning.ts';

// The shapes that later versions share are exported.

export const point = { x: position, y: position } satisfies FieldShape;

export const projectile = {
  ...point,
  vel_x: fixed(100, ''),
  vel_y: fixed(100, ''),
  type: enumeration(weapon),
  start_tick: tick,
} satisfies FieldShape;

export const laser = { ...point, from_x: position, from_y: position, start_tick: tick } satisfies FieldShape;

export const powerupPickup = {
  ...point,
  type: enumeration(powerup),
  subtype: enumerationBy('type', pickupSubtypes),
} satisfies FieldShape;

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

export const items05: readonly ItemType[] = [
  item(1, 'obj_player_input', {
    direction: int(),
    target_x: int(),
    target_y: int(),
    jump: boolean,
    fire: int(),
    hook: boolean,
    player_state: enumeration(playerState05),
    wanted_weapon: enumeration(requestedWeapon),
    next_weapon: int(),
    prev_weapon: int(),
  }),
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
    round_num: int(0),
    round_current: int(0),
    teamscore_red: int(),
    teamscore_blue: int(),
  }),
  item(7, 'obj_character_core', characterCore),
  item(8, 'obj_character', {
    ...characterCore,
    player_state: enumeration(playerState05),
    health: int(0, 10),
    armor: int(0, 10),
    ammo_count: int(-1, 10),
    weapon: enumeration(heldWeapon),
    emote: enumeration(emote),
    attack_tick: tick,
  }),
  item(9, 'obj_player_info', {
    local: boolean,
    client_id: client,
    team: enumeration(team),
    score: int(),
    latency: amount('ms', 0),
    latency_flux: amount('ms', 0),
  }),
  item(10, 'obj_client_info', {
    name: text(6),
    skin: text(6),
    use_custom_color: boolean,
    color_body: int(),
    color_feet: int(),
  }),
  item(11, 'event_common', point),
  item(12, 'event_explosion', point),
  item(13, 'event_spawn', point),
  item(14, 'event_hammer_hit', point),
  item(15, 'event_death', { ...point, client_id: client }),
  item(16, 'event_sound_global', { ...point, sound_id: enumeration(sound05) }),
  item(17, 'event_sound_world', { ...point, sound_id: enumeration(sound05) }),
  item(18, 'event_damage_ind', { ...point, angle: fixed(256, 'rad') }),
];
