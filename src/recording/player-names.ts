import type { Message } from '../packet/message.ts';
import type { Protocol } from '../protocol/registry.ts';
import { textOfInts } from '../protocol/text.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Who a client number stands for, as snapshots and messages tell it over time. */
export class PlayerNames {
  readonly #current = new Map<number, string>();
  /** The ints each name was read from: most snapshots bring the same again. */
  readonly #ints = new Map<number, Int32Array>();
  /** Everybody who was there, in order of appearance. */
  readonly seen = new Set<string>();
  #holders: { type: number; at: number; ints: number }[] = [];
  #protocol: Protocol | undefined;

  of(client: number): string | undefined {
    return this.#current.get(client);
  }

  /** Takes the names that a snapshot holds: 0.6 sends them there, 0.7 only in demos. */
  onSnapshot(snapshot: Snapshot, protocol: Protocol): void {
    if (this.#protocol !== protocol) this.#holders = holdersOf(protocol);
    this.#protocol = protocol;
    for (let i = 0; i < snapshot.count; i++) {
      const type = snapshot.type(i);
      const holder = this.#holders.find((one) => one.type === type);
      if (!holder || snapshot.size(i) < holder.at + holder.ints) continue;
      const ints = snapshot.item(i).subarray(holder.at, holder.at + holder.ints);
      const id = snapshot.id(i);
      const known = this.#ints.get(id);
      if (known?.every((int, k) => int === ints[k])) continue;
      this.#ints.set(id, ints.slice());
      const name = textOfInts(ints, 0, holder.ints);
      if (name !== undefined) this.#set(id, name);
    }
  }

  /** Takes the name that a 0.7 server announces. */
  onMessage(message: Message): void {
    if (message.type?.name !== 'sv_clientinfo') return;
    const value = (name: string) => message.values.find((one) => one.name === name)?.value;
    const client = value('client_id');
    const name = value('name');
    if (typeof client === 'number' && typeof name === 'string') this.#set(client, name);
  }

  #set(client: number, name: string): void {
    this.#current.set(client, name);
    if (name !== '' && !isPlaceholder(client, name)) this.seen.add(name);
  }
}

/** The last two numbers of the 64 or 16 clients that a receiver can know. */
const placeholderClients = [62, 63, 14, 15];

/**
 * Whether a client is none: DDNet sends one named ` ` that speaks for the players whom the receiver cannot know, and one named
 * `⋅ 3 others`, `⋅ 1/2` or `⋅ Close`, a button of the spectators' menu (src/game/server/playermapping.cpp).
 */
export function isPlaceholder(client: number, name: string | undefined): boolean {
  return name !== undefined && placeholderClients.includes(client) && (name === ' ' || name.startsWith('⋅ '));
}

function holdersOf(protocol: Protocol): { type: number; at: number; ints: number }[] {
  const holders = [];
  for (const name of ['obj_client_info', 'obj_de_client_info']) {
    const item = protocol.byName(name);
    const field = item?.fields.find((one) => one.name === 'name');
    if (item?.type !== undefined && field) holders.push({ type: item.type, at: field.at, ints: field.ints });
  }
  return holders;
}
