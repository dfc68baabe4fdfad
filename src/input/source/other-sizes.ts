import { attempt, DecodeError } from '../../wire/bytes/diagnostic.ts';
import type { Payload } from '../../wire/payload/payload.ts';
import { Delta } from '../../wire/snapshot/delta.ts';

/**
 * Items that some documents list without the fields of their parent, here x and y of a common event: what is written by
 * them ends early for the games.
 *
 * Source: `Damage` in `datasrc/network.py` of Teeworlds 0.7, which has the 5 fields listed there and those of `Common`.
 */
const otherSizes = [{ item: 'event_damage', ints: 5 }] as const;

/** The size of an item with which a delta that ends early is whole. */
interface OtherSize {
  readonly item: string;
  readonly ints: number;
  /** The ints of the item in the game. */
  readonly own: number;
}

/** Such a size; undefined if there is none. */
export function otherSizeOf({ body, layers, types, diagnostics }: Payload): OtherSize | undefined {
  if (!(body instanceof Delta) || diagnostics.error?.code !== 'truncated_delta') return undefined;
  const { ints, length } = layers.ints;
  return otherSizes
    .map((other) => ({ ...other, own: types.protocol.byName(other.item)?.size ?? 0 }))
    .find(({ item, ints: size }) => {
      const type = types.protocol.byName(item)?.type;
      let isWhole = type !== undefined;
      const sizeOf = (number: number) => (number === type ? size : types.protocol.sizeOf(number));
      const warn = () => {
        isWhole = false;
      };
      const failure = attempt(() => new Delta().read(ints, length, sizeOf, warn));
      return isWhole && !(failure instanceof DecodeError);
    });
}
