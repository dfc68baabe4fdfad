import type { ItemType } from '../../src/protocol/item.ts';
import type { TickRange } from '../../src/protocol/ticks.ts';
import type { Fact, ReportData } from '../../src/report/report-data.ts';
import type { InfoRow } from '../../src/view/info/info.ts';
import { size } from '../../src/view/text/units.ts';
import { type CommandError, inputError, usageError } from '../lib/errors.ts';
import type { Opened } from '../lib/input/open.ts';
import type { Io } from '../lib/io.ts';
import type { InputOptions } from '../lib/options.ts';

export type ReportOptions = InputOptions & { output?: string; ticks?: TickRange; limit: number; base?: string };

/** What a report is made of. */
export interface Reporting {
  readonly opened: Opened;
  readonly options: ReportOptions;
  readonly added: readonly ItemType[];
  readonly budget: Budget;
  readonly io: Io;
}

export interface Gathered {
  readonly reportData: ReportData;
  readonly status: number;
}

/** Diagnostics that the page tells. */
export const maxDiagnostics = 200;

/** Bytes of the page that are none of the recording. */
const programBytes = 400_000;
/** A recording that is so many times the page is not worth compressing. */
const farTooMuch = 10;

/** Watches that the recording fits into the page, and knows the ticks that do. */
export class Budget {
  readonly #name: string;
  readonly limit: number;
  readonly #ticks: TickRange | undefined;
  #first: number | undefined;
  #fits: number | undefined;

  constructor(name: string, limit: number, ticks: TickRange | undefined) {
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

/** Which ticks are shown, where not all are. */
export function shownFact(ticks: TickRange | undefined): Fact[] {
  if (!ticks) return [];
  const to = ticks.to === Infinity ? 'the last' : String(ticks.to);
  return [{ label: 'shown', text: `only the ticks from ${ticks.from} to ${to}` }];
}

/** A line of `info`. A number in front is a total, before what it is made of. */
export function factOf([label, first = '', ...parts]: InfoRow): Fact {
  const more = parts.filter((part) => part !== '').join(' ');
  const isTotal = more !== '' && /^\d{1,3}(?:,\d{3})* *$/.test(first);
  return { label, text: [isTotal ? `${first.trim()}:` : first.trim(), more].filter(Boolean).join(' ') };
}

/** The last part of a path. */
export const nameOf = (path: string) => path.replace(/^.*[/\\]/s, '') || path;
