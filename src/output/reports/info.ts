import { diagnosticFinding, Findings } from '../../recording/health/findings.ts';
import { unreadableState } from '../../recording/health/health.ts';
import type { RecordingSummary } from '../../recording/summary/recording-summary.ts';
import type { StreamSummary } from '../../recording/summary/stream-summary.ts';
import { timeText } from '../phrases/connection-phrases.ts';
import { FindingKinds, findingText, warningsText } from '../phrases/finding-phrases.ts';
import { isOfStory, oddityText } from '../phrases/recording-phrases.ts';
import type { RecordingInfo } from '../results/info.ts';
import { aligned, type Column, fitting, leftOutLine } from '../text/columns.ts';
import { tableOf } from '../text/drawn-table.ts';
import { escapeText, nameText, pathText, textInLine } from '../text/escape.ts';
import { shortened } from '../text/layout.ts';
import { markdownHead, markdownRow } from '../text/markdown.ts';
import { clock, count, thousands } from '../text/number.ts';
import type { LabelledRow } from '../text/rows.ts';
import { printSections, type Section } from '../text/sections.ts';
import { healthStyle, markOf, plainTheme, type Theme, type ViewStyle } from '../text/theme.ts';
import { type FileCheck, maxFindings } from './ci.ts';
import { failureTexts, headRows, healthText, infoRows, kindText, outcomeTexts, streamRows } from './info-rows.ts';

const maxDiagnostics = 20;
/** The maximum number of connections shown in detail; more are shown as table rows. */
const maxDetailed = 4;

export function renderInfo(info: RecordingInfo, style: ViewStyle): string {
  const { summary } = info;
  const { theme } = style;
  const kind = summary.datagrams ? `${kindText(info)}, ${clock(summary.seconds)}` : kindText(info);
  const title = [pathText(info.file), `${kind}, ${healthLine(info, theme)}`] as const;
  const lines = diagnosticLines(summary, theme);
  const sections = summary.datagrams
    ? [
        { title, isOneLine: true, rows: [...explainedRows(info), ...headRows(summary, theme)] },
        ...connectionSections(summary, style),
        { lines },
      ]
    : [
        {
          title,
          isOneLine: true,
          rows: [...explainedRows(info), ...infoRows(summary, theme)],
          lines: [
            ...summary.streams.flatMap((stream) => oddityLines(stream, theme)),
            ...doubtLines(summary, theme),
            ...lines,
          ],
        },
      ];
  return printSections(sections, style);
}

export function infoCheck(info: RecordingInfo): Pick<FileCheck, 'summary' | 'lead' | 'findings'> {
  const health = healthLine(info, plainTheme).replace('✗ ', '');
  const found = new Findings(maxFindings);
  for (const finding of info.summary.findings) found.add(finding);
  return { summary: `${kindText(info)}, ${health}`, lead: health, findings: found.all };
}

const healthLine = (info: RecordingInfo, theme: Theme) =>
  [healthText(info.summary, theme), ...explainHint(info)].join(', ');

/** What explain says first, in a line: a cause that the bytes show, or the best fit. */
const explainedRows = ({ cause }: RecordingInfo): LabelledRow[] =>
  cause ? [[cause.isShown ? 'cause' : 'best fit', ...cause.title.split(' ')]] : [];

/** Refers to the explain command if that can show the reason. */
function explainHint({ findings = 0, summary }: RecordingInfo): string[] {
  const { state, isCut } = summary.health;
  // All that is known of a ghost is shown here.
  if (summary.ghost) return [];
  const isWrong = state === 'mismatched' || state === 'unplayable' || state === 'suspect';
  if (isWrong || (state === 'damaged' && !isCut && summary.header)) return ['see tw-snap explain'];
  return findings > 0 ? [`${count(findings, 'finding')}, see tw-snap explain`] : [];
}

/** The connections, each in detail; of many a table. */
function connectionSections(summary: RecordingSummary, style: ViewStyle): Section[] {
  const { streams } = summary;
  if (streams.length > maxDetailed && !style.verbose) return [connectionTable(summary, style)];
  return streams.map((stream) => {
    const player = stream.player === undefined ? [] : [style.theme.role.identity(nameText(stream.player))];
    const version = stream.connection?.version ?? 'unknown version';
    return {
      title: [stream.stream.client, ...player, version],
      rows: streamRows(stream, summary, style),
      lines: oddityLines(stream, style.theme),
    };
  });
}

