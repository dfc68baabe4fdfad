import type { CaptureSummary } from '../../recording/capture-summary.ts';
import type { ConnectionSummary, Outcome } from '../../recording/connection-summary.ts';
import type { DatagramCounts, Direction } from '../../recording/record.ts';
import { perSecond, type RateStretch, secondsOf } from '../../recording/snapshot-rates.ts';
import { wrap } from '../hexdump/wrap.ts';
import { columns } from '../text/columns.ts';
import { diagnosticLine } from '../text/diagnostic-messages.ts';
import { escapeText } from '../text/escape.ts';
import { count, thousands } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { clock, size } from '../text/units.ts';
import { maxInLine, nameText, textInLine } from '../text/untrusted-text.ts';
import type { InfoRow } from './info.ts';

/** A capture, and what was gathered of it. */
export interface CaptureInfo {
  readonly file: string;
  readonly container: string;
  readonly bytes: number;
  readonly capture: CaptureSummary;
  readonly datagrams: DatagramCounts;
}

interface Look {
  readonly theme: Theme;
  readonly width: number;
  readonly verbose: boolean;
}

const maxDiagnostics = 20;
/** More connections have a row each, fewer are told in detail. */
const maxDetailed = 4;
/** More kinds of messages are counted. */
const maxKinds = 6;
const labelWidth = 12;
const nameColumn = 15;

/** What one capture is: its connections, one after the other. */
export function renderCaptureInfo(info: CaptureInfo, { theme, width, verbose }: Look): string {
  const { file, container, bytes, capture } = info;
  const { connections } = capture;
  const lines = [
    `${theme.strong(escapeText(file))}   ${container}, ${size(bytes)}, ${clock(capture.seconds)}, ${verdict(info, theme)}`,
  ];
  const rows = new Rows(lines, theme, width);
  for (const row of captureRows(info)) rows.put(...row);
  if (connections.length > maxDetailed && !verbose) lines.push('', ...connectionTable(capture, theme, width));
  else for (const one of connections) lines.push('', ...connectionLines(one, capture, { theme, width, verbose }));
  if (capture.diagnostics.length > 0) lines.push('');
  for (const diagnostic of capture.diagnostics.slice(0, maxDiagnostics)) {
    const mark = diagnostic.severity === 'error' ? theme.error('✗') : theme.warning('!');
    lines.push(`  ${mark} ${diagnosticLine(diagnostic)}`);
  }
  const more = capture.diagnostics.length - maxDiagnostics + capture.moreDiagnostics;
  if (more > 0) lines.push(theme.dim(`    … ${count(more, 'more finding')}`));
  return `${lines.join('\n')}\n`;
}

/** A capture among many: its cells in {@link renderCaptureRows}. */
export const captureRow = (info: CaptureInfo, theme: Theme): string[] => [
  theme.strong(escapeText(info.file)),
  verdict(info, theme),
  info.container,
  clock(info.capture.seconds),
  thousands(info.datagrams.total),
  thousands(info.capture.connections.length),
  thousands(info.capture.snapshots),
];

/** Many captures, a row each. */
export function renderCaptureRows(rows: readonly (readonly string[])[], theme: Theme): string {
  const head = ['file', 'state', 'format', 'length', 'datagrams', 'connections', 'snapshots'].map(theme.dim);
  const align = ['left', 'left', 'left', 'right', 'right', 'right', 'right'] as const;
  return `${columns([head, ...rows], align, '').join('\n')}\n`;
}

/** Label and words, which go on below where the line is full. */
class Rows {
  readonly #lines: string[];
  readonly #theme: Theme;
  readonly #width: number;

  constructor(lines: string[], theme: Theme, width: number) {
    this.#lines = lines;
    this.#theme = theme;
    this.#width = width;
  }

