import { escapeText } from '../text/escape.ts';
import { columnsOf, shortened } from '../text/line-wrapping.ts';
import { thousands } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { clock } from '../text/units.ts';
import { nameText } from '../text/untrusted-text.ts';
import type { RecordingInfo } from './info-rows.ts';

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

const between = '   ';
const leastFile = 4;
/** The minimum width of the player names. */
const leastNames = 12;

export interface FilesTableStyle {
  readonly theme: Theme;
  readonly width: number;
  /** Whether the names of all players are printed. */
  readonly verbose: boolean;
  /** The width of the longest file name. */
  readonly fileWidth: number;
}

/** A table of many recordings, one row each. The rows can be printed one by one. */
export class FilesTable {
  readonly #style: FilesTableStyle;
  readonly #fileWidth: number;

  constructor(style: FilesTableStyle) {
    this.#style = style;
    this.#fileWidth = Math.max(leastFile, style.fileWidth);
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
    return `${theme.strong(escapeText(file).padEnd(this.#fileWidth))}${between}${theme.error('unreadable')}   ${reason}\n`;
  }

  #line(file: string, cells: readonly string[], health = same, name = same): string {
    const rest = cells.map((cell, i) => {
      const column = columns[i]!;
      const blanks = 'width' in column ? ' '.repeat(Math.max(0, column.width - columnsOf(cell))) : '';
      const styled = i === 0 ? health(cell) : cell;
      return 'isRight' in column ? blanks + styled : styled + blanks;
    });
    return [name(file) + ' '.repeat(Math.max(0, this.#fileWidth - columnsOf(file))), ...rest].join(between).trimEnd();
  }

  #names(names: readonly string[]): string {
    const text = names.map(nameText).join(', ');
    if (this.#style.verbose) return text;
    const used = columns.reduce((sum, column) => sum + between.length + ('width' in column ? column.width : 0), 0);
    return shortened(text, Math.max(leastNames, this.#style.width - this.#fileWidth - used));
  }
}

const same = (text: string) => text;
