import { pickup, powerup, weapon } from '../../protocol/enums.ts';
import type { Protocol } from '../../protocol/registry.ts';
import { ItemTypes } from '../../snapshot/item-types.ts';
import { idOf, keyOf, typeOf } from '../../snapshot/key.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Characters } from '../reckoning/characters.ts';
import { type DrawnItem, type Interpolation, ItemInts } from './drawn-item.ts';
import { readFlight } from './flight.ts';

type Reader = (item: ItemInts, interpolation: Interpolation) => Partial<DrawnItem> | undefined;

/** These items have positions that add nothing to the picture of the match. */
const notDrawn = new Set(['obj_spectator_info', 'spec_char', 'obj_player_input', 'obj_character_core']);

const readers: Readonly<Record<string, Reader>> = {
  obj_projectile: readFlight,
  ddrace_projectile: readFlight,
  ddnet_projectile: readFlight,
  obj_laser: (item) => ({ kind: 'laser', toX: item.get('from_x'), toY: item.get('from_y') }),
  ddnet_laser: (item) => ({
    kind: 'laser',
    x: item.get('to_x'),
    y: item.get('to_y'),
    toX: item.get('from_x'),
    toY: item.get('from_y'),
  }),
  obj_pickup: (item) => ({ kind: 'pickup', what: pickupOf(item) }),
  ddnet_pickup: (item) => ({ kind: 'pickup', what: pickupOf(item) }),
  obj_flag: (item) => ({ kind: 'flag', what: item.get('team') === 0 ? 'red' : 'blue' }),
};

/** Finds the items of a snapshot that have a position, in drawing order. Players are last. */
export class DrawnItems {
  readonly #protocol: Protocol;
  readonly #characters: Characters;
  #types: ItemTypes;
  #read: Snapshot | undefined;

  constructor(protocol: Protocol, characters: Characters) {
    this.#protocol = protocol;
    this.#characters = characters;
    this.#types = new ItemTypes(protocol);
  }

  at(interpolation: Interpolation): DrawnItem[] {
    const { now } = interpolation;
    if (this.#read !== now) this.#types = new ItemTypes(this.#protocol).onSnapshot(now);
    this.#read = now;
    const items: DrawnItem[] = [];
    for (let i = 0; i < now.count; i++) {
      const type = this.#types.of(typeOf(now.keys[i]!));
      if (!type || notDrawn.has(type.name)) continue;
      const item = new ItemInts(type, now, i, interpolation);
      const reader = type.name === 'obj_character' ? this.#readCharacter : readers[type.name];
      const read = reader ? reader(item, interpolation) : item.has('x') ? { kind: 'event' as const } : undefined;
      if (!read) continue;
      items.push({
        key: item.key,
        link: `${type.name}/${idOf(item.key)}`,
        kind: 'event',
        x: item.mixed('x'),
        y: item.mixed('y'),
        what: type.name,
        ...read,
      });
    }
    // The hook of a player who holds another one ends at that player.
    const byKey = new Map(items.map((item) => [item.key, item]));
    for (const [i, item] of items.entries()) {
      const hooked = item.hookedKey === undefined ? undefined : byKey.get(item.hookedKey);
      if (hooked) items[i] = { ...item, toX: hooked.x, toY: hooked.y };
    }
    const order = (item: DrawnItem) => kinds.indexOf(item.kind);
    return items.sort((a, b) => order(a) - order(b));
  }

  /** A character at its computed position. The hook is included while it flies, holds or retracts. */
  readonly #readCharacter: Reader = (item, { now, tick, next, nextTick = tick, share }) => {
    const from = this.#characters.at(now, item.index, tick);
    const to = next && item.nextIndex >= 0 ? this.#characters.at(next, item.nextIndex, nextTick) : from;
    const mixed = (field: 'x' | 'y' | 'hookX' | 'hookY') =>
      from.core[field] + (to.core[field] - from.core[field]) * share;
    const angle = mixedAngle(item.get('angle'), item.next('angle'), share) / 256;
    const player = { kind: 'player', x: mixed('x'), y: mixed('y'), angle, sentAt: from.sentAt } as const;
    if (from.core.hookState <= 0) return player;
    const { hookedPlayer } = from.core;
    const hookedKey = hookedPlayer >= 0 ? keyOf(typeOf(item.key), hookedPlayer) : undefined;
    return { ...player, toX: mixed('hookX'), toY: mixed('hookY'), hookedKey };
  };
}

const kinds: readonly DrawnItem['kind'][] = ['pickup', 'flag', 'event', 'laser', 'projectile', 'player'];

const fullTurn = Math.round(2 * Math.PI * 256);

/** Interpolates between two angles in the shorter direction. */
function mixedAngle(from: number, to: number, share: number): number {
  let difference = to - from;
  if (difference > fullTurn / 2) difference -= fullTurn;
  if (difference < -fullTurn / 2) difference += fullTurn;
  return from + difference * share;
}

/** The name of a pickup. 0.6 sends a type, and a subtype for weapons; 0.7 sends one number for both. */
function pickupOf(item: ItemInts): string | undefined {
  const type = item.get('type');
  if (!item.has('subtype')) return pickup[type as keyof typeof pickup];
  const name = powerup[type as keyof typeof powerup];
  return name === 'weapon' ? weapon[item.get('subtype') as keyof typeof weapon] : name;
}
