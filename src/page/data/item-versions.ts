import { numberText } from '../../output/text/escape.ts';
import { ItemNode } from '../../wire/annotate/item-node.ts';
import { Delta } from '../../wire/snapshot/delta.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { idOf, typeOf } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { Recording } from './shown-recording.ts';

/** The values of an item, by the names of its fields, as one of the places has them that say something of it. */
export interface ItemVersion {
  /** `in the base`, `sent`, `sent again`, `rebuilt` */
  readonly where: string;
  readonly values: ReadonlyMap<string, string>;
}

/** An item as the base of a snapshot has it, each time that it was sent in the snapshot, and as it was rebuilt. */
export function itemVersions(recording: Recording, position: number, key: number): ItemVersion[] {
  const index = recording.shown[position]!;
  const { reader, protocol } = recording;
  const { body } = reader.payload(index);
  const base = reader.before(index);
  const now = reader.snapshot(index);
  const types = new ItemTypes(protocol);
  if (base) types.onSnapshot(base);
  types.onSnapshot(now ?? body);
  const before = base && intsIn(base, key);
  const sent = Array.from({ length: body.count }, (_, i) => i)
    .filter((i) => body.keys[i] === key)
    .map((i) => (body instanceof Delta ? applied(before, body.item(i)) : body.item(i)));
  const rebuilt = now && intsIn(now, key);
  const versions: [where: string, ints: Int32Array | undefined][] = [
    ['in the base', before],
    ...sent.map((ints, i): [string, Int32Array] => [i === 0 ? 'sent' : 'sent again', ints]),
    ['rebuilt', rebuilt],
  ];
  return versions.flatMap(([where, ints]) => (ints ? [{ where, values: valuesIn(key, ints, types) }] : []));
}

function intsIn(snapshot: Snapshot, key: number): Int32Array | undefined {
  const i = snapshot.find(typeOf(key), idOf(key));
  return i < 0 ? undefined : snapshot.item(i);
}

/**
 * The ints of an item after an update: the differences are added to those of the base, which has the same number of
 * ints.
 */
const applied = (base: Int32Array | undefined, differences: Int32Array) =>
  base?.length === differences.length ? base.map((int, i) => (int + differences[i]!) | 0) : differences;

function valuesIn(key: number, ints: Int32Array, types: ItemTypes): Map<string, string> {
  const item = new ItemNode(types, key, { ints });
  return new Map(
    [...item.values()].map((value) => {
      const { value: content, symbol } = item.describe(value);
      const text = numberText(content);
      return [value.label, symbol === undefined ? text : `${text} (${symbol})`];
    }),
  );
}
