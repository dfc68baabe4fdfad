import * as enums from './enums.ts';
import { extendedItem, type ItemType, item, sizedItem } from './item.ts';
import {
  amount,
  boolean,
  client,
  clientOrNone,
  enumeration,
  enumerationBy,
  fixed,
  flags,
  int,
  list,
  type Meaning,
  type Names,
  position,
  text,
  tick,
  tickCount,
  uuid,
} from './meaning.ts';

type Meanings = Readonly<Record<string, Meaning>>;

// The shapes that versions share.

const point = { x: position, y: position } satisfies Meanings;

const projectile = {
  ...point,
  vel_x: fixed(100, ''),
  vel_y: fixed(100, ''),
  type: enumeration(enums.weapon),
  start_tick: tick,
} satisfies Meanings;

const laser = { ...point, from_x: position, from_y: position, start_tick: tick } satisfies Meanings;

const powerupPickup = {
  ...point,
  type: enumeration(enums.powerup),
  subtype: enumerationBy('type', enums.pickupSubtypes),
} satisfies Meanings;

/** An input; `player` is the field for the state of the player. */
export const input = <const Player extends Meanings>(player: Player, direction: Meaning = int()) => ({
  direction,
  target_x: int(),
  target_y: int(),
  jump: boolean,
  fire: int(),
  hook: boolean,
  ...player,
  wanted_weapon: enumeration(enums.requestedWeapon),
  next_weapon: int(),
  prev_weapon: int(),
});

const strictTick = { kind: 'tick', min: 0 } satisfies Meaning;

const characterCore = {
  tick,
  ...point,
  vel_x: fixed(256, 'units/tick'),
  vel_y: fixed(256, 'units/tick'),
  angle: fixed(256, 'rad'),
  direction: int(-1, 1),
  jumped: flags(enums.jumpedFlags),
  hooked_player: clientOrNone,
  hook_state: enumeration(enums.hookState),
  /** Counts ticks while the hook holds a player; it is not a point in time. */
  hook_tick: tickCount,
  hook_x: position,
  hook_y: position,
  hook_dx: fixed(256, ''),
  hook_dy: fixed(256, ''),
} satisfies Meanings;

const character = <const Player extends Meanings>(player: Player, ammo: Meaning = int(-1, 10)) => ({
  ...characterCore,
  ...player,
  health: int(0, 10),
  armor: int(0, 10),
  ammo_count: ammo,
  weapon: enumeration(enums.heldWeapon),
  emote: enumeration(enums.emote),
  attack_tick: strictTick,
});

const carrier = { kind: 'client', min: -3, names: enums.flagCarrier } satisfies Meaning;
const teamScores = { teamscore_red: int(), teamscore_blue: int() } satisfies Meanings;
const rounds = { round_num: int(0), round_current: int(0) } satisfies Meanings;
const colors = { use_custom_color: boolean, color_body: int(), color_feet: int() } satisfies Meanings;

/** The events of all versions, from this number on. */
const commonEvents = (first: number) =>
  [
    item(first, 'event_common', point),
    item(first + 1, 'event_explosion', point),
    item(first + 2, 'event_spawn', point),
    item(first + 3, 'event_hammer_hit', point),
    item(first + 4, 'event_death', { ...point, client_id: client }),
  ] as const;

const events = <const Sounds extends Names>(first: number, sounds: Sounds) =>
  [
    ...commonEvents(first),
    item(first + 5, 'event_sound_global', { ...point, sound_id: enumeration(sounds) }),
    item(first + 6, 'event_sound_world', { ...point, sound_id: enumeration(sounds) }),
    item(first + 7, 'event_damage_ind', { ...point, angle: fixed(256, 'rad') }),
  ] as const;

