import { maxOptionBytes } from '../../container/capture/pcapng-writer.ts';
import { hexText } from '../../hex/index.ts';
import type { FieldValue } from '../json/json.ts';
import { jsonText } from '../text/escape.ts';
import { thousands } from '../text/number.ts';

const encoder = new TextEncoder();

/** The number of bytes that are reserved for the line with the number of omitted lines, and for the last line. */
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

/** The lines of one comment, as many as fit in a pcapng option. */
export class CommentLines {
  readonly #lines: string[] = [];
  #bytes = 0;

  /** The number of bytes so far, including a line break after each line. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a line if there is room for it, and returns whether it was added. */
  add(line: string): boolean {
    const bytes = utf8Length(line) + 1;
    if (this.#bytes + bytes > maxOptionBytes - roomAtEnd) return false;
    this.#lines.push(line);
    this.#bytes += bytes;
    return true;
  }

  /**
   * The comment as UTF-8.
   * @param cut the number of omitted lines
   * @param what the noun for these lines
   * @param last a line that is never omitted
   */
  encode(cut: number, what: string, last?: string): Uint8Array {
    const count = cut > 0 ? [`… ${thousands(cut)} more ${what}`] : [];
    return encoder.encode([...this.#lines, ...count, ...(last === undefined ? [] : [last])].join('\n'));
  }
}

const utf8Length = (text: string) => (/[^\0-\x7f]/.test(text) ? encoder.encode(text).length : text.length);
