import type { Protocol } from '../../wire/protocol/registry.ts';
import type { Delta } from '../../wire/snapshot/delta.ts';
import { firstLocalType, fullItems, maxId, maxItems, maxSnapshotBytes } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { ClientFact } from '../games/expectations.ts';
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
/** Those that each item says. */
const saidByPlayer = clientBits.player | clientBits.recorder;
const saidByInfo = clientBits.info | clientBits.recorder;
const saidByCharacter = clientBits.character | clientBits.fast | clientBits.outside;
/** The first removed key among the ints of a delta, after its three counts. */
const firstRemoved = 3;

/** A snapshot as a change of another one. */
type Changes = Pick<SnapshotEntry, 'tick' | 'base' | 'kind' | 'delta'>;

/** The place of each item of a snapshot, when all are read. */
const allPlaces = Int32Array.from({ length: maxItems }, (_, i) => i);

/** What the last snapshot of a stream says. */
export class SnapshotFacts {
  /** By client: {@link clientBits}. */
  readonly #clients = new Uint8Array(maxClients);
  /** The number after the highest client so far. */
  #end = 0;
  /** The local types that items had, of which nothing more is to be said. */
  readonly #localTypes: number[] = [];
  /** The team of the player who was the last to record. */
  team: number | undefined;
  isFull = false;
  /** The tick of the last snapshot that said something new; Infinity if the next one has to be read whole. */
  #since = Infinity;
  /** Of the items that are read: whether they say anything else of clients, and whether types may have another meaning. */
  #isOther = false;
  #hasTypes = false;

  /** The next snapshot is read whole. */
  restart(): void {
    this.#since = Infinity;
  }

  /** Any local type is a new one. */
  forgetTypes(): void {
    this.#localTypes.length = 0;
  }

  /** @returns whether a snapshot may say something else than the one before */
  read({ tick, base, kind, delta }: Changes, snapshot: Snapshot, protocol: Protocol): boolean {
    const layout = playerItemsOf(protocol);
    const { isFull } = this;
    this.isFull = snapshot.count >= fullItems || storedBytes(snapshot, protocol) > roomOf(protocol);
    const isOnSame = base >= this.#since;
    if (isOnSame && kind === 'empty') return false;
    this.#isOther = false;
    this.#hasTypes = false;
    if (isOnSame && delta && this.#follow(delta, snapshot, layout)) this.#isOther ||= this.#hasTypes;
    else this.#readWhole(snapshot, layout);
    this.#isOther ||= this.isFull !== isFull;
    if (this.#isOther || this.#since === Infinity) this.#since = tick;
    return this.#isOther || this.#hasTypes;
  }

  /** Reads the items that a delta removes and updates; false if it was not applied to make this snapshot. */
  #follow({ ints, removedCount, keys, items, count }: Delta, snapshot: Snapshot, layout: PlayerItems): boolean {
    const { player, info, character } = layout;
    for (let i = firstRemoved; i < firstRemoved + removedCount; i++) {
      const type = ints[i]! >>> 16;
      const client = ints[i]! & maxId;
      if (type === 0) this.#hasTypes = true;
      if ((type !== player && type !== info && type !== character) || client >= maxClients) continue;
      this.#clients[client]! &= ~(type === player ? saidByPlayer : type === info ? saidByInfo : saidByCharacter);
      this.#isOther = true;
    }
    return this.#readItems(items, keys, count, snapshot, layout);
  }

  #readWhole(snapshot: Snapshot, layout: PlayerItems): void {
    const before = this.#clients.slice();
    const { team } = this;
    this.#clients.fill(0);
    this.#readItems(allPlaces, snapshot.keys, snapshot.count, snapshot, layout);
    this.#isOther = team !== this.team || before.some((bits, client) => bits !== this.#clients[client]);
  }

  /**
   * Nothing is called in the loop: with calls V8 compiles it again and again, which took a tenth of `checksum`.
   * @param keys of each item, as the delta has it
   */
  #readItems(places: Int32Array, keys: Int32Array, count: number, snapshot: Snapshot, layout: PlayerItems): boolean {
    const { player, info, character, recorder, local, team, x, y, velX, velY } = layout;
    const { keys: own, offsets, data } = snapshot;
    const clients = this.#clients;
    const localTypes = this.#localTypes;
    for (let i = 0; i < count; i++) {
      const item = places[i]!;
      const key = keys[i]!;
      const type = key >>> 16;
      const id = key & maxId;
      if (own[item] !== key) return false;
      if (type === player || type === info || type === character) {
        if (id >= maxClients) continue;
        const at = offsets[item]!;
        const size = offsets[item + 1]! - at;
        const had = clients[id]!;
        let now = had;
        if (type === character) {
          now = (had & ~saidByCharacter) | clientBits.character;
          if (size > velY) {
            const speedX = data[at + velX]!;
            const speedY = data[at + velY]!;
            const placeX = data[at + x]!;
            const placeY = data[at + y]!;
            const isFast = speedX > maxSpeed || speedX < -maxSpeed || speedY > maxSpeed || speedY < -maxSpeed;
            const isOutside = placeX > maxPlace || placeX < -maxPlace || placeY > maxPlace || placeY < -maxPlace;
            if (isFast) now |= clientBits.fast;
            if (isOutside) now |= clientBits.outside;
          }
        } else {
          now |= type === player ? clientBits.player : clientBits.info;
          if (type === recorder) {
            const isRecorder = size > local && data[at + local] === 1;
            now = isRecorder ? now | clientBits.recorder : now & ~clientBits.recorder;
            if (isRecorder && type === player && data[at + team] !== this.team) {
              this.team = data[at + team];
              this.#isOther = true;
            }
          }
        }
        if (now === had) continue;
        clients[id] = now;
        this.#isOther = true;
        if (id >= this.#end) this.#end = id + 1;
      } else if (type === 0) {
        if (id >= firstLocalType) this.#hasTypes = true;
      } else if (type >= firstLocalType && !localTypes.includes(type)) {
        localTypes.push(type);
        this.#hasTypes = true;
      }
    }
    return true;
  }

  /** The clients of whom the snapshot says one thing, and not another one. */
  clientsWith(has: ClientFact, lacks?: ClientFact): number[] {
    const asked = clientBits[has] | (lacks ? clientBits[lacks] : 0);
    const clients: number[] = [];
    for (let client = 0; client < this.#end; client++)
      if ((this.#clients[client]! & asked) === clientBits[has]) clients.push(client);
    return clients;
  }
}

/** What a full snapshot has too many of. */
export const fullnessOf = (snapshot: Snapshot, protocol: Protocol): Record<string, number> =>
  snapshot.count >= fullItems ? { items: snapshot.count } : { bytes: storedBytes(snapshot, protocol) };

/** The bytes of a snapshot as the games store it: key and offset of each item, and the header; 0.7 has the keys twice. */
const storedBytes = ({ count, intCount }: Snapshot, { version }: Protocol): number =>
  8 + count * (version === '0.7' ? 12 : 8) + 4 * intCount;

const roomOf = ({ maxSnapshotBytes: most = maxSnapshotBytes }: Protocol) => most - largestItemBytes;
