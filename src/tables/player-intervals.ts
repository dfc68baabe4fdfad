import { valuesOf } from '../annotate/values.ts';
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
    }
    this.#origin = origin;
    const present = new Set<number>();
    for (let i = 0; i < snapshot.count; i++) {
      const type = snapshot.type(i);
      if (type === this.#info?.type) this.#readInfo(snapshot.id(i), snapshot.item(i), this.#info);
      else if (type === this.#player?.type) {
        present.add(snapshot.id(i));
        this.#readTeam(snapshot.id(i), snapshot.item(i), this.#player);
      }
    }
    for (const client of present) this.#continue(client, tick);
    for (const client of this.#open.keys()) if (!present.has(client)) this.#close(client);
  }

  /** In 0.7 the players' names are in messages, and in demos also in items. */
  onMessage(message: Message): void {
    const name = message.type?.name;
    if (name !== 'sv_clientinfo' && name !== 'sv_team') return;
    const fields = new MessageFields(message);
    const client = fields.int('client_id');
    if (fields.numbers.has('team')) this.#teams.set(client, fields.int('team'));
    if (name === 'sv_team') return;
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

  #readTeam(client: number, ints: Int32Array, type: ItemType): void {
    const at = type.fields.find(({ name }) => name === 'team')?.at;
    if (at !== undefined && at < ints.length) this.#teams.set(client, ints[at]!);
  }

  #readInfo(client: number, ints: Int32Array, type: ItemType): void {
    const known = this.#ints.get(client);
    if (known?.length === ints.length && known.every((int, i) => int === ints[i])) return;
    this.#ints.set(client, ints.slice());
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
