import type { Span } from '../../annotate/span.ts';
import type { Diagnostic } from '../../bytes/diagnostic.ts';
import type { Diagnostics } from '../../decode/diagnostics.ts';
import type { EncodingLayers } from '../../decode/encoding-layers.ts';
import type { Payload } from '../../decode/payload.ts';
import { address, bitAddress } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { diagnosticLines, header } from './header.ts';
import { bitWidth, type RowOptions, renderRows } from './rows.ts';

export interface HexdumpOptions extends RowOptions {
  readonly name: string;
}

/**
 * Prints the annotated bytes of a payload: address, hex, ASCII, and the values that begin or continue in each row.
 *
 * @example
 * ```ts
 * import { decode } from 'tw-snap';
 * import { annotate } from 'tw-snap/annotate';
 * import { plainTheme, renderHexdump } from 'tw-snap/view';
 *
 * const decoded = decode(bytes, { kind: 'delta' });
 * if (decoded.kind === 'delta') {
 *   const { payload } = decoded;
 *   const options = { name: 'my.delta', theme: plainTheme, width: 100, verbose: false };
 *   console.log(renderHexdump(payload, annotate(payload), options));
 * }
 * ```
 */
export function renderHexdump(payload: Payload, spans: readonly Span[], options: HexdumpOptions): string {
  return renderDump(payload, header(payload, options.name, options), spans, options);
}

/** The bytes of a file, decompressed if necessary, and their diagnostics. */
export interface Dumped {
  readonly layers: Pick<EncodingLayers, 'file' | 'bytes' | 'bits'>;
  readonly diagnostics: Diagnostics;
}

/** Prints the annotated bytes of any decoded input, such as a payload or a packet. */
export function renderDump(dumped: Dumped, title: string, spans: readonly Span[], options: RowOptions): string {
  const { bytes, bits } = dumped.layers;
  const head = bits ? [title, '', options.theme.dim(' file  unpacked')] : [title, ''];
  const lines = [...head, ...renderRows({ bytes, bits, spans }, options), ...closing(dumped, options.theme)];
  return `${lines.join('\n')}\n`;
}

/** The lines after the last row: the end symbol, warnings, and the error where reading stopped. */
function closing(dumped: Dumped, theme: Theme): string[] {
  const lines: string[] = [];
  const { bits } = dumped.layers;
  const { warnings } = dumped.diagnostics;
  const width = bits ? bitWidth(bits) : 0;
  const end = endOfBits(dumped);
  if (end) lines.push(theme.dim(` ${bitAddress(end[0]).padStart(width)}        ${end[1]}`));
  if (warnings.length > 0) lines.push('');
  const place = ({ offset, bit, unpacked }: Diagnostic) => {
    const byte = ` ${address(unpacked ?? offset)}`;
    return bits ? ` ${bitAddress(8 * offset + (bit ?? 0)).padStart(width)} ${byte}` : byte;
  };
  lines.push(...diagnosticLines(dumped, theme, place));
  return lines;
}

/** The bit of the end symbol in compressed bytes, and a note about it and the bits after it. */
export function endOfBits({
  layers: { bits, bytes, file },
  diagnostics: { error },
}: Dumped): [number, string] | undefined {
  if (!bits || error?.code === 'huffman_no_eof' || error?.code === 'huffman_output_full') return undefined;
  const eof = bits[bytes.length]!;
  return [eof, `EOF${afterEof(eof + eofBits, file.length)}`];
}

/** The size of the end symbol in bits. */
const eofBits = 15;

function afterEof(bit: number, bytes: number): string {
  const padding = -bit & 7;
  const more = bytes - Math.ceil(bit / 8);
  const notes = [];
  if (padding > 0) notes.push(padding === 1 ? '1 bit of padding' : `${padding} bits of padding`);
  if (more > 0) notes.push(`${more} more byte${more === 1 ? '' : 's'}`);
  return notes.length > 0 ? `, ${notes.join(', ')}` : '';
}
