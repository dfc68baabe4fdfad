import { maxCached, storedEvery } from '../../recording/replay/limits.ts';
import { unchangedPayload } from '../../recording/replay/record.ts';
import { noBytes } from '../../wire/bytes/buffers.ts';
import { type BinaryEncoding, encode, unwrap } from '../../wire/payload/encoding-layers.ts';
import { type Kind, type Payload, readPayload } from '../../wire/payload/payload.ts';
import { PayloadReader } from '../../wire/payload/payload-reader.ts';
import { isSnapshotOrTiming } from '../../wire/protocol/message-registry.ts';
import {
  type Protocol,
  protocol07WithSizesOf06,
  protocolOf,
  type Schema,
  type Version,
} from '../../wire/protocol/registry.ts';
import { maxDraftSnapshotBytes } from '../../wire/snapshot/key.ts';
import { Snapshot } from '../../wire/snapshot/snapshot.ts';

export const unknownBase = -2;
export const emptyBase = -1;

export interface TrackSnapshot {
  readonly tick: number;
  readonly kind: Kind;
  readonly encoding: BinaryEncoding;
  /** For a delta: the index of its base, {@link emptyBase} or {@link unknownBase}. */
  readonly base: number;
  readonly payload: Uint8Array;
  /** The offset of the payload in the file, -1 if it is not one range. */
  readonly offset: number;
  /** For a capture: the checksum that the server announced. */
  readonly announced?: number | undefined;
  /** Whether an earlier snapshot could not be read, so that this one may be wrong. */
  readonly uncertain: boolean;
  /** False for a snapshot that is included only as a base. */
  readonly shown: boolean;
}

export interface TrackMessage {
  readonly tick: number;
  /** The number of snapshots before it. */
  readonly after: number;
  /** As recorded: compressed in a demo, the message itself in a capture. */
  readonly bytes: Uint8Array;
  /** The offset of its chunk in a demo; undefined if `bytes` are the message itself. */
  readonly chunk?: number | undefined;
}

interface TrackPacket {
  /** Counted from 1 like Wireshark's frame numbers. */
  readonly frame: number;
  /** In microseconds since the first packet of the track; -1 in a capture without times. */
  readonly time: number;
  readonly toServer: boolean;
  /** The number of snapshots before it. */
  readonly after: number;
  /** Its size: `bytes` are empty if they have a password. */
  readonly size: number;
  readonly bytes: Uint8Array;
}

/** The data sent to one player, in order: a whole demo, or one connection of a capture. */
export interface Track {
  readonly name: string;
  readonly player?: string | undefined;
  readonly version: Version;
  /** Whether its deltas are of 0.7, with the sizes of 0.6. */
  readonly hasSizesOf06?: boolean | undefined;
  /** Whether its messages can be of the other version, too. */
  readonly mixesVersions?: boolean | undefined;
  readonly markers: readonly number[];
  readonly snapshots: readonly TrackSnapshot[];
  readonly messages: readonly TrackMessage[];
  /** Of a capture, both ways. */
  readonly packets: readonly TrackPacket[];
}

/** The client of a track: it has one for each map. */
export const clientOf = ({ name }: Track): string => name.replace(/ \(\d+\)$/, '');

/** A snapshot to be added; its base is the number that `add` returned for it. */
type NewSnapshot = Omit<TrackSnapshot, 'shown' | 'base'> & {
  readonly base: number | undefined;
  readonly before: Snapshot | undefined;
};

const snapshotBytes = 16;
/** What a message takes beside its bytes: most have only a few. */
const messageBytes = 64;
const packetBytes = 32;

/** A track to which snapshots and messages are added. */
export class OpenTrack {
  readonly track: { -readonly [Key in keyof Track]: Track[Key] };
  readonly #snapshots: TrackSnapshot[] = [];
  readonly #messages: TrackMessage[] = [];
  readonly #packets: TrackPacket[] = [];
  #firstTime: number | undefined;
  /** The number of each snapshot of a recording. */
  readonly byTick = new Map<number, number>();
  tick: number | undefined;
  /** The map changes of the connection before it. */
  mapChanges = 0;
  bytes = 0;

  constructor(name: string, { version }: Protocol) {
    const snapshots = this.#snapshots;
    const messages = this.#messages;
    const packets = this.#packets;
    this.track = { name, version, markers: [], snapshots, messages, packets };
  }

