import type { Names } from './meaning.ts';

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

export const exPlayerFlags = { 1: 'afk', 2: 'paused', 4: 'spec' } as const satisfies Names;

export const authLevel = { 0: 'no', 1: 'helper', 2: 'mod', 3: 'admin' } as const satisfies Names;

/** 0.6: what DDNet sends for a score, which is minus the best time in seconds otherwise. */
export const finishScore = { [-9999]: 'not_finished' } as const satisfies Names;

/** In place of a time in seconds. */
export const finishTime = { [-2]: 'unset', [-1]: 'not_finished' } as const satisfies Names;

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

/** The lowest eight bits are the owner's client number. */
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

/** How strong a dragger pulls; `nw` is not stopped by walls. */
const draggerType = {
  0: 'weak',
  1: 'weak_nw',
  2: 'normal',
  3: 'normal_nw',
  4: 'strong',
  5: 'strong_nw',
} as const satisfies Names;

const gunType = { 0: 'unfreeze', 1: 'explosive', 2: 'freeze', 3: 'expfreeze' } as const satisfies Names;

/** By {@link laserType}: a dragger's, a gun's, and those of the plasma that a gun fires. */
export const laserSubtypes = { 4: draggerType, 5: gunType, 6: gunType } as const;

export const laserFlags = { 1: 'no_predict' } as const satisfies Names;

export const pickupFlags = { 1: 'xflip', 2: 'yflip', 4: 'rotate', 8: 'no_predict' } as const satisfies Names;

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

/** A layer of the map. */
export const mapLayer = {
  0: 'game',
  1: 'front',
  2: 'tele',
  3: 'speedup',
  4: 'switch',
  5: 'tune',
} as const satisfies Names;
