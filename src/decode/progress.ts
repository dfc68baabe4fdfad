import type { IntBuffer } from '../bytes/buffers.ts';
import type { Args } from '../bytes/diagnostic.ts';
import { Delta } from '../snapshot/delta.ts';
import type { ItemTypes } from '../snapshot/item-types.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/**
 * How far reading got, for an error message: `read` of `items` items are whole. If it stopped inside an item, also the item's name
 * or type, its id, the field, and the number of its ints that exist.
 */
export function readSoFar(body: Snapshot | Delta, ints: IntBuffer, types: ItemTypes): Args {
  const items = ints.length > 1 ? ints.ints[1]! : 0;
  if (items <= 0 || body.count === 0) return items > 0 ? { read: 0, items } : {};
  if (body.missing === 0) return { read: body.count, items };
  const last = body.count - 1;
  const have = body instanceof Delta ? body.sizes[last]! : body.size(last);
  const type = types.of(body.type(last));
  const field = type?.fields.find((one) => have < one.at + one.ints)?.name;
  return {
    read: last,
    items,
    item: type?.name ?? `type ${body.type(last)}`,
    id: body.id(last),
    ...(field === undefined ? {} : { field }),
    have,
    of: have + body.missing,
  };
}
