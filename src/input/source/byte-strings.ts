import { DecodeError } from '../../wire/bytes/diagnostic.ts';
import type { PastedBytes, PastedText } from '../pasted/pasted-text.ts';
import { looksLikeText, textOf } from '../pasted/text-encoding.ts';
import { SourceError, type Stated } from '../stated.ts';

/** One byte string of an input: of pasted text, or all of its bytes. */
export interface Part extends Pick<PastedBytes, 'bytes' | 'cutLine'> {
  /** The text if it was not turned into bytes: JSON, or text that may happen to be a payload. */
  readonly text?: string | undefined;
  /** The form of the pasted text: `xxd`, `hex`. */
  readonly form?: string | undefined;
}

/** An input that is no recording: the byte strings of a pasted text, or its bytes. */
export interface Parts extends Omit<PastedText, 'form'> {
  readonly form?: string | undefined;
  readonly text?: string | undefined;
}

/** The maximum size of text, such as hex and JSON; binary payloads have a lower limit. */
export const maxTextBytes = 16 << 20;

/** Text in another encoding begins with so many signs of ASCII; few payloads do. */
const windowsSample = 12;

export const tooLongText = () => new SourceError(`this text is longer than ${maxTextBytes >> 20} MiB, the limit`);

/**
 * The parts of an input that is no recording.
 * @param bytes at most one more than `maxTextBytes`
 * @throws SourceError for text that is too long, DecodeError for an empty input and text in a broken form
 */
export async function partsOf(bytes: Uint8Array, { isText, encoding }: Stated): Promise<Parts> {
  if (bytes.length === 0) throw new DecodeError('empty_input', 0);
  const text = textOf(bytes);
  if (bytes.length > maxTextBytes && (text !== undefined || encoding === 'json')) throw tooLongText();
  const mayBeText = text === undefined && isText !== false && encoding === undefined;
  if (mayBeText && looksLikeText(bytes.subarray(0, windowsSample))) {
    const { windowsTextOf } = await import('../pasted/windows-text.ts');
    const { readPastedText } = await import('../pasted/pasted-text.ts');
    const pasted = readPastedText(windowsTextOf(bytes) ?? '', { force: isText === true });
    if (pasted) return pasted;
  }
  if (isText && text === undefined)
    throw new DecodeError('bad_hex', 0, { found: 'bytes that are no text', expected: 'hex (-f hex)' });
  if (text !== undefined && isText !== false && encoding !== 'json') {
    // Loaded for text only, to keep start-up fast.
    const { readPastedText, refusal } = await import('../pasted/pasted-text.ts');
    const pasted = readPastedText(text, { force: isText === true });
    if (pasted) return pasted;
    if (isText) throw refusal(text);
  }
  return { text, parts: [{ bytes, line: 1 }] };
}

/** Why a text without bytes in a known form is not read. */
export async function refusalOf(text: string, { isText }: Stated): Promise<DecodeError> {
  if (isText !== false) return (await import('../pasted/pasted-text.ts')).refusal(text);
  return new DecodeError('bad_hex', 0, { found: 'text', expected: 'bytes; without -f bytes text is read as hex' });
}
