import { columns } from '../text/columns.ts';
import { escapeText } from '../text/escape.ts';
import { thousands } from '../text/number.ts';
import type { Theme } from '../text/theme.ts';
import { clock } from '../text/units.ts';
import { healthText } from './health.ts';
import type { RecordingInfo } from './info.ts';

interface Column {
  readonly head: string;
  readonly align: 'left' | 'right';
  readonly cell: (info: RecordingInfo, theme: Theme) => string;
}

const left = (head: string, cell: Column['cell']): Column => ({ head, align: 'left', cell });
const right = (head: string, cell: Column['cell']): Column => ({ head, align: 'right', cell });

const file = left('file', ({ file }, theme) => theme.strong(escapeText(file)));
const length = right('length', ({ summary }) => clock(summary.seconds));
const snapshots = right('snapshots', ({ summary }) => thousands(summary.snapshots));

const demoColumns: readonly Column[] = [
  file,
  left('health', ({ summary }, theme) => healthText(summary, theme)),
  left('map', ({ summary: { header } }) => escapeText(header?.mapName ?? '')),
  left('version', ({ summary: { header, streams } }) => {
    return header ? `${streams[0]!.stream.protocol.version}, ${header.version}` : '';
  }),
  length,
  snapshots,
  right('messages', ({ summary }) => thousands(summary.streams[0]!.messageCount)),
  right('players', ({ summary }) => thousands(summary.streams[0]!.names.seen.size)),
];

const captureColumns: readonly Column[] = [
  file,
  left('state', ({ summary }, theme) => healthText(summary, theme)),
  left('format', ({ summary }) => summary.container),
  length,
  right('datagrams', ({ summary }) => thousands(summary.datagrams!.total)),
  right('connections', ({ summary }) => thousands(summary.streams.length)),
  snapshots,
];

const columnsOf = (hasPackets: boolean) => (hasPackets ? captureColumns : demoColumns);

/** A recording among many: its row in {@link renderFiles}. */
export const fileRow = (info: RecordingInfo, theme: Theme): string[] =>
  columnsOf(info.summary.datagrams !== undefined).map(({ cell }) => cell(info, theme));

/** Many recordings, a row each. */
export function renderFiles(rows: readonly (readonly string[])[], hasPackets: boolean, theme: Theme): string {
  const shown = columnsOf(hasPackets);
  const head = shown.map(({ head }) => theme.dim(head));
  const align = shown.map(({ align }) => align);
  return `${columns([head, ...rows], align, '').join('\n')}\n`;
}
