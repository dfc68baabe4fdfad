import type { Message } from '../packet/message.ts';
import type { MessageValue } from '../packet/message-reader.ts';
import { protocolOf } from '../protocol/registry.ts';
import { intsOfText } from '../protocol/text.ts';
import { keyOf } from '../snapshot/key.ts';
import { Snapshot } from '../snapshot/snapshot.ts';

/**
 * The default tuning of 0.7, which no item contains, times 100 as in the protocol. DDNet's own parameters follow these
 * 32.
 */
const defaultTuning: readonly number[] = [
  1000, 200, 50, 1320, 1200, 500, 150, 95, 38000, 8000, 300, 1500, 50, 55000, 200000, 140, 125, 220000, 200, 125,
  275000, 80, 20, 700, 100000, 200, 80000, 15000, 100, 0, 100, 100,
];

/** The number of ints of each text in `obj_de_client_info`. */
const textInts: Readonly<Record<string, number>> = { name: 4, clan: 3, skin_part_names: 6 };
const ofSkin = ['skin_part_names', 'use_custom_colors', 'skin_part_colors'];

const typeOf = (name: string) => protocolOf('0.7').byName(name)!.type!;
const [clientType, gameType, tuningType] = ['obj_de_client_info', 'obj_de_game_info', 'obj_de_tune_params'].map(typeOf);

/**
 * The items that 0.7 clients add to each recorded snapshot, since 0.7 sends this data in messages but a demo needs it
 * from its first tick: players, game info, and the tuning unless it is the default. Clients append them in this order:
 * players by id, tuning, game info.
 */
export class DemoItems {
  /** The values of each player by field name. */
  readonly #clients = new Map<number, Map<string, number[]>>();
  #tuning: readonly number[] = defaultTuning;
  #game: readonly number[] = [0, 0, 0, 0, 0];
  readonly #snapshot = new Snapshot();

  /** Adds a message of the server. */
  add({ type, values }: Message): void {
    const id = Number(values.find(({ name }) => name === 'client_id')?.value ?? -1);
    switch (type?.name) {
      case 'sv_clientinfo':
        this.#clients.set(id, fieldsOf(values));
        break;
      case 'sv_clientdrop':
        this.#clients.delete(id);
        break;
      case 'sv_team':
        this.#clients.get(id)?.set('team', fieldsOf(values).get('team') ?? [0]);
        break;
      case 'sv_skinchange':
        for (const name of ofSkin) this.#clients.get(id)?.set(name, fieldsOf(values).get(name) ?? []);
        break;
      case 'sv_tuneparams':
        this.#tuning = values.slice(0, defaultTuning.length).map(({ value }) => Number(value));
        break;
      case 'sv_gameinfo':
        this.#game = values.map(({ value }) => Number(value));
        break;
    }
  }

  /** The snapshot with these items, valid until the next call. */
  withItems(sent: Snapshot): Snapshot {
    const items = [...this.#clients.keys()]
      .sort((a, b) => a - b)
      .map((id) => ({ key: keyOf(clientType!, id), ints: [...this.#clients.get(id)!.values()].flat() }));
    if (this.#tuning.some((value, i) => value !== defaultTuning[i])) {
      items.push({ key: keyOf(tuningType!, 0), ints: [...this.#tuning] });
    }
    items.push({ key: keyOf(gameType!, 0), ints: [...this.#game] });
    const snapshot = this.#snapshot;
    const ints = items.reduce((sum, one) => sum + one.ints.length, sent.offsets[sent.count]!);
    snapshot.clear(sent.count + items.length, ints);
    snapshot.appendItems(sent, 0, sent.count);
    for (const { key, ints } of items) snapshot.data.set(ints, snapshot.offsets[snapshot.append(key, ints.length)]!);
    return snapshot;
  }
}

/** The ints of each field in the order of the item, which is that of the message. */
function fieldsOf(values: readonly MessageValue[]): Map<string, number[]> {
  const fields = new Map<string, number[]>();
  for (const { path, value } of values) {
    const name = String(path[0]);
    if (name === 'client_id' || name === 'silent' || name === 'cooldown_tick') continue;
    const size = textInts[name];
    const ints = size === undefined ? [Number(value)] : [...(intsOfText(String(value), size) ?? new Int32Array(size))];
    fields.set(name, [...(fields.get(name) ?? []), ...ints]);
  }
  return fields;
}
