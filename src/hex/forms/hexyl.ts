import type { ByteSink } from '../byte-sink.ts';
import { hexDigit } from '../characters.ts';
import { badHex, type Form } from '../form.ts';
import { formOfRows, type RowLayout, readRows, skipBlanks } from '../rows.ts';

/**
 * `hexyl`, in a frame of lines or of ASCII
 *
 *     ┌────────┬─────────────────────────┬─────────────────────────┬────────┬────────┐
 *     │00000000│ 10 05 02 28 9d e1 4a ed ┊ be f9 29 13 e9 bb 68 8a │•••(××J×┊××)•××h×│
 */
const layout: RowLayout = {
  name: 'hexyl',
  row: /[ \t]*[│|]([0-9a-f]{8})([│|] )(?=[0-9a-f]{2} )/iy,
  bases: () => [16],
  brokenRow: /[│|]([0-9a-z]{8})[│|]/iy,
  readCells: readPanels,
};

/** A blank follows the line before each panel of bytes; the first panel of characters has none. */
function readPanels(text: string, from: number, end: number, bytes: ByteSink): void {
  for (let at = from; at < end; ) {
    if ('│|┊'.includes(text[at]!)) {
      if (text[at + 1] !== ' ' || !/^ [0-9a-f]{2} /i.test(text.slice(at + 1, at + 5))) return;
      at++;
    }
    at = skipBlanks(text, at, end);
    if ('│|┊'.includes(text[at] ?? '│')) continue;
    const high = hexDigit(text.charCodeAt(at));
    const low = hexDigit(text.charCodeAt(at + 1));
    if (high < 0 || low < 0 || text[at + 2] !== ' ') throw badHex(text, at, 'two hex digits for each byte');
    bytes.push((high << 4) | low);
    at += 2;
  }
}

/** The `*` of a folded row is inside the frame. */
const unframed = (text: string) => text.replace(/^([ \t]*)[│|]\*[ │|┊]*$/gm, (line) => '*'.padEnd(line.length));

export const hexyl: Form = {
  ...formOfRows(layout, '│00000000│ 10 05 02 28 ┊'),
  read: ({ text }) => readRows(unframed(text), layout),
};