  put(label: string, ...parts: string[]): void {
    const words = parts.filter((part) => part !== '').map((text) => ({ text, style: (word: string) => word }));
    for (const [i, line] of wrap(words, this.#width - labelWidth - 4).entries()) {
      this.#lines.push(`  ${this.#theme.dim((i === 0 ? label : '').padEnd(labelWidth))}  ${line}`);
    }
  }
}

/** A row for each connection; narrow terminals have no room for all columns. */
function connectionTable({ connections, firstTime }: CaptureSummary, theme: Theme, width: number): string[] {
  const isNarrow = width < 100;
  const head = [
    'client',
    'player',
    ...(isNarrow ? [] : ['version', 'from']),
    'to',
    'sent',
    'received',
    'lost',
    'snapshots',
  ];
  const rows = connections.map((one) => {
    const { connection, player = '' } = one;
    const [up, down] = [connection.counts('to_server'), connection.counts('to_client')];
    return [
      theme.strong(connection.client),
      theme.role.identity(textInLine(player, nameColumn)),
      ...(isNarrow ? [] : [connection.version ?? '?', time(connection.firstTime - firstTime)]),
      time(connection.lastTime - firstTime),
      thousands(up.packets),
      thousands(down.packets),
      thousands(up.lost + down.lost),
      thousands(one.snapshots),
    ];
  });
  const align = head.map((_, i) => (i < (isNarrow ? 2 : 3) ? 'left' : 'right'));
  const [first, ...lines] = columns([head.map(theme.dim), ...rows], align);
  return [
    first!,
    ...lines.flatMap((line, i) => [line, ...notes(connections[i]!, theme, width)]),
    theme.dim('  -v tells more of each'),
  ];
}

/** What stands below a connection's row. */
function notes(one: ConnectionSummary, theme: Theme, width: number): string[] {
  const { mismatch, missing_base, missing_part, damaged } = one.outcomes;
  const isWrong = mismatch + missing_base + missing_part + damaged > 0;
  const words = [
    ...commas(rateTexts(one.rates.stretches)),
    ...(isWrong ? commas(outcomesText(one.outcomes, theme)) : []),
  ];
  const style = (word: string) => theme.dim(word);
  return wrap(
    words.map((text) => ({ text, style })),
    width - 6,
  ).map((line) => `      ${line}`);
}

function connectionLines(one: ConnectionSummary, capture: CaptureSummary, { theme, width, verbose }: Look): string[] {
  const { client, version } = one.connection;
  const player = one.player === undefined ? '' : `   ${theme.role.identity(nameText(one.player))}`;
  const lines = [`${theme.strong(client)}${player}   ${version ?? 'unknown version'}`];
  const rows = new Rows(lines, theme, width);
  for (const row of connectionRows(one, capture, theme, verbose)) rows.put(...row);
  return lines;
}

/** What a capture is as a whole, as labels and words. */
export function captureRows(info: CaptureInfo): InfoRow[] {
  const { capture, datagrams } = info;
  const { connections, firstTime } = capture;
  return [
    ['recorded', dateOf(firstTime)],
    ['datagrams', ...listed(thousands(datagrams.total), elsewhere(info))],
    ['connections', ...listed(thousands(connections.length), ends(connections))],
  ];
}

/** The same of one connection. */
export function connectionRows(
  one: ConnectionSummary,
  { connections, firstTime: start }: CaptureSummary,
  theme: Theme,
  verbose: boolean,
): InfoRow[] {
  const { connection, outcomes, rates } = one;
  const { server, firstTime, lastTime } = connection;
  return [
    ...(serversOf(connections).size > 1 ? [['server', server] as const] : []),
    ['time', `${time(firstTime - start)} to ${time(lastTime - start)},`, closing(one)],
    ['sent', ...traffic(one, 'to_server', verbose)],
    ['received', ...traffic(one, 'to_client', verbose)],
    ['loss', ...loss(one, theme)],
    ['snapshots', ...snapshotTexts(one)],
    ['checksums', ...commas(outcomesText(outcomes, theme))],
    ['rates', ...commas(rateTexts(rates.stretches))],
  ];
}

function snapshotTexts({ snapshots, kinds, mostItems, mostBytes }: ConnectionSummary): string[] {
  if (snapshots + kinds.empty === 0) return ['none'];
  return listed(thousands(snapshots), [
    `${thousands(kinds.snapshot)} full`,
    count(kinds.delta, 'delta'),
    ...(kinds.empty > 0 ? [`${thousands(kinds.empty)} empty besides`] : []),
    ...(mostItems > 0 ? [`at most ${count(mostItems, 'item')}`] : []),
    size(mostBytes),
  ]);
}

function traffic({ connection, messages }: ConnectionSummary, direction: Direction, verbose: boolean): string[] {
  const { packets, bytes } = connection.counts(direction);
  const all = [...messages[direction]].sort((a, b) => b[1] - a[1]);
  const shown = verbose || all.length <= maxKinds + 1 ? all : all.slice(0, maxKinds);
  const names = shown.map(([name, times]) => `${thousands(times)} ${name}`);
  const more = all.length > shown.length ? [`${all.length - shown.length} more kinds`] : [];
  return listed(`${count(packets, 'packet')}, ${size(bytes)}`, [...names, ...more]);
}

function loss({ connection }: ConnectionSummary, theme: Theme): string[] {
  const [up, down] = [connection.counts('to_server'), connection.counts('to_client')];
  const [resent, lost] = [up.resent + down.resent, up.lost + down.lost];
  const parts = [
    ...(resent > 0 ? [`${count(resent, 'chunk')} sent again`] : []),
    ...(lost > 0 ? [theme.warning(`${count(lost, 'chunk')} not captured`)] : []),
    ...(connection.undecodable > 0 ? [theme.error(`✗ ${count(connection.undecodable, 'packet')} can't be read`)] : []),
  ];
  return parts.length > 0 ? commas(parts) : [theme.dim('none seen')];
}

const outcomeWords: Readonly<Record<Exclude<Outcome, 'ok'>, string>> = {
  mismatch: 'mismatched',
  missing_base: 'without their base',
  missing_part: 'without a part',
  damaged: 'damaged',
};

function outcomesText(outcomes: ConnectionSummary['outcomes'], theme: Theme): string[] {
  const others = (['mismatch', 'missing_base', 'missing_part', 'damaged'] as const)
    .filter((outcome) => outcomes[outcome] > 0)
    .map((outcome) => {
      const text = `${thousands(outcomes[outcome])} ${outcomeWords[outcome]}`;
      return outcome === 'mismatch' || outcome === 'damaged' ? theme.error(`✗ ${text}`) : theme.warning(text);
    });
  if (others.length > 0) return [`${thousands(outcomes.ok)} match`, ...others];
  return outcomes.ok > 0 ? [theme.added('all match')] : [];
}

/** Stretches that are told one by one, and how many of the last ones then. */
const maxStretches = 8;

/** `5/s for 1.2 s`, `25/s for 48.1 s`, `1/s for 2.0 s (recovery)` */
function rateTexts(stretches: readonly RateStretch[]): string[] {
  const texts = stretches.slice(0, maxStretches).map((stretch) => {
    const seconds = `${perSecond(stretch)}/s for ${secondsOf(stretch).toFixed(1)} s`;
    return stretch.mode === 'recovery' ? `${seconds} (recovery)` : seconds;
  });
  const left = stretches.slice(maxStretches);
  if (left.length === 0) return texts;
  const total = left.reduce((sum, stretch) => sum + secondsOf(stretch), 0);
  const recovering = left.filter(({ mode }) => mode === 'recovery').reduce((sum, one) => sum + secondsOf(one), 0);
  return [
    ...texts,
    `and ${count(left.length, 'more change')} in ${total.toFixed(1)} s (${recovering.toFixed(1)} s recovery)`,
  ];
}

function closing({ close }: ConnectionSummary): string {
  if (!close) return 'not seen to end';
  const reason = close.reason === '' ? '' : ` (${textInLine(close.reason, maxInLine)})`;
  return `closed by the ${close.direction === 'to_server' ? 'client' : 'server'}${reason}`;
}

/** In words: healthy, or what is wrong. */
export function verdict({ capture }: CaptureInfo, theme: Theme): string {
  if (capture.diagnostics.some(({ severity }) => severity === 'error')) return theme.error('damaged');
  if (capture.undecodable > 0) return theme.error(`✗ ${count(capture.undecodable, 'packet')} can't be read`);
  const wrong = capture.connections.reduce((sum, { outcomes }) => sum + outcomes.mismatch, 0);
  if (wrong > 0) return theme.error(`✗ ${count(wrong, 'checksum')} mismatched`);
  return theme.added('healthy');
}

/** Datagrams that belong to no connection. */
function elsewhere({ datagrams: { connless, other } }: CaptureInfo): string[] {
  return [
    ...(connless > 0 ? [`${thousands(connless)} connectionless`] : []),
    ...(other > 0 ? [`${thousands(other)} of something else`] : []),
  ];
}

const serversOf = (connections: readonly ConnectionSummary[]) =>
  new Set(connections.map(({ connection }) => connection.server));

function ends(connections: readonly ConnectionSummary[]): string[] {
  const servers = serversOf(connections);
  return servers.size === 0 ? [] : [servers.size === 1 ? `all to ${[...servers][0]}` : `to ${servers.size} servers`];
}

const time = (seconds: number) => (Number.isFinite(seconds) ? clock(seconds) : '?');

function dateOf(seconds: number): string {
  if (!Number.isFinite(seconds)) return '';
  const date = new Date(1000 * seconds);
  return Number.isNaN(date.getTime()) ? '' : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A count before what it is made of. */
const listed = (total: string, parts: readonly string[]) =>
  parts.length === 0 ? [total] : [`${total.padEnd(5)} `, ...commas(parts)];

function commas(parts: readonly string[]): string[] {
  return parts.map((part, i) => (i < parts.length - 1 ? `${part},` : part));
}
