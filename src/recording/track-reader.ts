import { attempt, DecodeError } from '../bytes/diagnostic.ts';
import { unwrap } from '../decode/encoding-layers.ts';
import { type Payload, readPayload } from '../decode/payload.ts';
import { PayloadReader } from '../decode/payload-reader.ts';
import type { Protocol } from '../protocol/registry.ts';
import { maxDraftSnapshotBytes } from '../snapshot/key.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import { emptyBase, type Track, unknownBase } from './track.ts';

/** The number of recent snapshots that are cached, and the distance of those that are stored permanently. */
const maxRecent = 64;
const storedEvery = 32;

/** Rebuilds the snapshots of a track in any order, from the nearest one in the cache. Returned snapshots are never changed. */
export class TrackReader {
  readonly #track: Track;
  readonly #protocol: Protocol;
  readonly #payload: PayloadReader;
  readonly #recent: ({ readonly index: number; readonly snapshot: Snapshot | undefined } | undefined)[] = [];
  readonly #stored = new Map<number, Snapshot>();

  constructor(track: Track, protocol: Protocol) {
    this.#track = track;
    this.#protocol = protocol;
    this.#payload = new PayloadReader(protocol.sizeOf);
    // The replay that made the track has checked the limit of its version.
    this.#payload.maxSnapshotBytes = maxDraftSnapshotBytes;
  }

  /** The rebuilt snapshot number `index`; undefined if it cannot be rebuilt. */
  snapshot(index: number): Snapshot | undefined {
    const waiting: number[] = [];
    let at = index;
    while (!this.#known(at)) {
      waiting.push(at);
      const { kind, base } = this.#track.snapshots[at]!;
      if (kind === 'snapshot' || base < 0) break;
      at = base;
    }
    for (const one of waiting.reverse()) this.#store(one, this.#build(one));
    return this.#known(index)!.snapshot;
  }

  /** The snapshot with which number `index` is compared: the base of a delta, or the one before a full snapshot. */
  before(index: number): Snapshot | undefined {
    const { kind, base } = this.#track.snapshots[index]!;
    if (kind === 'delta') return this.#base(base);
    return index > 0 ? this.snapshot(index - 1) : undefined;
  }

  /** The bytes of number `index`, read with positions. */
  payload(index: number): Payload {
    const { kind, encoding, base, payload } = this.#track.snapshots[index]!;
    const from = kind === 'delta' ? this.#base(base) : undefined;
    return readPayload(unwrap(payload, encoding), kind, this.#protocol, from);
  }

  /** Whether the payload of number `index` has an item: among those of a full snapshot, or the updates of a delta. */
  sends(index: number, key: number): boolean {
    const { kind, encoding, payload } = this.#track.snapshots[index]!;
    if (kind === 'snapshot') return (this.snapshot(index)?.findKey(key) ?? -1) >= 0;
    if (attempt(() => this.#payload.readDelta(payload, encoding)) instanceof DecodeError) return false;
    const { keys, count } = this.#payload.delta;
    for (let i = 0; i < count; i++) if (keys[i] === key) return true;
    return false;
  }

  #base(base: number): Snapshot | undefined {
    if (base === unknownBase) return undefined;
    return base === emptyBase ? new Snapshot() : this.snapshot(base);
  }

  #known(index: number): { readonly snapshot: Snapshot | undefined } | undefined {
    const recent = this.#recent[index % maxRecent];
    if (recent?.index === index) return recent;
    const snapshot = this.#stored.get(index);
    return snapshot && { snapshot };
  }

  #store(index: number, snapshot: Snapshot | undefined): void {
    this.#recent[index % maxRecent] = { index, snapshot };
    if (snapshot && index % storedEvery === 0) this.#stored.set(index, snapshot);
  }

  /** @returns undefined if the payload is damaged or does not fit */
  #build(index: number): Snapshot | undefined {
    const { kind, encoding, base, payload } = this.#track.snapshots[index]!;
    const from = kind === 'delta' && base !== emptyBase ? this.#known(base)?.snapshot : new Snapshot();
    if (!from) return undefined;
    const snapshot = new Snapshot();
    const result = attempt(() => {
      if (kind === 'snapshot') this.#payload.readSnapshot(payload, encoding, snapshot);
      else {
        this.#payload.readDelta(payload, encoding);
        this.#payload.applyTo(from, snapshot);
      }
    });
    return result instanceof DecodeError ? undefined : snapshot;
  }
}
