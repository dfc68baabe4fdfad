import { type Message, readMessage } from '../../packet/message.ts';
import type { Protocol, Version } from '../../protocol/registry.ts';
import type { DemoRecord, SnapshotRecord } from '../../recording/demo.ts';
import { compare } from '../../snapshot/compare.ts';
import { ItemTypes } from '../../snapshot/item-types.ts';
import { select } from '../../snapshot/select.ts';
import { Snapshot } from '../../snapshot/snapshot.ts';
import type { TypedSnapshot } from '../table/typed-snapshot.ts';
import { jsonText } from '../text/escape.ts';
import { ItemTexts } from './item-texts.ts';
import { diagnosticJson, diffJson } from './json.ts';
import { messageJson } from './message-json.ts';

/** What is kept of the items and messages. */
export interface RecordFilter {
  readonly all: boolean;
  item(types: ItemTypes, type: number, id: number): boolean;
  message(name: string | undefined): boolean;
}

/** The records of a demo for scripts, as `dump -t ndjson` prints them. */
export class DumpJson {
  readonly #kept: RecordFilter;
  readonly #changes: boolean;
  readonly #texts = new ItemTexts();
  #protocol: Protocol | undefined;

  /** @param changes of snapshots only what differs from the one before */
  constructor(kept: RecordFilter, changes: boolean) {
    this.#kept = kept;
    this.#changes = changes;
  }

  /** The record as a line; empty for what is not kept. */
  add(record: DemoRecord): string {
    if (record.record === 'snapshot' && !this.#changes) return this.#whole(record);
    const json = this.#json(record);
    return json === undefined ? '' : `${jsonText(json)}\n`;
  }

  #json(record: DemoRecord): object | undefined {
    switch (record.record) {
      case 'header': {
        this.#protocol = record.protocol;
        const { version, netVersion, mapName, mapSize, mapCrc, sha256, type, length, timestamp, markers } =
          record.header;
        return {
          record: 'header',
          format: 'demo',
          version,
          net_version: netVersion,
          protocol: record.protocol.version,
          map: { name: mapName, size: mapSize, crc: mapCrc, sha256: sha256 ?? null },
          type,
          length,
          timestamp,
          markers,
        };
      }
      case 'map':
        return undefined;
      case 'tick':
        return this.#kept.all ? { record: 'tick', tick: record.tick, keyframe: record.keyframe } : undefined;
      case 'snapshot':
        return this.#changed(record);
      case 'message': {
        const message = demoMessage(record.bytes, this.#protocol!.version);
        if (!this.#kept.message(message.type?.name)) return undefined;
        return { record: 'message', tick: record.tick, ...messageJson(message) };
      }
      case 'finding':
        return { record: 'diagnostic', tick: record.tick, ...diagnosticJson(record.finding) };
    }
  }

  /** All items of a snapshot, as text at once: this is most of the output. */
  #whole(record: SnapshotRecord): string {
    const types = new ItemTypes(this.#protocol!).onSnapshot(record.snapshot);
    const shown = this.#shown(record.snapshot, types);
    if (shown.count === 0 && !this.#kept.all) return '';
    return `${jsonText(headOf(record)).slice(0, -1)},"items":[${this.#texts.of(shown, types)}]}\n`;
  }

  #changed(record: SnapshotRecord): object {
    const { snapshot, before = new Snapshot() } = record;
    const side = (whole: Snapshot): TypedSnapshot => {
      const types = new ItemTypes(this.#protocol!).onSnapshot(whole);
      return { snapshot: this.#shown(whole, types), types, whole };
    };
    const old = side(before);
    const now = side(snapshot);
    const { removed, added, changed } = diffJson(old, now, compare(old.snapshot, now.snapshot));
    return { ...headOf(record), removed, added, changed };
  }

  #shown(snapshot: Snapshot, types: ItemTypes): Snapshot {
    return this.#kept.all ? snapshot : select(snapshot, (type, id) => this.#kept.item(types, type, id));
  }
}

function headOf({ tick, kind, snapshot, uncertain: doubtful }: SnapshotRecord) {
  return { record: 'snapshot', tick, kind, crc: snapshot.checksum(), ...(doubtful ? { doubtful } : {}) };
}

/** The message of a record. */
export function demoMessage(bytes: Uint8Array, version: Version): Message {
  return readMessage(bytes, 0, bytes.length, version, { padded: true });
}
