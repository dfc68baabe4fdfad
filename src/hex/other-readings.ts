import { join } from '../bytes/copy.ts';
import { lineEnd } from './characters.ts';
import type { ByteString, Reading } from './form.ts';

/** The byte strings of the lines of a text, in groups between blank lines; undefined if a line has none. */
export function groupsOfLines(
  text: string,
  bytesOf: (line: string) => Uint8Array | undefined,
): ByteString[][] | undefined {
  const groups: ByteString[][] = [];
  let isApart = true;
  for (let at = 0; at < text.length; at = lineEnd(text, at) + 1) {
    const line = text.slice(at, lineEnd(text, at));
    const isBlankLine = line.trim() === '';
    if (!isBlankLine) {
      const bytes = bytesOf(line);
      if (!bytes) return undefined;
      if (isApart) groups.push([]);
      groups.at(-1)!.push({ bytes, start: at + line.search(/\S/) });
    }
    isApart = isBlankLine;
  }
  return groups;
}

/** Lines shorter than this, shorter than any packet, form one byte string. */
const shortestPart = 3;

/**
 * The readings of lines that each contain a byte string, or groups of such lines. The text alone does not show whether
 * the end of a line ends a packet or only wraps it: lines of equal length look wrapped, others like packets.
 * @param groups the lines, in groups
 */
export function readingOfLines(groups: readonly (readonly ByteString[])[]): Reading {
  const lines = groups.flat();
  if (lines.length < 2) return { parts: lines };
  const joined = joinedLines(lines);
  if (lines.some(({ bytes }) => bytes.length < shortestPart)) return { parts: joined };
  if (groups.length > 1) {
    return { parts: groups.flatMap((group) => (looksWrapped(group) ? joinedLines(group) : group)), other: joined };
  }
  return looksWrapped(lines) ? { parts: joined, other: lines } : { parts: lines, other: joined };
}

const joinedLines = (lines: readonly ByteString[]): ByteString[] => [
  { bytes: join(lines.map(({ bytes }) => bytes)), start: lines[0]!.start },
];

/** Whether all lines are as long as the first, and the last is not longer. */
function looksWrapped(lines: readonly ByteString[]): boolean {
  const width = lines[0]!.bytes.length;
  return lines.every(({ bytes }, i) => bytes.length === width || (i === lines.length - 1 && bytes.length < width));
}

/**
 * The bytes of words in rows without addresses, taken as little-endian, which is the order in the memory of all machines
 * that run the games. The same text may also be hex in groups.
 *
 *      0510 2802 e19d ed4a                       od -An -x: one blank before the first word
 *     28020510 ed4ae19d 1329f9be 8a68bbe9       16 bytes in each row
 */
export function readHostOrder(text: string): Uint8Array | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const rows = lines.map((line) => line.trim().split(/\s+/));
  const [first] = rows;
  const digits = first?.[0]?.length ?? 0;
  const isWord = ![4, 8, 16].includes(digits) ? undefined : new RegExp(`^[0-9a-f]{${digits}}$`, 'i');
  if (!first || !isWord || first.length < 2 || !rows.flat().every((word) => isWord.test(word))) return undefined;
  const isDump = rows.every(
    (row, i) => row.length === first.length || (i === rows.length - 1 && row.length < first.length),
  );
  const isIndented = lines.every((line) => /^ \S/.test(line));
  if (!isDump || (!isIndented && (rows.length < 2 || first.length * digits !== 32))) return undefined;
  return Uint8Array.from(
    rows.flat().flatMap((word) =>
      word
        .match(/../g)!
        .toReversed()
        .map((pair) => Number.parseInt(pair, 16)),
    ),
  );
}
