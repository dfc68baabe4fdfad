import type { Change } from '../../../src/input/decompress/on-the-way.ts';
import { EndWatch } from '../../../src/input/source/odd-ends.ts';
import type { Source } from '../../../src/input/source/open.ts';
import {
  oddEndTexts,
  replacedText,
  undoneText,
  unfinishedText,
} from '../../../src/output/phrases/recording-phrases.ts';
import { inputError } from '../options/errors.ts';
import type { Io } from '../platform/io.ts';
import { printNote } from '../platform/note.ts';

/** @throws CommandError if the bytes before the change can't be had */
export async function tellChange(change: Change, name: string, io: Io, isQuiet: boolean): Promise<void> {
  if (change === 'replaced') throw inputError(`${name}: ${replacedText}`);
  if (!isQuiet) await printNote(`${name}: ${undoneText(change)}`, io);
}

/** Names that browsers give to a file until all of it is there. */
const unfinished = /\.(?:crdownload|part|partial|download|opdownload)$/i;

/** Says after the last piece of a recording what is not of it. */
export async function* untilEnd({ pieces, format }: Source, name: string, io: Io): AsyncIterable<Uint8Array> {
  const watch = new EndWatch(format?.name === 'demo');
  for await (const piece of pieces) {
    watch.add(piece);
    yield piece;
  }
  if (unfinished.test(name)) await printNote(`${name}: ${unfinishedText}`, io);
  for (const text of oddEndTexts(watch)) await printNote(`${name}: ${text}`, io);
}
