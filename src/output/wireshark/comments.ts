import { handshakeStepOf } from '../../recording/capture/handshake.ts';
import type { Players } from '../../recording/events/players.ts';
import {
  type DiagnosticEntry,
  isNotRebuilt,
  type PacketEntry,
  type RecordFilter,
  type SnapshotEntry,
} from '../../recording/replay/record.ts';
import { type ItemNode, itemIn } from '../../wire/annotate/item-node.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { hexText } from '../../wire/bytes/to-hex.ts';
import { crc32 } from '../../wire/codec/crc32.ts';
import { type Message, type MessageValue, readMessage } from '../../wire/packet/message.ts';
import { mayBeMixed, readMixedMessage } from '../../wire/packet/mixed-message.ts';
import { connlessVersion, controlsOf, isWrittenByGames, type Packet } from '../../wire/packet/packet.ts';
import { readConnless, readControl } from '../../wire/packet/packet-values.ts';
import { withoutSecrets } from '../../wire/packet/secrets.ts';
import { clientItems } from '../../wire/protocol/item.ts';
import { type Protocol, protocolOf } from '../../wire/protocol/registry.ts';
import { type Comparison, compare } from '../../wire/snapshot/compare.ts';
import type { FieldValue } from '../../wire/snapshot/item-fields.ts';
import type { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { fieldsOf } from '../json/item-json.ts';
import { diagnosticMessage } from '../phrases/diagnostic-messages.ts';
import { fateText, reasons } from '../phrases/recording-phrases.ts';
import { jsonText, quotedName } from '../text/escape.ts';
import { count, thousands } from '../text/number.ts';

const maxShownBytes = 32;

/** `5`, `"text"` as in JSON, `[1 2 3]`; `-` for a field that the item is too short for. */
function valueText(value: FieldValue | undefined): string {
  if (value === undefined || typeof value === 'number') return String(value ?? '-');
  return typeof value === 'string' ? jsonText(value) : `[${value.map(valueText).join(' ')}]`;
}

/** A value of a message; long bytes are only counted. */
function messageValueText(value: number | string | Uint8Array | undefined): string {
  if (value === undefined) return '?';
  if (!(value instanceof Uint8Array)) return valueText(value);
  return value.length > maxShownBytes ? `(${value.length} bytes)` : `0x${hexText(value).replaceAll(' ', '')}`;
}

/** Returns the messages in a packet in order, also those that were not taken. */
export function messagesIn({ packet, direction, fates, stream }: PacketEntry) {
  if (packet?.kind !== 'chunks') return [];
  const { payload, version } = packet;
  const protocol = stream?.protocol ?? protocolOf(version);
  return packet.chunks.map((chunk) => {
    const { start, end } = chunk;
    const message: Message = mayBeMixed(version, direction === 'to_client', payload[start])
      ? readMixedMessage(payload.subarray(start, end), protocol, {})
      : readMessage(payload, start, end, protocol);
    const fate = fates.find((copy) => copy.chunk === chunk && !copy.isRead);
    return { message: stream?.hidesSecrets ? withoutSecrets(message) : message, fate };
  });
}

/** `sv_chat: team 0, client_id 1, message "hello"`, or `sv_chat (again, taken from frame 9): …` if it was not taken */
export function messageLine({ message, fate }: ReturnType<typeof messagesIn>[number]): string {
  const { type, uuid, id, values } = message;
  const name = type?.name ?? `unknown_message_${uuid ?? id ?? ''}`;
  return `${name}${fate ? ` (${fate.fate === 'open' ? 'again' : fateText(fate)})` : ''}${valuesText(values)}`;
}

const valuesText = (values: readonly MessageValue[]) =>
  values.length === 0 ? '' : `: ${values.map(({ name, value }) => `${name} ${messageValueText(value)}`).join(', ')}`;

/** `connection 1 of [::1]:29911 · 0.6 · to_client · ack 5 · 2 chunks` */
export function connectionLine(entry: PacketEntry | DiagnosticEntry): string {
  const { number, client, protocol } = entry.stream!;
  const packet = entry.record === 'packet' && entry.packet?.kind === 'chunks' ? entry.packet : undefined;
  const head = [`connection ${number} of ${client}`, protocol.version, entry.direction];
  if (packet) head.push(`ack ${packet.ack}`, count(packet.chunks.length, 'chunk'));
  if (packet?.resend) head.push('resend requested');
  return head.join(' · ');
}

/** `control close: reason "bye"` */
export function controlLine(packet: Packet): string {
  const name = controlsOf(packet.version)[packet.control!] ?? packet.control;
  const values = readControl(packet).filter(({ name: value }) => value !== 'code' && value !== 'padding');
  return `control ${name}${valuesText(values)}`;
}

/**
 * A packet without a connection: `connectionless gie3: 15 bytes`, `handshake token_request`; undefined if it is not the
 * games'.
 */
export function unconnectedLine(bytes: Uint8Array): string | undefined {
  const version = connlessVersion(bytes);
  if (version && isWrittenByGames(bytes)) {
    const values = readConnless(bytes, { version });
    const at = values.findIndex((value) => value.name === 'name');
    const fields = values.slice(at + 1).filter(({ name }) => name !== 'data' && name !== 'padding');
    const head = at < 0 ? '' : ` ${messageValueText(values[at]!.value)}`;
    const info = at < 0 || fields.length === 0 ? '' : `\nserver_info${valuesText(fields)}`;
    return `connectionless${head}: ${bytes.length} bytes${info}`;
  }
  const step = handshakeStepOf(bytes);
  return step && `handshake ${step.kind}`;
}

/** `✗ huffman_no_eof: …`, or `! wrong_token: …` for a warning */
export const findingText = ({ diagnostic }: DiagnosticEntry): string =>
  `${diagnostic.severity === 'error' ? '✗' : '!'} ${diagnostic.code}: ${diagnosticMessage(diagnostic)}`;

/**
 * The maximum number of items in a comment for human readers; further items are counted. The values contain all items.
 */
const maxItemLines = 64;

interface SnapshotLineOptions {
  readonly types: ItemTypes;
  readonly filter: RecordFilter;
  readonly players: Players;
}

const nothing: Comparison = { removed: [], added: [], changed: [], same: 0, reordered: false };

/**
 * Describes a snapshot and its differences from its base:
 * ```
 * tick 34174 on 34172 · crc ok 796 · 2 items changed, 1 added, 1 removed
 * obj_character/0 "six": x 784 → 790, vel_x 0 → 256
 * + obj_projectile/3: x 784, y 305, type 2
 * - obj_pickup/8
 * ```
 */
export function snapshotLines(entry: SnapshotEntry, options: SnapshotLineOptions): string[] {
  const { before, snapshot, kind } = entry;
  const changes = snapshot && kind !== 'empty' ? compare(before ?? new Snapshot(), snapshot) : nothing;
  const lines = [headOf(entry, changes)];
  if (!snapshot) return lines;
  const { types, filter } = options;
  const isShown = (from: Snapshot, i: number) => filter.all || filter.item(types, from.type(i), from.id(i));
  const changed = changes.changed.filter((change) => isShown(snapshot, change.new));
  const added = changes.added.filter((i) => isShown(snapshot, i));
  const removed = changes.removed.filter((i) => isShown(before!, i));
  const left = () => maxItemLines + 1 - lines.length;
  for (const change of changed.slice(0, left())) {
    const item = itemIn(types, snapshot, change.new, before!.item(change.old));
    lines.push(`${title(snapshot, change.new, options)}: ${changeText(item)}`);
  }
  for (const i of added.slice(0, left())) {
    const values = addedText(itemIn(types, snapshot, i));
    lines.push(`+ ${title(snapshot, i, options)}${values === '' ? '' : `: ${values}`}`);
  }
  for (const i of removed.slice(0, left())) lines.push(`- ${title(before!, i, options)}`);
  const all = changed.length + added.length + removed.length;
  if (all > maxItemLines) lines.push(`… ${count(all - maxItemLines, 'more item')}`);
  return lines;
}

function headOf(entry: SnapshotEntry, { changed, added, removed }: Comparison): string {
  const { tick, base, parts, snapshot } = entry;
  const changes = Object.entries({ changed, added, removed })
    .filter(([, { length }]) => length > 0)
    .map(([change, { length }], i) => `${i === 0 ? count(length, 'item') : thousands(length)} ${change}`);
  return [
    `tick ${tick} on ${base === -1 ? 'the empty snapshot' : base}`,
    ...(parts > 1 ? [`in ${parts} parts`] : []),
    checksumText(entry),
    ...(snapshot ? [changes.join(', ') || 'nothing changed'] : []),
  ].join(' · ');
}

/** The forms must be those that the post-dissector reads. */
function checksumText({ verdict, announced, snapshot, cause }: SnapshotEntry): string {
  if (isNotRebuilt(verdict)) return `not rebuilt: ${reasons[verdict]}${cause ? ` (${cause.code})` : ''}`;
  const rebuilt = snapshot!.checksum();
  if (announced === undefined) return `crc ${rebuilt}, none announced`;
  return verdict === 'ok' ? `crc ok ${rebuilt}` : `crc mismatch: announced ${announced}, rebuilt ${rebuilt}`;
}

/** `obj_character/0 "six"` */
function title(snapshot: Snapshot, i: number, { types, players }: SnapshotLineOptions): string {
  const name = types.nameOf(snapshot.type(i));
  const player = clientItems.has(name) ? players.nameOf(snapshot.id(i)) : undefined;
  return `${name}/${snapshot.id(i)}${player === undefined ? '' : ` ${quotedName(player)}`}`;
}

/** `x 784 → 790, vel_x 0 → 256`; ints without a field are named by their index, `[22] 0 → 1`. */
function changeText(item: ItemNode): string {
  const { now } = item;
  const old = item.was!;
  const fields = item.known?.fields ?? [];
  const before = fieldsOf(item, old) ?? {};
  const after = fieldsOf(item) ?? {};
  const texts = fields.flatMap(({ name }) => {
    const was = valueText(before[name]);
    const is = valueText(after[name]);
    return was === is ? [] : [`${name} ${was} → ${is}`];
  });
  const last = fields.at(-1);
  const known = last ? last.at + last.ints : 0;
  for (let k = known; k < Math.max(old.length, now.length) && texts.length < maxItemLines; k++) {
    if (old[k] !== now[k]) texts.push(`[${k}] ${old[k] ?? '-'} → ${now[k] ?? '-'}`);
  }
  return texts.join(', ');
}

/** The fields that are not 0. */
const addedText = (item: ItemNode): string =>
  Object.entries(fieldsOf(item) ?? {})
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => `${name} ${valueText(value)}`)
    .join(', ');

