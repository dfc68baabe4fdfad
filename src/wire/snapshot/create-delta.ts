import { DecodeError } from '../bytes/diagnostic.ts';
import type { SizeOf } from '../protocol/registry.ts';
import { Delta } from './delta.ts';
import { idOf, typeOf } from './key.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * The delta that turns `from` into `to`, as the games create it: the removed keys in the order of `from`, then in the
 * order of `to` every item that is new or has a difference. Applied to `from` it results in the items of `to`, but not
 * always in their order: items that stay keep the order of `from`, new items follow.
 *
 * Source: `CSnapshotDelta::CreateDelta` in `src/engine/shared/snapshot.cpp` of the games.
 *
 * @throws DecodeError `size_differs` (offset: the item's index in `to`) if a new or changed item has another size than
 *   before
 * or than its type has, which no delta can express.
 */
export function createDelta(from: Snapshot, to: Snapshot, sizeOf: SizeOf): Delta {
  const ints = new Int32Array(3 + from.count + 3 * to.count + to.offsets[to.count]!);
  let at = 3;
  for (let i = 0; i < from.count; i++) {
    const key = from.keys[i]!;
    if (to.findKey(key) < 0) ints[at++] = key;
  }
  const removed = at - 3;
  let updates = 0;
  for (let i = 0; i < to.count; i++) {
    const key = to.keys[i]!;
    const old = from.findKey(key);
    const size = to.size(i);
    if (old >= 0 && from.size(old) !== size) throw sizeDiffers(key, i, size, from.size(old));
    const agreed = sizeOf(typeOf(key));
    const head = at;
    ints[at++] = typeOf(key);
    ints[at++] = idOf(key);
    if (agreed === 0) ints[at++] = size;
    let difference = 0;
    for (let k = 0; k < size; k++) {
      const int = (to.data[to.offsets[i]! + k]! - (old < 0 ? 0 : from.data[from.offsets[old]! + k]!)) | 0;
      difference |= int;
      ints[at++] = int;
    }
    if (old >= 0 && difference === 0) at = head;
    else if (agreed !== 0 && agreed !== size) throw sizeDiffers(key, i, size, agreed);
    else updates++;
  }
  ints[0] = removed;
  ints[1] = updates;
  const delta = new Delta();
  delta.read(ints, at, sizeOf);
  return delta;
}

const sizeDiffers = (key: number, i: number, found: number, expected: number) =>
  new DecodeError('size_differs', i, { type: typeOf(key), id: idOf(key), found, expected });
