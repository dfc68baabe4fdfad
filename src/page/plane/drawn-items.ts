import { isFrozenUntil } from '../../recording/events/player-actions.ts';
import { emote as emotes, heldWeapon, pickup, powerup, weapon } from '../../wire/protocol/enums.ts';
import type { ItemType } from '../../wire/protocol/item.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { fieldAt, ItemFields, intAt } from '../../wire/snapshot/item-fields.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { idOf, keyOf, typeOf } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { Recording } from '../data/shown-recording.ts';

type Reader = (
  item: ItemInts,
  interpolation: Interpolation,
  tuned: Recording['tuned'],
) => Partial<DrawnItem> | undefined;

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
  readonly #recording: Recording;
  readonly #states: ItemFields;
  readonly #players: ItemFields;
  #types: ItemTypes;
  #read: Snapshot | undefined;

  constructor(recording: Recording) {
    const { protocol } = recording;
    this.#recording = recording;
    this.#states = new ItemFields(protocol, 'ddnet_character');
    this.#players = new ItemFields(protocol, 'ddnet_player');
    this.#types = new ItemTypes(protocol);
  }

  /** The items at a tick between a snapshot and the next one. */
  between(position: number, at: number): DrawnItem[] {
    const recording = this.#recording;
    const now = recording.rebuilt(position);
    if (!now) return [];
    recording.players.onSnapshot(now, recording.protocol);
    const { tick } = recording.snapshot(position);
    const share = recording.shareAt(position, at);
    if (share === 0) return this.at({ now, tick, share });
    const next = recording.rebuilt(position + 1);
    return this.at({ now, tick, next, nextTick: recording.snapshot(position + 1).tick, share: next ? share : 0 });
  }

  at(interpolation: Interpolation): DrawnItem[] {
    const { now } = interpolation;
    if (this.#read !== now) this.#types = new ItemTypes(this.#recording.protocol).onSnapshot(now);
    this.#read = now;
    for (const fields of [this.#states, this.#players]) fields.register(now);
    const tuned: Recording['tuned'] = (name, tick) => this.#recording.tuned(name, tick);
    const items: DrawnItem[] = [];
    for (let i = 0; i < now.count; i++) {
      const type = this.#types.of(typeOf(now.keys[i]!));
      if (!type || notDrawn.has(type.name)) continue;
      const item = new ItemInts(type, i, interpolation);
      const reader = type.name === 'obj_character' ? this.#readCharacter : readers[type.name];
      const read = reader ? reader(item, interpolation, tuned) : item.has('x') ? { kind: 'event' as const } : undefined;
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
    const { characters } = this.#recording;
    const from = characters.at(now, item.index, tick);
    const to = next && item.nextIndex >= 0 ? characters.at(next, item.nextIndex, nextTick) : from;
    const mixed = (field: 'x' | 'y' | 'hookX' | 'hookY') =>
      from.core[field] + (to.core[field] - from.core[field]) * share;
    const angle = mixedAngle(item.get('angle'), item.next('angle'), share) / 256;
    const state = this.#states.find(now, idOf(item.key));
    const isFrozen = state >= 0 && isFrozenUntil(this.#states.get(now, state, 'freeze_end'), tick);
    const what = heldWeapon[item.get('weapon')];
    const other = this.#players.find(now, idOf(item.key));
    const velX = item.get('vel_x');
    const velY = item.get('vel_y');
    const player = {
      kind: 'player',
      x: mixed('x'),
      y: mixed('y'),
      angle,
      what,
      isFrozen,
      isAway: other >= 0 && (this.#players.get(now, other, 'flags') & awayFlag) !== 0,
      emote: emotes[item.get('emote') as keyof typeof emotes] ?? 'normal',
      // In 1/256 units per tick: gravity pulls who is in the air.
      isWalking: Math.abs(velX) > 256,
      isInAir: Math.abs(velY) > 256,
      sinceAttack: (tick + (nextTick - tick) * share - item.get('attack_tick')) / ticksPerSecond,
      sentAt: from.sentAt,
      keys: state < 0 ? undefined : keysOf(item.get('direction'), item.get('jumped')),
    } as const;
    if (from.core.hookState <= 0) return player;
    const { hookedPlayer } = from.core;
    const hookedKey = hookedPlayer >= 0 ? keyOf(typeOf(item.key), hookedPlayer) : undefined;
    return { ...player, toX: mixed('hookX'), toY: mixed('hookY'), hookedKey };
  };
}

const kinds: readonly DrawnItem['kind'][] = ['pickup', 'flag', 'event', 'laser', 'projectile', 'player'];

/** The first of the flags of `ddnet_player`: the player is away from the keyboard. */
const awayFlag = 1;

/** The first bit of `jumped`: the key is held. */
const jumpKey = 1;

const keysOf = (direction: number, jumped: number): Key[] => [
  ...(direction < 0 ? (['left'] as const) : []),
  ...((jumped & jumpKey) !== 0 ? (['up'] as const) : []),
  ...(direction > 0 ? (['right'] as const) : []),
];

const fullTurn = Math.round(2 * Math.PI * 256);

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

export type Key = 'left' | 'up' | 'right';

export interface DrawnItem {
  readonly kind: 'player' | 'projectile' | 'laser' | 'pickup' | 'flag' | 'event';
  readonly key: number;
  readonly link: string;
  readonly x: number;
  readonly y: number;
  /** The origin of a laser, or the end of a player's hook. */
  readonly toX?: number | undefined;
  readonly toY?: number | undefined;
  readonly hookedKey?: number | undefined;
  /** The tick of a player's values in the item, if it is older than the snapshot. */
  readonly sentAt?: number | undefined;
  /** The direction of a player's aim, or of a flight, in radians. */
  readonly angle?: number;
  /** The keys that a player of DDNet holds, which its client shows. */
  readonly keys?: readonly Key[] | undefined;
  /** Seconds since a player attacked last. */
  readonly sinceAttack?: number;
  readonly isFrozen?: boolean;
  readonly isAway?: boolean;
  readonly emote?: string;
  readonly isWalking?: boolean;
  readonly isInAir?: boolean;
  /** The name of the pickup, of the weapon that fired or is held, of the flag's team, or of the event. */
  readonly what?: string | undefined;
}

/** Two snapshots, and the time between them for which positions are interpolated. */
interface Interpolation {
  readonly now: Snapshot;
  readonly tick: number;
  /** The next snapshot; undefined to draw `now` without interpolation. */
  readonly next?: Snapshot | undefined;
  readonly nextTick?: number;
  /** The elapsed share of the time between the snapshots: 0 at `tick`, 1 at `nextTick`. */
  readonly share: number;
}

class ItemInts {
  readonly key: number;
  readonly #type: ItemType;
  readonly index: number;
  readonly #interpolation: Interpolation;
  /** The index in the next snapshot; -1 if it does not have the item. */
  readonly nextIndex: number;

  constructor(type: ItemType, index: number, interpolation: Interpolation) {
    this.#type = type;
    this.index = index;
    this.key = interpolation.now.keys[index]!;
    this.#interpolation = interpolation;
    this.nextIndex = interpolation.next ? interpolation.next.findKey(this.key) : -1;
  }

  has(field: string): boolean {
    return fieldAt(this.#type, field) !== undefined;
  }

  get(field: string): number {
    return intAt(this.#interpolation.now, this.index, fieldAt(this.#type, field));
  }

  next(field: string): number {
    if (this.nextIndex < 0) return this.get(field);
    return intAt(this.#interpolation.next!, this.nextIndex, fieldAt(this.#type, field));
  }

  /** The value interpolated between both snapshots, as the client does for positions. */
  mixed(field: string): number {
    const value = this.get(field);
    return value + (this.next(field) - value) * this.#interpolation.share;
  }
}

/** A flag in `vel_y` of `obj_projectile`. DDNet sets it if the fields are those of `ddrace_projectile`. */
const isDdnetFlag = 512;
const normalizeFlag = 16;

/** Computes the position of a projectile. The item only contains where, when and in which direction it was fired. */
function readFlight(
  item: ItemInts,
  { tick, nextTick = tick, share }: Interpolation,
  tuned: Recording['tuned'],
): Partial<DrawnItem> {
  const what = weapon[item.get('type') as keyof typeof weapon];
  // Units per second, and the curvature of the flight.
  const [speed, curvature] = ['speed', 'curvature'].map((name) => tuned(`${what}_${name}`, tick)) as [number, number];
  const [x, y, dx, dy] = startOf(item);
  const seconds = Math.max(0, tick + (nextTick - tick) * share - item.get('start_tick')) / ticksPerSecond;
  const way = seconds * speed;
  return {
    kind: 'projectile',
    x: x + dx * way,
    y: y + dy * way + (curvature / 10_000) * way * way,
    // A grenade turns twice a second, each from another angle.
    angle: what === 'grenade' ? 4 * Math.PI * seconds + item.key : Math.atan2(dy + (curvature / 5000) * way, dx),
    what,
  };
}

function startOf(item: ItemInts): [x: number, y: number, dx: number, dy: number] {
  const x = item.get('x');
  const y = item.get('y');
  if (item.has('owner')) {
    const dx = item.get('vel_x');
    const dy = item.get('vel_y');
    const length = (item.get('flags') & normalizeFlag) !== 0 ? Math.hypot(dx, dy) || 1 : 1e6;
    return [x / 100, y / 100, dx / length, dy / length];
  }
  const isLegacy = item.has('angle') || (item.get('vel_y') >= 0 && (item.get('vel_y') & isDdnetFlag) !== 0);
  if (!isLegacy) return [x, y, item.get('vel_x') / 100, item.get('vel_y') / 100];
  const angle = item.get(item.has('angle') ? 'angle' : 'vel_x') / 1e6;
  return [x / 100, y / 100, Math.sin(-angle), Math.cos(-angle)];
}
