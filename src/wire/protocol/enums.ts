import { bits, type Names, numbered, withNames, words } from './meaning.ts';

export const weapon = numbered('hammer gun shotgun grenade laser ninja');

/** The weapon of a kill; negative numbers are other causes of death. */
export const killWeapon = withNames({ [-3]: 'game', [-2]: 'self', [-1]: 'world' }, weapon);

/** The weapon that a character holds. */
export const heldWeapon = withNames({ [-1]: 'none' }, weapon);

/** An input asks for the weapon's number plus one: 0 asks for nothing. */
export const requestedWeapon = numbered('none hammer gun shotgun grenade laser ninja');

/** 0.7 refuses to ask for the ninja. */
export const requestedWeapon07 = numbered('none hammer gun shotgun grenade laser');

export const emote = numbered('normal pain happy surprise angry blink');

export const emoticon = numbered(`
  oop exclamation hearts drop dotdot music sorry ghost sushi splattee deviltee zomg zzz wtf eyes question
`);

export const teamWithFlag = { 0: 'red', 1: 'blue' } as const satisfies Names;
export const team = { [-1]: 'spectators', ...teamWithFlag } as const satisfies Names;

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

export const jumpedFlags = bits('jump air_jump');

/** Only in 0.7. */
export const coreEventFlags = bits('ground_jump air_jump hook_attach_player hook_attach_ground hook_hit_nohook');

export const playerState05 = numbered('unknown playing in_menu chatting');

/** The flags from 16 up are DDNet's. */
export const playerFlags06 = bits('playing in_menu chatting scoreboard aim spec_cam input_absolute input_manual');

export const playerFlags07 = bits('admin chatting scoreboard ready dead watching bot aim');

/** In 0.5 and 0.6. */
export const gameFlags06 = bits('teams flags');

export const gameFlags07 = bits('teams flags survival race');

/** `racetime` is DDNet's: the warmup timer is then minus the tick at which the race began. */
export const gameStateFlags06 = bits('gameover suddendeath paused racetime');

export const gameStateFlags07 = bits('warmup suddendeath roundover gameover paused startcountdown');

/** Only in 0.7. */
export const raceFlags = bits('hide_killmsg finishmsg_as_chat keep_wanted_weapon');

/** Only in 0.7. */
export const specMode = numbered('freeview player flag_red flag_blue');

/** In 0.6, in place of the watched client. */
export const spectatorId06 = { [-1]: 'freeview' } as const satisfies Names;

/** In 0.5 and 0.6; those from 4 up are DDNet's. */
export const powerup = numbered('health armor weapon ninja armor_shotgun armor_grenade armor_ninja armor_laser freeze');

/** The weapon in a pickup, by the pickup's type: only `weapon` and `ninja` have one. */
export const pickupSubtypes = { 2: weapon, 3: weapon } as const;

/** Only in 0.7. */
export const pickup = numbered('health armor grenade shotgun laser ninja gun hammer');

/** These have the same numbers in all versions. */
const sharedSounds = `
  gun_fire shotgun_fire grenade_fire hammer_fire hammer_hit ninja_fire grenade_explode ninja_hit laser_fire
  laser_bounce weapon_switch player_pain_short player_pain_long body_land player_airjump player_jump player_die
  player_spawn player_skid tee_cry hook_loop hook_attach_ground hook_attach_player hook_noattach pickup_health
  pickup_armor pickup_grenade pickup_shotgun pickup_ninja weapon_spawn weapon_noammo hit chat_server chat_client`;

export const sound05 = numbered(`${sharedSounds} ctf_drop ctf_return ctf_grab_pl ctf_grab_en ctf_capture`);

/** In 0.6, DDNet and 0.7. */
export const sound = numbered(
  `${sharedSounds} chat_highlight ctf_drop ctf_return ctf_grab_pl ctf_grab_en ctf_capture menu`,
);

/** The tune params of 0.6 in the order in which they are sent; those from `jetpack_strength` on are DDNet's. */
export const tuneParams = words(`
  ground_control_speed ground_control_accel ground_friction ground_jump_impulse air_jump_impulse air_control_speed
  air_control_accel air_friction hook_length hook_fire_speed hook_drag_accel hook_drag_speed gravity velramp_start
  velramp_range velramp_curvature gun_curvature gun_speed gun_lifetime shotgun_curvature shotgun_speed
  shotgun_speeddiff shotgun_lifetime grenade_curvature grenade_speed grenade_lifetime laser_reach
  laser_bounce_delay laser_bounce_num laser_bounce_cost laser_damage player_collision player_hooking
  jetpack_strength shotgun_strength explosion_strength hammer_strength hook_duration hammer_fire_delay
  gun_fire_delay shotgun_fire_delay grenade_fire_delay laser_fire_delay ninja_fire_delay hammer_hit_fire_delay
  ground_elasticity_x ground_elasticity_y
`);

export const tuneParams05 = tuneParams.slice(0, 33);

/** 0.7 has no `laser_damage`. */
export const tuneParams07 = tuneParams.filter((name) => name !== 'laser_damage');

// Of DDNet alone.

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
export const bestTime = { [-1]: 'not_finished' } as const satisfies Names;
export const finishTime = { [-2]: 'unset', ...bestTime } as const satisfies Names;

export const gameInfoFlags = bits(`
  timescore gametype_race gametype_fastcap gametype_fng gametype_ddrace gametype_ddnet gametype_block_worlds
  gametype_vanilla gametype_plus flag_starts_race race unlimited_ammo ddrace_record_message race_record_message
  allow_eye_wheel allow_hook_coll allow_zoom bug_ddrace_ghost bug_ddrace_input bug_fng_laser_range
  bug_vanilla_bounce predict_fng predict_ddrace predict_ddrace_tiles predict_vanilla entities_ddnet
  entities_ddrace entities_race entities_fng entities_vanilla dont_mask_entities entities_bw
`);

export const gameInfoFlags2 = bits(`
  allow_x_skins gametype_city gametype_fddrace entities_fddrace hud_health_armor hud_ammo hud_ddrace no_weak_hook
  no_skin_change_for_frozen ddrace_team predict_events old_laser
`);

/**
 * In the release candidates of DDNet 20.0 and the main branch until 2026-08-22, whose `game_info_ex` has at most five
 * ints.
 */
export const developmentInfoFlags2 = { 2048: 'supports_128_teams' } as const satisfies Names;

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

export const mapLayer = numbered('game front tele speedup switch tune');
