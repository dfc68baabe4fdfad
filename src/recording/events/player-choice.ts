import { getOr } from '../../wire/bytes/get-or.ts';
import type { Message } from '../../wire/packet/message.ts';
import { clientItems, type ItemType } from '../../wire/protocol/item.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { intAt } from '../../wire/snapshot/item-fields.ts';
import type { ItemTypes } from '../../wire/snapshot/item-types.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { RecordingEntry, SnapshotEntry } from '../replay/record.ts';
import type { Stream } from '../replay/stream.ts';
import type { GameEvent, PlayerRef } from './event.ts';
import { Players } from './players.ts';

type SnapshotPair = Pick<SnapshotEntry, 'snapshot' | 'before'>;

/**
 * Selects what is about a player: by client number, or by name. A name is followed when the player takes another one.
 * An item is about the player of its id, or if its id is no client number, of a field that is one; a message and an
 * event about each player that they name.
 */
export class PlayerChoice {
  isFound = false;
  /** The players so far, for an error: `3 corpus`. */
  readonly seen = new Set<string>();
  readonly #number: number | undefined;
  readonly #isName: (name: string) => boolean;
  readonly #names = new Map<string, boolean>();
  readonly #streams = new Map<Stream, Players>();
  #players = new Players(true);
  #at: SnapshotPair | undefined;
  #message: Message | undefined;

  constructor(client: number | undefined, isName: (name: string) => boolean) {
    this.#number = client;
    this.#isName = isName;
  }

  follow(entry: RecordingEntry): void {
    const { stream } = entry;
    this.#at = entry.record === 'snapshot' ? entry : undefined;
    this.#message = entry.record === 'message' ? entry.message : undefined;
    if (!stream) return;
    this.#players = getOr(this.#streams, stream, () => new Players(true));
    if (entry.record === 'drop') this.#streams.delete(stream);
    if (entry.record === 'message' && entry.direction === 'to_client' && entry.head.version === undefined) {
      const name = entry.head.type?.name;
      if (name === 'sv_clientinfo') this.#rename(() => this.#players.onMessage(entry.message));
    }
    if (entry.record === 'snapshot') this.onSnapshot(entry, stream.protocol);
  }

  /** Adds a snapshot of the current stream, or what is known of a delta by itself. */
  onSnapshot(pair: SnapshotPair, protocol: Protocol): void {
    this.#at = pair;
    const { snapshot } = pair;
    if (!snapshot) return;
    this.#rename(() => this.#players.onSnapshot(snapshot, protocol));
    for (const client of this.#players.present) {
      this.isFound ||= this.has(client);
      if (this.seen.size < maxSeen) this.seen.add(`${client} ${this.#players.nameOf(client) ?? ''}`.trimEnd());
    }
  }

  /** The first selected player who is in the current snapshot. */
  get client(): number | undefined {
    return [...this.#players.present].find((client) => this.has(client));
  }

  /** Whether the player who has this client number now is selected. */
  has(client: number): boolean {
    return this.is({ client, name: this.#players.nameOf(client) });
  }

  item(types: ItemTypes, type: number, id: number): boolean {
    const item = types.of(type);
    if (!item || !this.#at) return false;
    if (clientItems.has(item.name)) {
      const isOfPlayer = this.has(id);
      // A delta without its base does not say who is there.
      this.isFound ||= isOfPlayer;
      return isOfPlayer;
    }
    const fields = clientFieldsOf(item);
    if (fields.length === 0) return false;
    const holds = (from: Snapshot | undefined) => {
      const i = from?.find(type, id) ?? -1;
      return i < 0 ? undefined : fields.some((at) => at < from!.size(i) && this.has(intAt(from!, i, at)));
    };
    return holds(this.#at.snapshot) ?? holds(this.#at.before) ?? false;
  }

  get isMessage(): boolean {
    return this.#message !== undefined && this.#isIn(this.#message);
  }

  event(event: GameEvent): boolean {
    if (event.what === 'diagnostic') return true;
    const refs = ['player', 'victim', 'killer', 'target'].map(
      (key) => (event as unknown as Record<string, unknown>)[key],
    );
    if (refs.some((ref) => ref !== undefined && this.is(ref as PlayerRef))) return true;
    if (event.what !== 'chat' || event.player) return false;
    const { text } = event;
    const isNamed = (name: string) => text.includes(`'${name}'`) || text.startsWith(`${name} finished in: `);
    return [...this.#names].some(([name, isSelected]) => isSelected && isNamed(name));
  }

  #isIn({ version, values }: Message): boolean {
    // Messages of the other version have the numbers of their receivers.
    return version === undefined && values.some(({ type, value }) => type.kind === 'client' && this.has(Number(value)));
  }

  /** Whether a player is selected who has this number or name, or had it. */
  is({ client, name }: { readonly client?: number | undefined; readonly name?: string | undefined }): boolean {
    if (this.#number !== undefined) return client === this.#number;
    return name !== undefined && name !== '' && getOr(this.#names, name, () => this.#isName(name));
  }

  /** A player who takes a name that nobody had is still the same player. */
  #rename(change: () => void): void {
    const players = this.#players;
    const before = [...players.present].filter((client) => this.has(client));
    const taken = new Set(before.length > 0 ? players.seen : []);
    const names = before.map((client) => players.nameOf(client));
    change();
    for (const [i, client] of before.entries()) {
      const name = players.nameOf(client);
      if (name !== undefined && name !== names[i] && !taken.has(name)) this.#names.set(name, true);
    }
  }
}

/** An error names a few of them. */
const maxSeen = 200;

const clientFields = new WeakMap<ItemType, readonly number[]>();

const clientFieldsOf = (item: ItemType) =>
  getOr(clientFields, item, () => item.fields.flatMap(({ meaning, at }) => (meaning.kind === 'client' ? [at] : [])));
