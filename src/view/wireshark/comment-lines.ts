import { maxOptionBytes } from '../../container/capture/pcapng-writer.ts';
import { hexText } from '../../hex/index.ts';
import type { FieldValue } from '../json/json.ts';
import { jsonText } from '../text/escape.ts';
import { thousands } from '../text/number.ts';

const encoder = new TextEncoder();

/** Bytes kept for the line that counts what is cut, and for the last line. */
const roomAtEnd = 256;
const maxShownBytes = 32;

/** `5`, `"text"` as in JSON, `[1 2 3]`. */
export function valueText(value: FieldValue): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? jsonText(value) : `[${value.map(valueText).join(' ')}]`;
}

/** A value of a message; long bytes are only counted. */
export function messageValueText(value: number | string | Uint8Array | undefined): string {
  if (value === undefined) return '?';
  if (!(value instanceof Uint8Array)) return valueText(value);
  return value.length > maxShownBytes ? `(${value.length} bytes)` : `0x${hexText(value).replaceAll(' ', '')}`;
}

/** The lines of one comment, as many as an option has room for. */
export class CommentLines {
  readonly #lines: string[] = [];
  #bytes = 0;

  /** Bytes so far, with a line break after each line. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a line, if there is room for it; false if there is not. */
  add(line: string): boolean {
    const bytes = utf8Length(line) + 1;
    if (this.#bytes + bytes > maxOptionBytes - roomAtEnd) return false;
    this.#lines.push(line);
    this.#bytes += bytes;
    return true;
  }

  /**
   * The comment as UTF-8.
   * @param cut how many lines there is no room for, and what they are
   * @param last a line that is never cut
   */
  encode(cut: number, what: string, last?: string): Uint8Array {
    const count = cut > 0 ? [`… ${thousands(cut)} more ${what}`] : [];
    return encoder.encode([...this.#lines, ...count, ...(last === undefined ? [] : [last])].join('\n'));
  }
}

const utf8Length = (text: string) => (/[^\0-\x7f]/.test(text) ? encoder.encode(text).length : text.length);