/** What no game sends, or its receiver drops: each kind once, with its number. */
function oddityLines({ oddities }: StreamSummary, theme: Theme): string[] {
  return [...oddities.all].map(({ diagnostic, count: times, weight }) => {
    const mark = weight === 'note' ? theme.dim('·') : markOf(weight === 'wrong' ? 'error' : 'warning', theme);
    return `  ${mark} ${oddityText(diagnostic, times)}`;
  });
}

/** The ticks of a demo that are in doubt, and why. In a damaged one the errors tell it. */
const doubtLines = ({ findings, health }: RecordingSummary, theme: Theme): string[] =>
  findings
    .filter(({ code }) => code === 'doubtful_ticks' && health.state !== 'damaged')
    .slice(0, maxDiagnostics)
    .map((found) => `  ${markOf('error', theme)} ${findingText(found, '')}`);

function diagnosticLines({ diagnostics, omittedDiagnostics }: RecordingSummary, theme: Theme): string[] {
  const { all } = new FindingKinds(diagnostics.map(diagnosticFinding));
  const lines = all.slice(0, maxDiagnostics).map((found) => {
    return `  ${markOf(found.severity === 'unread' || isOfStory(found) ? 'error' : 'warning', theme)} ${findingText(found, '')}`;
  });
  const more = Math.max(0, all.length - maxDiagnostics) + omittedDiagnostics;
  return more > 0 ? [...lines, theme.dim(`    … ${count(more, 'more finding')}`)] : lines;
}

const maxNameWidth = 15;
const maxReasonWidth = 20;

function connectionTable({ streams, firstTime }: RecordingSummary, { theme, width }: ViewStyle): Section {
  const connections = streams.flatMap((stream) =>
    stream.connection ? [{ stream, connection: stream.connection }] : [],
  );
  const columns: readonly Column<(typeof connections)[number]>[] = [
    { head: 'client', align: 'left', cell: ({ connection }) => theme.strong(connection.client) },
    {
      head: 'player',
      align: 'left',
      cell: ({ stream }) => theme.role.identity(textInLine(stream.player ?? '', maxNameWidth)),
    },
    { head: 'version', align: 'left', cell: ({ connection }) => connection.version ?? '?' },
    { head: 'from', cell: ({ connection }) => timeText(connection.firstTime - firstTime) },
    { head: 'to', cell: ({ connection }) => timeText(connection.lastTime - firstTime) },
    { head: 'sent', cell: ({ connection }) => thousands(connection.counts('to_server').packets) },
    { head: 'received', cell: ({ connection }) => thousands(connection.counts('to_client').packets) },
    {
      head: 'lost',
      cell: ({ connection }) => thousands(connection.counts('to_server').lost + connection.counts('to_client').lost),
    },
    { head: 'snapshots', cell: ({ stream }) => thousands(stream.snapshots) },
    { head: 'end', align: 'left', cell: ({ stream }) => endCell(stream) },
  ];
  const wrong = connections.filter(({ stream }) => failureTexts(stream.outcomes, theme).length > 0);
  const notes = wrong.map(({ stream, connection }) => {
    return `  ${markOf('warning', theme)} ${theme.strong(connection.client)}  ${outcomeTexts(stream.outcomes, theme).join(', ')}`;
  });
  const odd = connections.flatMap(({ stream, connection }) => {
    return oddityLines(stream, theme).map((line) => `${line} (${theme.strong(connection.client)})`);
  });
  notes.push(...odd.slice(0, maxDiagnostics));
  if (odd.length > maxDiagnostics) notes.push(theme.dim(`    … ${count(odd.length - maxDiagnostics, 'more finding')}`));
  const spare = ['version', 'from', 'to', 'sent', 'received'];
  return {
    table: tableOf(columns, connections, { spare, limit: width }),
    lines: [...notes, theme.dim('  -v shows more of each')],
  };
}

