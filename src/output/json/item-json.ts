import type { RecordFilter } from '../../recording/replay/record.ts';
import { type ItemNode, itemIn, itemOf } from '../../wire/annotate/item-node.ts';
import type { Diagnostic } from '../../wire/bytes/diagnostic.ts';
import { hexText } from '../../wire/bytes/to-hex.ts';
import { baseFound, type Payload, removedKeys } from '../../wire/payload/payload.ts';
import type { Comparison } from '../../wire/snapshot/compare.ts';
import { Delta } from '../../wire/snapshot/delta.ts';
import { type FieldValue, fieldValues } from '../../wire/snapshot/item-fields.ts';
import type { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { idOf, typeOf } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { valuesOf } from '../results/fields.ts';
import { diagnosticFields } from '../results/shared.ts';
import { jsonText } from '../text/escape.ts';

/** The identity of an item: `{"type","name","id"}`, for extended items also `"uuid"`. */
function identityJson({ types, type, id }: Pick<ItemNode, 'types' | 'type' | 'id'>) {
  const uuid = types.uuidOf(type);
  return { type, name: types.of(type)?.name ?? null, id, ...(uuid === undefined ? {} : { uuid }) };
}

/** The fields of an item by name, now or in other ints; undefined for an item that no table has. */
export const fieldsOf = (
  { known, now, areDifferences }: ItemNode,
  ints = now,
): Record<string, FieldValue> | undefined => known && fieldValues(known.fields, ints, 0, ints.length, areDifferences);

/** `{"type","name","id","data","fields"}`; unknown types have no fields; surplus ints are only in `data`. */
export function itemJson(item: ItemNode) {
  const fields = fieldsOf(item);
  return { ...identityJson(item), data: Array.from(item.now), ...(fields ? { fields } : {}) };
}

/**
 * A snapshot or delta as printed by `decode -t json`. The items of a delta have values; where its base has the item,
 * also the differences and the old fields; without a known base, `data` and `fields` are differences.
 */
export function payloadJson(payload: Payload, filter?: RecordFilter) {
  const { body, types, kind, layers } = payload;
  const head = { kind, encoding: layers.encoding, protocol: types.protocol.version };
  const content =
    body instanceof Delta ? deltaJson(payload, filter) : { items: payloadItems(payload, filter), crc: body.checksum() };
  return { ...head, ...content, diagnostics: payload.diagnostics.all.map(diagnosticJson), ...omittedJson(payload) };
}

/** What a delta says, without what it was read from. */
export const deltaJson = (payload: Payload, filter?: RecordFilter) => ({
  base: baseJson(payload),
  removed: removedKeys(payload)
    .map((key) => ({ types: payload.types, type: typeOf(key), id: idOf(key) }))
    .filter(({ types, type, id }) => filter?.item(types, type, id) ?? true)
    .map(identityJson),
  items: payloadItems(payload, filter),
});

const payloadItems = (payload: Payload, filter?: RecordFilter) =>
  Array.from({ length: payload.body.count }, (_, i) => i).flatMap((i) => {
    const item = itemOf(payload, i);
    if (filter?.item(item.types, item.type, item.id) === false) return [];
    if (!item.was) return itemJson(item);
    return { ...itemJson(item), differences: Array.from(item.ints), old: fieldsOf(item, item.was) ?? {} };
  });

/**
 * What the items of a delta are values for: `null` if they are differences to an unknown base, otherwise the tick or
 * kind of the base.
 */
function baseJson(payload: Payload): number | string | null {
  const found = baseFound(payload);
  if (found === 'unknown') return null;
  if (found === 'empty') return 'assumed_empty';
  return payload.baseTick ?? (payload.base!.count === 0 ? 'empty' : 'file');
}

/** The number of omitted diagnostics and, after an error, of the bytes that were read, decompressed. */
export function omittedJson({ diagnostics, layers }: Pick<Payload, 'diagnostics'> & { layers: { bytes: Uint8Array } }) {
  return {
    ...(diagnostics.more > 0 ? { diagnostics_omitted: diagnostics.more } : {}),
    ...(diagnostics.error ? { bytes: hexText(layers.bytes) } : {}),
  };
}

export const diagnosticJson = (diagnostic: Diagnostic) => valuesOf(diagnosticFields, diagnostic);

/** An object as text, with each of its entries and each element of its lists on a line. */
export function renderJson(object: object): string {
  const entries = Object.entries(object).map(([key, value]) => {
    const lines =
      Array.isArray(value) && value.length > 0
        ? `[\n    ${value.map((element) => jsonText(element)).join(',\n    ')}\n  ]`
        : jsonText(value);
    return `  ${jsonText(key)}: ${lines}`;
  });
  return `{\n${entries.join(',\n')}\n}\n`;
}

/** A snapshot, or the items of it that are compared or shown. */
export interface TypedSnapshot {
  readonly snapshot: Snapshot;
  readonly types: ItemTypes;
  /** The whole snapshot, which contains the names of players. */
  readonly whole: Snapshot;
}

/** @param places of the items; by default all */
export const itemsJson = (
  { snapshot, types }: Pick<TypedSnapshot, 'snapshot' | 'types'>,
  places: readonly number[] = Array.from({ length: snapshot.count }, (_, i) => i),
) => places.map((i) => itemJson(itemIn(types, snapshot, i)));

/** The changes between two snapshots as printed by `diff -t json`. */
export function diffJson(old: TypedSnapshot, now: TypedSnapshot, { removed, added, changed, reordered }: Comparison) {
  return {
    kind: 'diff' as const,
    removed: itemsJson(old, removed),
    added: itemsJson(now, added),
    changed: changed.map(({ old: was, new: is }) =>
      changedJson(itemIn(now.types, now.snapshot, is), old.snapshot.item(was)),
    ),
    reordered,
  };
}

function changedJson(item: ItemNode, old: Int32Array) {
  const { now } = item;
  const before = fieldsOf(item, old) ?? {};
  const fields: Record<string, { old: FieldValue | null; new: FieldValue }> = {};
  for (const [name, value] of Object.entries(fieldsOf(item) ?? {})) {
    const was = before[name] ?? null;
    if (JSON.stringify(was) !== JSON.stringify(value)) fields[name] = { old: was, new: value };
  }
  const data = [];
  for (let k = 0; k < Math.max(old.length, now.length); k++) {
    if (old[k] !== now[k]) data.push({ index: k, old: old[k] ?? null, new: now[k] ?? null });
  }
  return { ...identityJson(item), fields, data };
}
