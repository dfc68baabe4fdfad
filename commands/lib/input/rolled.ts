import { pathText } from '../../../src/output/text/escape.ts';
import type { Io } from '../platform/io.ts';
import { printNote } from '../platform/note.ts';
import { filesLike } from './folders.ts';
import { type Joined, joined, type OpenOne } from './joined.ts';
import { withSets } from './sets.ts';

/** Opens the files of a pattern as one recording; undefined if they are not one set. */
export async function openSet(pattern: string, io: Io, isQuiet: boolean, open: OpenOne): Promise<Joined | undefined> {
  const files = /[*?{]/.test(pattern) ? await filesLike(pattern, io) : [];
  if (files.length < 2 || withSets(files).length > 1) return undefined;
  const all = await joined(pattern, files, open);
  if (!isQuiet) await printNote(`${pathText(pattern)}: ${files.length} files are read as one, in order of time`, io);
  return all;
}
