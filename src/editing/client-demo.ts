import { type AnnouncedMap, MapDownload } from '../recording/capture/map-download.ts';
import type { MessageEntry, RecordingEntry, SnapshotEntry } from '../recording/replay/record.ts';
import type { Stream } from '../recording/replay/stream.ts';
import { type Message, type MessageValue, valueNamed } from '../wire/packet/message.ts';
import { protocolOf } from '../wire/protocol/registry.ts';
import { intsOfText } from '../wire/protocol/texts.ts';
import { keyOf } from '../wire/snapshot/key.ts';
import { Snapshot } from '../wire/snapshot/snapshot.ts';
import { keyframeGap, newHeader } from './compose.ts';
import type { Emit } from './slice.ts';
import { StateMessages } from './state-messages.ts';

/** Where a demo begins: the connection, and when its first snapshot came. */
export interface ClientDemoStart {
  readonly stream: Stream;
  /** Seconds since 1970; NaN if the capture has no times. */
  readonly time: number;
}

/** Finds the file of a map that the client was not sent, because it had it. */
export type FindMap = (map: AnnouncedMap) => { readonly bytes: Uint8Array; readonly sha256: string } | undefined;

/**
 * Records what one client of a capture received as its own demo, which begins with the first snapshot of a map and the
 * messages that set the state.
 */
export class ClientDemo {
  /** The number of snapshots that the client could not rebuild or refused. */
  lost = 0;
  readonly #begin: (start: ClientDemoStart) => { readonly timestamp: string; readonly emit: Emit };
  readonly #findMap: FindMap;
  readonly #map = new MapDownload();
  #state = new StateMessages();
  #items = new DemoItems();
  #emit: Emit | undefined;
  #lastTick = -1;
  #keyframe = -1;

  constructor(
    begin: (start: ClientDemoStart) => { readonly timestamp: string; readonly emit: Emit },
    findMap: FindMap = () => undefined,
  ) {
    this.#begin = begin;
    this.#findMap = findMap;
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
    const sent = this.#map.finish();
    const found = sent.pieces.length === 0 ? this.#findMap(sent) : undefined;
    const { pieces, ...map } = found ? { ...sent, sha256: found.sha256, pieces: [found.bytes] } : sent;
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const header = newHeader(stream, { ...map, size }, timestamp);
    this.#emit = emit;
    emit({ record: 'header', stream, header });
    for (const piece of pieces) emit({ record: 'map', stream, piece });
    return emit;
  }
}

/**
 * The default tuning of 0.7, which no item contains, times 100 as in the protocol. DDNet's own parameters follow these
 * 32.
 */
const defaultTuning: readonly number[] = [
  1000, 200, 50, 1320, 1200, 500, 150, 95, 38000, 8000, 300, 1500, 50, 55000, 200000, 140, 125, 220000, 200, 125,
  275000, 80, 20, 700, 100000, 200, 80000, 15000, 100, 0, 100, 100,
];

const textInts: Readonly<Record<string, number>> = { name: 4, clan: 3, skin_part_names: 6 };
const ofSkin = ['skin_part_names', 'use_custom_colors', 'skin_part_colors'];

const typeOf = (name: string) => protocolOf('0.7').byName(name)!.type!;
const [clientType, gameType, tuningType] = ['obj_de_client_info', 'obj_de_game_info', 'obj_de_tune_params'].map(typeOf);

/**
 * What 0.7 sends in messages but demos need as items, as clients append them: players by id, the tuning unless it is
 * the default, game info.
 */
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
