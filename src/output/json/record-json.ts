import type { DemoHeader } from '../../recording/container/demo/header.ts';
import { RecordingClock } from '../../recording/replay/clock.ts';
import {
  isNotRebuilt,
  type RecordFilter,
  type RecordingEntry,
  type SnapshotEntry,
} from '../../recording/replay/record.ts';
import type { Stream } from '../../recording/replay/stream.ts';
import { AppendBuffer } from '../../wire/bytes/buffers.ts';
import { getOr } from '../../wire/bytes/get-or.ts';
import { messageJson } from '../../wire/packet/message.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { select } from '../../wire/snapshot/builder.ts';
import { compare } from '../../wire/snapshot/compare.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { packetFinding } from '../phrases/recording-phrases.ts';
import { valuesOf } from '../results/fields.ts';
import { ghostMapFields } from '../results/info.ts';
import { jsonText } from '../text/escape.ts';
import { ItemTexts } from '../text/item-texts.ts';
import type { EventRecord } from '../timeline/lines.ts';
import { deltaJson, diagnosticJson, diffJson, itemsJson, type TypedSnapshot } from './item-json.ts';
import { jsonItems } from './json-items.ts';

interface RecordSelection {
  readonly filter: RecordFilter;
  /**
   * Whether only differences are shown: from the base, or from the preceding snapshot if a full one of a demo has none.
   */
  readonly changes: boolean;
}

/** A record as an object, whose keys that are undefined are not in its text; undefined if it is not selected. */
function recordJson(entry: RecordingEntry, selection: RecordSelection): object | undefined {
  const { filter } = selection;
  switch (entry.record) {
    case 'header':
      return headerJson(entry.header, entry.stream.protocol);
    case 'ghost': {
      const { version, owner, characters, time } = entry.ghost;
      const map = valuesOf(ghostMapFields, entry.ghost);
      return { record: 'header', format: 'ghost', version, player: owner, map, characters, time_ms: time };
    }
    case 'tick':
      return filter.all ? { record: 'tick', tick: entry.tick, keyframe: entry.keyframe } : undefined;
    case 'connection': {
      const { record, time, frame } = entry;
      const { number: connection, client, server, version } = entry.stream;
      return { record, time, frame, connection, client, server, version: version ?? null };
    }
    case 'copy':
    case 'message': {
      const { record, direction, tick, time, frame, fate } = entry;
      if (!filter.all && !filter.message(entry.head.type?.name, entry.head.uuid)) return undefined;
      const message = messageJson(entry.message, entry.certainty);
      // Most of a server's demo: one spread into an object of fixed keys is several times as fast as three.
      if (time === undefined) return { record, tick, ...message };
      const { client } = entry.stream!;
      return { record, time, frame, client, direction, fate: fate?.fate, fate_frame: fate?.frame, ...message };
    }
    case 'snapshot': {
      const content = snapshotJson(entry, selection);
      return content && { ...snapshotHead(entry), ...content };
    }
    case 'server_info': {
      const { time, frame, info } = entry;
      if (!filter.all) return undefined;
      const missing = Number.isFinite(info.missing) ? info.missing : null;
      return { record: 'server_info', time, frame, ...info.fields, players: info.players, missing };
    }
    case 'info_exchange': {
      const { record, time, frame, step, client, server, kind, token, tokenOf: token_of } = entry;
      const exchange = { record, time, frame, client, server, step, kind, token };
      return filter.all ? { ...exchange, ...(token_of !== undefined && { token_of }) } : undefined;
    }
    case 'handshake': {
      const { record, time, frame, client, server, direction, version, step } = entry;
      return filter.all ? { record, time, frame, client, server, direction, version, step } : undefined;
    }
    case 'close':
      return { ...headOf(entry), direction: entry.direction, reason: entry.reason };
    case 'diagnostic': {
      const { diagnostic, direction, tick } = entry;
      if (direction === undefined) {
        const place = entry.time === undefined ? { tick } : { time: entry.time, frame: entry.frame };
        return { record: 'diagnostic', ...place, ...diagnosticJson(diagnostic) };
      }
      const { severity, code } = diagnostic;
      return { ...headOf(entry), direction, severity, code, message: packetFinding(entry) };
    }
    // The bytes of a file, which hexdumps show, and the end of what is known of a stream.
    case 'map':
    case 'chunk':
    case 'block':
    case 'packet':
    case 'drop':
      return undefined;
    default:
      return entry satisfies never;
  }
}

/** An event as a record: a player is `{id, name}`, and `sentence` the words of the timeline. */
export const eventJson =
  (file: string | undefined): EventRecord =>
  ({ what, ...values }, place, text) => {
    const { seconds } = place;
    const at =
      'tick' in place
        ? { tick: place.tick }
        : { time: place.time, frame: place.frames[0], client: place.client || undefined };
    const origin = { ...(file !== undefined && { file }), ...(Number.isFinite(seconds) && { seconds }), ...at };
    return jsonText({ record: 'event', ...origin, event: what, fields: named(values), sentence: text });
  };

/** The values of an event with the names of keys that JSON has everywhere. */
function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named);
  if (typeof value !== 'object' || value === null) return value;
  if ('client' in value && 'name' in value) return { id: value.client, name: value.name ?? null };
  const renamed = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [renamed(key), named(field)]));
}

