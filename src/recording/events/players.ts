import { hasIntsAt } from '../../wire/bytes/copy.ts';
import { type Message, MessageFields } from '../../wire/packet/message.ts';
import { clientItems } from '../../wire/protocol/item.ts';
import { skinParts } from '../../wire/protocol/items.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { textOfInts } from '../../wire/protocol/texts.ts';
import type { Delta } from '../../wire/snapshot/delta.ts';
import { type FieldValue, fieldValues } from '../../wire/snapshot/item-fields.ts';
import type { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { idOf, typeOf } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { nameIn, playerItemsOf } from '../replay/player-items.ts';

export interface PlayerInfo {
  readonly name: string;
  readonly clan: string;
  /** ISO 3166-1 number, -1 for none. */
  readonly country: number;
  /** The name of the skin; in 0.7 the names of its parts with slashes, the body's first. */
  readonly skin: string;
  /**
   * The colours of all parts as they are sent, undefined where it is the skin's own: in 0.6 body and feet, in 0.7 body,
   * marking, decoration, hands, feet and eyes.
   */
  readonly partColours: readonly (number | undefined)[];
}

export const unknownPlayer: PlayerInfo = {
  name: '',
  clan: '',
  country: -1,
  skin: '',
  partColours: [],
};

const messagesAboutPlayers: ReadonlySet<string> = new Set(['sv_clientinfo', 'sv_team', 'sv_skinchange']);

/**
 * Who has each client number: names, and on request all that players announce. 0.6 sends it in snapshots, 0.7 in
 * messages; a demo of
 * 0.7 has it in both.
 */
export class Players {
  /**
   * The client number of the player who received the last snapshot; undefined if 0.7 or a server's demo does not
   * contain it.
   */
  local: number | undefined;
  /** The clients that the last snapshot has as players, if more than names is read. */
  readonly present = new Set<number>();
  readonly seen = new Set<string>();
  /** Those of {@link present} in the order of their items. */
  readonly #clients: number[] = [];
  readonly #hasInfos: boolean;
  readonly #names = new Map<number, string>();
  readonly #infos = new Map<number, PlayerInfo>();
  readonly #teams = new Map<number, number>();
  /** The ints that were read last of each player's item: most snapshots contain the same ones again. */
  readonly #ints: (Int32Array | undefined)[] = [];

  /** @param hasInfos whether more than names is read */
  constructor(hasInfos = false) {
    this.#hasInfos = hasInfos;
  }

  nameOf(client: number): string | undefined {
    return this.#names.get(client);
  }

  clientOf(name: string): number | undefined {
    for (const [client, own] of this.#names) if (own === name) return client;
    return undefined;
  }

  infoOf(client: number): PlayerInfo | undefined {
    return this.#infos.get(client);
  }

  add(client: number, info: PlayerInfo, team: number): void {
    this.#infos.set(client, info);
    this.#teams.set(client, team);
    this.#setName(client, info.name);
  }

  /** All that was announced, of players who are there or have left. */
  get infos(): Iterable<PlayerInfo> {
    return this.#infos.values();
  }

  /** -1 for spectators, 0 for red or a game without teams, 1 for blue. */
  teamOf(client: number): number {
    return this.#teams.get(client) ?? 0;
  }

  static areIn(delta: Delta, protocol: Protocol): boolean {
    const { info, player } = playerItemsOf(protocol);
    return delta.hasType(player) || delta.hasType(info);
  }

  onSnapshot(snapshot: Snapshot, protocol: Protocol): void {
    this.local = undefined;
    let players = 0;
    let isChanged = false;
    const { keys, offsets, data, count } = snapshot;
    const { player, info, infoFields, recorder, local, team, name, nameInts } = playerItemsOf(protocol);
    for (let i = 0; i < count; i++) {
      const key = keys[i]!;
      const type = typeOf(key);
      if (type === player) {
        const start = offsets[i]!;
        const end = offsets[i + 1]!;
        if (type === recorder && start + local < end && data[start + local] === 1) this.local ??= idOf(key);
        if (!this.#hasInfos) continue;
        isChanged ||= this.#clients[players] !== idOf(key);
        this.#clients[players++] = idOf(key);
        if (start + team < end) this.#teams.set(idOf(key), data[start + team]!);
      } else if (type === info) {
        const start = this.#hasInfos ? offsets[i]! : offsets[i]! + name;
        const end = this.#hasInfos ? offsets[i + 1]! : start + nameInts;
        if (end > offsets[i + 1]!) continue;
        const known = this.#ints[idOf(key)];
        if (known?.length === end - start && hasIntsAt(data, start, known)) continue;
        const ints = data.slice(start, end);
        this.#ints[idOf(key)] = ints;
        if (this.#hasInfos) this.#setInfo(idOf(key), fieldValues(infoFields, ints));
        else this.#setName(idOf(key), textOfInts(ints, 0, nameInts));
      }
    }
    // A set that is filled again for each snapshot is a new table for V8 each time.
    if (!isChanged && players === this.#clients.length) return;
    this.#clients.length = players;
    this.present.clear();
    for (const client of this.#clients) this.present.add(client);
  }

  /**
   * Reads what a server of 0.7 announces. Messages of the other version have other client numbers, so they must not be
   * added.
   */
  onMessage(message: Message): void {
    const type = message.type?.name ?? '';
    if (!messagesAboutPlayers.has(type)) return;
    const fields = new MessageFields(message);
    if (!fields.numbers.has('client_id')) return;
    const client = fields.int('client_id');
    // The item of the next snapshot counts, also if it is the same as before the message.
    if (this.#ints[client]) this.#ints[client] = undefined;
    if (type === 'sv_clientinfo') this.#setName(client, fields.texts.get('name'));
    if (!this.#hasInfos) return;
    if (fields.numbers.has('team')) this.#teams.set(client, fields.int('team'));
    if (type === 'sv_team') return;
    const names = [...fields.texts].filter(([field]) => field.startsWith('skin_part_names'));
    this.#infos.set(client, {
      ...(type === 'sv_skinchange'
        ? (this.#infos.get(client) ?? unknownPlayer)
        : { name: fields.text('name'), clan: fields.text('clan'), country: fields.int('country') }),
      skin: names.map(([, text]) => text).join('/'),
      partColours: skinParts.map((part) =>
        fields.int(`use_custom_colors[${part}]`) ? fields.int(`skin_part_colors[${part}]`) : undefined,
      ),
    });
  }

  #setInfo(client: number, values: Readonly<Record<string, FieldValue>>): void {
    /** The value of a field, or the first of a list. */
    const first = (name: string) => [values[name]].flat()[0];
    /** Text, or texts with slashes; damaged ints that are no text are ''. */
    const text = (name: string) => {
      const all = [values[name]].flat();
      return all.every((value) => typeof value === 'string') ? all.join('/') : '';
    };
    const int = (name: string) => first(name) as number | undefined;
    if (typeof values.name === 'string') this.#setName(client, values.name);
    const isChosen = [values.use_custom_color ?? values.use_custom_colors].flat();
    const colours = 'color_body' in values ? [values.color_body, values.color_feet] : [values.skin_part_colors].flat();
    this.#infos.set(client, {
      name: text('name'),
      clan: text('clan'),
      country: int('country') ?? -1,
      skin: text('skin') || text('skin_part_names'),
      partColours: colours.map((colour, i) =>
        (isChosen[i] ?? isChosen[0]) ? (colour as number | undefined) : undefined,
      ),
    });
    const team = int('team');
    if (team !== undefined) this.#teams.set(client, team);
  }

  #setName(client: number, name: string | undefined): void {
    if (name === undefined) return;
    this.#names.set(client, name);
    if (name !== '' && !isPlaceholder(client, name)) this.seen.add(name);
  }
}

const placeholderClients = [62, 63, 14, 15];

/**
 * Whether a client is not a player. DDNet sends one named ` ` for the chat of players whom the receiver cannot know,
 * and one named `⋅ 3 others`, `⋅ 1/2` or `⋅ Close`, a button of the spectator menu (src/game/server/playermapping.cpp).
 */
export function isPlaceholder(client: number, name: string | undefined): boolean {
  return name !== undefined && placeholderClients.includes(client) && (name === ' ' || name.startsWith('⋅ '));
}

/** The name of the player that an item belongs to, if the snapshot contains it. */
export function playerOf(snapshot: Snapshot, types: ItemTypes, type: number, id: number): string | undefined {
  if (!clientItems.has(types.of(type)?.name ?? '')) return undefined;
  return nameIn(snapshot, id, types.protocol);
}
