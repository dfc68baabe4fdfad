import type { Protocol } from '../../protocol/registry.ts';
import type { CaptureRecord } from '../../recording/capture.ts';
import type { Connection } from '../../recording/connection.ts';
import type { ReceivedSnapshot } from '../../recording/received-snapshot.ts';
import { compare } from '../../snapshot/compare.ts';
import { ItemTypes } from '../../snapshot/item-types.ts';
import { select } from '../../snapshot/select.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { TypedSnapshot } from '../table/typed-snapshot.ts';
import { undecodable } from '../text/capture-words.ts';
import { jsonText } from '../text/escape.ts';
import type { RecordFilter } from './dump-json.ts';
import { ItemTexts } from './item-texts.ts';
import { diagnosticJson, diffJson } from './json.ts';
import { messageJson } from './message-json.ts';

/** The records of a capture for scripts, as `dump -t ndjson` prints them. */
export class CaptureDumpJson {
  readonly #kept: RecordFilter;
  readonly #changes: boolean;
  /** Each client's own: most items are as they were in its snapshot before. */
  readonly #texts = new WeakMap<Connection, ItemTexts>();

  /** @param changes of snapshots only what differs from their base */
  constructor(kept: RecordFilter, changes: boolean) {
    this.#kept = kept;
    this.#changes = changes;
  }

  /** The record as a line; empty for what is not kept. */
  add(record: CaptureRecord): string {
    if (record.event === 'snapshot') return this.#snapshot(record);
    const json = this.#json(record);
    return json === undefined ? '' : `${jsonText(json)}\n`;
  }

  #json(record: Exclude<CaptureRecord, { event: 'snapshot' }>): object | undefined {
    switch (record.event) {
      case 'connection': {
        const { client, server, version } = record.connection;
        return { record: 'connection', time: record.time, client, server, version: version ?? null };
      }
      case 'message': {
        const { direction, message } = record;
        if (!this.#kept.message(message.type?.name)) return undefined;
        return { ...headOf('message', record), direction, ...messageJson(message) };
      }
      case 'close':
        return { ...headOf('close', record), direction: record.direction, reason: record.reason };
      case 'undecodable': {
        const { direction, code, number } = record;
        const severity = 'error';
        return {
          ...headOf('diagnostic', record),
          direction,
          severity,
          code,
          packet: number,
          message: undecodable(record),
        };
      }
      case 'finding':
        return { record: 'diagnostic', time: record.time, ...diagnosticJson(record.finding) };
    }
  }

  #snapshot(record: CaptureRecord & { event: 'snapshot' }): string {
    const { received, connection } = record;
    const { tick, base, kind, crc = null, expected = null, ok, reason, snapshot } = received;
    const about = { tick, base, kind, crc, expected, ok, ...(reason ? { reason } : {}) };
    const head = jsonText({ ...headOf('snapshot', record), ...about });
    if (!snapshot) return `${head}\n`;
    const { protocol } = connection;
    const items = this.#changes ? this.#changed(received, protocol) : this.#items(snapshot, connection);
    return items === undefined ? '' : `${head.slice(0, -1)},${items}}\n`;
  }

  /** All items as text at once: this is most of the output. */
  #items(snapshot: Snapshot, connection: Connection): string | undefined {
    const types = new ItemTypes(connection.protocol).onSnapshot(snapshot);
    const shown = this.#shown(snapshot, types);
    if (shown.count === 0 && !this.#kept.all) return undefined;
    let texts = this.#texts.get(connection);
    if (!texts) {
      texts = new ItemTexts();
      this.#texts.set(connection, texts);
    }
    return `"items":[${texts.of(shown, types)}]`;
  }

  #changed({ before, snapshot }: ReceivedSnapshot, protocol: Protocol): string {
    const side = (whole: Snapshot): TypedSnapshot => {
      const types = new ItemTypes(protocol).onSnapshot(whole);
      return { snapshot: this.#shown(whole, types), types, whole };
    };
    const [old, now] = [side(before!), side(snapshot!)];
    const { removed, added, changed } = diffJson(old, now, compare(old.snapshot, now.snapshot));
    return jsonText({ removed, added, changed }).slice(1, -1);
  }

  #shown(snapshot: Snapshot, types: ItemTypes): Snapshot {
    return this.#kept.all ? snapshot : select(snapshot, (type, id) => this.#kept.item(types, type, id));
  }
}

const headOf = (record: string, { time, connection }: { time: number; connection: Connection }) => ({
  record,
  time,
  client: connection.client,
});
