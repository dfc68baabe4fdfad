import type { DemoHeader } from '../../container/demo/header.ts';
import { ticksPerSecond } from '../../protocol/ticks.ts';
import type { DemoSummary } from '../../recording/demo-summary.ts';
import { wrap } from '../hexdump/wrap.ts';
import { columns } from '../text/columns.ts';
import { diagnosticLine } from '../text/diagnostic-messages.ts';
import { escapeText } from '../text/escape.ts';
import { address, count, thousands } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { clock, size } from '../text/units.ts';
import { nameText } from '../text/untrusted-text.ts';

const maxItems = 1024;

/** A line about a recording: its label, and words between which it may be broken. */
export type InfoRow = readonly [label: string, ...parts: string[]];

/** What one demo is, line by line. */
export function renderInfo(file: string, bytes: number, demo: DemoSummary, theme: Theme, width: number): string {
  const lines = [`${theme.strong(escapeText(file))}   ${demoKind(demo, bytes)}, ${health(demo, theme)}`];
  for (const [label, ...parts] of demoRows(demo, theme)) {
    const words = parts.filter((part) => part !== '').map((text) => ({ text, style: (word: string) => word }));
    for (const [i, line] of wrap(words, width - 16).entries()) {
      lines.push(`  ${theme.dim((i === 0 ? label : '').padEnd(12))}  ${line}`);
    }
  }
  for (const diagnostic of demo.diagnostics.slice(0, 20)) {
    const mark = diagnostic.severity === 'error' ? theme.error('✗') : theme.warning('!');
    lines.push(`  ${mark} ${diagnosticLine(diagnostic)}`);
  }
  const more = demo.diagnostics.length - 20 + demo.moreDiagnostics;
  if (more > 0) lines.push(theme.dim(`    … ${count(more, 'more finding')}`));
  return `${lines.join('\n')}\n`;
}

/** `client demo, version 6, 204 KB` */
export function demoKind({ header }: DemoSummary, bytes: number): string {
  const kind = header ? `${header.type || 'unknown'} demo, version ${header.version}` : 'demo';
  return `${escapeText(kind)}, ${size(bytes)}`;
}

/** What one demo is, as labels and words. */
export function demoRows(demo: DemoSummary, theme: Theme): InfoRow[] {
  const { header } = demo;
  const rows: InfoRow[] = [];
  if (header) {
    const recorded = `${date(header.timestamp)} by a ${demo.protocol!.version} ${escapeText(header.type)}`;
    rows.push(
      ['recorded', recorded, `(${escapeText(header.netVersion)})`],
      ['map', ...mapParts(header, demo, theme)],
      ['time', ...timeParts(header, demo, theme)],
    );
  }
  rows.push(
    [
      'snapshots',
      total(demo.keyframes + demo.deltas),
      `${count(demo.keyframes, 'full', 'full')}, ${count(demo.deltas, 'delta')},`,
      `at most ${count(demo.mostItems, 'item')} (${thousands(maxItems)} allowed), ${size(demo.mostBytes)}`,
    ],
    [
      'messages',
      total(demo.messageCount),
      ...commas([...demo.messages].sort((a, b) => b[1] - a[1]).map(([name, times]) => `${thousands(times)} ${name}`)),
    ],
    ['players', ...commas([...demo.names.seen].map(nameText))],
  );
  if (!header) return rows;
  const markers = header.markers.map((tick) => `${tick} (${clock((tick - demo.firstTick) / ticksPerSecond)})`);
  return [...rows, ['markers', ...commas(markers)]];
}

/** A demo among many: its cells in {@link renderInfoRows}. */
export function infoRow({ file, demo }: { file: string; demo: DemoSummary }, theme: Theme): string[] {
  return [
    theme.strong(escapeText(file)),
    health(demo, theme),
    escapeText(demo.header?.mapName ?? ''),
    demo.header ? `${demo.protocol!.version}, ${demo.header.version}` : '',
    clock(demo.seconds),
    thousands(demo.keyframes + demo.deltas),
    thousands(demo.messageCount),
    thousands(demo.names.seen.size),
  ];
}

/** Many demos, a row each. */
export function renderInfoRows(rows: readonly (readonly string[])[], theme: Theme): string {
  const head = ['file', 'health', 'map', 'version', 'length', 'snapshots', 'messages', 'players'].map(theme.dim);
  const align = ['left', 'left', 'left', 'left', 'right', 'right', 'right', 'right'] as const;
  return `${columns([head, ...rows], align, '').join('\n')}\n`;
}

/** A count before what it is made of. */
const total = (value: number) => thousands(value).padEnd(7);

/** In words: healthy, or where it is damaged. */
export function health({ health: { state, at } }: DemoSummary, theme: Theme): string {
  if (state === 'healthy') return theme.added('healthy');
  if (state === 'cut') return theme.warning(`cut at 0x${address(at[0]!)}`);
  if (state === 'unreadable') return theme.error('unreadable');
  const places = at.slice(0, 3).map((offset) => `0x${address(offset)}`);
  return theme.error(`damaged at ${places.join(', ')}${at.length > 3 ? ` and ${at.length - 3} more places` : ''}`);
}

function mapParts(header: DemoHeader, demo: DemoSummary, theme: Theme): string[] {
  const crc = header.mapCrc.toString(16).padStart(8, '0');
  const name = `${escapeText(header.mapName)},`;
  if (demo.mapBytes === 0) return [name, 'not in the file,', `crc ${crc}`];
  const ok = (right: boolean, found: string) => (right ? theme.added('✓') : theme.error(`✗ found ${found}`));
  const parts = [
    name,
    `${count(demo.mapBytes, 'byte')},`,
    `crc ${crc} ${ok(demo.mapCrc === header.mapCrc, demo.mapCrc.toString(16))}`,
  ];
  if (header.sha256 !== undefined) {
    parts.push(
      `sha256 ${header.sha256.slice(0, 8)}… ${ok(header.sha256 === demo.mapSha256, `${demo.mapSha256.slice(0, 8)}…`)}`,
    );
  }
  return parts;
}

function timeParts(header: DemoHeader, demo: DemoSummary, theme: Theme): string[] {
  if (demo.firstTick < 0) return ['no ticks'];
  const stated = header.length === 0 ? 'header says nothing' : `header says ${header.length} s`;
  const fits = header.length > 0 && Math.abs(demo.seconds - header.length) <= 2;
  const mark = header.length === 0 ? '' : fits ? ` ${theme.added('✓')}` : ` ${theme.warning('!')}`;
  return [clock(demo.seconds), `ticks ${demo.firstTick} to ${demo.lastTick},`, `${stated}${mark}`];
}

/** `2026-11-20_11-08-13` as people write it. */
function date(timestamp: string): string {
  const match = /^(\d{4}-\d\d-\d\d)_(\d\d)-(\d\d)-(\d\d)$/.exec(timestamp);
  return match ? `${match[1]} ${match[2]}:${match[3]}:${match[4]}` : escapeText(timestamp) || 'at an unknown time';
}

function commas(parts: readonly string[]): string[] {
  if (parts.length === 0) return ['none'];
  return parts.map((part, i) => (i < parts.length - 1 ? `${part},` : part));
}
