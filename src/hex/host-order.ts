import { ByteSink } from './byte-sink.ts';
import { type CellKind, cellsOf, pushCell } from './cells.ts';
import { lineEnd } from './characters.ts';

const bytesPerRow = 16;
/** One word per row is a list of numbers rather than a dump. */
const fewestWords = 2;

/**
 * The bytes of words in rows without addresses, taken as little-endian, which is the order in the memory of all machines
 * that run the games. The same text may also be hex in groups.
 *
 *      28020510 ed4ae19d 1329f9be 8a68bbe9      od -An -tx4: one blank before the first word
 *     28020510 ed4ae19d 1329f9be 8a68bbe9       hexdump -e '4/4 "%08x " "\n"': 16 bytes in each row
 *      002420 024002 160635 166512              od -An -o
 */
export function readHostOrder(text: string): Uint8Array | undefined {
  const rows: ReturnType<typeof cellsOf>[] = [];
  let isIndented = true;
  for (let at = 0; at < text.length; at = lineEnd(text, at) + 1) {
    const cells = cellsOf(text, at, lineEnd(text, at));
    if (cells.length === 0) continue;
    rows.push(cells);
    isIndented &&= cells[0]!.at === at + 1;
  }
  const kind = rows.length > 0 ? kindOf(rows) : undefined;
  const length = rows[0]?.length ?? 0;
  const isDump = rows.every((row, i) => row.length === length || (i === rows.length - 1 && row.length < length));
  if (!kind || !isDump || length < fewestWords) return undefined;
  if (!isIndented && (kind.base === 8 || rows.length < 2 || length * kind.size !== bytesPerRow)) return undefined;
  const bytes = new ByteSink(text.length >> 1);
  for (const { at, cell } of rows.flat()) pushCell(text, at, cell, kind, bytes);
  return bytes.result();
}

function kindOf(rows: readonly ReturnType<typeof cellsOf>[]): CellKind | undefined {
  const all = (pattern: RegExp) => rows.every((row) => row.every(({ cell }) => pattern.test(cell)));
  if (all(/^[01][0-7]{5}$/)) return { base: 8, size: 2 };
  const digits = rows[0]![0]!.cell.length;
  const size = digits / 2;
  if (size !== 2 && size !== 4 && size !== 8) return undefined;
  return all(new RegExp(`^[\\da-f]{${digits}}$`, 'i')) ? { base: 16, size } : undefined;
}
