import { annotateFields } from '../../annotate/message.ts';
import { annotateContents } from '../../annotate/packet.ts';
import type { Span } from '../../annotate/span.ts';
import type { PacketChunk } from '../../packet/packet.ts';
import type { MessageContents, PacketContents } from '../../packet/packet-contents.ts';
import type { HexdumpOptions } from '../hexdump/hexdump.ts';
import { packetHeader } from '../hexdump/packet-header.ts';
import { type Align, columns } from '../text/layout.ts';
import { count } from '../text/number.ts';
import { messageName } from '../text/recording-phrases.ts';
import type { ViewStyle } from '../text/theme.ts';
import { quotedText } from '../text/untrusted-text.ts';
import { headLine, payloadLines, tableDiagnostics } from './table.ts';

const align: readonly Align[] = ['left', 'right', 'left'];

/** Renders a packet or a message: its header, the values of each message, one per row, and the items of the deltas. */
export function renderPacketTable(contents: PacketContents, options: HexdumpOptions): string {
  const { theme } = options;
  const lines = [packetHeader(contents, options.name, options)];
  const chunks = contents.kind === 'packet' ? contents.chunks : [];
  if (contents.kind === 'packet') lines.push('', theme.strong('packet'), ...rows(ofPacket(contents), options));
  for (const [i, message] of contents.messages.entries()) lines.push('', ...messageLines(message, chunks[i], options));
  return `${[...lines, ...tableDiagnostics(contents, theme)].join('\n')}\n`;
}

/** The spans of the packet itself, without the spans of its chunks. */
function ofPacket(contents: PacketContents & { kind: 'packet' }): Span[] {
  const { headSize = 0 } = contents.packet ?? {};
  const inChunks = contents.chunks.map(({ head, end }) => [headSize + head, headSize + end] as const);
  return annotateContents(contents).filter(
    ({ start, role }) =>
      role !== 'error' && role !== 'gap' && !inChunks.some(([from, to]) => start >= from && start < to),
  );
}

function messageLines(one: MessageContents, chunk: PacketChunk | undefined, options: HexdumpOptions): string[] {
  const { message, delta } = one;
  const about = [
    `${message.system ? 'system' : 'game'} ${message.id ?? '?'}`,
    count(message.end - message.start, 'byte'),
  ];
  if (message.uuid !== undefined) about.push(`uuid ${message.uuid}`);
  if (chunk?.vital) about.push(`vital, sequence ${chunk.sequence}`);
  if (chunk?.resend) about.push('sent again');
  if (one.isCut) about.push('cut');
  return [
    headLine(messageName(message), about, options.theme),
    ...rows(annotateFields(one), options),
    ...(delta ? payloadLines(delta.payload, options) : []),
  ];
}

function rows(spans: readonly Span[], { theme, limit }: ViewStyle): string[] {
  const cells = spans.map(({ role, label, value, symbol, quantity }) => {
    const style = theme.role[role];
    if (typeof value !== 'string') return [label, style(String(value ?? '…')), style(symbol ?? quantity ?? '')];
    const note = symbol === undefined ? '' : ` (${symbol})`;
    return [label, '', `${style(role === 'text' ? quotedText(value) : value)}${note}`];
  });
  return columns(cells, align, { limit });
}
