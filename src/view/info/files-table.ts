import { fitting } from '../text/columns.ts';
import { escapeText, nameText } from '../text/escape.ts';
import { shortened, widthOf } from '../text/layout.ts';
import { clock, thousands } from '../text/number.ts';
import { asIs, type ViewStyle } from '../text/theme.ts';
import type { RecordingInfo } from './rows.ts';

/** The columns after the file name, with fixed widths, since rows are printed before later ones are known. */
const columns = [
  { head: 'health', width: 11 },
  { head: 'format', width: 6 },
  { head: 'version', width: 7 },
  { head: 'map', width: 14 },
  { head: 'length', width: 8, isRight: true },
  { head: 'snapshots', width: 9, isRight: true },
  { head: 'players' },
] as const;

/** The columns that a narrow terminal leaves out, the first one first. */
const dispensable = ['snapshots', 'version', 'format', 'length', 'players'] as const;

const between = '   ';
const leastFile = 4;
/** The minimum width of the player names. */
const leastNames = 12;

export interface FilesTableStyle extends ViewStyle {
  /** The width of the longest file name. */
  readonly fileWidth: number;
}

type Column = (typeof columns)[number];

/** The width of columns and of the gaps before them; the players have their minimum. */
const widthOfAll = (shown: readonly Column[]) =>
  shown.reduce((sum, column) => sum + between.length + ('width' in column ? column.width : leastNames), 0);

/** A table of many recordings, one row each. The rows can be printed one by one. With `verbose`, all players are named. */
export class FilesTable {
  readonly #style: FilesTableStyle;
  readonly #fileWidth: number;
  readonly #columns: readonly Column[];
  /** Whether the name of a file has a line of its own, above the other columns. */
  readonly #isApart: boolean;

  constructor(style: FilesTableStyle) {
    this.#style = style;
    this.#fileWidth = Math.max(leastFile, style.fileWidth);
    const within = (room: number) =>
      fitting<Column>(columns, dispensable, (shown) => style.limit === undefined || widthOfAll(shown) <= room);
    const beside = within(style.width - this.#fileWidth);
    // Beside a long name there is no room for the players.
    this.#isApart = beside.length < columns.length - dispensable.length + 1;
    this.#columns = this.#isApart ? within(style.width) : beside;
  }

  heading(): string {
    const heads = columns.map(({ head }) => head);
    return `${this.#style.theme.dim(this.#line('file', heads))}\n`;
  }

  row({ file, summary }: RecordingInfo): string {
    const { theme } = this.#style;
    const { state } = summary.health;
    const { header, container, streams } = summary;
    const names = new Set(streams.flatMap((one) => [...(one.player ? [one.player] : []), ...one.names.seen]));
    const versions = [...new Set(streams.map(({ stream }) => stream.protocol.version))];
    const maps = header ? [header.mapName] : [...new Set(streams.flatMap((one) => [...one.maps]))];
    const cells = [
      state,
      header ? `demo ${header.version}` : container,
      versions.join(', '),
      shortened(escapeText(maps.join(', ')), columns[3].width),
      clock(summary.seconds),
      thousands(summary.snapshots),
      this.#names([...names]),
    ];
    const style = state === 'healthy' ? theme.added : theme.error;
    return `${this.#line(escapeText(file), cells, style, theme.strong)}\n`;
  }

  /** The row of an unreadable file. */
  failure(file: string, reason: string): string {
    const { theme } = this.#style;
    const name = escapeText(file);
    const before = this.#isApart ? `${theme.strong(name)}\n` : theme.strong(name.padEnd(this.#fileWidth));
    return `${before}${between}${theme.error('unreadable')}   ${reason}\n`;
  }

  #line(file: string, cells: readonly string[], health = asIs, name = asIs): string {
    const rest = cells.flatMap((cell, i) => {
      const column = columns[i]!;
      if (!this.#columns.includes(column)) return [];
      const blanks = 'width' in column ? ' '.repeat(Math.max(0, column.width - widthOf(cell))) : '';
      const styled = i === 0 ? health(cell) : cell;
      return 'isRight' in column ? blanks + styled : styled + blanks;
    });
    if (this.#isApart) return `${name(file)}\n${between}${rest.join(between).trimEnd()}`;
    return [name(file) + ' '.repeat(Math.max(0, this.#fileWidth - widthOf(file))), ...rest].join(between).trimEnd();
  }

  #names(names: readonly string[]): string {
    const text = names.map(nameText).join(', ');
    if (this.#style.verbose) return text;
    const used = widthOfAll(this.#columns) - leastNames + (this.#isApart ? 0 : this.#fileWidth);
    return shortened(text, Math.max(leastNames, this.#style.width - used));
  }
}
