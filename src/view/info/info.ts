import type { RecordingSummary } from '../../recording/recording-summary.ts';
import type { StreamSummary } from '../../recording/stream-summary.ts';
import { type FileCheck, maxFindings } from '../ci/file-check.ts';
import { diagnosticLine } from '../text/diagnostic-messages.ts';
import { escapeText } from '../text/escape.ts';
import { rowLines } from '../text/layout.ts';
import { count } from '../text/number.ts';
import { markOf, plainTheme, type Theme, type ViewStyle } from '../text/theme.ts';
import { clock } from '../text/units.ts';
import { nameText } from '../text/untrusted-text.ts';
import { connectionTable } from './connection-table.ts';
import { headRows } from './head-rows.ts';
import { healthText } from './health.ts';
import { infoRows, kindText, type RecordingInfo } from './info-rows.ts';
import { streamRows } from './stream-rows.ts';

const maxDiagnostics = 20;
/** The maximum number of connections shown in detail; more are shown as table rows. */
const maxDetailed = 4;

/** The description of one recording line by line, followed by its connections. */
export function renderInfo(info: RecordingInfo, style: ViewStyle): string {
  const { summary } = info;
  const { theme, width, verbose } = style;
  const { datagrams, streams } = summary;
  const kind = datagrams ? `${kindText(info)}, ${clock(summary.seconds)}` : kindText(info);
  const health = [healthText(summary, theme), ...explainHint(info)].join(', ');
  const lines = [`${theme.strong(escapeText(info.file))}   ${kind}, ${health}`];
  if (!datagrams) lines.push(...rowLines(infoRows(summary, theme), theme, width));
  else {
    lines.push(...rowLines(headRows(summary, theme), theme, width));
    if (streams.length > maxDetailed && !verbose) lines.push('', ...connectionTable(summary, theme, width));
    else for (const one of streams) lines.push('', ...connectionLines(one, summary, style));
    if (summary.diagnostics.length > 0) lines.push('');
  }
  return `${[...lines, ...diagnosticLines(summary, theme)].join('\n')}\n`;
}

/** The health of a recording, for a report to a CI server. */
export function infoCheck(info: RecordingInfo): Pick<FileCheck, 'summary' | 'findings'> {
  const { summary } = info;
  const health = [healthText(summary, plainTheme).replace('✗ ', ''), ...explainHint(info)].join(', ');
  const findings = [health, ...summary.diagnostics.map(diagnosticLine)].slice(0, maxFindings);
  return { summary: `${kindText(info)}, ${health}`, findings };
}

/** Refers to the explain command if that can show the reason. */
function explainHint({ findings = 0, summary }: RecordingInfo): string[] {
  const { health, diagnostics } = summary;
  const isWrong = health.state === 'mismatched' || (health.state === 'damaged' && !summary.datagrams);
  const isOfOtherSizes = diagnostics.some(({ code }) => code === 'sizes_of_06' || code === 'content_of_07');
  if (isWrong || isOfOtherSizes) return ['see tw-snap explain'];
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