export const items05 = [
  item(1, 'obj_player_input', input({ player_state: enumeration(enums.playerState05) })),
  item(2, 'obj_projectile', projectile),
  item(3, 'obj_laser', laser),
  item(4, 'obj_pickup', powerupPickup),
  item(5, 'obj_flag', {
    ...point,
    team: enumeration(enums.teamWithFlag),
    carried_by: { kind: 'client', min: -2, names: enums.flagCarrier },
  }),
  item(6, 'obj_game', {
    flags: flags(enums.gameFlags06),
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
  item(8, 'obj_character', character({ player_state: enumeration(enums.playerState05) })),
  item(9, 'obj_player_info', {
    local: boolean,
    client_id: client,
    team: enumeration(enums.team),
    score: int(),
    latency: amount('ms', 0),
    latency_flux: amount('ms', 0),
  }),
  item(10, 'obj_client_info', { name: text(6), skin: text(6), ...colors }),
  ...events(11, enums.sound05),
] as const satisfies readonly ItemType[];

/** The items of 0.6. Their enumerations hold DDNet's values too, which are a superset. */
export const items06 = [
  sizedItem(0, 'obj_ex', { uuid }),
  item(1, 'obj_player_input', input({ player_flags: flags(enums.playerFlags06) })),
  /** DDNet may send the fields of `ddrace_projectile` here: `vel_y` is then `data`, not negative, with bit 512 set. */
  item(2, 'obj_projectile', projectile),
  item(3, 'obj_laser', laser),
  item(4, 'obj_pickup', powerupPickup),
  item(5, 'obj_flag', { ...point, team: enumeration(enums.teamWithFlag) }),
  item(6, 'obj_game_info', {
    game_flags: flags(enums.gameFlags06),
    game_state_flags: flags(enums.gameStateFlags06),
    round_start_tick: tick,
    /** Ticks left; DDNet sends minus the tick at which a race began, with the flag `racetime`. */
    warmup_timer: { kind: 'tick', negative: 'race_start' },
    score_limit: int(0),
    time_limit: amount('min', 0),
    ...rounds,
  }),
  item(7, 'obj_game_data', { ...teamScores, flag_carrier_red: carrier, flag_carrier_blue: carrier }),
  item(8, 'obj_character_core', characterCore),
  item(9, 'obj_character', character({ player_flags: flags(enums.playerFlags06) })),
  item(10, 'obj_player_info', {
    local: boolean,
    client_id: client,
    team: enumeration(enums.team),
    score: int(undefined, undefined, enums.finishScore),
    latency: amount('ms'),
  }),
  item(11, 'obj_client_info', { name: text(4), clan: text(3), country: int(), skin: text(6), ...colors }),
  item(12, 'obj_spectator_info', { spectator_id: { kind: 'client', min: -1, names: enums.spectatorId06 }, ...point }),
  ...events(13, enums.sound),
] as const satisfies readonly ItemType[];

export const gameInfo = {
  game_flags: flags(enums.gameFlags07),
  score_limit: int(0),
  time_limit: amount('min', 0),
  match_num: int(0),
  match_current: int(0),
} satisfies Meanings;

export const skinParts = ['body', 'marking', 'decoration', 'hands', 'feet', 'eyes'];

/** It has the place that the core gives it. */
const hookTick07 = { hook_tick: { ...tickCount, min: 0 } } satisfies Meanings;

export const items07 = [
  sizedItem(0, 'obj_ex', { uuid }),
  item(1, 'obj_player_input', {
    ...input({ player_flags: flags(enums.playerFlags07) }, int(-1, 1)),
    wanted_weapon: enumeration(enums.requestedWeapon07),
  }),
  item(2, 'obj_projectile', projectile),
  item(3, 'obj_laser', laser),
  item(4, 'obj_pickup', { ...point, type: enumeration(enums.pickup) }),
  item(5, 'obj_flag', { ...point, team: enumeration(enums.teamWithFlag) }),
  item(6, 'obj_game_data', {
    game_start_tick: tick,
    game_state_flags: flags(enums.gameStateFlags07),
    game_state_end_tick: tick,
  }),
  item(7, 'obj_game_data_team', teamScores),
  item(8, 'obj_game_data_flag', {
    flag_carrier_red: carrier,
    flag_carrier_blue: carrier,
    flag_drop_tick_red: tick,
    flag_drop_tick_blue: tick,
  }),
  item(9, 'obj_character_core', { ...characterCore, ...hookTick07 }),
  item(10, 'obj_character', {
    // The ammo has no bounds: while a ninja is held, it is the tick at which the ninja ends.
    ...character({}, int()),
    ...hookTick07,
    triggered_events: flags(enums.coreEventFlags),
  }),
  item(11, 'obj_player_info', { player_flags: flags(enums.playerFlags07), score: int(), latency: amount('ms') }),
  item(12, 'obj_spectator_info', {
    spec_mode: enumeration(enums.specMode),
    spectator_id: clientOrNone,
    ...point,
  }),
  item(13, 'obj_de_client_info', {
    local: boolean,
    team: enumeration(enums.team),
    name: text(4),
    clan: text(3),
    country: int(),
    skin_part_names: list(6, text(6), skinParts),
    use_custom_colors: list(6, boolean, skinParts),
    skin_part_colors: list(6, int(), skinParts),
  }),
  item(14, 'obj_de_game_info', gameInfo),
  item(15, 'obj_de_tune_params', { tune_params: list(32, fixed(100, ''), enums.tuneParams07.slice(0, 32)) }),
  ...commonEvents(16),
  item(21, 'event_sound_world', { ...point, sound_id: enumeration(enums.sound) }),
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
    race_flags: flags(enums.raceFlags),
  }),
] as const satisfies readonly ItemType[];

