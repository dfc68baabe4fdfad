import { ticksPerSecond } from '../../protocol/ticks.ts';
import type { RecordingEntry } from '../../recording/record.ts';
import { widthOf, wrapSegments } from '../text/layout.ts';
import { clock } from '../text/number.ts';
import { asIs, type Style, type ViewStyle } from '../text/theme.ts';
import type { Phrase } from './phrases.ts';

const between = '   ';
/** Indentation of continuation lines. */
const hang = 2;
/** If less is left beside the place, the text is below it. */
const leastWidth = 24;

/** A column of the place. */
interface PlaceColumn {
  readonly head: string;
  readonly align: 'left' | 'right';
  readonly style: Style;
  /** Whether it grows with its cells; a longer cell in another column shifts its own line only. */
  readonly grows?: boolean;
  width: number;
}

/** Lines with their place in columns, and a text beside it. They are kept until `flushLines`. */
class PlacedLines {
  readonly #style: ViewStyle;
  readonly #columns: readonly PlaceColumn[];
  /** The columns at the right that stay empty. */
  readonly #empty: number;
  #lines: string[] = [];
  #hasHeading = false;

  constructor(style: ViewStyle, columns: readonly PlaceColumn[], empty = 0) {
    this.#style = style;
    this.#columns = columns;
    this.#empty = empty;
  }

  /** Makes a column at least this wide. */
  protected widen(column: number, width: number): void {
    this.#columns[column]!.width = Math.max(this.#columns[column]!.width, width);
  }

  /** Adds a line. Without a place, it belongs to the place of the line before. */
  protected put(place: readonly string[] | undefined, phrase: Phrase): void {
    for (const [i, cell] of (place ?? []).entries()) if (this.#columns[i]!.grows) this.widen(i, widthOf(cell));
    const cells = place && this.#columns.map((column, i) => column.style(this.#padded(column, place[i]!)));
    this.#add(cells?.join(between), this.#margin, phrase);
  }

  /** Adds a line with a range in place of the columns; its beginning is in the first one. */
  protected putRange(from: string, to: string, phrase: Phrase): void {
    const range = `${from.padStart(this.#columns[0]!.width)} … ${to}`;
    const margin = Math.max(this.#margin, range.length + between.length);
    this.#add(this.#style.theme.dim(range) + ' '.repeat(margin - between.length - range.length), margin, phrase);
  }

  /** Returns and removes the collected lines. */
  flushLines(): string {
    if (this.#lines.length === 0) return '';
    const text = `${this.#lines.join('\n')}\n`;
    this.#lines = [];
    return text;
  }

  get #margin(): number {
    return this.#columns.reduce((sum, { width }) => sum + width + between.length, 0);
  }

  get #isNarrow(): boolean {
    return this.#style.width - this.#margin < leastWidth;
  }

  #padded({ width, align }: PlaceColumn, cell: string): string {
    const blanks = ' '.repeat(Math.max(0, width - widthOf(cell)));
    if (align === 'right') return blanks + cell;
    return this.#isNarrow ? cell : cell + blanks;
  }

  #add(place: string | undefined, margin: number, phrase: Phrase): void {
    const isNarrow = this.#isNarrow;
    if (!this.#hasHeading) {
      const heads = this.#columns.map((column) => this.#padded(column, column.head)).join(between);
      this.#lines.push(this.#style.theme.dim(isNarrow ? heads : `${heads}${between}what`));
    }
    this.#hasHeading = true;
    const indent = isNarrow ? hang : margin;
    const room = Math.max(leastWidth, this.#style.width - indent - this.#empty);
    const [first = '', ...more] = wrapSegments(phrase, room, hang);
    if (place === undefined) this.#lines.push(' '.repeat(indent) + first);
    else if (isNarrow) this.#lines.push(place, ' '.repeat(indent) + first);
    else this.#lines.push(place + between + first);
    this.#lines.push(...more.map((line) => ' '.repeat(indent + hang) + line));
  }
}

/** Lines about the ticks of a demo. */
export class TickLines extends PlacedLines {
  #first: number | undefined;

  constructor(style: ViewStyle) {
    super(style, [
      { head: 'tick', align: 'right', style: asIs, width: 6 },
      { head: 'time', align: 'right', style: style.theme.role.time, width: 7 },
    ]);
  }

  /** Makes the columns wide enough for a recording of this length. */
  expect(seconds: number): void {
    this.widen(1, clock(seconds).length);
  }

  /** Sets the first tick, from which time is counted. */
  begin(tick: number): void {
    if (tick < 0 || this.#first !== undefined) return;
    this.#first = tick;
    this.widen(0, String(tick).length + 1);
  }

  /** Adds the phrases of a tick, each on a line of its own. The tick is -1 for what has none. */
  at(tick: number, phrases: readonly Phrase[]): void {
    const place = tick < 0 ? ['', ''] : [String(tick), clock((tick - (this.#first ?? tick)) / ticksPerSecond)];
    for (const [i, phrase] of phrases.entries()) this.put(i === 0 ? place : undefined, phrase);
  }

  /** Adds a phrase about a range of ticks. */
  over(from: number, to: number, phrase: Phrase): void {
    this.putRange(String(from), String(to), phrase);
  }
}

/** The place of a line about a connection. */
export interface ClientPlace {
  /** From the beginning; NaN if there is no time. */
  readonly seconds: number;
  /** The first and last frame; 0 if there is none. */
  readonly frames: readonly [number, number];
  readonly client: string;
}

/** Lines about the connections of a capture. */
export class ClientLines extends PlacedLines {
  #start: number | undefined;
  #firstTick: number | undefined;
  #ticks = 0;

  constructor(style: ViewStyle) {
    const { dim, role } = style.theme;
    super(
      style,
      [
        { head: 'frame', align: 'right', style: dim, grows: true, width: 7 },
        { head: 'time', align: 'right', style: role.time, width: 8 },
        { head: 'client', align: 'left', style: dim, grows: true, width: 15 },
      ],
      hang,
    );
  }

  /** The place of each record in turn. Its seconds are computed from the ticks if the file has no times. */
  placeOf(record: RecordingEntry): ClientPlace {
    const { time = Number.NaN, frame = 0, stream } = record;
    if (Number.isFinite(time)) this.#start ??= time;
    else if (record.record === 'snapshot') {
      this.#firstTick ??= record.tick;
      this.#ticks = Math.max(this.#ticks, record.tick - this.#firstTick);
    }
    const seconds = Number.isFinite(time) ? time - this.#start! : this.#ticks / ticksPerSecond;
    return { seconds, frames: [frame, frame], client: stream?.client ?? '' };
  }

  add({ seconds, frames: [first, last], client }: ClientPlace, phrase: Phrase): void {
    const frames = first === 0 ? '' : first === last ? String(first) : `${first}-${last}`;
    this.put([frames, Number.isFinite(seconds) ? clock(seconds) : '', client], phrase);
  }
}
