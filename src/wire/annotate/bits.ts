import type { PacketContents } from '../packet/packet-contents.ts';
import type { EncodingLayers } from '../payload/encoding-layers.ts';
import type { Payload } from '../payload/payload.ts';
import type { Span } from './span.ts';

/*
 * How bits become a value. Each byte before compression has a Huffman code in the file, and a few of these bytes are an
 * int:
 *
 *   bits of the file   1001 0100   010
 *   packed             1 0 010000  0 0001100      E more follows, S sign and six bits; then E and seven bits
 *   value              x = 784 (24.50 tiles)
 *
 * The bits of the file are printed in the order in which they are read, from the lowest of a byte up; those of a byte
 * from the highest down, as one writes a number.
 */

/**
 * How the bits of a byte are grouped: `first` and `more` are bytes of a packed int, `raw` has eight bits that are read
 * alike.
 */
export type ByteForm = 'first' | 'more' | 'raw';

export interface ByteBits {
  readonly form: ByteForm;
  /** Its Huffman code as it is in the file; undefined if the bytes are not compressed. */
  readonly code: string | undefined;
  /** The parts of its eight bits: E, S and six bits of `first`; E and seven of `more`. */
  readonly parts: readonly string[];
}

export interface SpanBits {
  readonly span: Span;
  /** The bit of the file at which it begins. */
  readonly bit: number;
  readonly bytes: readonly ByteBits[];
}

/** The bytes that spans cover, with what is needed to find their bits. */
export interface BitSource {
  readonly spans: readonly Span[];
  readonly layers: Pick<EncodingLayers, 'file' | 'bytes' | 'bits'>;
  /** For each of the bytes whether it is one of a packed int. */
  readonly forms: readonly ByteForm[];
}

/** The forms of the bytes of a payload, packet or message. */
export function formsOf(source: Payload | PacketContents): ByteForm[] {
  const forms = new Array<ByteForm>(source.layers.bytes.length).fill('raw');
  if ('body' in source) markInts(forms, source, 0);
  else
    for (const { message, delta } of source.messages) {
      // What is a number in a message is a packed int.
      for (const { start, end, value } of [...message.head, ...message.values])
        if (typeof value === 'number') markInt(forms, start, end);
      if (delta) markInts(forms, delta.payload, delta.at);
    }
  return forms;
}

function markInts(forms: ByteForm[], { layers }: Payload, at: number): void {
  const { offsets, length } = layers.ints;
  if (layers.encoding === 'ints') return;
  for (let i = 0; i < length; i++) markInt(forms, at + offsets![i]!, at + offsets![i + 1]!);
}

function markInt(forms: ByteForm[], start: number, end: number): void {
  forms.fill('more', start, end);
  if (end > start) forms[start] = 'first';
}

export function bitsOfSpan({ layers, forms }: BitSource, span: Span): SpanBits {
  const { file, bytes, bits } = layers;
  return {
    span,
    bit: bits ? bits[span.start]! : 8 * span.start,
    bytes: Array.from(bytes.subarray(span.start, span.end), (byte, i) => {
      const at = span.start + i;
      const form = forms[at]!;
      return { form, code: bits && fileBits(file, bits[at]!, bits[at + 1]!), parts: partsOf(byte, form) };
    }),
  };
}

/** Bits of a file in the order in which they are read; fewer if it ends before. */
function fileBits(file: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let bit = from; bit < Math.min(to, 8 * file.length); bit++) text += (file[bit >>> 3]! >>> (bit & 7)) & 1;
  return text;
}

/** Where the parts of a byte's bits end. */
const ends: Readonly<Record<ByteForm, readonly number[]>> = { first: [1, 2, 8], more: [1, 8], raw: [8] };

function partsOf(byte: number, form: ByteForm): string[] {
  const bits = byte.toString(2).padStart(8, '0');
  return ends[form].map((end, i) => bits.slice(ends[form][i - 1] ?? 0, end));
}

/** Spans that are shown one by one, or a run of them that says nothing: values that a delta leaves as they are. */
export type BitGroup = { readonly from: number; readonly to: number; readonly isFolded: boolean };

/** Fewer unchanged values are shown: folding them saves no place. */
const minFolded = 3;

/** Whether a span is a value that a delta leaves as it is. */
const isUnchanged = ({ change, isDifference, value }: Span): boolean =>
  change ? change.old === change.new : isDifference === true && value === 0;

/** Divides spans into those that are shown and runs of unchanged values. */
export function bitGroups(spans: readonly Span[]): BitGroup[] {
  const groups: BitGroup[] = [];
  const add = (from: number, to: number, isFolded: boolean) => {
    const last = groups.at(-1);
    if (!isFolded && last && !last.isFolded) groups[groups.length - 1] = { ...last, to };
    else if (to > from) groups.push({ from, to, isFolded });
  };
  for (let from = 0; from < spans.length; ) {
    let to = from;
    // A run ends with its item.
    while (to < spans.length && isUnchanged(spans[to]!) && spans[to]!.item === spans[from]!.item) to++;
    if (to - from >= minFolded) add(from, to, true);
    else add(from, Math.max(to, from + 1), false);
    from = Math.max(to, from + 1);
  }
  return groups;
}
