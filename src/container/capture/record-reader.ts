import type { Args, Code, Diagnostic } from '../../bytes/diagnostic.ts';
import type { Window } from '../../bytes/window.ts';

/** How a file frames its records. */
export interface Framing {
  /** Bytes of a record that tell its size. */
  readonly headSize: number;
  /** Whether a record that holds is beyond doubt; else damage may have begun in the one before, and several in a row are asked for. */
  readonly certain: boolean;
  /** Size of the record at `bytes[at]`, head included; -1 when it is wild. Where that is asked for, also when it is only unlikely. */
  sizeAt(bytes: Uint8Array, at: number, likely: boolean): number;
  /** Whether a record that is there as a whole is in order. */
  holds(bytes: Uint8Array, at: number, size: number): boolean;
}

/** Records in a row that are believed after damage. */
const trustedRecords = 3;

/** A record; damage that was skipped; records that end wildly or inside one; more is needed; all is read. */
export type Step = 'record' | 'skipped' | 'lost' | 'cut' | 'more' | 'done';

/**
 * Follows records, each of which tells its size, through a window. Where one is wild, it looks for the next that can be
 * followed. A record that is not certain is kept until the one behind it is seen, for when that is wild, its own size may have
 * lied and swallowed others. An unlikely one is followed only when there are no likely ones within.
 * ```
 * [ head data ] [ head data ] [ he?? ......... ] [ head data ]
 *               last, kept    wild               found: from here on
 * ```
 */
export class RecordChain {
  /** Of the record: indexes into the window's bytes. Of damage: absolute, where it begins, and its bytes. */
  start = 0;
  end = 0;
  lostAt = 0;
  lostBytes = 0;
  /** Of a record that the file ends in: the size that it should have. */
  expected = 0;
  readonly #window: Window;
  readonly #framing: Framing;
  /** Absolute offsets: of the last record, -1 before the first, of the next one, and of where a search would begin. */
  #last = -1;
  #next: number;
  #searchAt: number;
  #state: 'following' | 'searching' | 'done' = 'following';
  #ending: 'lost' | 'cut' = 'lost';

  /** Begins at the window's start. */
  constructor(window: Window, framing: Framing) {
    this.#window = window;
    this.#framing = framing;
    this.#next = window.offset(window.start);
    this.#searchAt = this.#next + 1;
  }

  next(): Step {
    const window = this.#window;
    if (this.#state === 'following') {
      const at = window.index(this.#next);
      const left = window.end - at;
      const { headSize, certain } = this.#framing;
      let size = left < headSize ? headSize : this.#framing.sizeAt(window.bytes, at, !certain);
      const unlikely = size < 0 && !certain;
      if (unlikely) size = this.#framing.sizeAt(window.bytes, at, false);
      if (size > left) {
        if (!window.ended) return 'more';
        if (left === 0) this.#state = 'done';
        else this.#search('cut', size);
      } else if (size < 0 || !this.#framing.holds(window.bytes, at, size)) this.#search('lost');
      else {
        if (unlikely) {
          const found = this.#find(at + size);
          if (found !== false) return found ? this.#goOn() : 'more';
        }
        this.#last = this.#next;
        this.#next += size;
        this.#searchAt = (certain ? this.#next : this.#last) + 1;
        window.start = certain ? at + size : at;
        this.start = at;
        this.end = at + size;
        return 'record';
      }
    }
    if (this.#state === 'done') return 'done';
    const found = this.#find(window.end);
    window.start = window.index(this.#searchAt);
    if (found) return this.#goOn();
    if (!window.ended) return 'more';
    this.#state = 'done';
    this.lostAt = this.#next;
    this.lostBytes = window.offset(window.end) - this.#next;
    return this.#ending;
  }

  #search(ending: 'lost' | 'cut', expected = 0): void {
    this.#state = 'searching';
    this.#ending = ending;
    this.expected = expected;
  }

  /** Looks for records up to an index, and leaves where that came to; undefined when it can't be said before more is read. */
  #find(until: number): boolean | undefined {
    let at = this.#window.index(this.#searchAt);
    let found: boolean | undefined = false;
    for (; at < until; at++) {
      found = this.#isChain(at);
      if (found !== false) break;
    }
    this.#searchAt = this.#window.offset(at);
    return found;
  }

  /** On where records were found. */
  #goOn(): Step {
    const wild = this.#next;
    this.lostAt = this.#searchAt < wild ? this.#last : wild;
    this.lostBytes = this.#searchAt - this.lostAt;
    this.#last = this.#searchAt;
    this.#next = this.#searchAt++;
    this.#state = 'following';
    return 'skipped';
  }

  /** Whether records in good order begin at `at`; undefined when that can't be said before more is read. */
  #isChain(at: number): boolean | undefined {
    const { bytes, end, ended } = this.#window;
    const { headSize, certain } = this.#framing;
    const first = this.#last < 0;
    for (let i = 0; i < (certain ? 1 : trustedRecords); i++) {
      const left = end - at;
      // The end of the file is as good as another record, unless there was none to compare with.
      if (left < headSize) return ended ? !first && i > (left === 0 ? 0 : 1) : undefined;
      const size = this.#framing.sizeAt(bytes, at, true);
      if (size < 0) return false;
      if (size > left) return ended ? !first && i > 0 : undefined;
      if (!this.#framing.holds(bytes, at, size)) return false;
      at += size;
    }
    return true;
  }
}

/** What to say of a step that is damage; `number` is that of the next record. */
export function damage(step: 'skipped' | 'lost' | 'cut', chain: RecordChain, number: number): Diagnostic {
  const { lostAt, lostBytes, expected } = chain;
  const [code, args]: [Code, Args] =
    step === 'cut'
      ? ['truncated_record', { found: lostBytes, expected }]
      : ['records_lost', step === 'skipped' ? { skipped: lostBytes, number } : { skipped: lostBytes }];
  return { severity: 'error', code, offset: lostAt, args };
}