  /** Adds a snapshot and returns its number. A base that was left out is added first. */
  add({ tick, kind, encoding, base, before, payload, offset, announced, uncertain }: NewSnapshot): number {
    const from = base ?? (kind === 'delta' && before ? this.#addBase(before, tick) : unknownBase);
    const kept = payload === unchangedPayload ? unchangedPayload : payload.slice();
    // All fields by name: an object made by a spread takes several times the memory.
    return this.#push({ tick, kind, encoding, base: from, payload: kept, offset, announced, uncertain, shown: true });
  }

  /** Adds a message; one of a connection only if it is more than a snapshot or timing, which its packet has. */
  addMessage(tick: number, bytes: Uint8Array, chunk?: number): void {
    if (chunk === undefined && isSnapshotOrTiming(bytes, this.track.version)) return;
    this.#messages.push({ tick, after: this.#snapshots.length, bytes: bytes.slice(), chunk });
    this.bytes += bytes.length + messageBytes;
  }

  /**
   * Adds a packet of a capture.
   * @param seconds its time, NaN without one
   * @param isSecret whether its bytes are left out
   */
  addPacket(packet: Pick<TrackPacket, 'frame' | 'toServer' | 'bytes'>, seconds: number, isSecret: boolean): void {
    const { frame, toServer, bytes } = packet;
    this.#firstTime ??= seconds;
    const time = Number.isNaN(seconds) ? -1 : Math.round(1e6 * (seconds - this.#firstTime));
    const kept = isSecret ? noBytes : bytes.slice();
    this.#packets.push({ frame, time, toServer, after: this.#snapshots.length, size: bytes.length, bytes: kept });
    this.bytes += kept.length + packetBytes;
  }

  #addBase(before: Snapshot, tick: number): number {
    const payload = encode(before, 'packed');
    const common = { kind: 'snapshot', encoding: 'packed', base: unknownBase, offset: -1, uncertain: false } as const;
    return this.#push({ ...common, tick, payload, shown: false });
  }

  #push(snapshot: TrackSnapshot): number {
    this.bytes += snapshot.payload.length + snapshotBytes;
    return this.#snapshots.push(snapshot) - 1;
  }
}

/**
 * Rebuilds the snapshots of a track in any order, from the nearest one in the cache. Returned snapshots are never
 * changed.
 */
export class TrackReader {
  readonly track: Track;
  readonly protocol: Protocol;
  readonly #payload: PayloadReader;
  readonly #recent: ({ readonly index: number; readonly snapshot: Snapshot | undefined } | undefined)[] = [];
  readonly #stored = new Map<number, Snapshot>();

  constructor(track: Track, schema?: Schema) {
    this.track = track;
    this.protocol = track.hasSizesOf06 ? protocol07WithSizesOf06(schema) : protocolOf(track.version, schema);
    this.#payload = new PayloadReader(this.protocol.sizeOf);
    // The replay that made the track has checked the limit of its version.
    this.#payload.maxSnapshotBytes = maxDraftSnapshotBytes;
  }

  /** The rebuilt snapshot number `index`; undefined if it cannot be rebuilt. */
  snapshot(index: number): Snapshot | undefined {
    const waiting: number[] = [];
    let at = index;
    while (!this.#known(at)) {
      waiting.push(at);
      const { kind, base } = this.track.snapshots[at]!;
      if (kind === 'snapshot' || base < 0) break;
      at = base;
    }
    for (const tick of waiting.reverse()) this.#store(tick, this.#build(tick));
    return this.#known(index)!.snapshot;
  }

  /** The snapshot with which number `index` is compared: the base of a delta, or the one before a full snapshot. */
  before(index: number): Snapshot | undefined {
    const { kind, base } = this.track.snapshots[index]!;
    if (kind === 'delta') return this.#base(base);
    return index > 0 ? this.snapshot(index - 1) : undefined;
  }

  payload(index: number): Payload {
    const { kind, encoding, base, payload } = this.track.snapshots[index]!;
    const from = kind === 'delta' ? this.#base(base) : undefined;
    return readPayload(unwrap(payload, encoding), kind, this.protocol, from);
  }

  #base(base: number): Snapshot | undefined {
    if (base === unknownBase) return undefined;
    return base === emptyBase ? new Snapshot() : this.snapshot(base);
  }

  #known(index: number): { readonly snapshot: Snapshot | undefined } | undefined {
    const recent = this.#recent[index % maxCached];
    if (recent?.index === index) return recent;
    const snapshot = this.#stored.get(index);
    return snapshot && { snapshot };
  }

  #store(index: number, snapshot: Snapshot | undefined): void {
    this.#recent[index % maxCached] = { index, snapshot };
    if (snapshot && index % storedEvery === 0) this.#stored.set(index, snapshot);
  }

  /** @returns undefined if the payload is damaged or does not fit */
  #build(index: number): Snapshot | undefined {
    const { kind, encoding, base, payload } = this.track.snapshots[index]!;
    const from = kind === 'delta' && base !== emptyBase ? this.#known(base)?.snapshot : new Snapshot();
    if (!from) return undefined;
    const snapshot = new Snapshot();
    return this.#payload.rebuild(kind, payload, encoding, from, snapshot) ? undefined : snapshot;
  }
}
