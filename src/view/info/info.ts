import type { RecordingSummary } from '../../recording/recording-summary.ts';
import type { StreamSummary } from '../../recording/stream-summary.ts';
import { type FileCheck, maxFindings } from '../ci/reports.ts';
import { type Column, tableLines } from '../text/columns.ts';
import { diagnosticLine } from '../text/diagnostic-messages.ts';
import { escapeText, nameText, textInLine } from '../text/escape.ts';
import { rowLines } from '../text/layout.ts';
import { clock, count, thousands } from '../text/number.ts';
import { markOf, plainTheme, type Theme, type ViewStyle } from '../text/theme.ts';
import {
  failureTexts,
  headRows,
  healthText,
  infoRows,
  kindText,
  outcomeTexts,
  type RecordingInfo,
  streamRows,
  timeText,
} from './rows.ts';

const maxDiagnostics = 20;
/** The maximum number of connections shown in detail; more are shown as table rows. */
const maxDetailed = 4;

export function renderInfo(info: RecordingInfo, style: ViewStyle): string {
  const { summary } = info;
  const { theme, width, verbose } = style;
  const { datagrams, streams } = summary;
  const kind = datagrams ? `${kindText(info)}, ${clock(summary.seconds)}` : kindText(info);
  const lines = [`${theme.strong(escapeText(info.file))}   ${kind}, ${healthLine(info, theme)}`];
  lines.push(...rowLines((datagrams ? headRows : infoRows)(summary, theme), theme, width));
  if (datagrams) {
    if (streams.length > maxDetailed && !verbose) lines.push('', ...connectionTable(summary, theme, width));
    else for (const one of streams) lines.push('', ...connectionLines(one, summary, style));
    if (summary.diagnostics.length > 0) lines.push('');
  }
  return `${[...lines, ...diagnosticLines(summary, theme)].join('\n')}\n`;
}

export function infoCheck(info: RecordingInfo): Pick<FileCheck, 'summary' | 'findings'> {
  const health = healthLine(info, plainTheme).replace('✗ ', '');
  const findings = [health, ...info.summary.diagnostics.map(diagnosticLine)].slice(0, maxFindings);
  return { summary: `${kindText(info)}, ${health}`, findings };
}

const healthLine = (info: RecordingInfo, theme: Theme) =>
  [healthText(info.summary, theme), ...explainHint(info)].join(', ');

/** Refers to the explain command if that can show the reason. */
function explainHint({ findings = 0, summary }: RecordingInfo): string[] {
  const { state, isCut } = summary.health;
  const isWrong = state === 'mismatched' || state === 'unplayable';
  if (isWrong || (state === 'damaged' && !isCut && summary.header)) return ['see tw-snap explain'];
  return findings > 0 ? [`${count(findings, 'finding')}, see tw-snap explain`] : [];
}

function connectionLines(
  one: StreamSummary,
  summary: RecordingSummary,
  { theme, width, verbose }: ViewStyle,
): string[] {
  const player = one.player === undefined ? '' : `   ${theme.role.identity(nameText(one.player))}`;
  const version = one.connection?.version ?? 'unknown version';
  const title = `${theme.strong(one.stream.client)}${player}   ${version}`;
  return [title, ...rowLines(streamRows(one, summary, theme, verbose), theme, width)];
}

function diagnosticLines({ diagnostics, omittedDiagnostics }: RecordingSummary, theme: Theme): string[] {
  const lines = diagnostics.slice(0, maxDiagnostics).map((diagnostic) => {
    return `  ${markOf(diagnostic.severity, theme)} ${diagnosticLine(diagnostic)}`;
  });
  const more = diagnostics.length - maxDiagnostics + omittedDiagnostics;
  return more > 0 ? [...lines, theme.dim(`    … ${count(more, 'more finding')}`)] : lines;
}

const maxNameWidth = 15;

function connectionTable({ streams, firstTime }: RecordingSummary, theme: Theme, width: number): string[] {
  const connections = streams.flatMap((one) => (one.connection ? [{ one, connection: one.connection }] : []));
  const columns: readonly Column<(typeof connections)[number]>[] = [
    { head: 'client', align: 'left', cell: ({ connection }) => theme.strong(connection.client) },
    {
      head: 'player',
      align: 'left',
      cell: ({ one }) => theme.role.identity(textInLine(one.player ?? '', maxNameWidth)),
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
    { head: 'snapshots', cell: ({ one }) => thousands(one.snapshots) },
  ];
  const wrong = connections.filter(({ one: { outcomes } }) => failureTexts(outcomes, theme).length > 0);
  const notes = wrong.map(({ one, connection }) => {
    return `  ${markOf('warning', theme)} ${theme.strong(connection.client)}  ${outcomeTexts(one.outcomes, theme).join(', ')}`;
  });
  return [
    ...tableLines(columns, connections, theme, { spare: ['version', 'from', 'to', 'sent', 'received'], limit: width }),
    ...notes,
    theme.dim('  -v shows more of each'),
  ];
}
