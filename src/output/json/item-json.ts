import type { RecordFilter } from '../../recording/replay/record.ts';
import { areDifferences, baseValues } from '../../wire/annotate/payload-spans.ts';
import type { Diagnostic } from '../../wire/bytes/diagnostic.ts';
import { hexText } from '../../wire/bytes/to-hex.ts';
import type { Payload } from '../../wire/payload/payload.ts';
import type { Comparison } from '../../wire/snapshot/compare.ts';
import { Delta } from '../../wire/snapshot/delta.ts';
import { type FieldValue, fieldValues } from '../../wire/snapshot/item-fields.ts';
import type { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { idOf, typeOf } from '../../wire/snapshot/key.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { diagnosticMessage } from '../phrases/diagnostic-messages.ts';
import { jsonText } from '../text/escape.ts';

/** The identity of an item: `{"type","name","id"}`, for extended items also `"uuid"`. */
function identityJson(types: ItemTypes, type: number, id: number) {
  const uuid = types.uuidOf(type);
  return { type, name: types.of(type)?.name ?? null, id, ...(uuid === undefined ? {} : { uuid }) };
}

/** `{"type","name","id","data","fields"}`; unknown types have no fields; surplus ints are only in `data`. */
export function itemJson(types: ItemTypes, type: number, id: number, ints: Int32Array, differences = false) {
  const known = types.of(type);
  return {
    ...identityJson(types, type, id),
    data: Array.from(ints),
    ...(known ? { fields: fieldValues(known.fields, ints, 0, ints.length, differences) } : {}),
  };
}

/**
 * A snapshot or delta as printed by `decode -t json`. The items of a delta have values; where its base has the item,
 * also the differences and the old fields; without a known base, `data` and `fields` are differences.
 */
export function payloadJson(payload: Payload, filter?: RecordFilter) {
  const { body, types, kind, layers } = payload;
  const isSelected = (type: number, id: number) => filter?.item(types, type, id) ?? true;
  const head = { kind, encoding: layers.encoding, protocol: types.protocol.version };
  const items = Array.from({ length: body.count }, (_, i) => i).flatMap((i) => {
    if (!isSelected(body.type(i), body.id(i))) return [];
    const both = baseValues(payload, i);
    const item = itemJson(types, body.type(i), body.id(i), both?.now ?? body.item(i), areDifferences(payload));
    if (!both) return item;
    const old = fieldValues(types.of(body.type(i))?.fields ?? [], both.old);
    return { ...item, differences: Array.from(body.item(i)), old };
  });
  const diagnostics = payload.diagnostics.all.map(diagnosticJson);
  const omitted = omittedJson(payload);
  if (!(body instanceof Delta)) return { ...head, items, crc: body.checksum(), diagnostics, ...omitted };
  const removed = Array.from({ length: body.removedCount }, (_, i) => body.removedKey(i))
    .filter((key) => isSelected(typeOf(key), idOf(key)))
    .map((key) => identityJson(types, typeOf(key), idOf(key)));
  return { ...head, base: baseJson(payload), removed, items, diagnostics, ...omitted };
}

/**
 * What the items of a delta are values for: `null` if they are differences to an unknown base, otherwise the tick or
 * kind of the base.
 */
function baseJson({ base, baseTick, assumesEmptyBase }: Payload): number | string | null {
  if (!base) return null;
  if (assumesEmptyBase) return 'assumed_empty';
  return baseTick ?? (base.count === 0 ? 'empty' : 'file');
}

/** The number of omitted diagnostics and, after an error, of the bytes that were read, decompressed. */
export function omittedJson({ diagnostics, layers }: Pick<Payload, 'diagnostics'> & { layers: { bytes: Uint8Array } }) {
  return {
    ...(diagnostics.more > 0 ? { diagnostics_omitted: diagnostics.more } : {}),
    ...(diagnostics.error ? { bytes: hexText(layers.bytes) } : {}),
  };
}

export function diagnosticJson(diagnostic: Diagnostic) {
  const { severity, code, offset, bit, unpacked, frame } = diagnostic;
  return {
    severity,
    code,
    offset,
    ...(bit === undefined ? {} : { bit }),
    ...(unpacked === undefined ? {} : { unpacked }),
    ...(frame === undefined ? {} : { frame }),
    message: diagnosticMessage(diagnostic),
  };
}

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
) => places.map((i) => itemJson(types, snapshot.type(i), snapshot.id(i), snapshot.item(i)));

/** The changes between two snapshots as printed by `diff -t json`. */
export function diffJson(old: TypedSnapshot, now: TypedSnapshot, { removed, added, changed, reordered }: Comparison) {
  return {
    kind: 'diff' as const,
    removed: itemsJson(old, removed),
    added: itemsJson(now, added),
    changed: changed.map(({ old: was, new: is }) => changedJson(now.types, now.snapshot, is, old.snapshot.item(was))),
    reordered,
  };
}

function changedJson(types: ItemTypes, snapshot: Snapshot, i: number, old: Int32Array) {
  const type = snapshot.type(i);
  const now = snapshot.item(i);
  const known = types.of(type)?.fields ?? [];
  const before = fieldValues(known, old);
  const fields: Record<string, { old: FieldValue | null; new: FieldValue }> = {};
  for (const [name, value] of Object.entries(fieldValues(known, now))) {
    const was = before[name] ?? null;
    if (JSON.stringify(was) !== JSON.stringify(value)) fields[name] = { old: was, new: value };
  }
  const data = [];
  for (let k = 0; k < Math.max(old.length, now.length); k++) {
    if (old[k] !== now[k]) data.push({ index: k, old: old[k] ?? null, new: now[k] ?? null });
  }
  return { ...identityJson(types, type, snapshot.id(i)), fields, data };
}
