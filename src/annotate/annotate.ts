import type { Payload } from '../decode/payload.ts';
import { Delta } from '../snapshot/delta.ts';
import { idOf, typeOf } from '../snapshot/key.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { areDifferences, baseValues } from './base-values.ts';
import { describeChange, describeValue } from './describe.ts';
import type { Span } from './span.ts';
import { SpanList } from './span-list.ts';
import { valuesUpTo } from './values.ts';

/**
 * The meaning of every byte of a payload: contiguous spans that cover `layers.bytes`, including gaps and an incomplete end.
 * Nothing is parsed again: positions come from the layers, structure from the model, names from the tables.
 */
export function annotate(payload: Payload): Span[] {
  const spans = new SpanList(payload.layers);
  if (payload.body instanceof Delta) annotateDelta(spans, payload, payload.body);
  else annotateSnapshot(spans, payload, payload.body);
  return spans.finish();
}

function annotateDelta(spans: SpanList, payload: Payload, delta: Delta): void {
  for (const label of ['removed_items', 'num_item_deltas', '_zero']) spans.int('structure', label);
  for (let i = 0; i < delta.removedCount; i++) {
    spans.key(`removed[${i}]`, keyName(payload, delta.removedKey(i)));
  }
  for (let i = 0; i < delta.count; i++) {
    spans.item = i;
    spans.int('identity', 'type', { names: typeName(payload, delta.type(i)) });
    spans.int('identity', 'id');
    if (spans.at < delta.starts[i]!) spans.int('structure', 'size');
    annotateItem(spans, payload, i);
  }
  spans.item = undefined;
  // A refused or incomplete update is not an item, but the order of the ints gives the meaning of its header.
  const error = payload.diagnostics.error;
  const isShort = error && delta.count < payload.layers.ints.ints[1]!;
  for (const label of ['type', 'id', 'size']) {
    if (isShort && spans.byte <= (error.unpacked ?? error.offset)) spans.int('identity', label);
  }
}

function annotateSnapshot(spans: SpanList, payload: Payload, snapshot: Snapshot): void {
  spans.int('structure', 'data_size');
  spans.int('structure', 'num_items');
  const items = payload.layers.ints.ints[1] ?? 0;
  for (let i = 0; i < Math.min(items, payload.layers.ints.length - 2); i++)
    spans.int('structure', `offset[${i}]`, { isOffset: true });
  for (let i = 0; i < snapshot.count; i++) {
    spans.item = undefined;
    spans.gapUpTo(snapshot.start(i));
    spans.item = i;
    spans.key('key', keyName(payload, snapshot.keys[i]!));
    annotateItem(spans, payload, i);
  }
  spans.item = undefined;
}

function annotateItem(spans: SpanList, payload: Payload, i: number): void {
  const { body, types } = payload;
  const ints = body.item(i);
  const base = baseValues(payload, i);
  for (const value of valuesUpTo(types.of(body.type(i)), ints.length)) {
    const change = base ? { change: describeChange(value, base.old, base.now) } : {};
    spans.ints(value.ints, {
      label: value.label,
      ...describeValue(value, ints, areDifferences(payload), types),
      ...change,
    });
  }
}

function keyName(payload: Payload, key: number): string {
  return `${typeName(payload, typeOf(key))} ${idOf(key)}`;
}

/** `obj_character`, or its UUID or a note for a type without a name. */
function typeName({ types }: Payload, type: number): string {
  const name = types.of(type)?.name;
  if (name !== undefined) return name;
  const uuid = types.uuidOf(type);
  if (uuid !== undefined) return `uuid ${uuid}`;
  return types.isLocal(type) ? '(not registered here)' : '(unknown)';
}
