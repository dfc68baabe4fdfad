import { join } from '../bytes/join.ts';
import type { ByteString, Reading } from './form.ts';

/** Shorter than any packet: what is in lines this short is one byte string. */
const shortestPart = 3;

/**
 * Byte strings of which each fills a line, or groups of lines between blank ones. Whether a line's end is the end of a packet
 * or only wraps the text can't be told from the text alone: lines of equal length look wrapped, others like packets.
 * @param groups the lines, in groups
 */
export function readingOfLines(groups: readonly (readonly ByteString[])[]): Reading {
  const lines = groups.flat();
  if (lines.length < 2) return { parts: lines };
  const joined = [{ bytes: join(lines.map(({ bytes }) => bytes)), start: lines[0]!.start }];
  const ofGroups = groups.flatMap((group) => (looksWrapped(group) ? joinedLines(group) : group));
  if (lines.some(({ bytes }) => bytes.length < shortestPart)) return { parts: joined };
  if (groups.length > 1) return { parts: ofGroups, other: joined };
  return looksWrapped(lines) ? { parts: joined, other: lines } : { parts: lines, other: joined };
}

const joinedLines = (lines: readonly ByteString[]): ByteString[] => [
  { bytes: join(lines.map(({ bytes }) => bytes)), start: lines[0]!.start },
];

/** Whether all lines are as long as the first, and the last not longer. */
function looksWrapped(lines: readonly ByteString[]): boolean {
  const width = lines[0]!.bytes.length;
  return lines.every(({ bytes }, i) => bytes.length === width || (i === lines.length - 1 && bytes.length < width));
}
