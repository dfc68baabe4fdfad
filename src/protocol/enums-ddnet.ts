import { bits, type Names, numbered } from './meaning.ts';

export const characterFlags = bits(`
  solo jetpack collision_disabled endless_hook endless_jump super hammer_hit_disabled shotgun_hit_disabled
  grenade_hit_disabled laser_hit_disabled hook_hit_disabled telegun_gun telegun_grenade telegun_laser
  weapon_hammer weapon_gun weapon_shotgun weapon_grenade weapon_laser weapon_ninja movements_disabled in_freeze
  practice_mode lock_mode team0_mode invincible
`);

export const exPlayerFlags = bits('afk paused spec');

export const authLevel = numbered('no helper mod admin');

/** 0.6: what DDNet sends for a score, which is minus the best time in seconds otherwise. */
export const finishScore = { [-9999]: 'not_finished' } as const satisfies Names;

/** In place of a time in seconds. */
export const finishTime = { [-2]: 'unset', [-1]: 'not_finished' } as const satisfies Names;

export const gameInfoFlags = bits(`
  timescore gametype_race gametype_fastcap gametype_fng gametype_ddrace gametype_ddnet gametype_block_worlds
  gametype_vanilla gametype_plus flag_starts_race race unlimited_ammo ddrace_record_message race_record_message
  allow_eye_wheel allow_hook_coll allow_zoom bug_ddrace_ghost bug_ddrace_input bug_fng_laser_range
  bug_vanilla_bounce predict_fng predict_ddrace predict_ddrace_tiles predict_vanilla entities_ddnet
  entities_ddrace entities_race entities_fng entities_vanilla dont_mask_entities entities_bw
`);

export const gameInfoFlags2 = bits(`
  allow_x_skins gametype_city gametype_fddrace entities_fddrace hud_health_armor hud_ammo hud_ddrace no_weak_hook
  no_skin_change_for_frozen ddrace_team predict_events supports_128_teams
`);

/** The lowest eight bits are the owner's client number. */
export const legacyProjectileFlags = bits(`
  clientid_bit0 clientid_bit1 clientid_bit2 clientid_bit3 clientid_bit4 clientid_bit5 clientid_bit6 clientid_bit7
  no_owner is_ddnet bounce_horizontal bounce_vertical explosive freeze
`);

export const projectileFlags = bits('bounce_horizontal bounce_vertical explosive freeze normalize_vel');

export const laserType = numbered('rifle shotgun door freeze dragger gun plasma');

/** How strong a dragger pulls; `nw` is not stopped by walls. */
const draggerType = numbered('weak weak_nw normal normal_nw strong strong_nw');

const gunType = numbered('unfreeze explosive freeze expfreeze');

/** By {@link laserType}: a dragger's, a gun's, and those of the plasma that a gun fires. */
export const laserSubtypes = { 4: draggerType, 5: gunType, 6: gunType } as const;

export const laserFlags = { 1: 'no_predict' } as const satisfies Names;

export const pickupFlags = bits('xflip yflip rotate no_predict');

export const entityClass = numbered(`
  projectile door dragger_weak dragger_normal dragger_strong gun_normal gun_explosive gun_freeze gun_unfreeze
  light pickup
`);

/** A layer of the map. */
export const mapLayer = numbered('game front tele speedup switch tune');
