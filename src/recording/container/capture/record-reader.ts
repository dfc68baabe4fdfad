import type { Diagnostic } from '../../../wire/bytes/diagnostic.ts';
import { type Answer, type Window, yesIf } from '../../../wire/bytes/window.ts';

export interface Framing {
  /** The number of bytes at the beginning of a record that contain its size. */
  readonly headSize: number;
  /** Whether one valid record proves the framing. Otherwise the size of the record before it may be damaged. */
  readonly certain: boolean;
  /** The size of the record at `bytes[at]` including its head; -1 if it is invalid or, with `likely`, improbable. */
  sizeAt(bytes: Uint8Array, at: number, likely: boolean): number;
  /** Whether a complete record is valid; by default it is. */
  isValid?(bytes: Uint8Array, at: number, size: number): boolean;
}

/** `more`: more of the file is needed. `done`: all of it has been read. */
type Step = 'record' | 'diagnostic' | 'more' | 'done';

/** The number of consecutive valid records that prove the framing after damage. */
const trustedRecords = 3;

/**
 * Reads records, each of which has its size in its head, through a window. After an invalid record it searches for the
 * next position where records begin. If the framing is not certain, a record is kept until the next one has been seen:
 * if that is invalid, the size of the first may be wrong and cover others. A record of an improbable size is read only
 * if no probable ones are inside it.
 * ```
 * [ head data ] [ head data ] [ he?? ......... ] [ head data ]
 *               last, kept    invalid            found: reading goes on here
 * ```
 */
export class RecordReader {
  /** The record that `next` read, as a range of the window. */
  start = 0;
  end = 0;
  /** About a range of bytes in which no record could be read, or the caller's about the record. */
  diagnostic!: Diagnostic;
  packets = 0;
  readonly #window: Window;
  readonly #framing: Framing;
  #state: 'following' | 'searching' | 'done' = 'following';
  /**
   * Absolute offsets: the last record, -1 before the first; the next record; the position at which the search
   * continues.
   */
  #last = -1;
  #next: number;
  #searchAt: number;
  /** The size of the record that the file ends in; 0 if the search began at an invalid record. */
  #cutSize = 0;

  constructor(window: Window, framing: Framing) {
    this.#window = window;
    this.#framing = framing;
    this.#next = window.offset(window.start);
    this.#searchAt = this.#next + 1;
  }

  next(): Step {
    if (this.#state === 'following') return this.#follow();
    return this.#state === 'searching' ? this.#search() : 'done';
  }

  #follow(): Step {
    const window = this.#window;
    const framing = this.#framing;
    const at = window.index(this.#next);
    const left = window.end - at;
    const isWhole = left >= framing.headSize;
    const likelySize = isWhole ? framing.sizeAt(window.bytes, at, !framing.certain) : framing.headSize;
    const isUnlikely = likelySize < 0 && !framing.certain;
    const size = isUnlikely ? framing.sizeAt(window.bytes, at, false) : likelySize;
    if (size > left) {
      if (!window.ended) return 'more';
      if (left > 0) return this.#startSearch(size);
      this.#state = 'done';
      return 'done';
    }
    if (size < 0 || framing.isValid?.(window.bytes, at, size) === false) return this.#startSearch();
    if (isUnlikely) {
      const areInside = this.#find(at + size);
      if (areInside !== 'no') return areInside === 'yes' ? this.#resume() : 'more';
    }
    this.#last = this.#next;
    this.#next += size;
    this.#searchAt = (framing.certain ? this.#next : this.#last) + 1;
    window.start = framing.certain ? at + size : at;
    this.start = at;
    this.end = at + size;
    return 'record';
  }

  #startSearch(cutSize = 0): Step {
    this.#state = 'searching';
    this.#cutSize = cutSize;
    return this.#search();
  }

  #search(): Step {
    const window = this.#window;
    const found = this.#find(window.end);
    window.start = window.index(this.#searchAt);
    if (found === 'yes') return this.#resume();
    if (!window.ended) return 'more';
    this.#state = 'done';
    const left = window.offset(window.end) - this.#next;
    return this.#cutSize > 0
      ? this.#report('truncated_record', this.#next, { found: left, expected: this.#cutSize })
      : this.#report('records_lost', this.#next, { skipped: left });
  }

  /**
   * Searches for records before an index. {@link #searchAt} is then their position or the end of the searched range.
   */
  #find(until: number): Answer {
    let at = this.#window.index(this.#searchAt);
    let found: Answer = 'no';
    for (; at < until; at++) {
      found = this.#beginRecords(at);
      if (found !== 'no') break;
    }
    this.#searchAt = this.#window.offset(at);
    return found;
  }

  /** Continues where records were found. If that is before the invalid record, the preceding record was wrong. */
  #resume(): Step {
    const invalid = this.#next;
    const offset = this.#searchAt < invalid ? this.#last : invalid;
    const skipped = this.#searchAt - offset;
    this.#last = this.#searchAt;
    this.#next = this.#searchAt++;
    this.#state = 'following';
    return this.#report('records_lost', offset, { skipped, number: this.packets + 1 });
  }

  #report(code: 'records_lost' | 'truncated_record', offset: number, args: Diagnostic['args']): 'diagnostic' {
    this.diagnostic = { severity: 'error', code, offset, args };
    return 'diagnostic';
  }

  #beginRecords(at: number): Answer {
    const { bytes, end, ended } = this.#window;
    const { headSize, certain } = this.#framing;
    const isFirst = this.#last < 0;
    for (let i = 0; i < (certain ? 1 : trustedRecords); i++) {
      const left = end - at;
      // The end of the file counts as a valid record if there was another one to compare with.
      if (left < headSize) return ended ? yesIf(!isFirst && i > (left === 0 ? 0 : 1)) : 'more';
      const size = this.#framing.sizeAt(bytes, at, true);
      if (size < 0) return 'no';
      if (size > left) return ended ? yesIf(!isFirst && i > 0) : 'more';
      if (this.#framing.isValid?.(bytes, at, size) === false) return 'no';
      at += size;
    }
    return 'yes';
  }
}
