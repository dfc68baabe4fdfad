import { pathText } from '../../../src/output/text/escape.ts';
import { fitted } from '../../../src/output/text/layout.ts';
import type { Io, Sink } from './io.ts';

/**
 * Prints a note on standard error about what was recognised or chosen. `--quiet` suppresses notes and findings, but not
 * errors.
 */
export async function printNote(text: string, io: Io): Promise<void> {
  if (!io.isQuiet) await io.stderr.write(`tw-snap: ${text}\n`);
}

export const printNothing = (name: string, { optionNames }: { readonly optionNames: string }, io: Io): Promise<void> =>
  printNote(`${pathText(name)}: nothing matches ${optionNames}`, io);

/** Prints a finding on standard error, unless `--quiet` leaves it to the status. */
export const printProblem = printNote;

/** Prints why something can't be done, in any case. */
export const printError = (text: string, io: Io): Promise<void> => io.stderr.write(`tw-snap: ${text}\n`);

/** The same platform without notes and progress. */
export const quietIo = (io: Io): Io => changed(io, { isQuiet: true });

/** The same object with other values; all else is that of the original, also what changes later. */
export const changed = <One extends object>(object: One, changes: Partial<One>): One =>
  Object.assign(Object.create(object), changes);

/** The same platform with messages that break between words if standard error is a narrow terminal. */
export function withFittedErrors(io: Io): Io {
  const { stderr } = io;
  return stderr.isTerminal ? changed(io, { stderr: fittedSink(stderr) }) : io;
}

/** An output of text whose lines break between words at the width of the terminal. */
export function fittedSink(sink: Sink): Sink {
  /** The writes so far: each waits for those before it. */
  let written = Promise.resolve();
  const write: Sink['write'] = (data) => {
    written = written.then(() => sink.write(toWidth(data, sink.columns)));
    return written;
  };
  return changed(sink, { write });
}

/** Whether the locale is explicitly one without UTF-8; containers often have none, and terminals that show UTF-8. */
const isAsciiLocale = ({ LC_ALL, LC_CTYPE, LANG }: Io['env']) => /^(C|POSIX)$/.test(LC_ALL || LC_CTYPE || LANG || '');

/** Without `-t`, what is no text is a file of the games. */
const forPeople: ReadonlySet<unknown> = new Set([undefined, 'table', 'text', 'hexdump']);

/** The same platform with messages, and text for people, in ASCII if the locale or `--ascii` asks for that. */
export function withAscii(io: Io, { to, ascii }: { readonly to?: unknown; readonly ascii?: unknown }): Io {
  if (!ascii && !isAsciiLocale(io.env)) return io;
  const hasBytes = to === undefined;
  const create: Io['create'] = async (path, isUpdate) => {
    const file = await io.create(path, isUpdate);
    return { write: asciiWriter(file), overwrite: (data, at) => file.overwrite(data, at), finish: () => file.finish() };
  };
  const sink = (sink: Sink) => changed(sink, { write: asciiWriter(sink, hasBytes) });
  const texts = forPeople.has(to) && { stdout: sink(io.stdout), ...(!hasBytes && { create }) };
  return changed(io, { stderr: sink(io.stderr), ...texts });
}

function asciiWriter(sink: Pick<Sink, 'write'>, hasBytes = false): Sink['write'] {
  const decoder = new TextDecoder();
  return (data) => {
    if (typeof data === 'string') return sink.write(inAscii(data));
    return sink.write(hasBytes ? data : inAscii(decoder.decode(data, { stream: true })));
  };
}

function toWidth(data: string | Uint8Array, columns: number | undefined) {
  // Lines of progress are erased, so they are never longer than the terminal.
  if (typeof data !== 'string' || columns === undefined || data.length <= columns || data.startsWith('\r')) return data;
  return fitted(data, columns);
}

/** The signs of our own texts beyond ASCII; most take as many columns, so that tables stay as they are. */
const signs: Readonly<Record<string, string>> = {
  '→': '->',
  '·': '-',
  '…': '~',
  '✗': 'x',
  '✓': '+',
  '×': 'x',
  '−': '-',
  '’': "'",
  µ: 'u',
  '°': 'd',
  '▏': ' ',
  '▎': ' ',
  '▍': ' ',
  '▌': '#',
  '▋': '#',
  '▊': '#',
  '▉': '#',
  '█': '#',
  '▁': '_',
  '▂': '.',
  '▃': '-',
  '▄': '=',
  '▅': '+',
  '▆': '*',
  '▇': '%',
};

/** No literal: a bundle in ASCII is held in a byte a character. */
const anySign = new RegExp(`[${Object.keys(signs).join('')}]`, 'g');

/** A text without these signs, for terminals that cannot show them. Names and chat stay as they are. */
const inAscii = (text: string): string => text.replace(anySign, (sign) => signs[sign]!);
