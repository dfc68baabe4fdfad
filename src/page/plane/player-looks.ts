import type { Message } from '../../packet/message.ts';
import type { Protocol } from '../../protocol/registry.ts';
import { textOfInts } from '../../protocol/text.ts';
import { idOf } from '../../snapshot/key.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { colourOfInt, colourOfSkin, darkest06, darkest07 } from './skin-colours.ts';

/** How a player is drawn. */
export interface PlayerLook {
  readonly name: string;
  readonly colour: string;
}

/** Collects the names and colours of players. 0.6 sends them in snapshots, 0.7 in messages; demos of 0.7 have them in snapshots. */
export class PlayerLooks {
  readonly #looks = new Map<number, PlayerLook>();
  readonly #protocol: Protocol;
  #read: Snapshot | undefined;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
  }

  of(client: number): PlayerLook | undefined {
    return this.#looks.get(client);
  }

  addSnapshot(snapshot: Snapshot): void {
    if (snapshot === this.#read) return;
    this.#read = snapshot;
    for (const name of ['obj_client_info', 'obj_de_client_info']) {
      const item = this.#protocol.byName(name);
      if (item?.type === undefined) continue;
      const at = new Map(item.fields.map((field) => [field.name, field.at]));
      for (let i = 0; i < snapshot.count; i++) {
        if (snapshot.type(i) !== item.type || snapshot.size(i) < item.size) continue;
        const ints = snapshot.item(i);
        const client = idOf(snapshot.keys[i]!);
        const text = textOfInts(ints, at.get('name')!, 4) ?? '';
        const is06 = name === 'obj_client_info';
        const hasColour = ints[at.get(is06 ? 'use_custom_color' : 'use_custom_colors')!] !== 0;
        const value = ints[at.get(is06 ? 'color_body' : 'skin_part_colors')!]!;
        const skin = textOfInts(ints, at.get(is06 ? 'skin' : 'skin_part_names')!, 6) ?? '';
        this.#set(client, text, hasColour ? colourOfInt(value, is06 ? darkest06 : darkest07) : colourOfSkin(skin));
      }
    }
  }

  /** Reads the name and colours that a 0.7 server announces for a player. */
  addMessage(message: Message): void {
    const name = message.type?.name;
    if (name !== 'sv_clientinfo' && name !== 'sv_skinchange') return;
    const values = new Map(message.values.map((one) => [one.name, one.value]));
    const client = values.get('client_id');
    if (typeof client !== 'number') return;
    const [has, value, skin] = ['use_custom_colors[body]', 'skin_part_colors[body]', 'skin_part_names[body]'].map(
      (field) => values.get(field),
    );
    const isColoured = has === 1 && typeof value === 'number';
    const colour = isColoured ? colourOfInt(value, darkest07) : colourOfSkin(String(skin ?? ''));
    const text = values.get('name');
    this.#set(client, typeof text === 'string' ? text : (this.of(client)?.name ?? ''), colour);
  }

  #set(client: number, name: string, colour: string): void {
    const known = this.#looks.get(client);
    if (known?.name !== name || known.colour !== colour) this.#looks.set(client, { name, colour });
  }
}
