import type { GameEvent, TickEvents } from '../../src/recording/events/event.ts';
import { type EventInput, EventReader } from '../../src/recording/events/events.ts';
import type { Diagnostic } from '../../src/wire/bytes/diagnostic.ts';
import { readMessage } from '../../src/wire/packet/message.ts';
import { messagesOf } from '../../src/wire/protocol/message-registry.ts';
import { protocolOf, type Version } from '../../src/wire/protocol/registry.ts';
import { intsOfText, intsOfUuid } from '../../src/wire/protocol/texts.ts';
import type { Snapshot } from '../../src/wire/snapshot/snapshot.ts';
import { type Bytes, text } from './bytes.ts';
import { toFours } from './capture-builder.ts';
import { ints, messageHead } from './packet-builder.ts';
import { type Item, snapshotOf } from './readers.ts';

export type Fields = Readonly<Record<string, number | string>>;

/** An item by name, id and those fields that are not 0. */
export type MadeItem = readonly [name: string, id: number, fields?: Fields];

/** Players of 0.7 in the order of their numbers. */
export const players07 = (...names: readonly string[]): readonly MadeItem[] =>
  names.flatMap((name, id): readonly MadeItem[] => [
    ['obj_player_info', id],
    ['obj_de_client_info', id, { name, local: id === 0 ? 1 : 0 }],
  ]);

/** A recording that is constructed record by record. */
export class Recording {
  readonly records: EventInput[] = [];
  readonly #version: Version;
  #tick = -1;
  #before: Snapshot | undefined;

  constructor(version: Version, markers: readonly number[] = [], length = 0) {
    this.#version = version;
    this.records.push({ record: 'header', header: { markers, length }, stream: { protocol: protocolOf(version) } });
  }

  tick(tick: number): this {
    this.#tick = tick;
    this.records.push({ record: 'tick', tick });
    return this;
  }

  /** Adds a snapshot with these items, and with the registrations of UUID items. */
  snapshot(...items: readonly MadeItem[]): this {
    const protocol = protocolOf(this.#version);
    const registered = new Map<string, number>();
    const all: Item[] = [];
    for (const [name, id, fields = {}] of items) {
      const item = protocol.byName(name)!;
      let { type } = item;
      if (item.uuid !== undefined) {
        type = registered.get(name) ?? 0x7fff - registered.size;
        if (!registered.has(name)) all.push([0, type, ...intsOfUuid(item.uuid)]);
        registered.set(name, type);
      }
      const ints = new Int32Array(item.size);
      for (const [field, value] of Object.entries(fields)) {
        const { at, ints: count } = item.fields.find((known) => known.name === field)!;
        if (typeof value === 'number') ints[at] = value;
        else ints.set(intsOfText(value, count)!, at);
      }
      all.push([type!, id, ...ints]);
    }
    const snapshot = snapshotOf(...all);
    const kind = this.#before ? 'delta' : 'snapshot';
    this.records.push({ record: 'snapshot', tick: this.#tick, kind, snapshot, before: this.#before });
    this.#before = snapshot;
    return this;
  }

  /** Marks the last snapshot as a full one. */
  full(): this {
    const last = this.records.at(-1)!;
    if (last.record === 'snapshot') this.records[this.records.length - 1] = { ...last, kind: 'snapshot' };
    return this;
  }

  /** A message by name, with all its values in order. */
  message(name: string, ...values: readonly (number | string)[]): this {
    const bytes = messageBytes(this.#version, name, values);
    this.records.push({ record: 'message', bytes, message: demoMessage(this.#version, bytes) });
    return this;
  }

  diagnostic(diagnostic: Diagnostic): this {
    this.records.push({ record: 'diagnostic', diagnostic: diagnostic });
    return this;
  }

  /** The events of the recording, without ticks that have none. */
  events(): readonly TickEvents[] {
    const reader = new EventReader();
    const ticks = this.records.map((record) => reader.add(record));
    return [...ticks, ...reader.finish()].filter(
      (tickEvents): tickEvents is TickEvents => (tickEvents?.events.length ?? 0) > 0,
    );
  }

  /** The events of the last tick. */
  last(): readonly GameEvent[] {
    return this.events().findLast(({ tick }) => tick === this.#tick)?.events ?? [];
  }
}

/** The message in the bytes of a demo. */
export const demoMessage = (version: Version, bytes: Uint8Array) =>
  readMessage(bytes, 0, bytes.length, version, { padded: true });

/** A message as in a demo, padded to whole ints. */
export const messageBytes = (version: Version, name: string, values: readonly (number | string)[]): Uint8Array =>
  Uint8Array.from(toFours(messageOf(version, name, values)));

/** A message by name, with all its values in order. */
export function messageOf(version: Version, name: string, values: readonly (number | string)[]): Bytes {
  const bytes = [...messageHead(messagesOf(version).all.find((type) => type.name === name)!)];
  for (const value of values) bytes.push(...(typeof value === 'number' ? ints(value) : [...text(value), 0]));
  return bytes;
}
