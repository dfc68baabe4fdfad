import { valueBoundsOf } from '../protocol/meaning.ts';
import { Delta } from '../snapshot/delta.ts';
import type { ItemTypes } from '../snapshot/item-types.ts';
import { firstLocalType } from '../snapshot/key.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import type { Payload } from './payload.ts';

/** Whether an item of the games can be a whole one, and not a difference: all but rare differences fail these tests. */
const isWhole: Readonly<Record<string, (value: (field: string) => number) => boolean>> = {
  // Without a hooked player this is -1, which a difference rarely is.
  obj_character: (value) =>
    isOnMap(value) &&
    (value('hook_state') === grabbed
      ? value('tick') >= fewTicks || isDirection(value('hook_dx'), value('hook_dy'), 256)
      : value('hooked_player') === -1),
  // A shotgun's projectiles are up to a fifth slower.
  obj_projectile: (value) =>
    isOnMap(value) && (value('start_tick') >= fewTicks || isDirection(value('vel_x'), value('vel_y'), 100, 75)),
  obj_laser: (value) => isOnMap(value) && value('start_tick') >= fewTicks,
  obj_pickup: (value) => isOnMap(value),
};
const grabbed = 5;
/** Larger than the differences of ticks between two snapshots. */
const fewTicks = 200;

/** Half a tile from the upper left corner of the map: items move less between two snapshots, or not along both axes. */
const isOnMap = (value: (field: string) => number) => value('x') >= 16 && value('y') >= 16;

/** Whether a vector has this length; its parts are rounded towards 0. */
function isDirection(x: number, y: number, length: number, least = length): boolean {
  const is = Math.hypot(x, y);
  return is > least - 2 && is < length + 1;
}

/**
 * A delta whose base nobody knows, read as one to the empty snapshot if its updates are whole items: then their ints are values, not
 * differences.
 */
export function assumeEmptyBase(payload: Payload): Payload {
  const { body, base, types, diagnostics } = payload;
  if (!(body instanceof Delta) || base || diagnostics.error || !hasWholeItems(body, types)) return payload;
  return { ...payload, base: new Snapshot(), assumesEmptyBase: true };
}

/**
 * Whether the updates of a delta are whole items: it removes nothing, registers the local types that it uses, has a character,
 * projectile, laser or pickup, and nothing that can only be a difference.
 *
 * Of the 52,146 deltas of real recordings that update an item of their base, it takes 3 for whole (0.006%). Of the 323 others, it finds
 * 156, among them all 93 that were sent to the empty snapshot; the rest have only sounds, remove items, or use types of their base.
 */
function hasWholeItems(delta: Delta, types: ItemTypes): boolean {
  if (delta.removedCount > 0) return false;
  const registered = new Set<number>();
  let found = false;
  for (let i = 0; i < delta.count; i++) if (delta.type(i) === 0) registered.add(delta.id(i));
  for (let i = 0; i < delta.count; i++) {
    const number = delta.type(i);
    if (number >= firstLocalType && !registered.has(number)) return false;
    const type = types.protocol.byType(number);
    if (!type || type.event) continue;
    const ints = delta.item(i);
    for (const { meaning, at } of type.fields) {
      const bounds = valueBoundsOf(meaning);
      if (bounds && at < ints.length && (ints[at]! < bounds.min || ints[at]! > bounds.max)) return false;
    }
    const value = (name: string) => ints[type.fields.find((field) => field.name === name)?.at ?? -1] ?? 0;
    const test = isWhole[type.name];
    if (test && !test(value)) return false;
    if (type.name === 'obj_spectator_info' && !isOnMap(value)) return false;
    found ||= test !== undefined;
  }
  return found;
}
