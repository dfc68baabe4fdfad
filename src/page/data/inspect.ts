import { type Dumped, valueText } from '../../output/hexdump/hexdump.ts';
import { numberText, quote } from '../../output/text/escape.ts';
import { count, thousands } from '../../output/text/number.ts';
import { playerOf } from '../../recording/events/players.ts';
import { type ByteForm, formsOf } from '../../wire/annotate/bits.ts';
import type { Value } from '../../wire/annotate/field-values.ts';
import { ItemNode, itemOf } from '../../wire/annotate/item-node.ts';
import { annotateContents, annotateFields } from '../../wire/annotate/packet-spans.ts';
import { annotate } from '../../wire/annotate/payload-spans.ts';
import type { Content, Span } from '../../wire/annotate/span.ts';
import { messageName } from '../../wire/packet/message.ts';
import type { MessageContents, PacketContents } from '../../wire/packet/packet-contents.ts';
import type { EncodingLayers } from '../../wire/payload/encoding-layers.ts';
import { baseFound, type Payload } from '../../wire/payload/payload.ts';
import { clientItems } from '../../wire/protocol/item.ts';
import { compare } from '../../wire/snapshot/compare.ts';
import { Delta } from '../../wire/snapshot/delta.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { idOf, typeOf } from '../../wire/snapshot/key.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';
import type { TrackReader } from '../report/track.ts';
import type { Recording } from './shown-recording.ts';

/** How an item differs from the previous snapshot. `sent` means that the base of the item's delta is not known. */
export type ItemState = 'added' | 'changed' | 'removed' | 'same' | 'sent';

export interface FieldLine {
  readonly label: string;
  /** The previous value; undefined if there is none or it is the same. */
  readonly old: string | undefined;
  readonly now: string;
  readonly meaning: string;
  readonly role: Span['role'];
  /** The index of the span of its bytes; -1 if it was not sent. */
  readonly span: number;
}

export interface ItemLine {
  readonly key: number;
  /** The item's part of a link: `obj_character/0`. */
  readonly link: string;
  readonly name: string;
  readonly id: number;
  readonly player: string | undefined;
  /** The tick of a character's values, if it is older than the snapshot. */
  readonly sentAt?: number | undefined;
  readonly state: ItemState;
  /** The index of its first span; -1 if it was not sent. */
  readonly span: number;
  readonly fields: () => FieldLine[];
}

export interface Inspected {
  readonly title: string;
  readonly summary: string;
  /** Whether an earlier snapshot could not be read, so that this one may be wrong. */
  readonly isUncertain: boolean;
  readonly payload: Dumped;
  /** How the bits of each byte are grouped. */
  readonly forms: readonly ByteForm[];
  /** Of a demo's message: the ints that are in the file, four bytes of the message each. */
  readonly recorded?: EncodingLayers | undefined;
  readonly spans: readonly Span[];
  /** The key of the item that each span belongs to. */
  readonly keys: readonly (number | undefined)[];
  readonly items: readonly ItemLine[];
}

/** A snapshot of a recording, which knows the players and how old characters are. */
export function inspect(recording: Recording, position: number): Inspected {
  recording.see(position);
  return inspectSnapshot(recording.reader, recording.shown[position]!, {
    player: (client) => recording.nameOf(client),
    sentAt: (snapshot, i, tick) => recording.characters.sentAt(snapshot, i, tick),
  });
}

/** A snapshot or delta by its number in the track. */
export function inspectSnapshot(reader: TrackReader, index: number, known?: Known): Inspected {
  const { protocol, track } = reader;
  const payload = reader.payload(index);
  const spans = annotate(payload);
  const sent = new SentItems(payload, spans);
  const now = reader.snapshot(index);
  const before = reader.before(index);
  const types = new ItemTypes(protocol);
  if (before) types.onSnapshot(before);
  types.onSnapshot(now ?? payload.body);
  const { tick, kind, payload: file, offset, uncertain, announced } = track.snapshots[index]!;
  const items = now ? linesOf(before, now, types, sent, known, tick) : bareLines(payload, sent);
  const { bits, bytes } = payload.layers;
  const place = offset >= 0 && tick >= 0 ? ` at 0x${offset.toString(16)} of the file` : '';
  const unpacked = bits ? `, ${thousands(bytes.length)} unpacked` : '';
  const there = items.filter(({ state }) => state !== 'removed').length;
  return {
    title: tick < 0 ? 'Items and bytes' : `Tick ${tick}`,
    summary: `${kind === 'snapshot' ? 'full snapshot' : 'delta'} of ${count(file.length, 'byte')}${place}${unpacked}; ${count(there, 'item')}${checksumText(now?.checksum(), announced)}`,
    isUncertain: uncertain,
    payload,
    forms: formsOf(payload),
    spans,
    keys: sent.keys,
    items,
  };
}

