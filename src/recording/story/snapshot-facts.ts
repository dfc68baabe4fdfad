import type { Protocol } from '../../wire/protocol/registry.ts';
import type { Delta } from '../../wire/snapshot/delta.ts';
import { firstLocalType, fullItems, maxId, maxItems, maxSnapshotBytes } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { type ClientFact, itemRows } from '../games/expectations.ts';
import { type PlayerItems, playerItemsOf } from '../replay/player-items.ts';
import type { SnapshotEntry } from '../replay/record.ts';

/*
 * What the rows of items ask of a snapshot:
 *
 *   item                               what it says
 *   obj_player_info 1, local      ─▶   client 1:  player, recorder
 *   obj_character 1, speed 2³¹    ─▶   client 1:  character, fast
 *   type 0, id 0x7fff; 0x7fff 0   ─▶   local types: one registered, one used
 *
 * One loop reads a whole snapshot, or only what a delta changes: nearly all leave who is there as it was, and then
 * nobody has to look at the rows. A delta need not be on the last snapshot, but all since its base have said the same.
 */

/** Twice as many as any game has. */
export const maxClients = 256;
/** `TickDeferred` clamps a speed to 6,000 units, `Quantize` sends 256 of each; explosions come after that. */
const maxSpeed = 2 * 6000 * 256;
/** 131,072 tiles of 32 units: no map is larger. */
const maxPlace = 2 ** 22;
/** Guess. A server drops an item that does not fit, so a full snapshot has less room left than the largest item needs. */
const largestItemBytes = 4 * 60;

/** What a snapshot says of a client, as bits. */
const clientBits = { player: 1, info: 2, character: 4, recorder: 8, fast: 16, outside: 32 } as const;
/** Those that a character says. */
const saidByCharacter = clientBits.character | clientBits.fast | clientBits.outside;
/** By the bits of a client: whether they break a row by themselves. */
const isOddClient = Array.from({ length: 64 }, (_, bits) =>
  Object.values(itemRows).some(({ has, lacks }) => has && isSaid(bits, has) && !(lacks && isSaid(bits, lacks))),
);
/** The first removed key among the ints of a delta, after its three counts. */
const firstRemoved = 3;

/** A snapshot as a change of another one. */
type Changes = Pick<SnapshotEntry, 'tick' | 'base' | 'kind' | 'delta'>;

/** The place of each item of a snapshot, when all are read. */
const allPlaces = Int32Array.from({ length: maxItems }, (_, i) => i);
const noTypes: readonly number[] = [];
/** After all ticks. An integer, since V8 keeps Infinity as a double, in an object of its own. */
const never = 2 ** 31 - 1;

/** What the last snapshot of a stream says. */
export class SnapshotFacts {
  /** By client: {@link clientBits}. */
  readonly #clients = new Uint8Array(maxClients);
  /** Those of the snapshot before. */
  readonly #before = new Uint8Array(maxClients);
  /** The number after the highest client so far. */
  #end = 0;
  /** By client, 1 for those that were in a snapshot. */
  readonly seen = new Uint8Array(maxClients);
  /** The local types of which nothing is to be said, as long as no registration changes. */
  quietTypes = noTypes;
  /** The team of the player who was the last to record. */
  team: number | undefined;
  isFull = false;
  /** Whether the last snapshot may say something else of clients, or of local types, than the one before. */
  hasOtherClients = false;
  hasOtherTypes = false;
  /** The tick of the last snapshot that said something new; {@link never} if the next one has to be read whole. */
  #since = never;
  #protocol: Protocol | undefined;
  /** Of the protocol. */
  #layout: PlayerItems | undefined;
  #itemBytes = 0;
  #room = 0;

  /** The next snapshot is read whole. */
  restart(): void {
    this.#since = never;
  }

  /** Deltas on snapshots before this tick are not followed: these said something else. */
  followSince(tick: number): void {
    this.#since = tick;
  }

