import type { EncodingLayers } from '../payload/encoding-layers.ts';
import type { Payload } from '../payload/payload.ts';
import { Delta } from '../snapshot/delta.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { itemOf } from './item-node.ts';
import type { Change, Role, Span } from './span.ts';

/**
 * The meaning of every byte of a payload: contiguous spans that cover `layers.bytes`, gaps and an incomplete end among
 * them.
 * @param offset where the first of these bytes is
 */
export function annotate(payload: Payload, offset = 0): Span[] {
  const spans = new SpanList(payload.layers, offset);
  if (payload.body instanceof Delta) annotateDelta(spans, payload, payload.body);
  else annotateSnapshot(spans, payload, payload.body);
  return spans.finish();
}

function annotateDelta(spans: SpanList, payload: Payload, delta: Delta): void {
  for (const label of ['removed_items', 'num_item_deltas', '_zero']) spans.int('structure', label);
  for (let i = 0; i < delta.removedCount; i++) spans.key(`removed[${i}]`, payload.types.titleOf(delta.removedKey(i)));
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
    spans.key('key', payload.types.titleOf(snapshot.keys[i]!));
    annotateItem(spans, payload, i);
  }
  spans.item = undefined;
}

function annotateItem(spans: SpanList, payload: Payload, i: number): void {
  const item = itemOf(payload, i);
  for (const value of item.values()) spans.ints(value.ints, value.label, item.describe(value), item.change(value));
}

/** `obj_character`, or its UUID; a note beside a number that has neither. */
function typeName({ types }: Payload, type: number): string {
  const name = types.of(type)?.name;
  if (name !== undefined) return name;
  const uuid = types.uuidOf(type);
  if (uuid !== undefined) return uuid;
  return types.isLocal(type) ? '(not registered here)' : '(unknown)';
}

/** Builds the spans of an input int by int, in order, and fills unclaimed bytes with gaps. */
export class SpanList {
  readonly #layers: EncodingLayers;
  readonly #offset: number;
  readonly #spans: Span[] = [];
  at = 0;
  item: number | undefined;

  constructor(layers: EncodingLayers, offset = 0) {
    this.#layers = layers;
    this.#offset = offset;
  }

  get byte(): number {
    return this.#layers.ints.offsets![this.at]!;
  }

  /** Claims one int, with its value; does nothing at the end of the input. */
  int(role: Role, label: string, more: Pick<Span, 'names' | 'isOffset'> = {}): void {
    this.ints(1, label, { role, value: this.#layers.ints.ints[this.at], ...more });
  }

  key(label: string, names: string): void {
    const key = this.#layers.ints.ints[this.at] ?? 0;
    this.ints(1, label, { role: 'identity', value: `0x${(key >>> 0).toString(16).padStart(8, '0')}`, names });
  }

  /** Claims the next `count` ints, or the rest of the input if it has fewer. */
  ints(count: number, label: string, span: Omit<Span, 'start' | 'end' | 'label'>, change?: Change): void {
    const { offsets, length } = this.#layers.ints;
    const next = Math.min(this.at + count, length);
    if (next <= this.at) return;
    const { item } = this;
    const start = offsets![this.at]! + this.#offset;
    const end = offsets![next]! + this.#offset;
    // Each by its name: `...span` took a third of the time of pasted text.
    const { role, value, isDifference, isOffset, names, symbol, quantity } = span;
    const own = { start, end, role, label, value, isDifference, isOffset, names, item, symbol, quantity, change };
    this.#spans.push(own);
    this.at = next;
  }

  gapUpTo(int: number): void {
    this.ints(int - this.at, 'gap', { role: 'gap', value: undefined });
  }

  /** Claims the rest: ints without a meaning, and the bytes of an incomplete int. */
  finish(): Span[] {
    const { ints, bytes } = this.#layers;
    this.gapUpTo(ints.length);
    const end = ints.offsets![ints.length]!;
    if (end < bytes.length) this.#spans.push(cut(end + this.#offset, bytes.length + this.#offset));
    return this.#spans;
  }
}

export const cut = (start: number, end: number): Span => ({
  start,
  end,
  role: 'error',
  label: 'cut',
  value: undefined,
});
