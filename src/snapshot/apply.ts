import { ignore, type Warn } from '../bytes/diagnostic.ts';
import { makeItemFinder, makeItemRemover, makeItemUpdater, Scratch } from './apply-loop.ts';
import type { Delta } from './delta.ts';
import { maxSnapshotBytes } from './key.ts';
import { Snapshot } from './snapshot.ts';

/**
 * The snapshot that results from a delta and its base: {@link applyInto} with a new snapshot as the result.
 *
 * Source: `CSnapshotDelta::UnpackDelta` in `src/engine/shared/snapshot.cpp` of the games.
 *
 * @example
 * ```ts
 * import { apply, decode } from 'tw-snap';
 *
 * const next = decode(bytes, { kind: 'delta' });
 * if (next.kind === 'delta') console.log(apply(old, next.delta).checksum());
 * ```
 */
export function apply(base: Snapshot, delta: Delta, warn: Warn = ignore, maxBytes = maxSnapshotBytes): Snapshot {
  const result = new Snapshot();
  applyInto(base, delta, result, warn, maxBytes);
  return result;
}

/**
 * Makes `result` the snapshot that results from `delta` and `base`, as the games do: what the delta does not remove stays, in the
 * base's order; an update of an item of the base is added to that item, elementwise and wrapping; any other update is a new item,
 * at the end. The last of repeated updates counts. The base is never changed. The checksum is updated incrementally from the
 * base's.
 *
 * Source: `CSnapshotDelta::UnpackDelta` in `src/engine/shared/snapshot.cpp` of the games.
 *
 * @throws DecodeError with the index of an int of the delta: `size_differs`, `too_many_items`, `snapshot_too_large`;
 * the content of `result` is then undefined.
 */
export const applyInto: (base: Snapshot, delta: Delta, result: Snapshot, warn: Warn, maxBytes?: number) => void =
  makeApplyInto();

function makeApplyInto() {
  const scratch = new Scratch();
  const finder = makeItemFinder(scratch);
  const remover = makeItemRemover(scratch, finder);
  const update = makeItemUpdater(scratch, finder, remover);
  /** The last result, which is still in the scratch: it is usually the base of the next delta. */
  let loadedSnapshot: Snapshot | undefined;

  return (base: Snapshot, delta: Delta, result: Snapshot, warn: Warn, maxBytes = maxSnapshotBytes): void => {
    const { hasRepeats } = base;
    if (base !== loadedSnapshot || !base.isAsAssigned) scratch.load(base, maxBytes);
    loadedSnapshot = undefined;
    finder.reset();
    remover.remove(delta, hasRepeats, warn);
    update(base, delta, maxBytes, warn);
    result.assign(scratch, hasRepeats);
    loadedSnapshot = result;
  };
}