  /** Reads the next snapshot, and notes what is to be looked at again. */
  read({ tick, base, kind, delta }: Changes, snapshot: Snapshot, protocol: Protocol): void {
    if (this.hasOtherClients) this.#before.set(this.#clients);
    if (protocol !== this.#protocol) {
      this.#protocol = protocol;
      this.#layout = playerItemsOf(protocol);
      this.#itemBytes = itemBytesOf(protocol);
      this.#room = roomOf(protocol);
    }
    const { count } = snapshot;
    const isFull = count >= fullItems || storedBytes(snapshot, this.#itemBytes) > this.#room;
    this.hasOtherClients = isFull !== this.isFull;
    this.hasOtherTypes = this.hasOtherClients;
    this.isFull = isFull;
    const layout = this.#layout!;
    let isFollowed = false;
    if (base >= this.#since) {
      if (kind === 'empty') return;
      if (delta) {
        if (delta.removedCount > 0) this.#remove(delta, layout);
        // False if it was not applied to make this snapshot.
        isFollowed = this.#readItems(delta.items, delta.keys, delta.count, snapshot, layout);
      }
    }
    if (!isFollowed) this.#readWhole(snapshot, layout);
    if (this.hasOtherClients || this.#since === never) this.#since = tick;
  }

  /** Reads the items that a delta removes. */
  #remove({ ints, removedCount }: Delta, { player, info, character, recorder }: PlayerItems): void {
    for (let i = firstRemoved; i < firstRemoved + removedCount; i++) {
      const type = ints[i]! >>> 16;
      const client = ints[i]! & maxId;
      if (type === 0 || type >= firstLocalType) this.hasOtherTypes ||= !this.quietTypes.includes(type);
      if ((type !== player && type !== info && type !== character) || client >= maxClients) continue;
      const said = type === player ? clientBits.player : type === info ? clientBits.info : saidByCharacter;
      this.#clients[client]! &= ~(type === recorder ? said | clientBits.recorder : said);
      this.hasOtherClients = true;
    }
  }

  #readWhole(snapshot: Snapshot, layout: PlayerItems): void {
    const { team, hasOtherClients } = this;
    const clients = this.#clients;
    clients.fill(0);
    this.#readItems(allPlaces, snapshot.keys, snapshot.count, snapshot, layout);
    let isOther = hasOtherClients || team !== this.team;
    for (let client = 0; client < this.#end; client++) isOther ||= clients[client] !== this.#before[client];
    this.hasOtherClients = isOther;
    this.hasOtherTypes = true;
  }

  /**
   * The loop calls only what V8 compiles into it: with other calls V8 compiles it again and again, which took a tenth of
   * `checksum`.
   * @param keys of each item, as the delta has it
   */
  #readItems(places: Int32Array, keys: Int32Array, count: number, snapshot: Snapshot, layout: PlayerItems): boolean {
    const { player, info, character, recorder, local, team, x, y, velX, velY } = layout;
    const { keys: own, offsets, data } = snapshot;
    const { seen, quietTypes } = this;
    const clients = this.#clients;
    let quiet = -1;
    for (let i = 0; i < count; i++) {
      const item = places[i]!;
      const key = keys[i]!;
      const type = key >>> 16;
      const id = key & maxId;
      if (own[item] !== key) return false;
      let now: number;
      if (type === character) {
        if (id >= maxClients) continue;
        const at = offsets[item]!;
        now = (clients[id]! & ~saidByCharacter) | clientBits.character;
        if (offsets[item + 1]! - at > velY) {
          if (isBeyond(data[at + x]!, maxPlace) || isBeyond(data[at + y]!, maxPlace)) now |= clientBits.outside;
          if (isBeyond(data[at + velX]!, maxSpeed) || isBeyond(data[at + velY]!, maxSpeed)) now |= clientBits.fast;
        }
      } else if (type === player || type === info) {
        if (id >= maxClients) continue;
        now = clients[id]! | (type === player ? clientBits.player : clientBits.info);
        if (type === recorder) {
          const at = offsets[item]!;
          const isRecorder = offsets[item + 1]! - at > local && data[at + local] === 1;
          now = isRecorder ? now | clientBits.recorder : now & ~clientBits.recorder;
          if (isRecorder && type === player && data[at + team] !== this.team) {
            this.team = data[at + team];
            this.hasOtherClients = true;
          }
        }
      } else {
        if (type === 0) this.hasOtherTypes ||= id >= firstLocalType;
        else if (type >= firstLocalType && type !== quiet) {
          // Items of one type stand together.
          if (quietTypes.includes(type)) quiet = type;
          else this.hasOtherTypes = true;
        }
        continue;
      }
      if (now === clients[id]) continue;
      clients[id] = now;
      this.hasOtherClients = true;
      if (type === player) seen[id] = 1;
      if (id >= this.#end) this.#end = id + 1;
    }
    return true;
  }

  /** Whether any client may break a row: nearly always none does. */
  get areOdd(): boolean {
    for (let client = 0; client < this.#end; client++) if (isOddClient[this.#clients[client]!]) return true;
    return false;
  }

  /** The clients of whom the snapshot says one thing, and not another one. */
  clientsWith(has: ClientFact, lacks?: ClientFact): number[] {
    const clients: number[] = [];
    for (let client = 0; client < this.#end; client++)
      if (this.has(client, has) && !(lacks && this.has(client, lacks))) clients.push(client);
    return clients;
  }

  /** The first client of whom it says something. */
  firstWith(has: ClientFact, from = 0): number | undefined {
    for (let client = from; client < this.#end; client++) if (this.has(client, has)) return client;
    return undefined;
  }

  has(client: number, fact: ClientFact): boolean {
    return isSaid(this.#clients[client]!, fact);
  }

  /** Whether the snapshot before said it. */
  had(client: number, fact: ClientFact): boolean {
    return isSaid(this.#before[client]!, fact);
  }
}

/** One comparison for both signs. */
const isBeyond = (value: number, limit: number): boolean => ((value + limit) | 0) >>> 0 > 2 * limit;

function isSaid(bits: number, fact: ClientFact): boolean {
  return (bits & clientBits[fact]) !== 0;
}

/** What a full snapshot has too many of. */
export const fullnessOf = (snapshot: Snapshot, protocol: Protocol): Record<string, number> =>
  snapshot.count >= fullItems ? { items: snapshot.count } : { bytes: storedBytes(snapshot, itemBytesOf(protocol)) };

/** The bytes of a snapshot as the games store it: the header, and of each item its offset, key and ints. */
export const storedBytes = ({ count, offsets }: Snapshot, itemBytes: number): number =>
  8 + count * itemBytes + 4 * offsets[count]!;

/** Of each item, besides its ints: 0.7 has the keys twice. */
export const itemBytesOf = ({ version }: Protocol): number => (version === '0.7' ? 12 : 8);

const roomOf = ({ maxSnapshotBytes: most = maxSnapshotBytes }: Protocol) => most - largestItemBytes;
