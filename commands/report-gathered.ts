import type { ItemType } from '../src/protocol/item.ts';
import type { Cargo, Fact } from '../src/view/cargo.ts';
import type { InfoRow } from '../src/view/info.ts';
import { size } from '../src/view/measure.ts';
import { type CommandError, inputError, usageError } from './errors.ts';
import type { Io } from './io.ts';
import type { Opened } from './open.ts';
import type { InputOptions, Ticks } from './options.ts';

export type ReportOptions = InputOptions & { output?: string; ticks?: Ticks; limit: number; base?: string };

/** What a report is made of. */
export interface Reporting {
  readonly opened: Opened;
  readonly options: ReportOptions;
  readonly added: readonly ItemType[];
  readonly budget: Budget;
  readonly io: Io;
}

export interface Gathered {
  readonly cargo: Cargo;
  readonly status: number;
}

/** Findings that the page tells. */
export const maxFindings = 200;

/** Bytes of the page that are none of the recording. */
const programBytes = 400_000;
/** A recording that is so many times the page is not worth compressing. */
const farTooMuch = 10;

/** Watches that the recording fits into the page, and knows the ticks that do. */
export class Budget {
  readonly #name: string;
  readonly limit: number;
  readonly #ticks: Ticks | undefined;
  #first: number | undefined;
  #fits: number | undefined;

  constructor(name: string, limit: number, ticks: Ticks | undefined) {
    this.#name = name;
    this.limit = limit;
    this.#ticks = ticks;
  }

  has(tick: number): boolean {
    const { from, to } = this.#ticks ?? { from: -1, to: Infinity };
    return tick >= from && tick <= to;
  }

  /**
   * Takes note that a recording up to this tick has so many bytes.
   * @throws CommandError when it is far too much
   */
  reach(tick: number, bytes: number): void {
    this.#first ??= tick;
    // As if nothing could be compressed, and each three bytes were four letters.
    if ((bytes * 4) / 3 < this.limit - programBytes) this.#fits = tick;
    if (bytes > farTooMuch * this.limit) throw this.exceeded(`up to tick ${tick} alone it has ${size(bytes)}`);
  }

  /** For a recording that is too long. */
  exceeded(why: string): CommandError {
    const range = this.#fits === undefined ? 'A..B' : `${this.#first}..${this.#fits}`;
    const fits = this.#fits === undefined ? '' : ' fits';
    return usageError(
      `${this.#name}: too long for a page of ${size(this.limit)}: ${why}; choose ticks (--ticks ${range}${fits}), or allow more (--limit)`,
    );
  }

  /** For a recording without any snapshot in the ticks. */
  nothing(first: number, last: number): CommandError {
    if (first < 0) return inputError(`${this.#name}: it has no snapshot that can be read`);
    return usageError(`${this.#name}: no snapshot in these ticks: it has ${first} to ${last}`);
  }
}

/** A line of `info`. What is padded there is a total, before what it is made of. */
export const factOf = ([label, ...parts]: InfoRow): Fact => ({
  label,
  text: parts
    .filter((part) => part !== '')
    .map((part) => part.replace(/ +$/, ':'))
    .join(' ')
    .replace(/:$/, ''),
});

/** The last part of a path. */
export const nameOf = (path: string) => path.replace(/^.*[/\\]/s, '') || path;