const centi = { kind: 'position', scale: 100 } satisfies Meaning;

/**
 * DDNet's items, in the order of its own table. A pair holds a meaning and the default of a field that older senders
 * leave out.
 */
export const extendedItems = [
  extendedItem('my_own_object', 'my-own-object@heinrich5991.de', '0dc77a02-bfee-3a53-ac8e-0bb0241bd722', {
    test: int(),
  }),
  extendedItem('ddnet_character', 'character@netobj.ddnet.tw', '76ce455b-f9eb-3a48-add7-e04b941d045c', {
    flags: [flags(enums.characterFlags), 0],
    /** -1 means frozen without end. */
    freeze_end: [tick, 0],
    jumps: [int(-1, 255), 2],
    tele_checkpoint: [int(), -1],
    strong_weak_id: [int(0, 127), 0],
    jumped_total: [int(-1, 255), -1],
    ninja_activation_tick: [tick, -1],
    freeze_start: [tick, -1],
    target_x: [int(), 0],
    target_y: [int(), 0],
    tune_zone_override: [int(-1, 255), -1],
  }),
  /** Sent by the release candidates 1 to 6 of DDNet 16.2; 16.2 itself has most of it in `ddnet_character`. */
  extendedItem(
    'ddnet_character_display_info',
    'character-display-info@netobj.ddnet.tw',
    'e7b431e5-dee0-3e5f-9224-2c95efb38878',
    {
      jumped_total: int(0, 255),
      ninja_activation_tick: tick,
      freeze_tick: tick,
      is_in_freeze: boolean,
      is_in_practice_mode: boolean,
      target_x: int(),
      target_y: int(),
      ramp_value: int(),
    },
  ),
  extendedItem('ddnet_player', 'player@netobj.ddnet.tw', '22ca938d-1380-3e2b-9e7b-d2558ea6be11', {
    flags: flags(enums.exPlayerFlags),
    auth_level: enumeration(enums.authLevel),
    finish_time_seconds: [int(-2, undefined, enums.finishTime), -2],
    finish_time_millis: [amount('ms', 0, 999), 0],
  }),
  extendedItem('game_info_ex', 'gameinfo@netobj.ddnet.tw', '933dea6a-da79-30ea-a98f-8af03689a945', {
    flags: [flags(enums.gameInfoFlags), 0],
    version: [int(), 0],
    flags2: [{ ...flags(enums.gameInfoFlags2), renamed: { ints: 6, names: enums.developmentInfoFlags2 } }, 0],
    min_team_size: [int(0, 128), 0],
    max_team_size: [int(0, 128), 0],
    /** After the release candidates of 20.0, as is `old_laser` (docs/formats/extended-items.md). */
    num_ddrace_teams: [int(), 0],
  }),
  extendedItem('ddrace_projectile', 'projectile@netobj.ddnet.tw', '0e6db85c-2b61-386f-bbf2-d0d0471b9272', {
    x: centi,
    y: centi,
    angle: fixed(1_000_000, 'rad'),
    data: flags(enums.legacyProjectileFlags),
    type: enumeration(enums.weapon),
    start_tick: tick,
  }),
  extendedItem('ddnet_laser', 'laser@netobj.ddnet.tw', '29de68a2-6928-31b8-8360-a2307e0d844f', {
    to_x: position,
    to_y: position,
    from_x: position,
    from_y: position,
    start_tick: tick,
    owner: clientOrNone,
    type: enumeration(enums.laserType),
    switch_number: [int(), -1],
    subtype: [enumerationBy('type', enums.laserSubtypes), -1],
    flags: [flags(enums.laserFlags), 0],
  }),
  extendedItem('ddnet_projectile', 'ddnet-projectile@netobj.ddnet.tw', '6550fbce-f317-3b31-8ffe-d2b37f3ab40e', {
    x: centi,
    y: centi,
    /** A direction: multiplied by a million without an owner, otherwise as aimed, for the receiver to normalise. */
    vel_x: int(),
    vel_y: int(),
    type: enumeration(enums.weapon),
    start_tick: tick,
    owner: clientOrNone,
    switch_number: int(),
    tune_zone: int(0, 255),
    flags: flags(enums.projectileFlags),
  }),
  extendedItem('ddnet_pickup', 'pickup@netobj.ddnet.tw', 'ea5e4a51-58fb-3684-96e4-e0d267f4ca65', {
    ...point,
    type: enumeration(enums.powerup),
    subtype: enumerationBy('type', enums.pickupSubtypes),
    switch_number: int(),
    flags: [flags(enums.pickupFlags), 0],
  }),
  extendedItem('ddnet_spectator_info', 'spectator-info@netobj.ddnet.org', 'd13307b2-9a19-37cb-8f8c-07c718521883', {
    has_camera_info: boolean,
    zoom: { ...fixed(1000, ''), min: 0 },
    deadzone: int(0),
    follow_factor: amount('%', 0),
    spectator_count: [int(0, 127), 0],
  }),
  extendedItem('spectator_count', 'spectator-count@netobj.ddnet.org', '5e5ca96f-c728-30fd-bfb3-155b07692556', {
    num_spectators: int(0),
  }),
  extendedItem('birthday', 'birthday@netevent.ddnet.org', '1fd35746-6263-358c-b4d6-6ef60e0efaaa', point),
  extendedItem('finish', 'finish@netevent.ddnet.org', '68bf8939-ef55-3878-9082-13527eb0a597', point),
  extendedItem('my_own_event', 'my-own-event@heinrich5991.de', '0c4fd27d-47e3-3871-a226-9f417486a311', { test: int() }),
  extendedItem('spec_char', 'spec-char@netobj.ddnet.tw', '4b801c74-e24c-3ce0-b92c-b754d02cfc8a', point),
  extendedItem('switch_state', 'switch-state@netobj.ddnet.tw', 'ec15e669-ce11-3367-ae8e-b90e5b27b9d5', {
    highest_switch_number: [int(), 0],
    /** One bit for each of 256 switches. */
    status: [list(8, int()), 0],
    switch_numbers: [list(4, int()), 0],
    end_ticks: [list(4, tick), 0],
  }),
  extendedItem('entity_ex', 'entity-ex@netobj.ddnet.tw', '2de9aec3-32e4-3986-8f7e-e7459da7f535', {
    switch_number: int(),
    layer: enumeration(enums.mapLayer),
    entity_class: enumeration(enums.entityClass),
  }),
  extendedItem('map_best_time', 'map-best-time@netobj.ddnet.org', '9ebfc6ed-bf50-30ca-988a-0ce8921ad85f', {
    map_best_time_seconds: int(-1, undefined, enums.bestTime),
    map_best_time_millis: amount('ms', 0, 999),
  }),
  extendedItem('map_sound_world', 'map-sound-world@netevent.ddnet.org', '54ecad2e-bfad-3be5-8903-621ba052458e', {
    ...point,
    sound_id: int(),
  }),
] as const satisfies readonly ItemType[];
