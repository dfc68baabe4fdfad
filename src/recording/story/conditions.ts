import type { Args } from '../../wire/bytes/diagnostic.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import type { ItemType } from '../../wire/protocol/item.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { textOfInts } from '../../wire/protocol/texts.ts';
import type { Delta } from '../../wire/snapshot/delta.ts';
import { fieldAt } from '../../wire/snapshot/item-fields.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { firstLocalType, fullItems, idOf, maxId, maxSnapshotBytes, maxType, typeOf } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { ItemCode } from '../games/expectations.ts';
import type { SnapshotEntry } from '../replay/record.ts';

/*
 * What is not as it should be in one snapshot, for the rows of items.
 *
 * Nearly all deltas change values alone: who is there, and which types are registered, stays. So what each client has
 * is kept, and a delta changes it: only the items that it removes and updates are looked at. What it is a delta on need
 * not be the last snapshot, but nothing may have changed since. A whole snapshot is read from its first item to its last.
 */

/** `TickDeferred` clamps a speed to 6,000 units, `Quantize` sends 256 of each; explosions come after that. */
const maxSpeed = 2 * 6000 * 256;
/** 131,072 tiles of 32 units: no map is larger. */
const maxPlace = 2 ** 22;
/** Guess. A server drops an item that does not fit, so a full snapshot has less room left than the largest item needs. */
const largestItemBytes = 4 * 60;

/** A row that a snapshot breaks, and of whom: a client's number, a local type, or a UUID. */
export interface Broken {
  readonly code: ItemCode;
  readonly of: number | string;
}

interface Layout {
  readonly player: number;
  readonly info: number;
  readonly character: number;
  /** The items that say who records: of the player, or in demos of 0.7 of its information. */
  readonly localType: number;
  readonly local: number;
  readonly team: number;
  readonly x: number;
  readonly y: number;
  readonly velX: number;
  readonly velY: number;
  readonly name: number;
  readonly nameInts: number;
}

const layouts = new WeakMap<Protocol, Layout>();

const layoutOf = (protocol: Protocol): Layout =>
  getOr(layouts, protocol, () => {
    const player = protocol.byName('obj_player_info');
    const info = protocol.byName('obj_client_info') ?? protocol.byName('obj_de_client_info');
    const character = protocol.byName('obj_character');
    const at = (type: ItemType | undefined, name: string) => (type && fieldAt(type, name)) ?? Infinity;
    const typeOfItem = (type: ItemType | undefined) => type?.type ?? maxType + 1;
    const ofLocal = at(player, 'local') < Infinity ? player : info;
    return {
      player: typeOfItem(player),
      info: typeOfItem(info),
      character: typeOfItem(character),
      localType: typeOfItem(ofLocal),
      local: at(ofLocal, 'local'),
      team: at(player, 'team'),
      x: at(character, 'x'),
      y: at(character, 'y'),
      velX: at(character, 'vel_x'),
      velY: at(character, 'vel_y'),
      name: at(info, 'name'),
      nameInts: info?.fields.find(({ name }) => name === 'name')?.ints ?? 0,
    };
  });

/** Twice as many as any game has. */
export const maxClients = 256;

/** The first removed key among the ints of a delta, after its three counts. */
const firstRemoved = 3;

/** What a client has in a snapshot: items, and that one of them says who records. */
const has = { player: 1, info: 2, character: 4, isLocal: 8, isOther: 16 } as const;
/** The number of items by which of the three are there. */
const partCounts = [0, 1, 1, 2, 1, 2, 2, 3];
const locality = has.isLocal | has.isOther;

const none: readonly Broken[] = [];
const noClients: readonly number[] = [];

/** Reads the snapshots of one stream, one after the other. */
export class Conditions {
  #layout: Layout | undefined;
  #protocol: Protocol | undefined;
  /** By client: {@link has}, of the last snapshot. */
  readonly #has = new Uint8Array(maxClients);
  /** The clients that were in a snapshot. */
  readonly #seen = new Uint8Array(maxClients);
  /** The players and the characters of the last snapshot. */
  players: readonly number[] = noClients;
  characters: readonly number[] = noClients;
  /** The characters of the one before it that had others. */
  charactersBefore: readonly number[] = noClients;
  #ofKeys: readonly Broken[] = none;
  #types: ItemTypes | undefined;
  /** The local types of the items in their order, and less than 0 those that are registered. */
  #localTypes: readonly number[] = [];
  /** Of the items that are read: the local types, and what is odd in them. */
  readonly #typesNow: number[] = [];
  readonly #odd: Broken[] = [];
  /** The items of clients in the last snapshot. */
  #parts = 0;
  /** The tick of the last snapshot that changed who is there; Infinity if the next one has to be read whole. */
  #readAt = Infinity;
  /** Those of whom a message said who they are: 0.7. */
  readonly announced = new Map<number, string>();
  /** The recording players of the last snapshot; undefined if its items can't say it. */
  recorders: readonly number[] | undefined;
  /** The team of the first of them; undefined without one. */
  team: number | undefined;
  /** Whether others are there than in the snapshot before. */
  isNew = false;
  readonly #isDemo: boolean;

