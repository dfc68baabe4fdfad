import type { ValuePath } from '../../wire/annotate/value-path.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { Recording } from './shown-recording.ts';

/**
 * Finds the snapshot since which a value is what it is at a position: the delta that set it, as `tw-snap trace` names
 * it.
 * @returns its position; undefined for an item that is not there
 */
export function* whySo(recording: Recording, position: number, path: ValuePath): Generator<void, number | undefined> {
  const find = path.finder(recording.protocol);
  let set: number | undefined;
  let before: string | undefined;
  for (const entry of recording.entries()) {
    if (entry.record !== 'snapshot') continue;
    yield;
    const now = entry.snapshot && textIn(entry.snapshot);
    if (now !== before) set = entry.position;
    before = now;
    if (entry.position >= position) break;
  }
  return before === undefined ? undefined : set;

  function textIn(snapshot: Snapshot): string | undefined {
    const found = find(snapshot);
    if (!found) return undefined;
    const { at, ints } = found.value;
    return snapshot
      .item(found.i)
      .subarray(at, at + ints)
      .join();
  }
}
