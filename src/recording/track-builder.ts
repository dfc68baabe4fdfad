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
  readonly #snapshots: TrackSnapshot[] = [];
  readonly #messages: TrackMessage[] = [];
  /** The bytes kept so far. */
  bytes = 0;

  constructor(name: string, protocol: Protocol) {
    this.name = name;
    this.protocol = protocol;
  }

  /** Adds a snapshot and returns its number. A base that was left out is added first. */
  add({ base, before, ...snapshot }: NewSnapshot): number {
    const isDelta = snapshot.kind === 'delta';
    const from = base ?? (isDelta && before ? this.#addBase(before, snapshot.tick) : unknownBase);
    const payload = snapshot.payload === unchangedPayload ? unchangedPayload : snapshot.payload.slice();
    return this.#push({ ...snapshot, base: from, payload, shown: true });
  }

  /** Adds a message, unless it only contains a snapshot or timing. */
  addMessage(tick: number, bytes: Uint8Array): void {
    if (isSnapshotOrTiming(bytes, this.protocol.version)) return;
    this.#messages.push({ tick, after: this.#snapshots.length, bytes: bytes.slice() });
    this.bytes += bytes.length;
  }

  build(): Track {
    const { name, protocol, markers } = this;
    return { name, version: protocol.version, markers, snapshots: this.#snapshots, messages: this.#messages };
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