  constructor(isDemo: boolean) {
    this.#isDemo = isDemo;
  }

  hasSeen(client: number): boolean {
    return this.#seen[client] === 1 || this.announced.has(client);
  }

  /** What comes next may be anything. */
  restart(): void {
    this.#readAt = Infinity;
  }

  read({ base, kind, delta, tick, before }: Changes, snapshot: Snapshot, protocol: Protocol): readonly Broken[] {
    if (protocol !== this.#protocol) this.#begin(protocol);
    const layout = this.#layout!;
    this.isNew = false;
    const changes = base >= this.#readAt && before ? delta : undefined;
    const isEmpty = base >= this.#readAt && kind === 'empty';
    const full = isFull(snapshot, protocol);
    if (!full && this.#readAt < Infinity && (isEmpty || this.#isAsBefore(changes, before, snapshot, layout)))
      return this.#ofKeys;
    this.#odd.length = 0;
    if (!changes || !this.#follow(changes, snapshot, layout)) this.#readWhole(snapshot, layout);
    return this.#judge(snapshot, tick, full);
  }

  /** The name of a client in a snapshot, or as a message said it. */
  nameOf(client: number, snapshot: Snapshot): string | undefined {
    const { info, name, nameInts } = this.#layout!;
    const i = snapshot.find(info, client);
    const isThere = i >= 0 && snapshot.size(i) >= name + nameInts;
    return isThere ? textOfInts(snapshot.item(i), name, nameInts) : this.announced.get(client);
  }

  /** Speed and place of a character in a snapshot. */
  characterOf(client: number, snapshot: Snapshot): Record<string, number> {
    const { character, x, y, velX, velY } = this.#layout!;
    const i = snapshot.find(character, client);
    if (i < 0 || snapshot.size(i) <= velY) return {};
    const item = snapshot.item(i);
    return { x: item[x]!, y: item[y]!, vel_x: item[velX]!, vel_y: item[velY]! };
  }

  /** The name of an item's type. */
  typeName(type: number): string {
    this.#types ??= new ItemTypes(this.#protocol!);
    return this.#types.nameOf(type);
  }

  /** What a full snapshot has too many of. */
  fullnessOf(snapshot: Snapshot): Record<string, number> {
    if (snapshot.count >= fullItems) return { items: snapshot.count };
    return { bytes: storedBytes(snapshot, this.#protocol!) };
  }

  isCharacter(key: number): boolean {
    return typeOf(key) === this.#layout!.character;
  }

  #begin(protocol: Protocol): void {
    this.#protocol = protocol;
    this.#layout = layoutOf(protocol);
    this.#types = undefined;
    this.#localTypes = [];
    this.#readAt = Infinity;
  }

  /**
   * Whether all items of a snapshot, or those that a delta updates, leave who is there as it was, and no value is odd.
   * Nothing is called in the loops: with calls V8 compiles them again and again, which took a tenth of `checksum`.
   */
  #isAsBefore(delta: Delta | undefined, before: Snapshot | undefined, snapshot: Snapshot, layout: Layout): boolean {
    const { player, info, character, localType, local, team, x, y, velX, velY } = layout;
    const { data, offsets, keys } = snapshot;
    const clients = this.#has;
    const removedCount = delta ? delta.removedCount : 0;
    const count = delta ? delta.count : snapshot.count;
    const changed = delta ? delta.keys : keys;
    // New items stand at the end.
    const firstNew = delta ? before!.count - removedCount : 0;
    let parts = 0;
    for (let i = 0; i < removedCount; i++) {
      const type = delta!.ints[firstRemoved + i]! >>> 16;
      if (type === 0 || type === player || type === info || type === character) return false;
    }
    for (let i = 0; i < count; i++) {
      const item = delta ? delta.items[i]! : i;
      const key = changed[i]!;
      const type = key >>> 16;
      const at = offsets[item]!;
      const size = offsets[item + 1]! - at;
      // A delta that was not applied does not know the places of its items.
      if (keys[item] !== key) return false;
      if (type === character) {
        if (!(clients[key & maxId]! & has.character) || size <= velY) return false;
        const speedX = data[at + velX]!;
        const speedY = data[at + velY]!;
        const placeX = data[at + x]!;
        const placeY = data[at + y]!;
        if (speedX > maxSpeed || speedX < -maxSpeed || speedY > maxSpeed || speedY < -maxSpeed) return false;
        if (placeX > maxPlace || placeX < -maxPlace || placeY > maxPlace || placeY < -maxPlace) return false;
        parts++;
      } else if (type === player || type === info) {
        const had = clients[key & maxId]!;
        if (!(had & (type === player ? has.player : has.info))) return false;
        if (type === localType) {
          const isLocal = (had & has.isLocal) !== 0;
          if (size <= local || (data[at + local] === 1) !== isLocal) return false;
          if (isLocal && type === player) this.team = data[at + team];
        }
        parts++;
      } else if (type === 0) {
        if (delta || !this.#localTypes.includes(-(key & maxId))) return false;
      } else if (type >= firstLocalType && item >= firstNew && !this.#localTypes.includes(type)) return false;
    }
    return delta !== undefined || parts === this.#parts;
  }

  /** Reads what a delta changes; false if it may change local types, or does not know the places of its items. */
  #follow({ removedCount, count, keys, items, ints }: Delta, snapshot: Snapshot, layout: Layout): boolean {
    const { player, info, character } = layout;
    for (let i = 0; i < removedCount; i++) {
      const key = ints[firstRemoved + i]!;
      const type = typeOf(key);
      if (type === 0) return false;
      if (type === player || type === info || type === character) this.#remove(type, idOf(key), layout);
    }
    for (let i = 0; i < count; i++) {
      const item = items[i]!;
      const key = keys[i]!;
      const type = typeOf(key);
      if (snapshot.keys[item] !== key || type === 0) return false;
      if (type === player || type === info || type === character) this.#add(item, type, idOf(key), snapshot, layout);
      else if (type >= firstLocalType && !this.#localTypes.includes(type)) return false;
    }
    return true;
  }

  #readWhole(snapshot: Snapshot, layout: Layout): void {
    const { keys, count } = snapshot;
    const { player, info, character } = layout;
    const types = this.#typesNow;
    this.isNew = true;
    this.team = undefined;
    this.#has.fill(0);
    this.#typesNow.length = 0;
    this.#odd.length = 0;
    for (let i = 0, last = -1; i < count; i++) {
      const key = keys[i]!;
      const type = key >>> 16;
      if (type === player || type === info || type === character) this.#add(i, type, idOf(key), snapshot, layout);
      else if (type >= firstLocalType) {
        if (type !== last) types.push(type);
      } else if (type === 0 && idOf(key) >= firstLocalType) types.push(-idOf(key));
      last = type;
    }
  }

  #add(i: number, type: number, client: number, { offsets, data }: Snapshot, layout: Layout): void {
    if (client >= maxClients) return;
    const { player, info, localType, local, team, x, y, velX, velY } = layout;
    const at = offsets[i]!;
    const size = offsets[i + 1]! - at;
    const had = this.#has[client]!;
    let now = had | (type === player ? has.player : type === info ? has.info : has.character);
    if (type === localType && size > local) {
      const isLocal = data[at + local] === 1;
      now = (now & ~locality) | (isLocal ? has.isLocal : has.isOther);
      if (isLocal && type === player) this.team = data[at + team];
    } else if (type !== player && type !== info && size > velY) {
      const isFast = isBeyond(data[at + velX]!, maxSpeed) || isBeyond(data[at + velY]!, maxSpeed);
      const isOutside = isBeyond(data[at + x]!, maxPlace) || isBeyond(data[at + y]!, maxPlace);
      if (isFast) this.#odd.push({ code: 'impossible_speed', of: client });
      if (isOutside) this.#odd.push({ code: 'outside_map', of: client });
    }
    if (now === had) return;
    this.#has[client] = now;
    this.isNew = true;
  }

  #remove(type: number, client: number, { player, info, localType }: Layout): void {
    if (client >= maxClients) return;
    const part = type === player ? has.player : type === info ? has.info : has.character;
    this.#has[client]! &= ~(type === localType ? part | locality : part);
    this.isNew = true;
  }

  #judge(snapshot: Snapshot, tick: number, full: boolean): readonly Broken[] {
    const odd = this.#odd;
    if (this.isNew) this.#listClients();
    const second = this.recorders?.[1];
    if (second !== undefined) odd.push({ code: 'two_recorders', of: second });
    const ofTypes = this.#localItems(this.#typesNow, snapshot);
    const ofKeys = full ? ofTypes.filter(isNewer) : [...this.#unnamed(), ...ofTypes];
    this.#ofKeys = ofKeys.length === 0 ? none : ofKeys;
    // What is odd, or has no place for a client, may change with any delta.
    this.#readAt = full || odd.length > 0 || ofKeys.length > 0 ? Infinity : tick;
    if (full) odd.push({ code: 'items_dropped', of: 0 });
    return odd.length === 0 ? this.#ofKeys : [...ofKeys, ...odd];
  }

  #listClients(): void {
    this.charactersBefore = this.characters;
    this.players = this.#clientsWith(has.player);
    this.characters = this.#clientsWith(has.character);
    this.#parts = this.#has.reduce((sum, parts) => sum + partCounts[parts & 7]!, 0);
    this.recorders = this.#clientsWith(locality).length > 0 ? this.#clientsWith(has.isLocal) : undefined;
    if (!this.recorders?.length) this.team = undefined;
    for (const client of this.players) this.#seen[client] = 1;
  }

  #clientsWith(parts: number): number[] {
    const clients: number[] = [];
    for (let client = 0; client < maxClients; client++) if (this.#has[client]! & parts) clients.push(client);
    return clients;
  }

  /** Players and characters of whom nothing is said. A demo of a library may have characters alone. */
  #unnamed(): Broken[] {
    const { players, characters, announced } = this;
    if (players.length === 0) return [];
    const hasInfos = !this.#isDemo || this.#has.some((parts) => (parts & has.info) !== 0);
    const isNamed = (client: number) => (this.#has[client]! & has.info) !== 0 || announced.has(client);
    const unnamed = hasInfos ? players.filter((client) => !isNamed(client)) : [];
    const alone = characters.filter((client) => (this.#has[client]! & has.player) === 0);
    return [
      ...unnamed.map((of): Broken => ({ code: 'player_without_info', of })),
      ...alone.map((of): Broken => ({ code: 'character_without_player', of })),
    ];
  }

  /** Items of local types without a registration, or with one that no table has. */
  #localItems(types: readonly number[], snapshot: Snapshot): readonly Broken[] {
    if (types.length === 0) return none;
    if (!isSameList(types, this.#localTypes) || !this.#types) {
      this.#localTypes = [...types];
      this.#types = new ItemTypes(this.#protocol!).onSnapshot(snapshot);
    }
    const known = this.#types;
    const unknown = [...new Set(types)].filter((type) => type > 0 && !known.of(type));
    return unknown.map((type): Broken => {
      const uuid = known.uuidOf(type);
      return uuid === undefined ? { code: 'unregistered_items', of: type } : { code: 'newer_items', of: uuid };
    });
  }
}

/** A snapshot as a change of another one. */
type Changes = Pick<SnapshotEntry, 'tick' | 'base' | 'kind' | 'delta' | 'before'>;

const isBeyond = (value: number, limit: number) => value > limit || value < -limit;

function isSameList(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** What a full snapshot has all the same: the others of its items may be those that were left out. */
const isNewer = ({ code }: Broken) => code === 'newer_items';

/** The bytes of a snapshot as the games store it: key and offset of each item, and the header; 0.7 has the keys twice. */
const storedBytes = ({ count, intCount }: Snapshot, { version }: Protocol): number =>
  8 + count * (version === '0.7' ? 12 : 8) + 4 * intCount;

/** Whether a server had no room for another item. */
const isFull = (snapshot: Snapshot, protocol: Protocol) =>
  snapshot.count >= fullItems || storedBytes(snapshot, protocol) > roomOf(protocol);

const roomOf = (protocol: Protocol) => (protocol.maxSnapshotBytes ?? maxSnapshotBytes) - largestItemBytes;

/** What is broken in one snapshot by itself. */
export function brokenIn(snapshot: Snapshot, protocol: Protocol): { readonly code: ItemCode; readonly args: Args }[] {
  const conditions = new Conditions(false);
  const alone = { tick: 0, base: -1, kind: 'snapshot', delta: undefined, before: undefined } as const;
  return conditions.read(alone, snapshot, protocol).map(({ code, of }) => ({
    code,
    args: code === 'items_dropped' ? conditions.fullnessOf(snapshot) : { type: of },
  }));
}
