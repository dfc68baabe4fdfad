import { pickupSubtypes, powerup, weapon } from './enums.ts';
import {
  authLevel,
  characterFlags,
  entityClass,
  exPlayerFlags,
  finishTime,
  gameInfoFlags,
  gameInfoFlags2,
  laserFlags,
  laserSubtypes,
  laserType,
  legacyProjectileFlags,
  mapLayer,
  pickupFlags,
  projectileFlags,
} from './enums-ddnet.ts';
import { extendedItem, type ItemType } from './item.ts';
import { point } from './items-0.6.ts';
import {
  amount,
  boolean,
  client,
  enumeration,
  enumerationBy,
  fixed,
  flags,
  int,
  list,
  type Meaning,
  position,
  tick,
} from './meaning.ts';

const centi: Meaning = { kind: 'position', scale: 100 };

/** DDNet's items, in the order of its own table. A pair holds a meaning and the default of a field that older senders leave out. */
export const extendedItems: readonly ItemType[] = [
  extendedItem('my_own_object', 'my-own-object@heinrich5991.de', '0dc77a02-bfee-3a53-ac8e-0bb0241bd722', {
    test: int(),
  }),
  extendedItem('ddnet_character', 'character@netobj.ddnet.tw', '76ce455b-f9eb-3a48-add7-e04b941d045c', {
    flags: [flags(characterFlags), 0],
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
    flags: flags(exPlayerFlags),
    auth_level: enumeration(authLevel),
    finish_time_seconds: [int(-2, undefined, finishTime), -2],
    finish_time_millis: [amount('ms', 0, 999), 0],
  }),
  extendedItem('game_info_ex', 'gameinfo@netobj.ddnet.tw', '933dea6a-da79-30ea-a98f-8af03689a945', {
    flags: [flags(gameInfoFlags), 0],
    version: [int(), 0],
    flags2: [flags(gameInfoFlags2), 0],
    min_team_size: [int(0, 128), 0],
    max_team_size: [int(0, 128), 0],
  }),
  extendedItem('ddrace_projectile', 'projectile@netobj.ddnet.tw', '0e6db85c-2b61-386f-bbf2-d0d0471b9272', {
    x: centi,
    y: centi,
    angle: fixed(1_000_000, 'rad'),
    data: flags(legacyProjectileFlags),
    type: enumeration(weapon),
    start_tick: tick,
  }),
  extendedItem('ddnet_laser', 'laser@netobj.ddnet.tw', '29de68a2-6928-31b8-8360-a2307e0d844f', {
    to_x: position,
    to_y: position,
    from_x: position,
    from_y: position,
    start_tick: tick,
    owner: client,
    type: enumeration(laserType),
    switch_number: [int(), -1],
    subtype: [enumerationBy('type', laserSubtypes), -1],
    flags: [flags(laserFlags), 0],
  }),
  extendedItem('ddnet_projectile', 'ddnet-projectile@netobj.ddnet.tw', '6550fbce-f317-3b31-8ffe-d2b37f3ab40e', {
    x: centi,
    y: centi,
    /** A direction: multiplied by a million without an owner, otherwise as aimed, for the receiver to normalise. */
    vel_x: int(),
    vel_y: int(),
    type: enumeration(weapon),
    start_tick: tick,
    owner: client,
    switch_number: int(),
    tune_zone: int(0, 255),
    flags: flags(projectileFlags),
  }),
  extendedItem('ddnet_pickup', 'pickup@netobj.ddnet.tw', 'ea5e4a51-58fb-3684-96e4-e0d267f4ca65', {
    ...point,
    type: enumeration(powerup),
    subtype: enumerationBy('type', pickupSubtypes),
    switch_number: int(),
    flags: [flags(pickupFlags), 0],
  }),
  extendedItem('ddnet_spectator_info', 'spectator-info@netobj.ddnet.org', 'd13307b2-9a19-37cb-8f8c-07c718521883', {
    has_camera_info: boolean,
    zoom: fixed(1000, ''),
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
    layer: enumeration(mapLayer),
    entity_class: enumeration(entityClass),
  }),
  extendedItem('map_best_time', 'map-best-time@netobj.ddnet.org', '9ebfc6ed-bf50-30ca-988a-0ce8921ad85f', {
    map_best_time_seconds: int(-1, undefined, finishTime),
    map_best_time_millis: amount('ms', 0, 999),
  }),
  extendedItem('map_sound_world', 'map-sound-world@netevent.ddnet.org', '54ecad2e-bfad-3be5-8903-621ba052458e', {
    ...point,
    sound_id: int(),
  }),
];
