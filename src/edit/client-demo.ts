import type { DemoHeader } from '../container/demo/header.ts';
import { netVersions } from '../container/demo/write-header.ts';
import type { MessageEntry, RecordingEntry, SnapshotEntry, Stream } from '../recording/record.ts';
import { DemoItems } from './demo-items.ts';
import { MapDownload } from './sent-map.ts';
import type { Emit } from './slice.ts';
import { StateMessages } from './state-messages.ts';

/** The map and the time at which the recording of one map begins. */
export interface ClientDemoStart {
  readonly stream: Stream;
  /** Seconds since 1970; NaN if the capture has no times. */
  readonly time: number;
}

/** The number of ticks after which the games' recorders write the next full snapshot. */
const keyframeGap = 250;

/** A DDNet client records 0.6. Both games play 0.7 demos of version 4, the only version that Teeworlds 0.7.5 plays. */
const demoVersions = { '0.6': 6, '0.7': 4 } as const;

/**
 * Records the data that one client of a capture received as that client's own demo: each snapshot that it could
 * rebuild, in 0.7 with the items that clients add, and each game message. A demo begins with the first snapshot of a
 * map, followed by the earlier messages that set the state.
 *
 * @example
 * ```ts
 * import { readCapture } from 'tw-snap';
 * import { ClientDemo, writeDemo } from 'tw-snap/edit';
 *
 * const recorded = writeDemo((emit) => {
 *   const demo = new ClientDemo(() => ({ timestamp: '2026-11-20_11-08-13', emit }));
 *   for (const entry of readCapture(bytes)) if (entry.stream?.number === 1) demo.add(entry);
 * });
 * ```
 */
export class ClientDemo {
  /** The number of snapshots that the client could not rebuild or refused. */
  lost = 0;
  readonly #begin: (start: ClientDemoStart) => { readonly timestamp: string; readonly emit: Emit };
  readonly #map = new MapDownload();
  #state = new StateMessages();
  #items = new DemoItems();
  #emit: Emit | undefined;
  #lastTick = -1;
  #keyframe = -1;

  /** @param begin opens the demo for the next map */
  constructor(begin: (start: ClientDemoStart) => { readonly timestamp: string; readonly emit: Emit }) {
    this.#begin = begin;
  }

  /** Adds a record of the client's stream. */
  add(entry: RecordingEntry): void {
    if (entry.record === 'snapshot') this.#snapshot(entry);
    else if (entry.record === 'message' && entry.direction === 'to_client') this.#message(entry);
  }

  #message(entry: MessageEntry): void {
    // System messages, which have bit 0 of the first byte set, are not recorded.
    if (entry.bytes[0]! & 1) {
      if (this.#map.add(entry.message)) {
        this.#emit = undefined;
        this.#state = new StateMessages();
        this.#items = new DemoItems();
      }
      return;
    }
    if (entry.stream.protocol.version === '0.7') this.#items.add(entry.message);
    if (this.#emit) this.#emit(entry);
    else this.#state.add(entry);
  }

  #snapshot(entry: SnapshotEntry): void {
    const { snapshot: sent, verdict, tick, stream, time = NaN } = entry;
    if (!sent || (verdict !== 'ok' && verdict !== 'unchecked')) {
      this.lost++;
      return;
    }
    const isFirst = this.#emit === undefined;
    const emit = this.#emit ?? this.#open(stream, time);
    // Clients refuse snapshots that are older than their latest one.
    if (!isFirst && tick <= this.#lastTick) return;
    this.#lastTick = tick;
    const keyframe = isFirst || tick - this.#keyframe > keyframeGap;
    if (keyframe) this.#keyframe = tick;
    const kind = keyframe ? 'snapshot' : 'delta';
    const snapshot = stream.protocol.version === '0.7' ? this.#items.withItems(sent) : sent;
    emit({ record: 'tick', stream, tick, keyframe });
    emit({ ...entry, kind, payloadKind: kind, snapshot, payload: undefined });
    if (isFirst) for (const { entry: message } of this.#state.messages()) emit(message);
  }

  #open(stream: Stream, time: number): Emit {
    const { timestamp, emit } = this.#begin({ stream, time });
    const version = stream.protocol.version === '0.7' ? '0.7' : '0.6';
    const { name, crc, sha256, pieces } = this.#map.finish();
    const mapSize = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const isHashKnown = version === '0.6' && sha256 !== undefined;
    const header: DemoHeader = {
      version: version === '0.6' && !isHashKnown ? 5 : demoVersions[version],
      netVersion: netVersions[version],
      mapName: name,
      mapSize,
      mapCrc: crc,
      type: 'client',
      length: 0,
      timestamp,
      markers: [],
      ...(isHashKnown ? { sha256 } : {}),
      mapStart: 0,
      chunksStart: 0,
      bytes: new Uint8Array(0),
    };
    this.#emit = emit;
    emit({ record: 'header', stream, header });
    for (const piece of pieces) emit({ record: 'map', stream, piece });
    return emit;
  }
}
