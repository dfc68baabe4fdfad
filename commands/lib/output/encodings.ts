import type { LastByte } from '../../../src/codec/huffman.ts';
import { encode } from '../../../src/decode/encoding-layers.ts';
import { toHex } from '../../../src/hex/to-hex.ts';
import type { Delta } from '../../../src/snapshot/delta.ts';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';
import { type Printing, print, refuseBinary } from './output.ts';

/** The formats of `--to` that are encodings. */
export const encodings = ['huffman', 'packed', 'ints', 'hex'] as const;
type Encodings = (typeof encodings)[number];

export const isEncoding = (format: string): format is Encodings => encodings.includes(format as Encodings);

/** Prints a snapshot or delta as bytes; `hex` is the packed bytes as text. */
export async function printEncoded(
  body: Snapshot | Delta,
  format: Encodings,
  printing: Pick<Printing, 'output' | 'io'>,
  lastByte?: LastByte,
): Promise<void> {
  if (format === 'hex') return print(`${hexLines(encode(body, 'packed'))}\n`, printing);
  refuseBinary(`-t ${format} is binary`, printing);
  return print(encode(body, format, lastByte), printing);
}

function hexLines(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += 32)
    lines.push(toHex(bytes, start, Math.min(start + 32, bytes.length)));
  return lines.join('\n');
}
