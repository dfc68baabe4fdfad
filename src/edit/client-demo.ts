import type { DemoHeader } from '../container/demo/header.ts';
import { netVersions } from '../container/demo/header.ts';
import { hexText } from '../hex/to-hex.ts';
import { type Message, type MessageValue, valueNamed } from '../packet/message.ts';
import { protocolOf } from '../protocol/registry.ts';
import { intsOfText } from '../protocol/texts.ts';
import { MapSummary } from '../recording/map-summary.ts';
import type { MessageEntry, RecordingEntry, SnapshotEntry } from '../recording/record.ts';
import type { Stream } from '../recording/stream.ts';
import { keyOf } from '../snapshot/key.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import { type Emit, maxKeptMapBytes } from './slice.ts';
import { StateMessages } from './state-messages.ts';

export interface ClientDemoStart {
  readonly stream: Stream;
  /** Seconds since 1970; NaN if the capture has no times. */
  readonly time: number;
}

/** The number of ticks after which the games' recorders write the next full snapshot. */
const keyframeGap = 250;

/** A DDNet client records 0.6. Both games play 0.7 demos of version 4, the only version that Teeworlds 0.7.5 plays. */
const demoVersions = { '0.6': 6, '0.7': 4 } as const;

/** Records what one client of a capture received as its own demo, which begins with the first snapshot of a map and the messages that set the state. */
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

  constructor(begin: (start: ClientDemoStart) => { readonly timestamp: string; readonly emit: Emit }) {
    this.#begin = begin;
  }

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

/** The default tuning of 0.7, which no item contains, times 100 as in the protocol. DDNet's own parameters follow these 32. */
const defaultTuning: readonly number[] = [
  1000, 200, 50, 1320, 1200, 500, 150, 95, 38000, 8000, 300, 1500, 50, 55000, 200000, 140, 125, 220000, 200, 125,
  275000, 80, 20, 700, 100000, 200, 80000, 15000, 100, 0, 100, 100,
];

const textInts: Readonly<Record<string, number>> = { name: 4, clan: 3, skin_part_names: 6 };
const ofSkin = ['skin_part_names', 'use_custom_colors', 'skin_part_colors'];

const typeOf = (name: string) => protocolOf('0.7').byName(name)!.type!;
const [clientType, gameType, tuningType] = ['obj_de_client_info', 'obj_de_game_info', 'obj_de_tune_params'].map(typeOf);

/** What 0.7 sends in messages but demos need as items, as clients append them: players by id, the tuning unless it is the default, game info. */
class DemoItems {
  readonly #clients = new Map<number, Map<string, number[]>>();
  #tuning: readonly number[] = defaultTuning;
  #game: readonly number[] = [0, 0, 0, 0, 0];
  readonly #snapshot = new Snapshot();

  add({ type, values }: Message): void {
    const id = Number(valueNamed(values, 'client_id') ?? -1);
    const what = type?.name;
    const numbers = () => values.map(({ value }) => Number(value));
    if (what === 'sv_clientinfo') this.#clients.set(id, fieldsOf(values));
    else if (what === 'sv_clientdrop') this.#clients.delete(id);
    else if (what === 'sv_team') this.#clients.get(id)?.set('team', fieldsOf(values).get('team') ?? [0]);
    else if (what === 'sv_tuneparams') this.#tuning = numbers().slice(0, defaultTuning.length);
    else if (what === 'sv_gameinfo') this.#game = numbers();
    else if (what === 'sv_skinchange')
      for (const name of ofSkin) this.#clients.get(id)?.set(name, fieldsOf(values).get(name) ?? []);
  }

  /** The snapshot with these items, valid until the next call. */
  withItems(sent: Snapshot): Snapshot {
    const items = [...this.#clients.keys()]
      .sort((a, b) => a - b)
      .map((id) => ({ key: keyOf(clientType!, id), ints: [...this.#clients.get(id)!.values()].flat() }));
    if (this.#tuning.some((value, i) => value !== defaultTuning[i])) {
      items.push({ key: keyOf(tuningType!, 0), ints: [...this.#tuning] });
    }
    items.push({ key: keyOf(gameType!, 0), ints: [...this.#game] });
    const snapshot = this.#snapshot;
    const ints = items.reduce((sum, item) => sum + item.ints.length, sent.offsets[sent.count]!);
    snapshot.clear(sent.count + items.length, ints);
    snapshot.appendItems(sent, 0, sent.count);
    for (const { key, ints } of items) snapshot.data.set(ints, snapshot.offsets[snapshot.append(key, ints.length)]!);
    return snapshot;
  }
}

function fieldsOf(values: readonly MessageValue[]): Map<string, number[]> {
  const fields = new Map<string, number[]>();
  for (const { path, value } of values) {
    const name = String(path[0]);
    if (name === 'client_id' || name === 'silent' || name === 'cooldown_tick') continue;
    const size = textInts[name];
    const ints = size === undefined ? [Number(value)] : [...(intsOfText(String(value), size) ?? new Int32Array(size))];
    fields.set(name, [...(fields.get(name) ?? []), ...ints]);
  }
  return fields;
}

/** Collects the map that a client of a capture is sent: its name and checksums, then its pieces. */
class MapDownload {
  #name = '';
  #crc = 0;
  #size = 0;
  #sha256: string | undefined;
  #pieces: Uint8Array[] = [];
  #length = 0;

  /** Returns whether a message of the server announces a map. */
  add({ system, type, values }: Message): boolean {
    if (!system || !type || !/^map_(change|details|data)$/.test(type.name)) return false;
    const value = (name: string) => valueNamed(values, name);
    const bytes = (name: string) => {
      const found = value(name);
      return found instanceof Uint8Array ? found : undefined;
    };
    if (type.name === 'map_data') {
      this.#addPiece(Number(value('chunk') ?? this.#pieces.length), bytes('data'));
      return false;
    }
    const hash = bytes('sha256');
    // DDNet sends the SHA-256 in a separate message before the map change.
    if (type.name === 'map_details') {
      this.#sha256 = hash && hexText(hash);
      return false;
    }
    const details = this.#sha256;
    this.#name = String(value('name') ?? '');
    this.#crc = Number(value('crc') ?? 0) >>> 0;
    this.#size = Number(value('size') ?? 0);
    this.#sha256 = hash ? hexText(hash) : details;
    this.#pieces = [];
    this.#length = 0;
    return true;
  }

  /** The map as far as it is known, without pieces unless all of it was downloaded. They are released. */
  finish() {
    const isWhole = this.#size > 0 && this.#length === this.#size;
    const pieces = isWhole ? this.#pieces : [];
    const sums = new MapSummary();
    for (const piece of pieces) sums.add(piece);
    const isRight = isWhole && sums.crc === this.#crc;
    const sha256 = this.#sha256 ?? (isRight ? sums.sha256 : undefined);
    this.#pieces = [];
    this.#sha256 = undefined;
    return { name: this.#name, crc: this.#crc, sha256, pieces: isRight ? pieces : [] };
  }

  /** Clients request pieces one by one. Repeated pieces and those beyond the map's size are ignored. */
  #addPiece(chunk: number, piece: Uint8Array | undefined): void {
    if (!piece || chunk !== this.#pieces.length) return;
    if (this.#length + piece.length > Math.min(this.#size, maxKeptMapBytes)) return;
    this.#pieces.push(piece.slice());
    this.#length += piece.length;
  }
}
