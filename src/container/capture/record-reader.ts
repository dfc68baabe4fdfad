import type { Args, Code, Diagnostic } from '../../bytes/diagnostic.ts';
import type { Answer, Window } from '../../bytes/window.ts';

/** How a file frames its records. */
export interface Framing {
  /** Bytes at the beginning of a record that contain its size. */
  readonly headSize: number;
  /** Whether one valid record proves the framing. Otherwise damage may be in the size of the record before it. */
  readonly certain: boolean;
  /** Size of the record at `bytes[at]`, head included; -1 where it is invalid. With `likely` also where it is only unlikely. */
  sizeAt(bytes: Uint8Array, at: number, likely: boolean): number;
  /** Whether a record that is there as a whole is in order. */
  isValid(bytes: Uint8Array, at: number, size: number): boolean;
}

/** Bytes in which no record could be read. */
export type Damage = { readonly offset: number; readonly bytes: number } & (
  | { readonly kind: 'skipped' }
  /** No record follows. */
  | { readonly kind: 'lost' }
  /** The file ends inside a record of `expected` bytes. */
  | { readonly kind: 'cut'; readonly expected: number }
);

/** `more` of the file is needed, or all of it is read. */
export type Step = 'record' | 'damage' | 'more' | 'done';

/** Valid records in a row that prove the framing after damage. */
const trustedRecords = 3;

/**
 * Reads records, each of which has its size in its head, through a window. After an invalid one it looks for the next place where
 * records begin. If the framing is not certain, a record is kept until the one after it is seen: if that is invalid, the size of the
 * first may be wrong and cover others. A record of an unlikely size is read only if there are no likely ones inside it.
 * ```
 * [ head data ] [ head data ] [ he?? ......... ] [ head data ]
 *               last, kept    invalid            found: reading goes on here
 * ```
 */
export class RecordReader {
  /** The record that `next` read: indexes into the window's bytes. */
  start = 0;
  end = 0;
  /** The damage that `next` reported last. */
  damage: Damage = { kind: 'lost', offset: 0, bytes: 0 };
  readonly #window: Window;
  readonly #framing: Framing;
  #state: 'following' | 'searching' | 'done' = 'following';
  /** Absolute offsets: of the last record, -1 before the first; of the next one; and from where on to search. */
  #last = -1;
  #next: number;
  #searchAt: number;
  /** Bytes of the record that the file ends in; 0 where the search began at an invalid record. */
  #cutSize = 0;

  /** Begins at the window's start. */
  constructor(window: Window, framing: Framing) {
    this.#window = window;
    this.#framing = framing;
    this.#next = window.offset(window.start);
    this.#searchAt = this.#next + 1;
  }

  next(): Step {
    switch (this.#state) {
      case 'following':
        return this.#follow();
      case 'searching':
        return this.#search();
      default:
        return 'done';
    }
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
    if (size < 0 || !framing.isValid(window.bytes, at, size)) return this.#startSearch();
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
    const place = { offset: this.#next, bytes: window.offset(window.end) - this.#next };
    this.damage = this.#cutSize > 0 ? { kind: 'cut', ...place, expected: this.#cutSize } : { kind: 'lost', ...place };
    return 'damage';
  }

  /**
   * Looks for records that begin before an index, and leaves {@link #searchAt} where they were found, or where the search got to.
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

  /** Reading goes on where records were found. If that is before the invalid record, the one before it was wrong. */
  #resume(): Step {
    const invalid = this.#next;
    const offset = this.#searchAt < invalid ? this.#last : invalid;
    this.damage = { kind: 'skipped', offset, bytes: this.#searchAt - offset };
    this.#last = this.#searchAt;
    this.#next = this.#searchAt++;
    this.#state = 'following';
    return 'damage';
  }

  /** Whether valid records begin at an index. */
  #beginRecords(at: number): Answer {
    const { bytes, end, ended } = this.#window;
    const { headSize, certain } = this.#framing;
    const isFirst = this.#last < 0;
    for (let i = 0; i < (certain ? 1 : trustedRecords); i++) {
      const left = end - at;
      // The end of the file is as good as another record, unless there was none to compare with.
      if (left < headSize) return ended ? yesIf(!isFirst && i > (left === 0 ? 0 : 1)) : 'more';
      const size = this.#framing.sizeAt(bytes, at, true);
      if (size < 0) return 'no';
      if (size > left) return ended ? yesIf(!isFirst && i > 0) : 'more';
      if (!this.#framing.isValid(bytes, at, size)) return 'no';
      at += size;
    }
    return 'yes';
  }
}

const yesIf = (is: boolean): Answer => (is ? 'yes' : 'no');

/** The diagnostic of damage; `number` is that of the next record. */
export function diagnosticOf(damage: Damage, number: number): Diagnostic {
  const { kind, offset, bytes } = damage;
  const [code, args]: [Code, Args] =
    kind === 'cut'
      ? ['truncated_record', { found: bytes, expected: damage.expected }]
      : ['records_lost', kind === 'skipped' ? { skipped: bytes, number } : { skipped: bytes }];
  return { severity: 'error', code, offset, args };
}
