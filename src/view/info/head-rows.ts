import type { DemoHeader } from '../../container/demo/header.ts';
import { ticksPerSecond } from '../../protocol/ticks.ts';
import type { RecordingSummary } from '../../recording/recording-summary.ts';
import type { DatagramCounts } from '../../recording/replay.ts';
import type { StreamSummary } from '../../recording/stream-summary.ts';
import { escapeText } from '../text/escape.ts';
import { commasOrNone, type LabelledRow, listed } from '../text/layout.ts';
import { count, thousands } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { clock } from '../text/units.ts';

/** The rows about a whole recording: its header, or its datagrams. */
export function headRows(summary: RecordingSummary, theme: Theme): LabelledRow[] {
  const { header, datagrams, streams } = summary;
  const rows: LabelledRow[] = [];
  if (header) {
    const { version } = streams[0]!.stream.protocol;
    const recorded = `${headerDate(header.timestamp)} by a ${version} ${escapeText(header.type)}`;
    rows.push(['recorded', recorded, `(${escapeText(header.netVersion)})`]);
    rows.push(['map', ...mapParts(header, summary, theme)], ['time', ...timeParts(header, summary, theme)]);
  }
  if (datagrams) {
    rows.push(['recorded', dateOf(summary.firstTime)]);
    rows.push(['datagrams', ...listed(thousands(datagrams.total), unconnectedParts(datagrams))]);
    rows.push(['connections', ...listed(thousands(streams.length), serverParts(streams))]);
  }
  return rows;
}

/** The markers that the recording player set. */
export function markerRows({ header, streams }: RecordingSummary): LabelledRow[] {
  if (!header) return [];
  const { firstTick } = streams[0]!;
  const markers = header.markers.map((tick) => `${tick} (${clock((tick - firstTick) / ticksPerSecond)})`);
  return [['markers', ...commasOrNone(markers)]];
}

export const serversOf = (streams: readonly StreamSummary[]): Set<string> =>
  new Set(streams.map(({ stream }) => stream.server));

function mapParts(header: DemoHeader, { map }: RecordingSummary, theme: Theme): string[] {
  const crc = header.mapCrc.toString(16).padStart(8, '0');
  const name = `${escapeText(header.mapName)},`;
  if (!map) return [name, 'not in the file,', `crc ${crc}`];
  const ok = (right: boolean, found: string) => (right ? theme.added('✓') : theme.error(`✗ found ${found}`));
  const parts = [
    name,
    `${count(map.bytes, 'byte')},`,
    `crc ${crc} ${ok(map.crc === header.mapCrc, map.crc.toString(16))}`,
  ];
  if (header.sha256 !== undefined) {
    const isRight = header.sha256 === map.sha256;
    parts.push(`sha256 ${header.sha256.slice(0, 8)}… ${ok(isRight, `${map.sha256.slice(0, 8)}…`)}`);
  }
  return parts;
}

function timeParts({ length }: DemoHeader, { streams, seconds }: RecordingSummary, theme: Theme): string[] {
  const { firstTick, lastTick } = streams[0]!;
  if (firstTick < 0) return ['no ticks'];
  const stated = length === 0 ? 'header says nothing' : `header says ${length} s`;
  const fits = length > 0 && Math.abs(seconds - length) <= 2;
  const mark = length === 0 ? '' : fits ? ` ${theme.added('✓')}` : ` ${theme.warning('!')}`;
  return [clock(seconds), `ticks ${firstTick} to ${lastTick},`, `${stated}${mark}`];
}

/** `2026-11-20_11-08-13` in the usual notation. */
function headerDate(timestamp: string): string {
  const match = /^(\d{4}-\d\d-\d\d)_(\d\d)-(\d\d)-(\d\d)$/.exec(timestamp);
  return match ? `${match[1]} ${match[2]}:${match[3]}:${match[4]}` : escapeText(timestamp) || 'at an unknown time';
}

function dateOf(seconds: number): string {
  if (!Number.isFinite(seconds)) return '';
  const date = new Date(1000 * seconds);
  return Number.isNaN(date.getTime()) ? '' : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Datagrams outside any connection. */
function unconnectedParts({ connless, handshakes, dropped, other }: DatagramCounts): string[] {
  return [
    ...(connless > 0 ? [`${thousands(connless)} connectionless`] : []),
    ...(handshakes > 0 ? [`${thousands(handshakes)} of handshakes without a connection`] : []),
    ...(dropped.connections > 0
      ? [`${thousands(dropped.packets)} of ${count(dropped.connections, 'connection')} too many, which are not shown`]
      : []),
    ...(other > 0 ? [`${thousands(other)} of something else`] : []),
  ];
}

function serverParts(streams: readonly StreamSummary[]): string[] {
  const servers = serversOf(streams);
  return servers.size === 0 ? [] : [servers.size === 1 ? `all to ${[...servers][0]}` : `to ${servers.size} servers`];
}
