import type { Args } from '../../wire/bytes/diagnostic.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import type { ItemType } from '../../wire/protocol/item.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { textOfInts } from '../../wire/protocol/texts.ts';
import type { Delta } from '../../wire/snapshot/delta.ts';
import { fieldAt } from '../../wire/snapshot/item-fields.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { firstLocalType, fullItems, idOf, maxSnapshotBytes, maxType, typeOf } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { ItemCode } from '../games/expectations.ts';
import type { SnapshotEntry } from '../replay/record.ts';

/*
 * What is not as it should be in one snapshot, for the rows of items.
 *
 * Nearly all deltas change values alone: who is there, and which types are registered, stays. So a delta is looked at
 * first (`#follows`), and the whole snapshot is read only if that changes. What it is a delta on need not be the last
 * snapshot, but nothing may have changed since.
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
const maxClients = 256;

/** The first removed key among the ints of a delta, after its three counts. */
const firstRemoved = 3;

/** What a client has in a snapshot. */
const has = { player: 1, info: 2, character: 4 } as const;

const none: readonly Broken[] = [];
const noClients: readonly number[] = [];

/** Reads the snapshots of one stream, one after the other. */
export class Conditions {
  #layout: Layout | undefined;
  #protocol: Protocol | undefined;
  /** By client: {@link has}. */
  readonly #has = new Uint8Array(maxClients);
  /** The clients that were in a snapshot. */
  readonly #seen = new Uint8Array(maxClients);
  /** The players and the characters of the last snapshot, by client. */
  players: number[] = [];
  characters: number[] = [];
  /** The characters of the one before it that had others. */
  charactersBefore: readonly number[] = [];
  #ofKeys: readonly Broken[] = none;
  #types: ItemTypes | undefined;
  /** The local types of the items in their order, and less than 0 those that are registered. */
  #localTypes: readonly number[] = [];
  /** Of the snapshot that is read whole: its items of clients, its local types, and what is odd in it. */
  readonly #watched: number[] = [];
  readonly #typesNow: number[] = [];
  readonly #odd: Broken[] = [];
  /** The tick of the last snapshot that was read whole; Infinity if the next one has to be. */
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
    if (base >= this.#readAt) {
      if (kind === 'empty') return this.#ofKeys;
      if (delta && before && this.#follows(delta, before, snapshot, layout)) return this.#ofKeys;
    }
    return this.#readAll(snapshot, tick, layout);
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
   * Whether a delta leaves who is there as it was, and makes no value odd. New items stand at the end. Nothing is called
   * in the loops: calls that V8 has not compiled yet took most of their time, a tenth of a small demo.
   */
  #follows(delta: Delta, before: Snapshot, snapshot: Snapshot, layout: Layout): boolean {
    const { removedCount, count, keys, items, ints } = delta;
    const { player, info, character, localType, x, y, velX, velY } = layout;
    const { data, offsets, keys: own, count: ownCount } = snapshot;
    for (let i = 0; i < removedCount; i++) {
      const type = ints[firstRemoved + i]! >>> 16;
      if (type === 0 || type === player || type === info || type === character) return false;
    }
    for (let i = Math.max(0, before.count - removedCount); i < ownCount; i++) {
      const type = own[i]! >>> 16;
      if (type === 0 || type === player || type === info || type === character) return false;
      if (type >= firstLocalType && !this.#localTypes.includes(type)) return false;
    }
    for (let i = 0; i < count; i++) {
      const key = keys[i]!;
      const type = key >>> 16;
      if (type === 0) return false;
      if (type !== character) {
        if (type === localType && !this.#hasSameRecorder(items[i]!, key, snapshot, layout)) return false;
        continue;
      }
      const item = items[i]!;
      const at = offsets[item]!;
      // A delta that was not applied does not know the places of its items.
      if (own[item] !== key || offsets[item + 1]! - at <= velY) return false;
      const speedX = data[at + velX]!;
      const speedY = data[at + velY]!;
      const placeX = data[at + x]!;
      const placeY = data[at + y]!;
      if (speedX > maxSpeed || speedX < -maxSpeed || speedY > maxSpeed || speedY < -maxSpeed) return false;
      if (placeX > maxPlace || placeX < -maxPlace || placeY > maxPlace || placeY < -maxPlace) return false;
    }
    return !isFull(snapshot, this.#protocol!);
  }

  /** Whether an item that was updated says of its client what the last snapshot said; the team of the recorder may change. */
  #hasSameRecorder(item: number, key: number, { keys, offsets, data }: Snapshot, layout: Layout): boolean {
    const { player, local, team } = layout;
    const at = offsets[item]!;
    if (keys[item] !== key || offsets[item + 1]! - at <= local) return false;
    const isRecorder = this.recorders?.[0] === idOf(key);
    if (isRecorder && typeOf(key) === player) this.team = data[at + team];
    return (data[at + local] === 1) === isRecorder;
  }

  /**
   * Reads a whole snapshot. In small steps: V8 compiled the loop again and again with all that it calls, which took a
   * fifth of the time of a small demo.
   */
  #readAll(snapshot: Snapshot, tick: number, layout: Layout): readonly Broken[] {
    this.isNew = true;
    this.charactersBefore = this.characters;
    this.players = [];
    this.characters = [];
    this.#has.fill(0);
    this.#watched.length = 0;
    this.#typesNow.length = 0;
    this.team = undefined;
    this.recorders = undefined;
    this.#odd.length = 0;
    this.#scan(snapshot, layout);
    for (let k = 0; k < this.#watched.length; k++) this.#addWatched(this.#watched[k]!, snapshot, layout);
    return this.#judge(snapshot, tick);
  }

  /** Notes where the items of clients are, and the local types. */
  #scan({ keys, count }: Snapshot, { player, info, character }: Layout): void {
    const watched = this.#watched;
    const types = this.#typesNow;
    for (let i = 0, last = -1; i < count; i++) {
      const type = keys[i]! >>> 16;
      if (type === player || type === info || type === character) watched.push(i);
      else if (type >= firstLocalType) {
        if (type !== last) types.push(type);
      } else if (type === 0 && idOf(keys[i]!) >= firstLocalType) types.push(-idOf(keys[i]!));
      last = type;
    }
  }

  #addWatched(i: number, { keys, offsets, data }: Snapshot, layout: Layout): void {
    const { player, info, localType, local, team, velY } = layout;
    const type = typeOf(keys[i]!);
    const client = idOf(keys[i]!);
    const at = offsets[i]!;
    const size = offsets[i + 1]! - at;
    this.#has[client]! |= type === player ? has.player : type === info ? has.info : has.character;
    if (type === player) {
      this.players.push(client);
      this.#seen[client] = 1;
    } else if (type !== info) {
      this.characters.push(client);
      if (size > velY) this.#addOddness(oddnessOf(data, at, layout), client);
    }
    if (type !== localType || size <= local) return;
    const isRecorder = data[at + local] === 1;
    this.recorders = isRecorder ? [...(this.recorders ?? noClients), client] : (this.recorders ?? noClients);
    if (isRecorder && type === player) this.team ??= data[at + team];
  }

