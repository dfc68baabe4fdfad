import { join } from '../bytes/copy.ts';
import type { ByteString, Reading } from './form.ts';

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
  const joined = [{ bytes: join(lines.map(({ bytes }) => bytes)), start: lines[0]!.start }];
  const ofGroups = groups.flatMap((group) => (looksWrapped(group) ? joinedLines(group) : group));
  if (lines.some(({ bytes }) => bytes.length < shortestPart)) return { parts: joined };
  if (groups.length > 1) return { parts: ofGroups, other: joined };
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
