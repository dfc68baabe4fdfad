import { compare } from '../model/compare.ts';
import { ItemTypes } from '../model/item-types.ts';
import { type Message, readMessage } from '../model/message.ts';
import { select } from '../model/select.ts';
import { Snapshot } from '../model/snapshot.ts';
import type { Protocol, Version } from '../protocol/registry.ts';
import type { DemoRecord, SnapshotRecord } from '../replay/demo.ts';
import { jsonText } from './escape.ts';
import { diagnosticJson, diffJson, itemJson } from './json.ts';
import { messageJson } from './message-json.ts';

/** What is kept of the items and messages. */
export interface Kept {
  readonly all: boolean;
  item(types: ItemTypes, type: number, id: number): boolean;
  message(name: string | undefined): boolean;
}

/** The records of a demo for scripts, as `dump -t ndjson` prints them. */
export class DumpJson {
  readonly #kept: Kept;
  readonly #changes: boolean;
  #protocol: Protocol | undefined;

  /** @param changes of snapshots only what differs from the one before */
  constructor(kept: Kept, changes: boolean) {
    this.#kept = kept;
    this.#changes = changes;
  }

  /** The record as a line; empty for what is not kept. */
  take(record: DemoRecord): string {
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
        return this.#snapshot(record);
      case 'message': {
        const message = demoMessage(record.bytes, this.#protocol!.version);
        if (!this.#kept.message(message.type?.name)) return undefined;
        return { record: 'message', tick: record.tick, ...messageJson(message) };
      }
      case 'finding':
        return { record: 'diagnostic', tick: record.tick, ...diagnosticJson(record.finding) };
    }
  }

  #snapshot({ tick, kind, snapshot, before, doubtful }: SnapshotRecord): object | undefined {
    const types = new ItemTypes(this.#protocol!).learn(snapshot);
    const head = { record: 'snapshot', tick, kind, crc: snapshot.checksum() };
    const doubt = doubtful ? { doubtful } : {};
    const wanted = (type: number, id: number) => this.#kept.item(types, type, id);
    const shown = this.#kept.all ? snapshot : select(snapshot, wanted);
    if (!this.#changes) {
      if (shown.count === 0 && !this.#kept.all) return undefined;
      return { ...head, ...doubt, items: Array.from(shown, ({ type, id, data }) => itemJson(types, type, id, data)) };
    }
    const whole = before ?? new Snapshot();
    const old = this.#kept.all ? whole : select(whole, wanted);
    const oldTypes = new ItemTypes(this.#protocol!).learn(whole);
    const { removed, added, changed } = diffJson(
      { snapshot: old, types: oldTypes, whole },
      { snapshot: shown, types, whole: snapshot },
      compare(old, shown),
    );
    return { ...head, ...doubt, removed, added, changed };
  }
}

/** The message of a record. */
export function demoMessage(bytes: Uint8Array, version: Version): Message {
  return readMessage(bytes, 0, bytes.length, version, { padded: true });
}
