import type { Names } from './meaning.ts';

/** The negative ones only in a kill: a character's -1 is another, see `heldWeapon`. */
export const weapon = {
  [-3]: 'game',
  [-2]: 'self',
  [-1]: 'world',
  0: 'hammer',
  1: 'gun',
  2: 'shotgun',
  3: 'grenade',
  4: 'laser',
  5: 'ninja',
} as const satisfies Names;

/** What a character holds. */
export const heldWeapon = {
  [-1]: 'none',
  0: 'hammer',
  1: 'gun',
  2: 'shotgun',
  3: 'grenade',
  4: 'laser',
  5: 'ninja',
} as const satisfies Names;

/** An input asks for the weapon's number plus one: 0 asks for nothing. */
export const wantedWeapon = {
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

export const team = {
  [-1]: 'spectators',
  0: 'red',
  1: 'blue',
} as const satisfies Names;

/** Instead of the client who carries a flag. `taken` is also sent for a flag that lies about. */
export const flagCarrier = {
  [-3]: 'missing',
  [-2]: 'atstand',
  [-1]: 'taken',
} as const satisfies Names;

/** 2, on the way from the start of a retract to its end, is common and has no name in the games. */
export const hookState = {
  [-1]: 'retracted',
  0: 'idle',
  1: 'retract_start',
  3: 'retract_end',
  4: 'flying',
  5: 'grabbed',
} as const satisfies Names;

export const jumpedFlags = {
  1: 'jump',
  2: 'air_jump',
} as const satisfies Names;

/** 0.7. */
export const coreEventFlags = {
  1: 'ground_jump',
  2: 'air_jump',
  4: 'hook_attach_player',
  8: 'hook_attach_ground',
  16: 'hook_hit_nohook',
} as const satisfies Names;

export const playerState05 = {
  0: 'unknown',
  1: 'playing',
  2: 'in_menu',
  3: 'chatting',
} as const satisfies Names;

/** From 16 on DDNet's. */
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

/** 0.5 and 0.6. */
export const gameFlags06 = {
  1: 'teams',
  2: 'flags',
} as const satisfies Names;

export const gameFlags07 = {
  1: 'teams',
  2: 'flags',
  4: 'survival',
  8: 'race',
} as const satisfies Names;

/** `racetime` is DDNet's: the warmup timer holds the negative start tick of the run. */
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

/** 0.7. */
export const raceFlags = {
  1: 'hide_killmsg',
  2: 'finishmsg_as_chat',
  4: 'keep_wanted_weapon',
} as const satisfies Names;

/** 0.7. */
export const specMode = {
  0: 'freeview',
  1: 'player',
  2: 'flagred',
  3: 'flagblue',
} as const satisfies Names;

/** 0.6, instead of the client who is watched. */
export const spectatorId06 = { [-1]: 'freeview' } as const satisfies Names;

/** 0.5 and 0.6; from 4 on DDNet's. */
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

/** 0.7. */
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

/** Alike in all versions. */
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

/** 0.6, DDNet and 0.7. */
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

// From here on DDNet's own.

export const characterFlags = {
  1: 'solo',
  2: 'jetpack',
  4: 'collision_disabled',
  8: 'endless_hook',
  16: 'endless_jump',
  32: 'super',
  64: 'hammer_hit_disabled',
  128: 'shotgun_hit_disabled',
  256: 'grenade_hit_disabled',
  512: 'laser_hit_disabled',
  1024: 'hook_hit_disabled',
  2048: 'telegun_gun',
  4096: 'telegun_grenade',
  8192: 'telegun_laser',
  16384: 'weapon_hammer',
  32768: 'weapon_gun',
  65536: 'weapon_shotgun',
  131072: 'weapon_grenade',
  262144: 'weapon_laser',
  524288: 'weapon_ninja',
  1048576: 'movements_disabled',
  2097152: 'in_freeze',
  4194304: 'practice_mode',
  8388608: 'lock_mode',
  16777216: 'team0_mode',
  33554432: 'invincible',
} as const satisfies Names;

export const exPlayerFlags = {
  1: 'afk',
  2: 'paused',
  4: 'spec',
} as const satisfies Names;

export const authLevel = {
  0: 'no',
  1: 'helper',
  2: 'mod',
  3: 'admin',
} as const satisfies Names;

/** Of a time in seconds. */
export const finishTime = {
  [-2]: 'unset',
  [-1]: 'not_finished',
} as const satisfies Names;

export const gameInfoFlags = {
  1: 'timescore',
  2: 'gametype_race',
  4: 'gametype_fastcap',
  8: 'gametype_fng',
  16: 'gametype_ddrace',
  32: 'gametype_ddnet',
  64: 'gametype_block_worlds',
  128: 'gametype_vanilla',
  256: 'gametype_plus',
  512: 'flag_starts_race',
  1024: 'race',
  2048: 'unlimited_ammo',
  4096: 'ddrace_record_message',
  8192: 'race_record_message',
  16384: 'allow_eye_wheel',
  32768: 'allow_hook_coll',
  65536: 'allow_zoom',
  131072: 'bug_ddrace_ghost',
  262144: 'bug_ddrace_input',
  524288: 'bug_fng_laser_range',
  1048576: 'bug_vanilla_bounce',
  2097152: 'predict_fng',
  4194304: 'predict_ddrace',
  8388608: 'predict_ddrace_tiles',
  16777216: 'predict_vanilla',
  33554432: 'entities_ddnet',
  67108864: 'entities_ddrace',
  134217728: 'entities_race',
  268435456: 'entities_fng',
  536870912: 'entities_vanilla',
  1073741824: 'dont_mask_entities',
  2147483648: 'entities_bw',
} as const satisfies Names;

export const gameInfoFlags2 = {
  1: 'allow_x_skins',
  2: 'gametype_city',
  4: 'gametype_fddrace',
  8: 'entities_fddrace',
  16: 'hud_health_armor',
  32: 'hud_ammo',
  64: 'hud_ddrace',
  128: 'no_weak_hook',
  256: 'no_skin_change_for_frozen',
  512: 'ddrace_team',
  1024: 'predict_events',
  2048: 'supports_128_teams',
} as const satisfies Names;

/** The low eight bits are the owner's number. */
export const legacyProjectileFlags = {
  1: 'clientid_bit0',
  2: 'clientid_bit1',
  4: 'clientid_bit2',
  8: 'clientid_bit3',
  16: 'clientid_bit4',
  32: 'clientid_bit5',
  64: 'clientid_bit6',
  128: 'clientid_bit7',
  256: 'no_owner',
  512: 'is_ddnet',
  1024: 'bounce_horizontal',
  2048: 'bounce_vertical',
  4096: 'explosive',
  8192: 'freeze',
} as const satisfies Names;

export const projectileFlags = {
  1: 'bounce_horizontal',
  2: 'bounce_vertical',
  4: 'explosive',
  8: 'freeze',
  16: 'normalize_vel',
} as const satisfies Names;

export const laserType = {
  0: 'rifle',
  1: 'shotgun',
  2: 'door',
  3: 'freeze',
  4: 'dragger',
  5: 'gun',
  6: 'plasma',
} as const satisfies Names;

export const laserFlags = { 1: 'no_predict' } as const satisfies Names;

export const pickupFlags = {
  1: 'xflip',
  2: 'yflip',
  4: 'rotate',
  8: 'no_predict',
} as const satisfies Names;

export const entityClass = {
  0: 'projectile',
  1: 'door',
  2: 'dragger_weak',
  3: 'dragger_normal',
  4: 'dragger_strong',
  5: 'gun_normal',
  6: 'gun_explosive',
  7: 'gun_freeze',
  8: 'gun_unfreeze',
  9: 'light',
  10: 'pickup',
} as const satisfies Names;

/** Of the map. */
export const mapLayer = {
  0: 'game',
  1: 'front',
  2: 'tele',
  3: 'speedup',
  4: 'switch',
  5: 'tune',
} as const satisfies Names;