/**
 * `obj_character/0 1243 784 305 …`: the values of the fields in the order of the schema, and surplus ints after ` + `.
 */
export function valuesLine(snapshot: Snapshot, i: number, types: ItemTypes): string {
  const item = itemIn(types, snapshot, i);
  const { id, ints, known } = item;
  const last = known?.fields.findLast(({ at, ints: own }) => at + own <= ints.length);
  const surplus = ints.subarray(last ? last.at + last.ints : 0);
  const head = [`${types.nameOf(item.type)}/${id}`, ...Object.values(fieldsOf(item) ?? {}).map(valueText)];
  return [...head, ...(surplus.length > 0 ? ['+', ...surplus] : [])].join(' ');
}

const marks = new WeakMap<Protocol, string>();

/**
 * Eight digits that identify the fields of all items of a protocol, since values without names require the same schema.
 */
export function schemaMark(protocol: Protocol): string {
  return getOr(marks, protocol, () => {
    const text = protocol.items.map(({ name, fields }) => [name, ...fields.map((field) => field.name)].join(' '));
    return crc32(new TextEncoder().encode(text.join('\n')))
      .toString(16)
      .padStart(8, '0');
  });
}

const decoder = new TextDecoder();

/** The first line of a comment with values, and the lines about packets without a connection. */
const firstLine =
  /^(values of tick -?\d+ · 0\.[67] · schema [\da-f]{8}|connectionless.*: \d+ bytes|handshake [a-z_]+|[✗!] [a-z\d]+(_[a-z\d]+)+: .*)$/;
/** The last line of all other comments. */
const lastLine = /^connection \d+ of .* · 0\.[67] · to_(client|server)($| · )/;

/** Whether `annotate` wrote a comment. Annotating the file again replaces such comments. */
export function isOwnComment(comment: Uint8Array): boolean {
  const lines = decoder.decode(comment).split('\n');
  return firstLine.test(lines[0]!) || lastLine.test(lines.at(-1)!);
}