function snapshotJson(
  { before = new Snapshot(), snapshot, stream, unapplied }: SnapshotEntry,
  { filter, changes }: RecordSelection,
) {
  if (unapplied) {
    const { removed, items } = deltaJson(unapplied, filter);
    return filter.all || removed.length + items.length > 0 ? { removed, items } : undefined;
  }
  if (!snapshot) return {};
  const now = selected(snapshot, stream, filter);
  if (!changes) return now.snapshot.count === 0 && !filter.all ? undefined : { items: itemsJson(now) };
  const old = selected(before, stream, filter);
  const { removed, added, changed } = diffJson(old, now, compare(old.snapshot, now.snapshot));
  if (!filter.all && removed.length + added.length + changed.length === 0) return undefined;
  return { removed, added, changed };
}

/** @param known the types of another snapshot: nearly all have the same registrations */
function selected(whole: Snapshot, { protocol }: Stream, filter: RecordFilter, known?: ItemTypes): TypedSnapshot {
  const types = known?.areOf(whole, protocol) ? known : new ItemTypes(protocol).onSnapshot(whole);
  return { snapshot: filter.all ? whole : select(whole, (type, id) => filter.item(types, type, id)), types, whole };
}

function headerJson(header: DemoHeader, protocol: Protocol) {
  const { version, netVersion, mapName, mapSize, mapCrc, sha256, type, length, timestamp, markers } = header;
  return {
    record: 'header',
    format: 'demo',
    version,
    net_version: netVersion,
    protocol: protocol.version,
    map: { name: mapName, size: mapSize, crc: mapCrc, sha256: sha256 ?? null },
    type,
    length,
    timestamp,
    markers,
  };
}

/** The keys of every record of a capture. */
const headOf = ({ record, time, frame, stream }: RecordingEntry) =>
  time === undefined ? { record } : { record, time, frame, client: stream!.client };

function snapshotHead(entry: SnapshotEntry) {
  const { record, time, frame, tick, kind, base, snapshot, announced, verdict, uncertain } = entry;
  const crc = snapshot?.checksum() ?? null;
  if (time === undefined)
    return {
      record,
      tick,
      kind,
      base: entry.unapplied ? null : entry.assumesEmptyBase ? 'assumed_empty' : undefined,
      crc,
      doubtful: uncertain ? true : undefined,
    };
  return {
    record,
    time,
    frame,
    client: entry.stream.client,
    tick,
    base,
    kind,
    crc,
    expected: announced ?? null,
    ok: snapshot ? verdict !== 'mismatch' : null,
    reason: isNotRebuilt(verdict) ? verdict : undefined,
  };
}

const comma = 0x2c;
const lineEnd = new TextEncoder().encode(']}\n');

/**
 * The lines of `dump -t ndjson`: each is the text of {@link recordJson}. Those with items, most of the output, are
 * written faster.
 */
export class RecordLines {
  readonly #selection: RecordSelection;
  readonly #file: string;
  /** One per stream, since most items equal those of the preceding snapshot. */
  readonly #texts = new WeakMap<Stream, ItemTexts>();
  #types: ItemTypes | undefined;
  readonly #line = new AppendBuffer();
  /** Each record has its seconds after its kind, where these are known. */
  readonly clock = new RecordingClock();

  /** @param file the file name in each record if there are several files */
  constructor(selection: RecordSelection, file?: string) {
    this.#selection = selection;
    this.#file = file === undefined ? '' : `,"file":${jsonText(file)}`;
  }

  /** The record as a line, which is valid until the next one; empty if it is not selected. */
  add(entry: RecordingEntry): string | Uint8Array {
    if (entry.record === 'snapshot' && entry.snapshot && !this.#selection.changes) {
      return this.#withItems(entry, entry.snapshot);
    }
    const json = recordJson(entry, this.#selection);
    return json === undefined ? '' : `${this.#text(json, entry)}\n`;
  }

  #text(record: object, { stream, time }: RecordingEntry): string {
    const text = jsonText(record);
    // Requests for server information belong to no connection.
    const seconds = stream || time === undefined ? this.clock.seconds : this.clock.ofTime(time);
    const at = text.indexOf(',');
    return `${text.slice(0, at)}${this.#file}${Number.isFinite(seconds) ? `,"seconds":${seconds}` : ''}${text.slice(at)}`;
  }

  #withItems(entry: SnapshotEntry, whole: Snapshot): string | Uint8Array {
    const { stream } = entry;
    const { filter } = this.#selection;
    const { snapshot, types } = selected(whole, stream, filter, this.#types);
    this.#types = types;
    if (snapshot.count === 0 && !filter.all) return '';
    const texts = getOr(this.#texts, stream, () => new ItemTexts(jsonItems));
    const line = this.#line;
    line.clear();
    line.text(`${this.#text(snapshotHead(entry), entry).slice(0, -1)},"items":[`);
    for (let i = 0; i < snapshot.count; i++) {
      if (i > 0) line.byte(comma);
      texts.append(line, snapshot, i, types);
    }
    line.bytes(lineEnd);
    return line.view();
  }
}
