import type { Span } from '../annotate/span.ts';
import type { Finding } from '../model/findings.ts';
import type { Payload } from '../model/payload.ts';
import { findingLines, header } from './header.ts';
import { address } from './number.ts';
import { type RowOptions, renderRows } from './rows.ts';
import type { Theme } from './theme.ts';

export interface HexdumpOptions extends RowOptions {
  readonly name: string;
}

/** The annotated bytes of a payload: address, hex, ASCII, and the values that begin or go on in each row. */
export function renderHexdump(payload: Payload, spans: readonly Span[], options: HexdumpOptions): string {
  const { theme } = options;
  const lines = [header(payload, options.name, options), ''];
  if (payload.layers.bits) lines.push(theme.dim(' file  unpacked'));
  lines.push(...renderRows({ bytes: payload.layers.bytes, bits: payload.layers.bits, spans }, options));
  lines.push(...closing(payload, theme));
  return `${lines.join('\n')}\n`;
}

/** What comes behind the last row: the end symbol, warnings, and the error where reading stopped. */
function closing(payload: Payload, theme: Theme): string[] {
  const lines: string[] = [];
  const { bits, bytes, file } = payload.layers;
  const { error, warnings } = payload.findings;
  if (bits && !(error?.code === 'huffman_no_eof' || error?.code === 'huffman_output_full')) {
    const bit = bits[bytes.length]!;
    lines.push(theme.dim(`${`${bit >>> 3}.${bit & 7}`.padStart(6)}        EOF, ${afterEof(bit + 15, file.length)}`));
  }
  if (warnings.length > 0) lines.push('');
  const place = ({ offset, bit, unpacked }: Finding) => {
    const byte = address(unpacked ?? offset).padStart(5);
    return bits ? `${`${offset}.${bit ?? 0}`.padStart(6)} ${byte}` : byte;
  };
  lines.push(...findingLines(payload, theme, place));
  return lines;
}

function afterEof(bit: number, bytes: number): string {
  const padding = -bit & 7;
  const more = bytes - Math.ceil(bit / 8);
  const bits = padding === 1 ? '1 bit of padding' : `${padding} bits of padding`;
  return more > 0 ? `${bits}, ${more} more byte${more === 1 ? '' : 's'}` : bits;
}
