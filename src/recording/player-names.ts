import { hasIntsAt } from '../bytes/has-ints.ts';
import type { Message } from '../packet/message.ts';
import type { Protocol } from '../protocol/registry.ts';
import { textOfInts } from '../protocol/text.ts';
import { idOf, maxType, typeOf } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** The current names of the clients' players, from snapshots and messages. */
export class PlayerNames {
  readonly #current = new Map<number, string>();
  /** The ints from which each name was read: most snapshots contain the same ones again. */
  readonly #ints: (Int32Array | undefined)[] = [];
  /** The names of all players so far, in order of appearance. */
  readonly seen = new Set<string>();
  /**
   * The client number of the player who received the last snapshot; undefined if 0.7 or a server's demo does not contain it.
   */
  local: number | undefined;
  #fields: NameFields = { names: [], local: noField };
  #protocol: Protocol | undefined;

  of(client: number): string | undefined {
    return this.#current.get(client);
  }

  /** Reads the names in a snapshot: 0.6 sends them there, 0.7 only in demos. */
  onSnapshot(snapshot: Snapshot, protocol: Protocol): void {
    if (this.#protocol !== protocol) this.#fields = nameFieldsOf(protocol);
    this.#protocol = protocol;
    this.local = undefined;
    const { keys, offsets, data, count } = snapshot;
    const { names, local } = this.#fields;
    for (let i = 0; i < count; i++) {
      const key = keys[i]!;
      const type = typeOf(key);
      if (type === local.type) {
        const at = offsets[i]! + local.at;
        if (at < offsets[i + 1]! && data[at] === 1) this.local ??= idOf(key);
      } else if (type < names.length) {
        const field = names[type];
        if (!field) continue;
        const at = offsets[i]! + field.at;
        if (at + field.ints <= offsets[i + 1]!) this.#readName(idOf(key), data, at, field.ints);
      }
    }
  }

  /** Reads the name that a 0.7 server announces. */
  onMessage(message: Message): void {
    if (message.type?.name !== 'sv_clientinfo') return;
    const value = (name: string) => message.values.find((one) => one.name === name)?.value;
    const client = value('client_id');
    const name = value('name');
    if (typeof client === 'number' && typeof name === 'string') this.#set(client, name);
  }

  #readName(client: number, data: Int32Array, start: number, count: number): void {
    const known = this.#ints[client];
    if (known && hasIntsAt(data, start, known)) return;
    const ints = data.slice(start, start + count);
    this.#ints[client] = ints;
    const name = textOfInts(ints, 0, count);
    if (name !== undefined) this.#set(client, name);
  }

  #set(client: number, name: string): void {
    this.#current.set(client, name);
    if (name !== '' && !isPlaceholder(client, name)) this.seen.add(name);
  }
}

/** The last two of the 64 or 16 clients that a receiver can know. */
const placeholderClients = [62, 63, 14, 15];

/**
 * Whether a client is not a player. DDNet sends one named ` ` for the chat of players whom the receiver cannot know,
 * and one named `⋅ 3 others`, `⋅ 1/2` or `⋅ Close`, a button of the spectator menu (src/game/server/playermapping.cpp).
 */
export function isPlaceholder(client: number, name: string | undefined): boolean {
  return name !== undefined && placeholderClients.includes(client) && (name === ' ' || name.startsWith('⋅ '));
}

/** A field of an item type. */
interface FieldPosition {
  readonly type: number;
  readonly at: number;
  readonly ints: number;
}

/** The fields with the names of players, and the one that marks the local player. */
interface NameFields {
  /** The name fields by the type of the item. */
  readonly names: readonly (FieldPosition | undefined)[];
  readonly local: FieldPosition;
}

/** No item has this type. */
const noField: FieldPosition = { type: maxType + 1, at: 0, ints: 0 };

function nameFieldsOf(protocol: Protocol): NameFields {
  const positionOf = (itemName: string, fieldName: string): FieldPosition | undefined => {
    const item = protocol.byName(itemName);
    const field = item?.fields.find(({ name }) => name === fieldName);
    return item?.type !== undefined && field ? { type: item.type, at: field.at, ints: field.ints } : undefined;
  };
  const names: (FieldPosition | undefined)[] = [];
  for (const item of ['obj_client_info', 'obj_de_client_info']) {
    const field = positionOf(item, 'name');
    if (field) names[field.type] = field;
  }
  return { names, local: positionOf('obj_player_info', 'local') ?? noField };
}
