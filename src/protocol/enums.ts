import type { Names } from './meaning.ts';

export const weapon = {
  0: 'hammer',
  1: 'gun',
  2: 'shotgun',
  3: 'grenade',
  4: 'laser',
  5: 'ninja',
} as const satisfies Names;

/** The weapon of a kill; negative numbers are other causes of death. */
export const killWeapon = { [-3]: 'game', [-2]: 'self', [-1]: 'world', ...weapon } as const satisfies Names;

/** The weapon that a character holds. */
export const heldWeapon = { [-1]: 'none', ...weapon } as const satisfies Names;

/** An input asks for the weapon's number plus one: 0 asks for nothing. */
export const requestedWeapon = {
  0: 'none',
  1: 'hammer',
  2: 'gun',
  3: 'shotgun',
  4: 'grenade',
  5: 'laser',
  6: 'ninja',
} as const satisfies Names;

export const emote = {
  0: 'normal',
  1: 'pain',
  2: 'happy',
  3: 'surprise',
  4: 'angry',
  5: 'blink',
} as const satisfies Names;

export const emoticon = {
  0: 'oop',
  1: 'exclamation',
  2: 'hearts',
  3: 'drop',
  4: 'dotdot',
  5: 'music',
  6: 'sorry',
  7: 'ghost',
  8: 'sushi',
  9: 'splattee',
  10: 'deviltee',
  11: 'zomg',
  12: 'zzz',
  13: 'wtf',
  14: 'eyes',
  15: 'question',
} as const satisfies Names;

export const team = { [-1]: 'spectators', 0: 'red', 1: 'blue' } as const satisfies Names;

/** In place of the client that carries a flag; `taken` stands for a flag that was dropped. */
export const flagCarrier = { [-3]: 'missing', [-2]: 'atstand', [-1]: 'taken' } as const satisfies Names;

/** The state 2, between `retract_start` and `retract_end`, is common and has no name in the games. */
export const hookState = {
  [-1]: 'retracted',
  0: 'idle',
  1: 'retract_start',
  3: 'retract_end',
  4: 'flying',
  5: 'grabbed',
} as const satisfies Names;

export const jumpedFlags = { 1: 'jump', 2: 'air_jump' } as const satisfies Names;

/** Only in 0.7. */
export const coreEventFlags = {
  1: 'ground_jump',
  2: 'air_jump',
  4: 'hook_attach_player',
  8: 'hook_attach_ground',
  16: 'hook_hit_nohook',
} as const satisfies Names;

export const playerState05 = { 0: 'unknown', 1: 'playing', 2: 'in_menu', 3: 'chatting' } as const satisfies Names;

/** The flags from 16 up are DDNet's. */
export const playerFlags06 = {
  1: 'playing',
  2: 'in_menu',
  4: 'chatting',
  8: 'scoreboard',
  16: 'aim',
  32: 'spec_cam',
  64: 'input_absolute',
  128: 'input_manual',
} as const satisfies Names;

export const playerFlags07 = {
  1: 'admin',
  2: 'chatting',
  4: 'scoreboard',
  8: 'ready',
  16: 'dead',
  32: 'watching',
  64: 'bot',
  128: 'aim',
} as const satisfies Names;

/** In 0.5 and 0.6. */
export const gameFlags06 = { 1: 'teams', 2: 'flags' } as const satisfies Names;

export const gameFlags07 = { 1: 'teams', 2: 'flags', 4: 'survival', 8: 'race' } as const satisfies Names;

/** `racetime` is DDNet's: the warmup timer is then minus the tick at which the race began. */
export const gameStateFlags06 = {
  1: 'gameover',
  2: 'suddendeath',
  4: 'paused',
  8: 'racetime',
} as const satisfies Names;

export const gameStateFlags07 = {
  1: 'warmup',
  2: 'suddendeath',
  4: 'roundover',
  8: 'gameover',
  16: 'paused',
  32: 'startcountdown',
} as const satisfies Names;

/** Only in 0.7. */
export const raceFlags = {
  1: 'hide_killmsg',
  2: 'finishmsg_as_chat',
  4: 'keep_wanted_weapon',
} as const satisfies Names;

/** Only in 0.7. */
export const specMode = { 0: 'freeview', 1: 'player', 2: 'flagred', 3: 'flagblue' } as const satisfies Names;

