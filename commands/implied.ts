import { inPieces, readAll } from '../src/input/decompress/pieces.ts';
import { textOf } from '../src/input/pasted/text-encoding.ts';
import { maxTextBytes } from '../src/input/source/byte-strings.ts';
import { attempt } from '../src/wire/bytes/diagnostic.ts';
import { splitPosition } from './lib/input/inputs.ts';
import { open } from './lib/input/opened.ts';
import { inputError, missing } from './lib/options/errors.ts';
import type { Io } from './lib/platform/io.ts';
import { changed } from './lib/platform/note.ts';

/**
 * The command that `tw-snap FILE…` and `… | tw-snap` mean: `decode` for a single payload, `info` for recordings and
 * folders, `explain` for a log. Undefined if there is no such file, and nothing in a pipe.
 * @returns the command, and where standard input can be read again
 * @throws CommandError if the file can't be read
 */
export async function impliedCommand(
  file: string,
  isPiped: boolean,
  io: Io,
): Promise<{ readonly command: string; readonly io?: Io } | undefined> {
  const { path = '-', position } = splitPosition(file, io);
  if (path !== '-' && !io.exists(path)) {
    if (/[./\\]/.test(path)) throw inputError(`${path}: ${missing(path, io.exists)}`);
    return undefined;
  }
  if (position) return { command: 'range' in position ? 'dump' : 'decode' };
  if (io.isFolder(path)) return { command: 'info' };

  // A file is opened again by the command, which says what there is to say of it.
  const { source, isEmpty } = await open(path, { io }, path !== '-');
  if (isPiped && isEmpty) return undefined;
  const start = source.format ? undefined : await readAll(source.pieces, maxTextBytes + 1);
  const command = start ? await commandForPart(start) : 'info';
  if (path !== '-') {
    await source.pieces[Symbol.asyncIterator]().return?.();
    return { command };
  }

  // Standard input can be read only once, so what was read of it is passed on.
  const pieces = start ? inPieces(start) : source.pieces;
  const again: Io['open'] = (name, start) => (name === '-' ? pieces : io.open(name, start));
  return { command, io: changed(io, { open: again }) };
}

/** `explain` for a log, or a text with a line of one that says what went wrong; `decode` for other bytes. */
async function commandForPart(bytes: Uint8Array): Promise<'explain' | 'decode'> {
  const text = textOf(bytes);
  if (text === undefined) return 'decode';
  const { LogLines, readLogLine } = await import('../src/analysis/explain/log.ts');
  const { readPastedText } = await import('../src/input/pasted/pasted-text.ts');
  const { logSentences } = await import('../src/recording/games/log-sentences.ts');
  const lines = text.split('\n');
  if (lines.some((line) => readLogLine(line, 1, logSentences) !== undefined)) return 'explain';
  const logged = new LogLines();
  for (const line of lines) logged.add(line);
  return logged.owner !== undefined && !attempt(() => readPastedText(text)) ? 'explain' : 'decode';
}