  #addOddness(oddness: number, of: number): void {
    if (oddness & oddnesses.speed) this.#odd.push({ code: 'impossible_speed', of });
    if (oddness & oddnesses.place) this.#odd.push({ code: 'outside_map', of });
  }

  #judge(snapshot: Snapshot, tick: number): readonly Broken[] {
    const odd = this.#odd;
    const second = this.recorders?.[1];
    if (second !== undefined) odd.push({ code: 'two_recorders', of: second });
    const ofTypes = this.#localItems(this.#typesNow, snapshot);
    const full = isFull(snapshot, this.#protocol!);
    const ofKeys = full ? ofTypes.filter(isNewer) : [...this.#unnamed(), ...ofTypes];
    this.#ofKeys = ofKeys.length === 0 ? none : ofKeys;
    // What is odd, or has no place for a client, may change with any delta.
    this.#readAt = full || odd.length > 0 || ofKeys.length > 0 ? Infinity : tick;
    if (full) odd.push({ code: 'items_dropped', of: 0 });
    return odd.length === 0 ? this.#ofKeys : [...ofKeys, ...odd];
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

const oddnesses = { speed: 1, place: 2 } as const;

/** What is impossible of a character: {@link oddnesses}. */
function oddnessOf(data: Int32Array, at: number, { x, y, velX, velY }: Layout): number {
  const isFast = isBeyond(data[at + velX]!, maxSpeed) || isBeyond(data[at + velY]!, maxSpeed);
  const isOutside = isBeyond(data[at + x]!, maxPlace) || isBeyond(data[at + y]!, maxPlace);
  return (isFast ? oddnesses.speed : 0) | (isOutside ? oddnesses.place : 0);
}

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