/** In 0.6, in place of the watched client. */
export const spectatorId06 = { [-1]: 'freeview' } as const satisfies Names;

/** In 0.5 and 0.6; those from 4 up are DDNet's. */
export const powerup = {
  0: 'health',
  1: 'armor',
  2: 'weapon',
  3: 'ninja',
  4: 'armor_shotgun',
  5: 'armor_grenade',
  6: 'armor_ninja',
  7: 'armor_laser',
} as const satisfies Names;

/** The weapon in a pickup, by the pickup's type: only `weapon` and `ninja` have one. */
export const pickupSubtypes = { 2: weapon, 3: weapon } as const;

/** Only in 0.7. */
export const pickup = {
  0: 'health',
  1: 'armor',
  2: 'grenade',
  3: 'shotgun',
  4: 'laser',
  5: 'ninja',
  6: 'gun',
  7: 'hammer',
} as const satisfies Names;

/** These have the same numbers in all versions. */
const firstSounds = {
  0: 'gun_fire',
  1: 'shotgun_fire',
  2: 'grenade_fire',
  3: 'hammer_fire',
  4: 'hammer_hit',
  5: 'ninja_fire',
  6: 'grenade_explode',
  7: 'ninja_hit',
  8: 'laser_fire',
  9: 'laser_bounce',
  10: 'weapon_switch',
  11: 'player_pain_short',
  12: 'player_pain_long',
  13: 'body_land',
  14: 'player_airjump',
  15: 'player_jump',
  16: 'player_die',
  17: 'player_spawn',
  18: 'player_skid',
  19: 'tee_cry',
  20: 'hook_loop',
  21: 'hook_attach_ground',
  22: 'hook_attach_player',
  23: 'hook_noattach',
  24: 'pickup_health',
  25: 'pickup_armor',
  26: 'pickup_grenade',
  27: 'pickup_shotgun',
  28: 'pickup_ninja',
  29: 'weapon_spawn',
  30: 'weapon_noammo',
  31: 'hit',
  32: 'chat_server',
  33: 'chat_client',
} as const satisfies Names;

export const sound05 = {
  ...firstSounds,
  34: 'ctf_drop',
  35: 'ctf_return',
  36: 'ctf_grab_pl',
  37: 'ctf_grab_en',
  38: 'ctf_capture',
} as const satisfies Names;

/** In 0.6, DDNet and 0.7. */
export const sound = {
  ...firstSounds,
  34: 'chat_highlight',
  35: 'ctf_drop',
  36: 'ctf_return',
  37: 'ctf_grab_pl',
  38: 'ctf_grab_en',
  39: 'ctf_capture',
  40: 'menu',
} as const satisfies Names;

/** The tune params of 0.6 in the order in which they are sent; those from `jetpack_strength` on are DDNet's. */
export const tuneParams: readonly string[] = [
  'ground_control_speed',
  'ground_control_accel',
  'ground_friction',
  'ground_jump_impulse',
  'air_jump_impulse',
  'air_control_speed',
  'air_control_accel',
  'air_friction',
  'hook_length',
  'hook_fire_speed',
  'hook_drag_accel',
  'hook_drag_speed',
  'gravity',
  'velramp_start',
  'velramp_range',
  'velramp_curvature',
  'gun_curvature',
  'gun_speed',
  'gun_lifetime',
  'shotgun_curvature',
  'shotgun_speed',
  'shotgun_speeddiff',
  'shotgun_lifetime',
  'grenade_curvature',
  'grenade_speed',
  'grenade_lifetime',
  'laser_reach',
  'laser_bounce_delay',
  'laser_bounce_num',
  'laser_bounce_cost',
  'laser_damage',
  'player_collision',
  'player_hooking',
  'jetpack_strength',
  'shotgun_strength',
  'explosion_strength',
  'hammer_strength',
  'hook_duration',
  'hammer_fire_delay',
  'gun_fire_delay',
  'shotgun_fire_delay',
  'grenade_fire_delay',
  'laser_fire_delay',
  'ninja_fire_delay',
  'hammer_hit_fire_delay',
  'ground_elasticity_x',
  'ground_elasticity_y',
];

/** 0.7 has no `laser_damage`. */
export const tuneParams07: readonly string[] = tuneParams.filter((name) => name !== 'laser_damage');
