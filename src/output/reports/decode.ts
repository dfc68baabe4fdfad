import type { DescribedValue } from '../../wire/annotate/describe.ts';
import type { Value } from '../../wire/annotate/field-values.ts';
import { type ItemNode, itemOf } from '../../wire/annotate/item-node.ts';
import { annotateContents, annotateFields } from '../../wire/annotate/packet-spans.ts';
import type { Change, Span } from '../../wire/annotate/span.ts';
import { messageName } from '../../wire/packet/message.ts';
import type { PacketChunk } from '../../wire/packet/packet.ts';
import type { MessageContents, PacketContents } from '../../wire/packet/packet-contents.ts';
import { type Payload, removedKeys } from '../../wire/payload/payload.ts';
import { Delta } from '../../wire/snapshot/delta.ts';
import { idOf, typeOf } from '../../wire/snapshot/key.ts';
import { diagnosticLines, type HexdumpOptions, header, valueText } from '../hexdump/hexdump.ts';
import { packetHeader } from '../hexdump/packet-header.ts';
import { type Align, columns } from '../text/columns.ts';
import { numberText, quotedText, valueInLine } from '../text/escape.ts';
import { address, count } from '../text/number.ts';
import type { Theme, ViewStyle } from '../text/theme.ts';

const align: readonly Align[] = ['left', 'right', 'left', 'left'];

/**
 * Renders the items of a payload, one row per field, with meaning and units. Fields that are 0 are only counted, unless
 * verbose.
 */
export function renderTable(payload: Payload, options: HexdumpOptions): string {
  const lines = [header(payload, options.name, options), ...payloadLines(payload, options)];
  const diagnostics = tableDiagnostics(payload, options);
  return `${[...lines, ...diagnostics].join('\n')}\n`;
}

/** Returns the removed keys and the items, with a blank line before each. */
function payloadLines(payload: Payload, options: HexdumpOptions): string[] {
  const { body, types } = payload;
  const { theme, filter } = options;
  const lines: string[] = [];
  const rows = removed(payload, options);
  if (rows.length > 0) lines.push('');
  for (const row of rows) lines.push(row);

  for (let i = 0; i < body.count; i++) {
    if (filter && !filter.item(types, body.type(i), body.id(i))) continue;
    const item = itemOf(payload, i);
    lines.push('', itemLine(item, theme));
    for (const row of itemRows(item, !(body instanceof Delta), options)) lines.push(row);
  }
  return lines;
}

function tableDiagnostics(payload: Pick<Payload, 'diagnostics'>, style: ViewStyle): string[] {
  const diagnostics = diagnosticLines(payload, style, ({ offset }) => address(offset).padStart(6));
  return diagnostics.length > 0 ? ['', ...diagnostics] : [];
}

function removed(payload: Payload, { theme, limit, filter }: HexdumpOptions): string[] {
  const rows = removedKeys(payload).flatMap((key) => {
    if (filter && !filter.item(payload.types, typeOf(key), idOf(key))) return [];
    return [[theme.removed('removed'), theme.strong(payload.types.titleOf(key))]];
  });
  return columns(rows, ['left', 'left'], { indent: '', limit });
}

function itemLine({ types, type, known, key, ints, title }: ItemNode, theme: Theme): string {
  const about = [count(ints.length, 'int'), `key 0x${(key >>> 0).toString(16).padStart(8, '0')}`];
  const uuid = types.uuidOf(type);
  if (uuid !== undefined && !known) about.push(`uuid ${uuid}`);
  return headLine(title, about, theme);
}

/** `obj_character 0                          22 ints, key 0x000a0000` */
function headLine(title: string, about: readonly string[], theme: Theme): string {
  return `${theme.strong(title)}${' '.repeat(Math.max(2, 41 - title.length))}${theme.dim(about.join(', '))}`;
}

