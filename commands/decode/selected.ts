import { isSelected } from '../../src/output/hexdump/hexdump.ts';
import type { PacketContents } from '../../src/wire/packet/packet-contents.ts';
import { type Payload, removedKeys, snapshotOf } from '../../src/wire/payload/payload.ts';
import type { Schema } from '../../src/wire/protocol/registry.ts';
import { idOf, typeOf } from '../../src/wire/snapshot/key.ts';
import type { LoadedInput } from '../lib/input/inputs.ts';
import { noPlayer } from '../lib/input/records.ts';
import { usageError } from '../lib/options/errors.ts';
import { filterOf } from '../lib/options/selection.ts';

export type Selection = ReturnType<typeof selection>;

/** What `--type`, `--id` and `--player` select of an input. */
export function selection(given: Parameters<typeof filterOf>[0], schema: Schema) {
  const filter = filterOf(given, schema);
  const { player } = filter;
  const isShown = ({ message, delta }: PacketContents['messages'][number]) =>
    filter.message(message.type?.name, message.uuid) || (delta !== undefined && hasItem(delta.payload));
  const isName = !/^\d+$/.test(given.player ?? '0');
  return {
    filter,

    /** Adds the players of an input, before it is shown. */
    onInput(loaded: LoadedInput): void {
      if (!player) return;
      if (loaded.kind === 'contents')
        throw usageError(`${loaded.name}: --player is for snapshots and deltas; --type selects messages`);
      const { payload, rebuilt, name } = loaded;
      const snapshot = snapshotOf(rebuilt ?? payload);
      player.onSnapshot({ snapshot, before: payload.base }, payload.types.protocol);
      // A delta without its base lacks players, but an item may have the number.
      if (!player.isFound && (snapshot || isName)) throw noPlayer(name, player);
    },

    isEmpty: (loaded: LoadedInput): boolean =>
      loaded.kind === 'contents' ? !loaded.contents.messages.some(isShown) : !hasItem(loaded.payload),

    isShown: (shown: Payload | PacketContents) => isSelected(shown, filter),

    /** A packet with the selected messages, and those with selected items. */
    contents(whole: PacketContents): PacketContents {
      if (whole.kind === 'message') return whole;
      const messages = whole.messages.filter(isShown);
      return {
        ...whole,
        messages,
        chunks: whole.chunks.filter((_, i) => whole.messages[i] && isShown(whole.messages[i])),
      };
    },
  };

  function hasItem(payload: Payload): boolean {
    const { body, types } = payload;
    const keys = [...removedKeys(payload), ...body.keys.subarray(0, body.count)];
    return keys.some((key) => filter.item(types, typeOf(key), idOf(key)));
  }
}
