import { AppendBuffer } from '../../bytes/append-buffer.ts';
import type { DemoHeader } from '../../container/demo/header.ts';
import { messageJson } from '../../packet/message-json.ts';
import type { Protocol } from '../../protocol/registry.ts';
import { isLoss, type RecordingEntry, type SnapshotEntry, type Stream } from '../../recording/record.ts';
import type { RecordFilter } from '../../recording/record-filter.ts';
import { compare } from '../../snapshot/compare.ts';
import { ItemTypes } from '../../snapshot/item-types.ts';
import { select } from '../../snapshot/select.ts';
import { Snapshot } from '../../snapshot/snapshot.ts';
import type { TypedSnapshot } from '../table/typed-snapshot.ts';
import { jsonText } from '../text/escape.ts';
import { packetFinding } from '../text/recording-phrases.ts';
import { ItemTexts } from './item-texts.ts';
import { diagnosticJson, diffJson } from './json.ts';

const encoder = new TextEncoder();
const lineEnd = encoder.encode(']}\n');

/** The records of a recording for scripts, as `dump -t ndjson` prints them. */
export class DumpJson {
  readonly #filter: RecordFilter;
  readonly #changes: boolean;
  readonly #file: string;
  /** One per stream, since most items equal those of the preceding snapshot. */
  readonly #texts = new WeakMap<Stream, ItemTexts>();
  readonly #line = new AppendBuffer();

  /**
   * @param changes whether to print only differences from the base, or from the preceding snapshot if a full one of a
   * demo has none
   * @param file the file name in each record if there are several files
   */
  constructor(filter: RecordFilter, changes: boolean, file?: string) {
    this.#filter = filter;
    this.#changes = changes;
    this.#file = file === undefined ? '' : `,"file":${jsonText(file)}`;
  }

  /** The record as a line, which is valid until the next one; empty if it is not selected. */
  add(entry: RecordingEntry): string | Uint8Array {
    if (entry.record === 'snapshot') return this.#snapshot(entry);
    const json = this.#json(entry);
    return json === undefined ? '' : `${this.#text(json)}\n`;
  }

  #text(record: object): string {
    const text = jsonText(record);
    return this.#file === '' ? text : text.replace(/^\{"record":"\w+"/, (start) => start + this.#file);
  }

  #json(entry: Exclude<RecordingEntry, SnapshotEntry>): object | undefined {
    switch (entry.record) {
      case 'header':
        return headerJson(entry.header, entry.stream.protocol);
      case 'tick':
        return this.#filter.all ? { record: 'tick', tick: entry.tick, keyframe: entry.keyframe } : undefined;
      case 'connection': {
        const { number: connection, client, server, version } = entry.stream;
        return {
          record: 'connection',
          time: entry.time,
          frame: entry.frame,
          connection,
          client,
          server,
          version: version ?? null,
        };
      }
      case 'message': {
        const { record, direction, tick, time, frame } = entry;
        if (!this.#filter.all && !this.#filter.message(entry.head.type?.name)) return undefined;
        const { message } = entry;
        // Most of a server's demo: one spread into an object of fixed keys is several times as fast as three.
        if (time === undefined) return { record, tick, ...messageJson(message, entry.certainty) };
        return {
          record,
          time,
          frame,
          client: entry.stream!.client,
          direction,
          ...messageJson(message, entry.certainty),
        };
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
      default:
        return undefined;
    }
  }

  #snapshot(entry: SnapshotEntry): string | Uint8Array {
    const head = this.#text(snapshotHead(entry));
    const { snapshot } = entry;
    if (!snapshot) return `${head}\n`;
    const start = head.slice(0, -1);
    if (!this.#changes) return this.#items(start, snapshot, entry.stream);
    const changed = this.#changed(entry, snapshot);
    return changed === undefined ? '' : `${start},${changed}}\n`;
  }

  /** A line with all items, which are most of the output. */
  #items(start: string, snapshot: Snapshot, stream: Stream): string | Uint8Array {
    const types = new ItemTypes(stream.protocol).onSnapshot(snapshot);
    const shown = this.#selected(snapshot, types);
    if (shown.count === 0 && !this.#filter.all) return '';
    let texts = this.#texts.get(stream);
    if (!texts) {
      texts = new ItemTexts();
      this.#texts.set(stream, texts);
    }
    const line = this.#line;
    line.clear();
    line.text(`${start},"items":[`);
    line.bytes(texts.of(shown, types));
    line.bytes(lineEnd);
    return line.view();
  }

  #changed({ before = new Snapshot(), stream }: SnapshotEntry, snapshot: Snapshot): string | undefined {
    const typed = (whole: Snapshot): TypedSnapshot => {
      const types = new ItemTypes(stream.protocol).onSnapshot(whole);
      return { snapshot: this.#selected(whole, types), types, whole };
    };
    const [old, now] = [typed(before), typed(snapshot)];
    const { removed, added, changed } = diffJson(old, now, compare(old.snapshot, now.snapshot));
    if (!this.#filter.all && removed.length + added.length + changed.length === 0) return undefined;
    return jsonText({ removed, added, changed }).slice(1, -1);
  }

  #selected(snapshot: Snapshot, types: ItemTypes): Snapshot {
    return this.#filter.all ? snapshot : select(snapshot, (type, id) => this.#filter.item(types, type, id));
  }
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
  const { tick, kind, base, snapshot, announced, verdict, uncertain } = entry;
  const crc = snapshot?.checksum() ?? null;
  if (entry.time === undefined)
    return { record: 'snapshot', tick, kind, crc, ...(uncertain ? { doubtful: true } : {}) };
  const sums = { crc, expected: announced ?? null, ok: snapshot ? verdict !== 'mismatch' : null };
  return { ...headOf(entry), tick, base, kind, ...sums, ...(isLoss(verdict) ? { reason: verdict } : {}) };
}