/** @param isWhole whether fields that are not there have their defaults */
function itemRows(item: ItemNode, isWhole: boolean, { theme, verbose, limit }: HexdumpOptions): string[] {
  const none = item.areDifferences ? '+0' : '0';
  const isUpdate = item.was !== undefined;

  const rows: string[][] = [];
  let zero = 0;
  for (const value of item.values()) {
    const change = item.change(value);
    const row = change ? changeRow(value.label, change, theme) : valueRow(item.describe(value), value, theme);
    if (row) rows.push(row);
    else if (verbose) rows.push([theme.dim(value.label), theme.dim(isUpdate ? '' : none), '', '']);
    else zero++;
  }

  for (const { name, defaultValue, at } of (isWhole && item.known?.fields) || []) {
    if (at >= item.ints.length && defaultValue !== undefined) {
      rows.push([theme.dim(name), theme.dim(String(defaultValue)), theme.dim('not sent, the default'), '']);
    }
  }

  const lines = columns(rows, align, { limit });
  const fields = `${rows.length > 0 ? 'more ' : ''}${zero === 1 ? 'field is' : 'fields are'}`;
  return zero === 0 ? lines : [...lines, theme.dim(`  ${zero} ${fields} ${isUpdate ? 'as before' : none}`)];
}

/** The names of many flags as several texts, for a line each: `solo|jetpack|super|`. */
const flagLines = (symbol: string): string[] => symbol.match(/(?:[^|]+(?:\||$)){1,3}/g) ?? [symbol];

function valueRow(described: DescribedValue, value: Value, theme: Theme): string[] | undefined {
  const { role, value: content, symbol, quantity } = described;
  if (content === 0 && symbol === undefined) return undefined;

  const style = theme.role[role];
  // Texts, and their ints where they can't be read, are longer than numbers, whose column they would widen.
  if (typeof content === 'object') return [value.label, '', style(numberText(content)), ''];
  if (typeof content === 'string') {
    return [value.label, '', style(role === 'text' ? quotedText(content) : content), style(symbol ?? '')];
  }

  const words = flagLines(symbol ?? quantity ?? '').map((line) => style(line));
  return [value.label, style(valueText(described)), words.join('\n'), ''];
}

/** `x   484 → 192   -292   -9.13 tiles`, as cells; undefined if nothing changed. */
export function changeRow(label: string, change: Change, theme: Theme): string[] | undefined {
  if (change.old === change.new) return undefined;
  return [
    label,
    `${valueInLine(change.old)} → ${valueInLine(change.new)}`,
    difference(change),
    theme.role.state(change.step ?? ''),
  ];
}

/** The difference wraps around at 32 bits, as in the games. */
function difference({ old, new: now }: Change): string {
  if (typeof old !== 'number' || typeof now !== 'number') return '';
  const step = (now - old) | 0;
  return step > 0 ? `+${step}` : String(step);
}

/** Renders a packet or a message: its header, the values of each message, one per row, and the items of the deltas. */
export function renderPacketTable(contents: PacketContents, options: HexdumpOptions, whole = contents): string {
  const { theme } = options;
  const lines = [packetHeader(whole, options.name, options)];
  const chunks = contents.kind === 'packet' ? contents.chunks : [];
  if (contents.kind === 'packet' && !options.filter)
    lines.push('', theme.strong('packet'), ...rows(ofPacket(contents), options));

  for (const [i, message] of contents.messages.entries()) lines.push('', ...messageLines(message, chunks[i], options));
  return `${[...lines, ...tableDiagnostics(contents, options)].join('\n')}\n`;
}

/** The spans of the packet itself, without the spans of its chunks. */
function ofPacket(contents: PacketContents & { kind: 'packet' }): Span[] {
  const { headSize = 0 } = contents.packet ?? {};
  const inChunks = contents.chunks.map(({ head, end }) => [headSize + head, headSize + end] as const);
  const isInChunk = (at: number) => inChunks.some(([from, to]) => at >= from && at < to);
  return annotateContents(contents).filter(
    ({ start, role }) => role !== 'error' && role !== 'gap' && !isInChunk(start),
  );
}

function messageLines(contents: MessageContents, chunk: PacketChunk | undefined, options: HexdumpOptions): string[] {
  const { message, delta } = contents;
  const about = [
    `${message.system ? 'system' : 'game'} ${message.id ?? '?'}`,
    count(message.end - message.start, 'byte'),
  ];

  if (message.uuid !== undefined) about.push(`uuid ${message.uuid}`);
  if (chunk?.vital) about.push(`vital, sequence ${chunk.sequence}`);
  if (chunk?.resend) about.push('sent again');
  if (contents.isCut) about.push('cut');
  return [
    headLine(messageName(message), about, options.theme),
    ...rows(annotateFields(contents), options),
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
  return columns(cells, ['left', 'right', 'left'], { limit });
}
