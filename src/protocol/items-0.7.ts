import {
  coreEventFlags,
  emote,
  flagCarrier,
  gameFlags07,
  gameStateFlags07,
  heldWeapon,
  pickup,
  playerFlags07,
  raceFlags,
  requestedWeapon,
  sound,
  specMode,
  team,
} from './enums.ts';
import { type ItemType, item, sizedItem } from './item.ts';
import { characterCore, laser, point, projectile } from './items-0.5.ts';
import {
  amount,
  boolean,
  client,
  enumeration,
  fixed,
  flags,
  int,
  list,
  type Meaning,
  text,
  tick,
  uuid,
} from './meaning.ts';
import { tuneParams07 } from './tune-params.ts';

const carrier: Meaning = { kind: 'client', min: -3, names: flagCarrier };

const skinParts = ['body', 'marking', 'decoration', 'hands', 'feet', 'eyes'];

export const items07: readonly ItemType[] = [
  sizedItem(0, 'obj_ex', { uuid }),
  item(1, 'obj_player_input', {
    direction: int(-1, 1),
    target_x: int(),
    target_y: int(),
    jump: boolean,
    fire: int(),
    hook: boolean,
    player_flags: flags(playerFlags07),
    wanted_weapon: enumeration(requestedWeapon),
    next_weapon: int(),
    prev_weapon: int(),
  }),
  item(2, 'obj_projectile', projectile),
  item(3, 'obj_laser', laser),
  item(4, 'obj_pickup', { ...point, type: enumeration(pickup) }),
  item(5, 'obj_flag', { ...point, team: enumeration(team) }),
  item(6, 'obj_game_data', {
    game_start_tick: tick,
    game_state_flags: flags(gameStateFlags07),
    game_state_end_tick: tick,
  }),
  item(7, 'obj_game_data_team', { teamscore_red: int(), teamscore_blue: int() }),
  item(8, 'obj_game_data_flag', {
    flag_carrier_red: carrier,
    flag_carrier_blue: carrier,
    flag_drop_tick_red: tick,
    flag_drop_tick_blue: tick,
  }),
  item(9, 'obj_character_core', characterCore),
  item(10, 'obj_character', {
    ...characterCore,
    health: int(0, 10),
    armor: int(0, 10),
    /** Without bounds: while a ninja is held, it is the tick at which the ninja ends. */
    ammo_count: int(),
    weapon: enumeration(heldWeapon),
    emote: enumeration(emote),
    attack_tick: tick,
    triggered_events: flags(coreEventFlags),
  }),
  item(11, 'obj_player_info', { player_flags: flags(playerFlags07), score: int(), latency: amount('ms', 0) }),
  item(12, 'obj_spectator_info', { spec_mode: enumeration(specMode), spectator_id: client, ...point }),
  item(13, 'obj_de_client_info', {
    local: boolean,
    team: enumeration(team),
    name: text(4),
    clan: text(3),
    country: int(),
    skin_part_names: list(6, text(6), skinParts),
    use_custom_colors: list(6, boolean, skinParts),
    skin_part_colors: list(6, int(), skinParts),
  }),
  item(14, 'obj_de_game_info', {
    game_flags: flags(gameFlags07),
    score_limit: int(0),
    time_limit: amount('min', 0),
    match_num: int(0),
    match_current: int(0),
  }),
  item(15, 'obj_de_tune_params', { tune_params: list(32, fixed(100, ''), tuneParams07.slice(0, 32)) }),
  item(16, 'event_common', point),
  item(17, 'event_explosion', point),
  item(18, 'event_spawn', point),
  item(19, 'event_hammer_hit', point),
  item(20, 'event_death', { ...point, client_id: client }),
  item(21, 'event_sound_world', { ...point, sound_id: enumeration(sound) }),
  /** Some documents list 5 ints; real traffic has 7. */
  item(22, 'event_damage', {
    ...point,
    client_id: client,
    angle: fixed(256, 'rad'),
    health_amount: int(0, 9),
    armor_amount: int(0, 9),
    self: boolean,
  }),
  sizedItem(23, 'obj_player_info_race', { race_start_tick: tick }),
  sizedItem(24, 'obj_game_data_race', {
    best_time: amount('ms', -1),
    precision: int(0, 3),
    race_flags: flags(raceFlags),
  }),
];
