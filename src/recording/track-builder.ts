import { encode } from '../decode/encode.ts';
import { isSnapshotOrTiming } from '../protocol/message-registry.ts';
import type { Protocol } from '../protocol/registry.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type Track, type TrackMessage, type TrackSnapshot, unknownBase } from './track.ts';

/** A snapshot to be added: what its base is comes as the number that adding that one gave. */
export type NewSnapshot = Omit<TrackSnapshot, 'shown' | 'base'> & {
  readonly base: number | undefined;
  /** What it is a difference to, for one whose base was not added. */
  readonly before: Snapshot | undefined;
};

/** Gathers a track from what a replay gives. Copies what it keeps. */
export class TrackBuilder {
  readonly name: string;
  readonly protocol: Protocol;
  markers: readonly number[] = [];
  readonly #snapshots: TrackSnapshot[] = [];
  readonly #messages: TrackMessage[] = [];
  /** Bytes that were kept. */
  bytes = 0;

  constructor(name: string, protocol: Protocol) {
    this.name = name;
    this.protocol = protocol;
  }

  /** Adds a snapshot and gives its number. One whose base was left out brings that along. */
  add({ base, before, ...snapshot }: NewSnapshot): number {
    const isDelta = snapshot.kind === 'delta';
    const from = base ?? (isDelta && before ? this.#bring(before, snapshot.tick) : unknownBase);
    return this.#push({ ...snapshot, base: from, payload: snapshot.payload.slice(), shown: true });
  }

  /** Adds a message, but for those that only carry snapshots and timing. */
  addMessage(tick: number, bytes: Uint8Array): void {
    if (isSnapshotOrTiming(bytes, this.protocol.version)) return;
    this.#messages.push({ tick, after: this.#snapshots.length, bytes: bytes.slice() });
    this.bytes += bytes.length;
  }

  build(): Track {
    const { name, protocol, markers } = this;
    return { name, version: protocol.version, markers, snapshots: this.#snapshots, messages: this.#messages };
  }

  #bring(before: Snapshot, tick: number): number {
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
    this.bytes += snapshot.payload.length;
    return this.#snapshots.push(snapshot) - 1;
  }
}
