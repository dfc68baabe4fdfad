import type { EncodingLayers } from '../decode/encoding-layers.ts';
import type { Role, Span } from './span.ts';

/** Builds the spans of an input int by int, in order, and fills unclaimed bytes with gaps. */
export class SpanList {
  readonly #layers: EncodingLayers;
  readonly #spans: Span[] = [];
  /** The next int to claim. */
  at = 0;
  /** The item that the next spans belong to. */
  item: number | undefined;

  constructor(layers: EncodingLayers) {
    this.#layers = layers;
  }

  /** The byte where the next int begins. */
  get byte(): number {
    return this.#layers.ints.offsets![this.at]!;
  }

  /** Claims one int, with its value; does nothing at the end of the input. */
  int(role: Role, label: string, more: Pick<Span, 'names' | 'isOffset'> = {}): void {
    this.ints(1, { role, label, value: this.#layers.ints.ints[this.at], ...more });
  }

  /** Claims one int as the key of an item. */
  key(label: string, names: string): void {
    const key = this.#layers.ints.ints[this.at] ?? 0;
    this.ints(1, { role: 'identity', label, value: `0x${(key >>> 0).toString(16).padStart(8, '0')}`, names });
  }

  /** Claims the next `count` ints, or the rest of the input if it has fewer. */
  ints(count: number, span: Omit<Span, 'start' | 'end'>): void {
    const { offsets, length } = this.#layers.ints;
    const end = Math.min(this.at + count, length);
    if (end <= this.at) return;
    const item = this.item === undefined ? {} : { item: this.item };
    this.#spans.push({ start: offsets![this.at]!, end: offsets![end]!, ...span, ...item });
    this.at = end;
  }

  gapUpTo(int: number): void {
    this.ints(int - this.at, { role: 'gap', label: 'gap', value: undefined });
  }

  /** Claims the rest: ints without a meaning, and the bytes of an incomplete int. */
  finish(): Span[] {
    const { ints, bytes } = this.#layers;
    this.gapUpTo(ints.length);
    const end = ints.offsets![ints.length]!;
    if (end < bytes.length) {
      this.#spans.push({ start: end, end: bytes.length, role: 'error', label: 'cut', value: undefined });
    }
    return this.#spans;
  }
}
