import {
  coreEventFlags,
  gameFlags07,
  gameStateFlags07,
  pickup,
  playerFlags07,
  raceFlags,
  sound,
  specMode,
  team,
  tuneParams07,
} from './enums.ts';
import { type FieldShape, type ItemType, item, sizedItem } from './item.ts';
import {
  carrier,
  character,
  characterCore,
  commonEvents,
  input,
  laser,
  point,
  projectile,
  teamScores,
} from './items-0.6.ts';
import { amount, boolean, client, enumeration, fixed, flags, int, list, text, tick, uuid } from './meaning.ts';

export const gameInfo = {
  game_flags: flags(gameFlags07),
  score_limit: int(0),
  time_limit: amount('min', 0),
  match_num: int(0),
  match_current: int(0),
} satisfies FieldShape;

export const skinParts = ['body', 'marking', 'decoration', 'hands', 'feet', 'eyes'];

export const items07: readonly ItemType[] = [
  sizedItem(0, 'obj_ex', { uuid }),
  item(1, 'obj_player_input', input({ player_flags: flags(playerFlags07) }, int(-1, 1))),
  item(2, 'obj_projectile', projectile),
  item(3, 'obj_laser', laser),
  item(4, 'obj_pickup', { ...point, type: enumeration(pickup) }),
  item(5, 'obj_flag', { ...point, team: enumeration(team) }),
  item(6, 'obj_game_data', {
    game_start_tick: tick,
    game_state_flags: flags(gameStateFlags07),
    game_state_end_tick: tick,
  }),
  item(7, 'obj_game_data_team', teamScores),
  item(8, 'obj_game_data_flag', {
    flag_carrier_red: carrier,
    flag_carrier_blue: carrier,
    flag_drop_tick_red: tick,
    flag_drop_tick_blue: tick,
  }),
  item(9, 'obj_character_core', characterCore),
  item(10, 'obj_character', {
    // The ammo has no bounds: while a ninja is held, it is the tick at which the ninja ends.
    ...character({}, int()),
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
  item(14, 'obj_de_game_info', gameInfo),
  item(15, 'obj_de_tune_params', { tune_params: list(32, fixed(100, ''), tuneParams07.slice(0, 32)) }),
  ...commonEvents(16),
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