function checksumText(sum: number | undefined, announced: number | undefined): string {
  if (sum === undefined) return announced === undefined ? '' : '; it cannot be rebuilt';
  if (announced === undefined) return `; checksum ${sum}`;
  return announced === sum ? `; checksum ${sum} ✓ as announced` : `; checksum ${sum} ✗ announced ${announced}`;
}

/** Finds the spans of the items of a payload. */
class SentItems {
  readonly keys: (number | undefined)[];
  readonly #first = new Map<number, number>();
  readonly #spans: readonly Span[];

  /** @param at the offset of the payload in the bytes that the spans cover */
  constructor({ body, layers }: Payload, spans: readonly Span[], at = 0) {
    this.#spans = spans;
    this.keys = new Array(spans.length).fill(undefined);
    const { offsets, length } = layers.ints;
    const byStart = new Map(spans.map(({ start }, i) => [start, i]));
    const claim = (key: number, from: number, to: number) => {
      const first = byStart.get(at + offsets![Math.min(from, length)]!);
      const end = at + offsets![Math.min(to, length)]!;
      if (first === undefined) return;
      if (!this.#first.has(key)) this.#first.set(key, first);
      for (let i = first; i < spans.length && spans[i]!.start < end; i++) this.keys[i] = key;
    };
    if (body instanceof Delta) {
      for (let i = 0; i < body.removedCount; i++) claim(body.removedKey(i), 3 + i, 4 + i);
      for (let i = 0; i < body.count; i++) claim(body.keys[i]!, body.start(i), body.starts[i]! + body.sizes[i]!);
    } else for (let i = 0; i < body.count; i++) claim(body.keys[i]!, body.start(i), body.start(i) + 1 + body.size(i));
  }

  spanOf(key: number): number {
    return this.#first.get(key) ?? -1;
  }

  field(key: number, label: string): number {
    for (let i = this.spanOf(key); i >= 0 && this.keys[i] === key; i++) if (this.#spans[i]!.label === label) return i;
    return -1;
  }
}

/** What a recording knows beyond the snapshot that is inspected. */
interface Known {
  /** The name of a player that the snapshot itself does not have. */
  player(client: number): string | undefined;
  /** The tick of the values of item `i`, if they are older than the snapshot. */
  sentAt?(snapshot: Snapshot, i: number, tick: number): number | undefined;
}

function linesOf(
  before: Snapshot = new Snapshot(),
  now: Snapshot,
  types: ItemTypes,
  sent: SentItems,
  known?: Known,
  tick = -1,
): ItemLine[] {
  const line = (snapshot: Snapshot, i: number, state: ItemState, old?: Int32Array): ItemLine => {
    const key = snapshot.keys[i]!;
    const isOfClient = clientItems.has(types.of(typeOf(key))?.name ?? '');
    const player = playerOf(snapshot, types, typeOf(key), idOf(key));
    return {
      ...headOf(key, types, sent, state, player ?? (isOfClient ? known?.player(idOf(key)) : undefined)),
      sentAt: snapshot === now ? known?.sentAt?.(now, i, tick) : undefined,
      fields: () => fieldsOf(new ItemNode(types, key, { ints: snapshot.item(i), was: old }), sent),
    };
  };
  const found = compare(before, now);
  const changed = new Map(found.changed.map(({ old, new: is }) => [is, old]));
  const added = new Set(found.added);
  const lines = Array.from({ length: now.count }, (_, i) => {
    const old = changed.get(i);
    if (old !== undefined) return line(now, i, 'changed', before.item(old));
    return line(now, i, added.has(i) ? 'added' : 'same');
  });
  return [...lines, ...found.removed.map((i) => line(before, i, 'removed'))];
}

/** The items of a delta whose base is not known. */
function bareLines(payload: Payload, sent: SentItems): ItemLine[] {
  const { body, types } = payload;
  const lines = Array.from({ length: body.count }, (_, i): ItemLine => {
    const key = body.keys[i]!;
    return {
      ...headOf(key, types, sent, baseFound(payload) === 'empty' ? 'added' : 'sent', undefined),
      fields: () => fieldsOf(itemOf(payload, i), sent),
    };
  });
  if (!(body instanceof Delta)) return lines;
  const removed = Array.from({ length: body.removedCount }, (_, i): ItemLine => {
    return { ...headOf(body.removedKey(i), types, sent, 'removed', undefined), fields: () => [] };
  });
  return [...lines, ...removed];
}

function headOf(key: number, types: ItemTypes, sent: SentItems, state: ItemState, player: string | undefined) {
  const type = typeOf(key);
  const id = idOf(key);
  const name = types.nameOf(type);
  return { key, link: `${name}/${id}`, name, id, player, state, span: sent.spanOf(key) };
}

function fieldsOf(item: ItemNode, sent: SentItems): FieldLine[] {
  return [...item.values()].map((value) => {
    const described = item.describe(value);
    const { role, symbol, quantity } = described;
    return {
      label: value.label,
      now: described.isDifference || role !== 'text' ? valueText(described) : contentText(described.value, value),
      role,
      span: sent.field(item.key, value.label),
      old: undefined,
      meaning: symbol ?? quantity ?? '',
      ...changeOf(item, value),
    };
  });
}

function changeOf(item: ItemNode, value: Value): Partial<FieldLine> {
  const { old: was, new: is, step } = item.change(value) ?? {};
  if (was === is) return {};
  const difference = typeof was === 'number' && typeof is === 'number' ? signed((is - was) | 0) : '';
  return { old: contentText(was, value), meaning: [difference, step ?? ''].filter(Boolean).join('   ') };
}

const signed = (value: number) => (value > 0 ? `+${value}` : String(value));

const contentText = (content: Content, { meaning }: Value) =>
  typeof content === 'string' && meaning.kind === 'text' ? quote(content) : numberText(content);

/** Messages are numbered downward from this key, which is less than the key of any item. */
const firstKey = -(2 ** 32);

/** Annotates a packet or message. Messages are listed like items, and each is followed by the items of its delta. */
export function inspectContents(contents: PacketContents, known?: Known): Inspected {
  const spans = annotateContents(contents);
  const keys: (number | undefined)[] = new Array(spans.length).fill(undefined);
  const items = contents.messages.flatMap((entry, number) => {
    const message = messageLine(entry, number, spans);
    const { start, end } = entry.message;
    for (const [i, span] of spans.entries()) if (span.start >= start && span.end <= end) keys[i] = message.key;
    if (!entry.delta) return [message];
    const { payload, at } = entry.delta;
    const { base, result, types } = payload;
    const sent = new SentItems(payload, spans, at);
    for (const [i, key] of sent.keys.entries()) keys[i] = key ?? keys[i];
    return [message, ...(result ? linesOf(base, result, types, sent, known) : bareLines(payload, sent))];
  });
  const { file, bytes, bits } = contents.layers;
  return {
    title: 'Messages, items and bytes',
    summary: count(file.length, 'byte') + (bits ? `, ${thousands(bytes.length)} unpacked` : ''),
    isUncertain: false,
    payload: contents,
    forms: formsOf(contents),
    spans,
    keys,
    items,
  };
}

function messageLine(message: MessageContents, number: number, spans: readonly Span[]): ItemLine {
  const name = messageName(message.message);
  const spanAt = (start: number) => spans.findIndex((span) => span.start === start);
  return {
    key: firstKey - number,
    link: `${name}/${number}`,
    name,
    id: number,
    player: undefined,
    state: 'sent',
    span: spanAt(message.message.start),
    fields: () =>
      annotateFields(message).map(({ start, end, label, role, value, symbol, quantity }) => ({
        label,
        old: undefined,
        now: typeof value === 'string' && role === 'text' ? quote(value) : String(value ?? '…'),
        meaning: symbol ?? quantity ?? '',
        role,
        span: end > start ? spanAt(start) : -1,
      })),
  };
}
