import { valuesOf } from '../../wire/annotate/field-values.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { Recording } from './shown-recording.ts';

/**
 * Finds the snapshot since which a value is what it is at a position: the delta that set it, as `tw-snap trace` names
 * it.
 * @param name `obj_character/0/weapon`
 * @returns its position; undefined for an item that is not there
 */
export function* whySo(recording: Recording, position: number, name: string): Generator<void, number | undefined> {
  const [, item = '', id, field] = /^(.*)\/(\d+)\/(.*)$/s.exec(name) ?? [];
  const { protocol } = recording;
  const type = protocol.byName(item);
  const value = type && valuesOf(type).find(({ label }) => label === field);
  if (!value) return undefined;
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
    const number = new ItemTypes(protocol).onSnapshot(snapshot).numberOf(item);
    const i = number === undefined ? -1 : snapshot.find(number, Number(id));
    return i < 0
      ? undefined
      : snapshot
          .item(i)
          .subarray(value!.at, value!.at + value!.ints)
          .join();
  }
}