/** `client`, `server: Timeout`, `timeout`; nothing where the end is not seen. */
function endCell({ end, connection }: StreamSummary): string {
  const reason = connection?.end?.reason ?? '';
  return (end ?? '') + (reason === '' ? '' : `: ${textInLine(reason, maxReasonWidth)}`);
}

/** A column with a fixed width, since rows are printed before later ones are known; `left` by default. */
type FixedColumn = Column<RecordingInfo> & { readonly width: number };

const columns: readonly FixedColumn[] = [
  { head: 'health', width: 11, cell: ({ summary }) => healthCell(summary) },
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

const listed = (texts: readonly string[]) => [...new Set(texts)].join(', ');

const mapsOf = ({ header, ghost, streams }: RecordingInfo['summary']) => {
  const named = (header ?? ghost)?.mapName;
  return named === undefined ? streams.flatMap((stream) => [...stream.maps]) : [named];
};

const playersOf = ({ player, names }: RecordingInfo['summary']['streams'][number]) => [
  ...(player ? [player] : []),
  ...names.seen,
];

/** `healthy !` has warnings, which only the file's own lines tell. */
const healthCell = ({ health: { state }, findings }: RecordingSummary) =>
  state === 'healthy' && warningsText(findings) ? `${state} !` : state;

/** The columns that a narrow terminal leaves out, the first one first. */
const spare = ['snapshots', 'version', 'format', 'length', 'players', 'map'];

const between = '   ';

type FilesTableStyle = ViewStyle & { readonly fileWidth: number };

/**
 * A table of many recordings, one row each. The rows can be printed one by one. With `verbose`, all players are named.
 */
export class FilesTable {
  readonly #style: FilesTableStyle;
  readonly #fileWidth: number;
  readonly #columns: readonly FixedColumn[];
  readonly #rest: number;
  /** The width in which all columns fit. */
  readonly #wanted: number;

  constructor(style: FilesTableStyle) {
    const { width, limit = Number.POSITIVE_INFINITY, fileWidth, verbose } = style;
    this.#style = style;
    this.#fileWidth = Math.max('file'.length, fileWidth);
    const used = (shown: readonly FixedColumn[]) =>
      shown.reduce((sum, column) => sum + between.length + column.width, this.#fileWidth);
    this.#columns = fitting(columns, spare, (shown) => used(shown) <= limit);
    this.#wanted = used(columns);
    const { width: least = 0 } = this.#columns.at(-1) ?? {};
    this.#rest = verbose ? Number.POSITIVE_INFINITY : Math.max(least, width - used(this.#columns) + least);
  }

  heading(): string {
    if (this.#style.isMarkdown) return `${markdownHead(this.#all).join('\n')}\n`;
    const heads = this.#columns.map(({ head }) => head);
    return this.#style.theme.dim(this.#line('file', heads));
  }

  row(info: RecordingInfo): string {
    const { theme } = this.#style;
    const { state } = info.summary.health;
    const style = healthStyle(state, theme);
    const [health, ...cells] = this.#columns.map(({ cell }) => cell(info));
    cells.push(shortened(cells.pop() ?? '', this.#rest));
    return this.#line(theme.strong(pathText(info.file)), [style(health!), ...cells]);
  }

  failure(file: string, reason: string): string {
    const { theme } = this.#style;
    return this.#line(theme.strong(pathText(file)), [theme.error(unreadableState), reason]);
  }

  /** The columns that are left out are counted below the rows. */
  ending(): string {
    const leftOut = columns.length - this.#columns.length;
    return leftOutLine(leftOut, this.#wanted, this.#style.theme)
      .map((line) => `${line}\n`)
      .join('');
  }

  get #all() {
    return [{ head: 'file', align: 'left', width: this.#fileWidth } as const, ...this.#columns];
  }

  #line(file: string, cells: readonly string[]): string {
    if (this.#style.isMarkdown) {
      const all = this.#all.map((_, i) => [file, ...cells][i] ?? '');
      return `${markdownRow(all, this.#all)}\n`;
    }
    const texts = cells.map((cell, i) => aligned(cell, this.#columns[i]?.width ?? 0, this.#columns[i]?.align));
    return `${[aligned(file, this.#fileWidth), ...texts].join(between).trimEnd()}\n`;
  }
}
