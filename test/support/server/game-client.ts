import { IntBuffer } from '../../../src/wire/bytes/buffers.ts';
import { DecodeError, ignore } from '../../../src/wire/bytes/diagnostic.ts';
import { unpackInts } from '../../../src/wire/codec/varint.ts';
import type { SizeOf } from '../../../src/wire/protocol/registry.ts';
import { apply } from '../../../src/wire/snapshot/apply.ts';
import { Delta } from '../../../src/wire/snapshot/delta.ts';
import { Snapshot } from '../../../src/wire/snapshot/snapshot.ts';
import { keyOf, type ServerSnapshot } from './game-delta.ts';

/** The bytes that a client reserves for each part of a snapshot. */
export const partBytes = 900;

/** After more wrong checksums than this, a client requests a full snapshot. */
const maxErrors = 10;

export type Outcome = 'ok' | 'crc_error' | 'unpack_failed' | 'no_base';

/**
 * A game's client: parts are written at their position in one buffer, which is never cleared; a snapshot with another
 * checksum than announced is dropped, and so is not acknowledged.
 */
export class GameClient {
  /** The tick that is acknowledged: the base of the next snapshot. */
  acknowledged = -1;
  readonly #sizeOf: SizeOf;
  readonly #incoming = new Uint8Array(64 * partBytes);
  readonly #stored = new Map<number, Snapshot>([[-1, new Snapshot()]]);
  /** The counter of wrong checksums; a correct one decrements it. */
  errors = 0;
  /** The checksum of the last snapshot that was rebuilt. */
  rebuilt = 0;

  constructor(sizeOf: SizeOf) {
    this.#sizeOf = sizeOf;
  }

  receive(tick: number, base: number, crc: number, parts: readonly Uint8Array[]): Outcome {
    for (const [i, part] of parts.entries()) this.#incoming.set(part, i * partBytes);
    const size = (parts.length - 1) * partBytes + parts.at(-1)!.length;
    const before = this.#stored.get(base);
    if (!before) {
      this.acknowledged = -1;
      return 'no_base';
    }
    let snapshot: Snapshot;
    try {
      const ints = new IntBuffer();
      unpackInts(this.#incoming, 0, size, ints, ignore);
      const delta = new Delta();
      delta.read(ints.ints, ints.length, this.#sizeOf);
      snapshot = apply(before, delta);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return 'unpack_failed';
    }
    this.rebuilt = snapshot.checksum();
    if (this.rebuilt !== crc) {
      if (++this.errors > maxErrors) {
        this.acknowledged = -1;
        this.errors = 0;
      }
      return 'crc_error';
    }
    if (this.errors > 0) this.errors--;
    this.#keep(tick, snapshot);
    return 'ok';
  }

  /** A new map: all snapshots are forgotten. */
  changeMap(): void {
    this.#stored.clear();
    this.#stored.set(-1, new Snapshot());
    this.acknowledged = -1;
  }

  /** `snap_empty`: the base unchanged. */
  receiveEmpty(tick: number, base: number): void {
    const before = this.#stored.get(base);
    if (before) this.#keep(tick, before);
    else this.acknowledged = -1;
  }

  /** Whether the client has a snapshot of a tick with these items. */
  has(tick: number, items: ServerSnapshot): boolean {
    const stored = this.#stored.get(tick);
    if (stored?.count !== items.length) return false;
    return items.every((item) => {
      const at = stored.findKey(keyOf(item));
      return at >= 0 && stored.item(at).every((int, i) => int === item.data[i]);
    });
  }

  #keep(tick: number, snapshot: Snapshot): void {
    this.#stored.set(tick, snapshot);
    this.acknowledged = tick;
  }
}
