import { type HealthState, unreadableState } from '../../recording/health.ts';
import { type Align, aligned, fitting } from '../text/columns.ts';
import { escapeText, nameText } from '../text/escape.ts';
import { shortened } from '../text/layout.ts';
import { clock, thousands } from '../text/number.ts';
import type { Theme, ViewStyle } from '../text/theme.ts';
import type { RecordingInfo } from './info.ts';

/** A column with a fixed width, since rows are printed before later ones are known. */
interface FixedColumn {
  readonly head: string;
  readonly width: number;
  readonly align?: Align;
  readonly cell: (info: RecordingInfo) => string;
}

const columns: readonly FixedColumn[] = [
  { head: 'health', width: 11, cell: ({ summary }) => summary.health.state },
  {
    head: 'format',
    width: 6,
    cell: ({ summary: { header, container } }) => (header ? `demo ${header.version}` : container),
  },
  {
    head: 'version',
    width: 7,
    cell: ({ summary }) => listed(summary.streams.map(({ stream }) => stream.protocol.version)),
  },
  { head: 'map', width: 14, cell: ({ summary }) => shortened(escapeText(listed(mapsOf(summary))), 14) },
  { head: 'length', width: 8, align: 'right', cell: ({ summary }) => clock(summary.seconds) },
  { head: 'snapshots', width: 9, align: 'right', cell: ({ summary }) => thousands(summary.counts.snapshots) },
  // The players have the rest of the line.
  { head: 'players', width: 12, cell: ({ summary: { streams } }) => listed(streams.flatMap(playersOf).map(nameText)) },
];

export const healthStyle = (state: HealthState, theme: Theme) =>
  state === 'healthy' ? theme.added : state === 'incomplete' ? theme.warning : theme.error;

const listed = (texts: readonly string[]) => [...new Set(texts)].join(', ');

const mapsOf = ({ header, streams }: RecordingInfo['summary']) =>
  header ? [header.mapName] : streams.flatMap((one) => [...one.maps]);

const playersOf = ({ player, names }: RecordingInfo['summary']['streams'][number]) => [
  ...(player ? [player] : []),
  ...names.seen,
];

/** The columns that a narrow terminal leaves out, the first one first. */
const spare = ['snapshots', 'version', 'format', 'length', 'players', 'map'];

const between = '   ';

export interface FilesTableStyle extends ViewStyle {
  readonly fileWidth: number;
}

/** A table of many recordings, one row each. The rows can be printed one by one. With `verbose`, all players are named. */
export class FilesTable {
  readonly #style: FilesTableStyle;
  readonly #fileWidth: number;
  readonly #columns: readonly FixedColumn[];
  readonly #rest: number;

  constructor(style: FilesTableStyle) {
    const { width, limit = Number.POSITIVE_INFINITY, fileWidth, verbose } = style;
    this.#style = style;
    this.#fileWidth = Math.max('file'.length, fileWidth);
    const used = (shown: readonly FixedColumn[]) =>
      shown.reduce((sum, column) => sum + between.length + column.width, this.#fileWidth);
    this.#columns = fitting(columns, spare, (shown) => used(shown) <= limit);
    const { width: least = 0 } = this.#columns.at(-1) ?? {};
    this.#rest = verbose ? Number.POSITIVE_INFINITY : Math.max(least, width - used(this.#columns) + least);
  }

  heading(): string {
    return this.#style.theme.dim(
      this.#line(
        'file',
        this.#columns.map(({ head }) => head),
      ),
    );
  }

  row(info: RecordingInfo): string {
    const { theme } = this.#style;
    const { state } = info.summary.health;
    const style = healthStyle(state, theme);
    const [health, ...cells] = this.#columns.map(({ cell }) => cell(info));
    cells.push(shortened(cells.pop() ?? '', this.#rest));
    return this.#line(theme.strong(escapeText(info.file)), [style(health!), ...cells]);
  }

  failure(file: string, reason: string): string {
    const { theme } = this.#style;
    return this.#line(theme.strong(escapeText(file)), [theme.error(unreadableState), reason]);
  }

  #line(file: string, cells: readonly string[]): string {
    const texts = cells.map((cell, i) => aligned(cell, this.#columns[i]?.width ?? 0, this.#columns[i]?.align));
    return `${[aligned(file, this.#fileWidth), ...texts].join(between).trimEnd()}\n`;
  }
}
