import { IntBuffer } from '../../wire/bytes/buffers.ts';
import { attempt, DecodeError, ignore } from '../../wire/bytes/diagnostic.ts';
import { unpackInts } from '../../wire/codec/varint.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { apply } from '../../wire/snapshot/apply.ts';
import { select } from '../../wire/snapshot/builder.ts';
import { Delta } from '../../wire/snapshot/delta.ts';
import { ItemTypes } from '../../wire/snapshot/item-types.ts';
import type { Snapshot } from '../../wire/snapshot/snapshot.ts';
import { firstImplausibleUpdate, isSound } from './plausible.ts';

export interface PreviousSnapshot {
  readonly parts: readonly Uint8Array[];
  /** Those that have the bytes of the snapshot before it. */
  readonly repeated: readonly number[];
  readonly base: number;
  readonly isRight: boolean;
}

/** The next snapshot with the right checksum, as statements about the failures before it see it. */
export interface NextSnapshot {
  /** Without events: each is in one snapshot, and one that has the same id and values in the next is another one. */
  readonly items: Snapshot;
  readonly checksum: number;
  readonly parts: readonly Uint8Array[];
}

export function nextOf(snapshot: Snapshot, protocol: Protocol, parts: readonly Uint8Array[] = []): NextSnapshot {
  const types = new ItemTypes(protocol).onSnapshot(snapshot);
  const items = select(snapshot, (type) => !types.of(type)?.event);
  return { items, checksum: snapshot.checksum(), parts };
}

/** An earlier snapshot, which the announced checksum may be of in part. */
interface Reference {
  readonly when: string;
  readonly isRight: boolean;
  readonly earlier: Snapshot;
}

export interface ReceivedDelta {
  readonly protocol: Protocol;
  readonly tick: number;
  readonly base: number;
  readonly before: Snapshot;
  readonly payload: Uint8Array;
  readonly announced: number;
  /** The end of each part in the payload, including the last. */
  readonly partEnds?: readonly number[] | undefined;
  readonly previous?: PreviousSnapshot | undefined;
  /** The checksums of the snapshots before it, the last first. */
  readonly earlier?: readonly number[] | undefined;
  /** The snapshot before it, and the last with the right checksum; valid only while hypotheses are tested. */
  readonly references?: readonly Reference[] | undefined;
  readonly knownTypes?: ReadonlySet<number> | undefined;
  /** The snapshots that the client can use as a base, by tick; valid only while hypotheses are tested. */
  readonly stored?: Iterable<readonly [tick: number, snapshot: Snapshot]> | undefined;
}

/** A delta on a base, with what a client makes of both; copied, so that it outlives the records. */
export interface Reading {
  readonly tick: number;
  readonly delta: Delta;
  readonly base: Snapshot;
  readonly rebuilt: Snapshot;
  /** The announced minus the rebuilt checksum. */
  readonly difference: number;
}

/** A delta that is unreadable or results in a snapshot with another checksum than announced. */
export class Failure {
  readonly received: ReceivedDelta;
  /** The ints of the payload, with the position of each. */
  readonly ints = new IntBuffer({ positions: true });
  readonly delta = new Delta();
  readonly error: DecodeError | undefined;
  readonly snapshot: Snapshot | undefined;
  /** The announced minus the rebuilt checksum, wrapping; undefined if nothing was rebuilt. */
  readonly difference: number | undefined;
  /**
   * The keys of the items that are in the rebuilt snapshot as in the base or in the last one with the right checksum.
   */
  readonly old = new Set<number>();
  /** The delta on its base, and on others with which one more fault explains the checksum. */
  readonly readings: Reading[] = [];
  /** Whether a game can have sent the delta, see {@link isSound}. */
  readonly isSound: boolean;
  /** Whether the base had a checksum: an empty snapshot has none, and the client copies the one before. */
  readonly isBaseCounted: boolean;
  /** Whether sums are evidence: they are none of a delta that no game sends, nor on a base without a checksum. */
  readonly isUsual: boolean;
  /** The number of ints after the last update. */
  readonly excess: number;
  /** The names of the types in the rebuilt snapshot, or in the base and the readable part of the delta. */
  readonly types: ItemTypes;
  /** The first update that no game sends, or -1, see {@link firstImplausibleUpdate}. */
  readonly implausible: number;

  constructor(received: ReceivedDelta) {
    this.received = received;
    const { protocol, base, before, payload, announced, stored = [] } = received;
    this.isBaseCounted = ![...stored].some(([tick, snapshot]) => tick < base && snapshot === before);
    const rebuilt = attempt(() => {
      unpackInts(payload, 0, payload.length, this.ints, ignore);
      this.delta.read(this.ints.ints, this.ints.length, protocol.sizeOf);
      return apply(before, this.delta);
    });
    if (rebuilt instanceof DecodeError) this.error = rebuilt;
    else {
      this.snapshot = rebuilt;
      this.difference = (announced - rebuilt.checksum()) | 0;
    }
    this.isSound = !this.error && isSound(before, this.delta, protocol);
    this.isUsual = this.isSound && this.isBaseCounted;
    this.excess = this.error ? 0 : this.ints.length - this.delta.end;
    this.types = new ItemTypes(protocol).onSnapshot(this.snapshot ?? before);
    if (!this.snapshot) this.types.onSnapshot(this.delta);
    this.implausible = firstImplausibleUpdate(before, this.delta, { types: this.types, tick: received.tick });
    this.#addOld(before);
    for (const { isRight, earlier } of received.references ?? []) if (isRight) this.#addOld(earlier);
  }

  #addOld(earlier: Snapshot): void {
    if (!this.snapshot) return;
    for (let i = 0; i < earlier.count; i++) {
      const key = earlier.keys[i]!;
      const is = this.snapshot.findKey(key);
      if (is >= 0 && areSame(this.snapshot.item(is), earlier.item(i))) this.old.add(key);
    }
  }
}

/** In a loop, since all items of a snapshot are compared for each failure. */
function areSame(ints: Int32Array, others: Int32Array): boolean {
  for (let i = 0; i < ints.length; i++) if (ints[i] !== others[i]) return false;
  return true;
}
