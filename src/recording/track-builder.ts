import { encode } from '../decode/encode.ts';
import { isSnapshotOrTiming } from '../protocol/message-registry.ts';
import type { Protocol } from '../protocol/registry.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type Track, type TrackMessage, type TrackSnapshot, unknownBase } from './track.ts';

/** A snapshot to be added; its base is the number that `add` returned for it. */
export type NewSnapshot = Omit<TrackSnapshot, 'shown' | 'base'> & {
  readonly base: number | undefined;
  /** The base, if that was not added. */
  readonly before: Snapshot | undefined;
};

/** The delta of a snapshot that is its base unchanged. */
export const unchangedPayload = Uint8Array.of(0, 0, 0);
/** What a snapshot takes besides its payload. */
const snapshotBytes = 16;

/** Builds a track from the records of a replay. It keeps copies. */
export class TrackBuilder {
  readonly name: string;
  readonly protocol: Protocol;
  markers: readonly number[] = [];
  player: string | undefined;
  mixesVersions: boolean | undefined;
  readonly #snapshots: TrackSnapshot[] = [];
  readonly #messages: TrackMessage[] = [];
  /** The bytes kept so far. */
  bytes = 0;

  constructor(name: string, protocol: Protocol) {
    this.name = name;
    this.protocol = protocol;
  }

  /** Adds a snapshot and returns its number. A base that was left out is added first. */
  add({ tick, kind, encoding, base, before, payload, offset, announced, uncertain }: NewSnapshot): number {
    const from = base ?? (kind === 'delta' && before ? this.#addBase(before, tick) : unknownBase);
    const kept = payload === unchangedPayload ? unchangedPayload : payload.slice();
    // All fields by name: an object made by a spread takes several times the memory.
    return this.#push({ tick, kind, encoding, base: from, payload: kept, offset, announced, uncertain, shown: true });
  }

  /** Adds a message, unless it only contains a snapshot or timing. */
  addMessage(tick: number, bytes: Uint8Array): void {
    if (isSnapshotOrTiming(bytes, this.protocol.version)) return;
    this.#messages.push({ tick, after: this.#snapshots.length, bytes: bytes.slice() });
    this.bytes += bytes.length;
  }

  build(): Track {
    const { name, player, protocol, markers, mixesVersions } = this;
    const { version } = protocol;
    return { name, player, version, mixesVersions, markers, snapshots: this.#snapshots, messages: this.#messages };
  }

  #addBase(before: Snapshot, tick: number): number {
    const payload = encode(before, 'packed');
    return this.#push({
      tick,
      kind: 'snapshot',
      encoding: 'packed',
      base: unknownBase,
      payload,
      offset: -1,
      uncertain: false,
      shown: false,
    });
  }

  #push(snapshot: TrackSnapshot): number {
    this.bytes += snapshot.payload.length + snapshotBytes;
    return this.#snapshots.push(snapshot) - 1;
  }
}
