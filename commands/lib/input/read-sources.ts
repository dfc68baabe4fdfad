import { DecodeError } from '../../../src/bytes/diagnostic.ts';
import type { PastedBytes } from '../../../src/hex/pasted-text.ts';
import { textOf } from '../../../src/hex/text-encoding.ts';
import { diagnosticLine } from '../../../src/view/text/diagnostic-messages.ts';
import { count } from '../../../src/view/text/number.ts';
import { inputError, usageError } from '../errors.ts';
import type { Input } from './input.ts';
import { maxTextBytes, type Opened, readAll, tooLong } from './open.ts';

/** An input after pasted text was turned into bytes. */
export interface Source {
  /** Contains the number and line of one of several byte strings. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The text if it was not turned into bytes: JSON, or text that may happen to be a payload. */
  readonly text?: string;
  /** The form of the pasted text: `xxd`, `hex`. */
  readonly form?: string;
  /** The line of the pasted text where it begins, unless the name contains it. */
  readonly line?: number;
  /** The line of the pasted text with a mark such as `[snip]` that replaces the rest. */
  readonly cutLine?: number;
}

/** The byte strings of an input that is not a recording: one, or those of a pasted text. */
export interface Sources {
  readonly sources: readonly Source[];
  /** The other reading of the same text: the ends of its lines may end packets or only wrap them. */
  readonly other?: readonly Source[];
}

/** Reads an opened input; pasted text is turned into bytes. */
export async function readSources({ name, pieces }: Opened, { from, isText, nth }: Input): Promise<Sources> {
  const bytes = await readAll(pieces, maxTextBytes + 1);
  if (bytes.length === 0) throw decodeFailure(name, new DecodeError('empty_input', 0));
  const text = textOf(bytes);
  if (bytes.length > maxTextBytes && (text !== undefined || from === 'json')) throw tooLong(name, maxTextBytes);
  if (isText && text === undefined) throw decodeFailure(name, noText());
  const unchanged = { name, bytes, ...(text === undefined ? {} : { text }) };
  if (text === undefined || isText === false || from === 'json') return single(unchanged, nth);
  // Loaded for text only, to keep start-up fast.
  const { readPastedText, refusal } = await import('../../../src/hex/pasted-text.ts');
  try {
    const pasted = readPastedText(text, { force: isText === true });
    if (!pasted && isText) throw refusal(text);
    if (!pasted) return single(unchanged, nth);
    const { form, parts, other, otherForm = form } = pasted;
    return { sources: sourcesOf(name, form, parts), ...(other && { other: sourcesOf(name, otherForm, other) }) };
  } catch (error) {
    throw decodeFailure(name, error);
  }
}

const noText = () => new DecodeError('bad_hex', 0, { found: 'bytes that are no text', expected: 'hex (--hex)' });

function sourcesOf(name: string, form: string, parts: readonly PastedBytes[]): Source[] {
  if (parts.length === 1) return [{ name, form, ...parts[0]! }];
  return parts.map(({ line, ...part }, i) => ({
    name: `${name}, ${i + 1} of ${parts.length} (line ${line})`,
    form,
    ...part,
  }));
}

function single(source: Source, nth = 1): Sources {
  if (nth !== 1) throw usageError(`${source.name}: there is no packet ${nth}: it is not text with several`);
  return { sources: [source] };
}

/** Chooses one of several byte strings by `--nth`. */
export function nthOf<T>(name: string, items: readonly T[], nth: number | undefined): T {
  if (nth === undefined && items.length > 1) {
    throw usageError(`${name}: the text has ${items.length} packets; choose one with --nth 1 to ${items.length}`);
  }
  const item = items[(nth ?? 1) - 1];
  if (!item) throw usageError(`${name}: there is no packet ${nth}: the text has ${count(items.length, 'packet')}`);
  return item;
}

/** Turns an error of a reader into one for the user, with the name of the input. */
export function decodeFailure(name: string, error: unknown): unknown {
  if (!(error instanceof DecodeError)) return error;
  const { code, offset, args } = error;
  return inputError(`${name}: ${diagnosticLine({ severity: 'error', code, offset, args })}`);
}
