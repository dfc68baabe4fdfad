import { describe, expect, it } from 'vitest';
import { isOutside, itemBoundsOf } from '../../../src/wire/protocol/bounds.ts';
import type { ItemType } from '../../../src/wire/protocol/item.ts';
import { extendedItems, items06, items07 } from '../../../src/wire/protocol/items.ts';

/**
 * The bounds are those of `datasrc/network.py`: of DDNet for items of 0.6 and extended ones, of Teeworlds 0.7.5 for
 * 0.7. MAX_CLIENTS is 128 in DDNet and 64 in 0.7, NUM_WEAPONS is 6.
 */
const tables: Readonly<Record<string, readonly ItemType[]>> = {
  '0.6': items06,
  '0.7': items07,
  ddnet: extendedItems,
};

function isTaken(rules: string, name: string, value: number): boolean {
  const [item, field] = name.split('.');
  const { meaning } = tables[rules]!.find((type) => type.name === item)!.fields.find((entry) => entry.name === field)!;
  const bounds = itemBoundsOf(meaning.kind === 'list' ? meaning.of : meaning, rules === '0.7');
  return bounds === undefined || !isOutside(bounds, value);
}

const [minInt, maxInt] = [-(2 ** 31), 2 ** 31 - 1];

describe.each([
  ['0.6', 'obj_character.weapon', -1, 5],
  ['0.7', 'obj_character.weapon', 0, 5],
  ['0.6', 'obj_projectile.type', 0, 5],
  ['0.6', 'obj_character.direction', -1, 1],
  ['0.6', 'obj_character.ammo_count', -1, 10],
  ['0.6', 'obj_character.health', 0, 10],
  ['0.6', 'obj_player_info.team', -1, 1],
  ['0.6', 'obj_player_info.client_id', 0, 127],
  ['0.6', 'obj_game_data.flag_carrier_red', -3, 127],
  ['0.7', 'obj_game_data_flag.flag_carrier_red', -3, 63],
  ['0.7', 'event_damage.health_amount', 0, 9],
  ['0.7', 'obj_spectator_info.spec_mode', 0, 3],
  ['ddnet', 'ddnet_laser.owner', -1, 127],
  ['ddnet', 'ddnet_projectile.tune_zone', 0, 255],
  ['ddnet', 'ddnet_spectator_info.has_camera_info', 0, 1],
])('%s: %s', (rules, name, min, max) => {
  it(`is taken from ${min} to ${max}, and no further`, () => {
    const taken = [min - 1, min, max, max + 1].map((value) => isTaken(rules, name, value));
    expect(taken).toEqual([false, true, true, false]);
  });
});

describe('without an upper bound', () => {
  it.each([
    // NetIntRange from 0, or from -1, to max_int.
    ['0.6', 'obj_game_info.score_limit', 0],
    ['0.6', 'obj_character.attack_tick', 0],
    ['0.7', 'obj_game_data_race.best_time', -1],
    // NetTick is an int from 0 on in 0.7.
    ['0.7', 'obj_laser.start_tick', 0],
    // A newer game may have more of them.
    ['0.6', 'obj_character.emote', 0],
    ['0.6', 'obj_pickup.type', 0],
    ['ddnet', 'ddnet_player.auth_level', 0],
  ])('%s: %s is taken from %i on', (rules, name, min) => {
    expect([min - 1, min, maxInt].map((value) => isTaken(rules, name, value))).toEqual([false, true, true]);
  });

  it.each([
    // NetIntAny, though the numbers have names.
    ['ddnet', 'ddnet_laser.type'],
    ['ddnet', 'entity_ex.layer'],
    ['ddnet', 'entity_ex.entity_class'],
    ['0.6', 'obj_player_info.score'],
    // In DDNet any int is a tick, and in 0.7 the ammo of a ninja is one.
    ['0.6', 'obj_laser.start_tick'],
    ['0.7', 'obj_character.ammo_count'],
  ])('%s: %s is any int', (rules, name) => {
    expect([minInt, -1, maxInt].map((value) => isTaken(rules, name, value))).toEqual([true, true, true]);
  });
});
