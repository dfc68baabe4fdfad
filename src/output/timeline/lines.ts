import type { GameEvent } from '../../recording/events/event.ts';
import { RecordingClock } from '../../recording/replay/clock.ts';
import type { RecordingEntry } from '../../recording/replay/record.ts';
import type { Phrase } from '../phrases/event-phrases.ts';
import { type Align, aligned } from '../text/columns.ts';
import { fitted, plainText, widthOf, wrapSegments } from '../text/layout.ts';
import { clock } from '../text/number.ts';
import { asIs, type Style, type Theme, type ViewStyle } from '../text/theme.ts';

const between = '   ';
/** Indentation of continuation lines. */
const hang = 2;
/** If less is left beside the place, the text is below it. */
const minWidth = 24;

/** A column of the place; it becomes as wide as its widest cell so far. */
interface PlaceColumn {
  readonly head: string;
  readonly align?: Align;
  readonly style: Style;
  width: number;
}

export interface ClientPlace {
  /** From the beginning; NaN if there is no time. */
  readonly seconds: number;
  /** The first and last frame; 0 if there is none. */
  readonly frames: readonly [number, number];
  readonly client: string;
  /** Seconds since 1970. */
  readonly time?: number;
}

interface TickPlace {
  readonly tick: number;
  readonly seconds: number;
}

/** Turns an event, its place and its sentence into a line of a structured output. */
export type EventRecord = (event: GameEvent, place: ClientPlace | TickPlace, text: string) => string;

export interface LineStyle extends ViewStyle {
  /** Each event becomes such a line; other lines are left out. */
  readonly record?: EventRecord | undefined;
}

const tickColumns = ({ role }: Theme): PlaceColumn[] => [
  { head: 'tick', align: 'right', style: asIs, width: 6 },
  { head: 'time', align: 'right', style: role.time, width: 7 },
];

const clientColumns = ({ dim, role }: Theme): PlaceColumn[] => [
  { head: 'frame', align: 'right', style: dim, width: 7 },
  { head: 'time', align: 'right', style: role.time, width: 8 },
  { head: 'client', style: dim, width: 15 },
];

/**
 * Lines with a place in columns and a text: the tick and time of a demo, or the frame, time and client of a capture.
 */
export class PlacedLines {
  readonly #style: LineStyle;
  readonly #columns: readonly PlaceColumn[];
  #lines: string[] = [];
  #hasHeading: boolean;
  readonly clock = new RecordingClock();
  /** Whether each line is whole and has its place, for the programs that search and sort lines: in a pipe. */
  readonly #isWhole: boolean;
  #place: readonly string[] = [];

  /** @param isDemo undefined for what has no place, and is shown without columns */
  constructor(style: LineStyle, isDemo: boolean | undefined) {
    this.#style = style;
    this.#columns = isDemo === undefined ? [] : (isDemo ? tickColumns : clientColumns)(style.theme);
    this.#isWhole = style.limit === undefined;
    this.#hasHeading = isDemo === undefined || this.#isWhole;
  }

  /** Makes the column of times wide enough for a recording of this length. */
  expect(seconds: number): void {
    this.#columns[1]!.width = Math.max(this.#columns[1]!.width, clock(seconds).length);
  }

  /** Adds the phrases of a tick, each on a line of its own. The tick is -1 for what has none. */
  at(tick: number, phrases: readonly Phrase[]): void {
    const place = tick < 0 ? ['', ''] : [String(tick), clock(this.clock.ofTick(tick))];
    for (const [i, phrase] of phrases.entries()) this.#put(i === 0 ? place : undefined, phrase);
  }

  over(from: number, to: number, phrase: Phrase): void {
    const range = `${aligned(String(from), this.#columns[0]!.width, 'right')} … ${to}`;
    this.#add(this.#style.theme.dim(aligned(range, widthOf(this.#row(() => '')))), phrase);
  }

  /** The place of each record of a capture in turn. */
  placeOf(record: RecordingEntry): ClientPlace {
    const { time = Number.NaN, frame = 0, stream } = record;
    return { seconds: this.clock.at(record), frames: [frame, frame], client: stream?.client ?? '', time };
  }

  /** @param at the tick in a demo, otherwise the place in a capture */
  event(event: GameEvent, at: ClientPlace | number, phrase: Phrase): void {
    const place = typeof at === 'number' ? { tick: at, seconds: this.clock.ofTick(at) } : at;
    const line = this.#style.record?.(event, place, plainText(phrase));
    if (line) this.#lines.push(line);
  }

  add({ seconds, frames: [first, last], client }: ClientPlace, phrase: Phrase): void {
    const frames = first === 0 ? '' : first === last ? String(first) : `${first}-${last}`;
    this.#put([frames, Number.isFinite(seconds) ? clock(seconds) : '', client], phrase);
  }

  flushLines(): string {
    if (this.#lines.length === 0) return '';
    const text = `${this.#lines.join('\n')}\n`;
    this.#lines = [];
    return text;
  }

  /** Adds a line. Without a place, it belongs to the place of the line before. */
  #put(own: readonly string[] | undefined, phrase: Phrase): void {
    this.#place = own ?? this.#place;
    const place = this.#isWhole ? this.#place : own;
    for (const [i, column] of this.#columns.entries()) column.width = Math.max(column.width, widthOf(place?.[i] ?? ''));
    const cell = ({ style }: PlaceColumn, i: number) => (place?.[i] ? style(place[i]) : '');
    this.#add(this.#row(cell), phrase);
  }

  #row(cell: (column: PlaceColumn, i: number) => string): string {
    return this.#columns.map((column, i) => aligned(cell(column, i), column.width, column.align)).join(between);
  }

  #add(place: string, phrase: Phrase): void {
    if (this.#style.record) return;
    const { theme } = this.#style;
    const width = this.#isWhole ? Number.POSITIVE_INFINITY : this.#style.width;
    const margin = this.#columns.reduce((sum, column) => sum + column.width + between.length, 0);
    const isNarrow = width - margin < minWidth;
    if (!this.#hasHeading) this.#lines.push(theme.dim(fitted(`${this.#row(({ head }) => head)}${between}what`, width)));
    this.#hasHeading = true;
    const indent = isNarrow ? hang : margin;
    const [first = '', ...more] = wrapSegments(phrase, Math.max(minWidth, width - indent), hang);
    if (this.#columns.length === 0) this.#lines.push(first);
    else if (!isNarrow) this.#lines.push(place + between + first);
    else if (place.trim() === '') this.#lines.push(' '.repeat(indent) + first);
    else this.#lines.push(fitted(place.trimEnd(), width), ' '.repeat(indent) + first);
    this.#lines.push(...more.map((line) => ' '.repeat(indent + hang) + line));
  }
}
