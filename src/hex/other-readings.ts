import { AppendBuffer } from '../bytes/buffers.ts';
import { join } from '../bytes/copy.ts';
import { linesOf } from './characters.ts';
import { addPart, type ByteString, type Reading } from './form.ts';

interface ByteLine extends ByteString {
  /** Whether a blank line precedes it. */
  readonly isApart?: boolean;
}

/** The lines of a text as byte strings; undefined for a line that is none. */
export function* byteLines(
  text: string,
  bytesOf: (line: string, at: number) => Uint8Array | undefined,
): Generator<ByteLine | undefined, void> {
  let before = 0;
  for (const [start, end] of linesOf(text)) {
    const bytes = bytesOf(text.slice(start, end), start);
    const isApart = before > 0 && text.slice(before, start).split('\n', 3).length > 2;
    yield bytes && { bytes, start, isApart };
    before = end;
  }
}

/** Lines shorter than this, shorter than any packet, form one byte string. */
const shortestPart = 3;

/**
 * The readings of lines that each contain a byte string; undefined if one does not. The text alone does not show whether
 * the end of a line ends a packet or only wraps it: lines of equal length look wrapped, others like packets.
 */
export function readingOfLines(text: string, lines: Iterable<ByteLine | undefined>): Reading | undefined {
  const all = new AppendBuffer();
  /** The lines between blank lines. */
  const groups: ByteString[][] = [];
  const parts: ByteString[] = [];
  let start = -1;
  let isShort = false;
  for (const line of lines) {
    if (!line) return undefined;
    if (start < 0) start = line.start;
    all.bytes(line.bytes);
    isShort ||= line.bytes.length < shortestPart;
    // The lines of a short one are not kept: there may be millions.
    if (isShort) continue;
    addPart(parts, line, text);
    if (line.isApart || groups.length === 0) groups.push([]);
    groups.at(-1)!.push(line);
  }
  const joined = [{ bytes: all.flush(), start }];
  if (isShort || parts.length < 2) return { parts: joined };
  if (groups.length > 1) {
    return { parts: groups.flatMap((group) => (looksWrapped(group) ? joinedLines(group) : group)), other: joined };
  }
  return looksWrapped(parts) ? { parts: joined, other: parts } : { parts, other: joined };
}

const joinedLines = (lines: readonly ByteString[]): ByteString[] => [
  { bytes: join(lines.map(({ bytes }) => bytes)), start: lines[0]!.start },
];

/** Whether all lines are as long as the first, and the last is not longer. */
function looksWrapped(lines: readonly ByteString[]): boolean {
  const width = lines[0]!.bytes.length;
  return lines.every(({ bytes }, i) => bytes.length === width || (i === lines.length - 1 && bytes.length < width));
}
