import { valuesOf } from '../annotate/values.ts';
import { hasIntsAt } from '../bytes/has-ints.ts';
import { MessageFields } from '../events/message-fields.ts';
import type { Message } from '../packet/message.ts';
import type { ItemType } from '../protocol/item.ts';
import type { Protocol } from '../protocol/registry.ts';
import { textOfInts } from '../protocol/text.ts';
import { isPlaceholder } from '../recording/player-names.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { CellValue } from './column.ts';
import { playersTable } from './schemas.ts';
import type { Tables } from './tables.ts';

/** The properties that a client announces. */
interface Info {
  readonly name: string;
  readonly clan: string;
  readonly country: number;
  readonly skin: string;
}

/** The messages that {@link PlayerIntervals} reads. */
export const messagesAboutPlayers: ReadonlySet<string> = new Set(['sv_clientinfo', 'sv_team']);

/** A period during which a player's properties do not change. */
interface Interval extends Info {
  readonly team: number;
  readonly firstTick: number;
  lastTick: number;
}

const unknownInfo: Info = { name: '', clan: '', country: -1, skin: '' };

/**
 * The players of one stream as intervals. An interval ends when the player leaves or changes the name, clan, country,
 * skin or team.
 */
export class PlayerIntervals {
  readonly #tables: Tables;
  #protocol: Protocol | undefined;
  #info: ItemType | undefined;
  #player: ItemType | undefined;
  /** The place of the team in the ints of a player; Infinity if they have none. */
  #teamAt = Infinity;
  readonly #infos = new Map<number, Info>();
  readonly #teams = new Map<number, number>();
  /** The ints from which each info was read; most snapshots repeat them. */
  readonly #ints = new Map<number, Int32Array>();
  readonly #open = new Map<number, Interval>();
  #origin: readonly CellValue[] = [];

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  onSnapshot(snapshot: Snapshot, protocol: Protocol, tick: number, origin: readonly CellValue[]): void {
    if (this.#protocol !== protocol) {
      this.#protocol = protocol;
      this.#info = protocol.byName('obj_client_info') ?? protocol.byName('obj_de_client_info');
      this.#player = protocol.byName('obj_player_info');
      this.#teamAt = this.#player?.fields.find(({ name }) => name === 'team')?.at ?? Infinity;
    }
    this.#origin = origin;
    const present = new Set<number>();
    const { offsets, data, count } = snapshot;
    for (let i = 0; i < count; i++) {
      const type = snapshot.type(i);
      if (type !== this.#info?.type && type !== this.#player?.type) continue;
      const client = snapshot.id(i);
      const [start, end] = [offsets[i]!, offsets[i + 1]!];
      if (type === this.#player?.type) {
        present.add(client);
        if (start + this.#teamAt < end) this.#teams.set(client, data[start + this.#teamAt]!);
      } else {
        const known = this.#ints.get(client);
        const isKnown = known?.length === end - start && hasIntsAt(data, start, known);
        if (!isKnown) this.#readInfo(client, data.slice(start, end), this.#info!);
      }
    }
    for (const client of present) this.#continue(client, tick);
    for (const client of this.#open.keys()) if (!present.has(client)) this.#close(client);
  }

  /**
   * In 0.7 the players' names are in messages, and in demos also in items.
   * @param message one of {@link messagesAboutPlayers}
   */
  onMessage(message: Message): void {
    const fields = new MessageFields(message);
    const client = fields.int('client_id');
    if (fields.numbers.has('team')) this.#teams.set(client, fields.int('team'));
    if (message.type?.name === 'sv_team') return;
    const parts = [...fields.texts].filter(([field]) => field.startsWith('skin_part_names'));
    this.#infos.set(client, {
      name: fields.text('name'),
      clan: fields.text('clan'),
      country: fields.int('country'),
      skin: parts.map(([, text]) => text).join('/'),
    });
  }

  finish(): void {
    for (const client of [...this.#open.keys()]) this.#close(client);
  }

  #continue(client: number, tick: number): void {
    const info = this.#infos.get(client) ?? unknownInfo;
    if (isPlaceholder(client, info.name)) return;
    const team = this.#teams.get(client) ?? 0;
    const open = this.#open.get(client);
    if (open && tick >= open.lastTick && isSame(open, info) && open.team === team) {
      open.lastTick = tick;
      return;
    }
    if (open) this.#close(client);
    this.#open.set(client, { ...info, team, firstTick: tick, lastTick: tick });
  }

  #close(client: number): void {
    const { name, clan, country, skin, team, firstTick, lastTick } = this.#open.get(client)!;
    this.#open.delete(client);
    const [file, address] = this.#origin;
    this.#tables.add(playersTable, [file, address, client, name, clan, country, skin, team, firstTick, lastTick]);
  }

  #readInfo(client: number, ints: Int32Array, type: ItemType): void {
    this.#ints.set(client, ints);
    const values = valuesOf(type).filter(({ at, ints: count }) => at + count <= ints.length);
    const text = (label: string) =>
      values
        .filter((value) => value.label === label || value.label.startsWith(`${label}[`))
        .map(({ at, ints: count }) => textOfInts(ints, at, count) ?? '')
        .join('/');
    const int = (label: string) => {
      const value = values.find((one) => one.label === label);
      return value ? ints[value.at]! : undefined;
    };
    this.#infos.set(client, {
      name: text('name'),
      clan: text('clan'),
      country: int('country') ?? -1,
      skin: text('skin') || text('skin_part_names'),
    });
    const team = int('team');
    if (team !== undefined) this.#teams.set(client, team);
  }
}

const isSame = (a: Info, b: Info) =>
  a.name === b.name && a.clan === b.clan && a.country === b.country && a.skin === b.skin;
