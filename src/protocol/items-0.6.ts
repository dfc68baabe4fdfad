import {
  emote,
  flagCarrier,
  gameFlags06,
  gameStateFlags06,
  heldWeapon,
  playerFlags06,
  requestedWeapon,
  sound,
  spectatorId06,
  team,
} from './enums.ts';
import { finishScore } from './enums-ddnet.ts';
import { type ItemType, item, sizedItem } from './item.ts';
import { characterCore, laser, point, powerupPickup, projectile } from './items-0.5.ts';
import { amount, boolean, client, enumeration, fixed, flags, int, type Meaning, text, tick, uuid } from './meaning.ts';

const carrier: Meaning = { kind: 'client', min: -3, names: flagCarrier };

/** The items of 0.6. Their enumerations hold DDNet's values too, which are a superset. */
export const items06: readonly ItemType[] = [
  sizedItem(0, 'obj_ex', { uuid }),
  item(1, 'obj_player_input', {
    direction: int(),
    target_x: int(),
    target_y: int(),
    jump: boolean,
    fire: int(),
    hook: boolean,
    player_flags: flags(playerFlags06),
    wanted_weapon: enumeration(requestedWeapon),
    next_weapon: int(),
    prev_weapon: int(),
  }),
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
    round_num: int(0),
    round_current: int(0),
  }),
  item(7, 'obj_game_data', {
    teamscore_red: int(),
    teamscore_blue: int(),
    flag_carrier_red: carrier,
    flag_carrier_blue: carrier,
  }),
  item(8, 'obj_character_core', characterCore),
  item(9, 'obj_character', {
    ...characterCore,
    player_flags: flags(playerFlags06),
    health: int(0, 10),
    armor: int(0, 10),
    ammo_count: int(-1, 10),
    weapon: enumeration(heldWeapon),
    emote: enumeration(emote),
    attack_tick: tick,
  }),
  item(10, 'obj_player_info', {
    local: boolean,
    client_id: client,
    team: enumeration(team),
    score: int(undefined, undefined, finishScore),
    latency: amount('ms', 0),
  }),
  item(11, 'obj_client_info', {
    name: text(4),
    clan: text(3),
    country: int(),
    skin: text(6),
    use_custom_color: boolean,
    color_body: int(),
    color_feet: int(),
  }),
  item(12, 'obj_spectator_info', { spectator_id: { kind: 'client', min: -1, names: spectatorId06 }, ...point }),
  item(13, 'event_common', point),
  item(14, 'event_explosion', point),
  item(15, 'event_spawn', point),
  item(16, 'event_hammer_hit', point),
  item(17, 'event_death', { ...point, client_id: client }),
  item(18, 'event_sound_global', { ...point, sound_id: enumeration(sound) }),
  item(19, 'event_sound_world', { ...point, sound_id: enumeration(sound) }),
  item(20, 'event_damage_ind', { ...point, angle: fixed(256, 'rad') }),
];
