import { PlayerNames } from '../recording/player-names.ts';
import type { ConnectionStream, SnapshotEntry } from '../recording/record.ts';
import { type RateMode, type RateStretch, SnapshotRates } from '../recording/snapshot-rates.ts';
import type { PayloadPart } from './payload-ints.ts';

/** A snapshot of which parts came, and which is still to be rebuilt. */
export interface SentSnapshot {
  readonly tick: number;
  readonly expected: number;
  /** By number; some may lack. */
  readonly parts: (PayloadPart | undefined)[];
  count: number;
  /** Of the deltas in it. */
  bits: number;
  /** With the messages around them. */
  messageBits: number;
}

/** Snapshots of one connection that are waited for; the receiver gives up more. */
const maxComing = 100;

/** A part as it came. */
export interface SentPart extends PayloadPart {
  readonly tick: number;
  readonly part: number;
  readonly expected: number;
  readonly bits: number;
  readonly messageBits: number;
}

/** What one way of sending snapshots brought. */
export interface StretchTally {
  readonly stretch: RateStretch;
  readonly bits: number;
}

/** What has to be remembered of a connection while its bytes are counted. */
export class StatsConnection {
  readonly connection: ConnectionStream;
  readonly names = new PlayerNames();
  /** Of the last snapshot. */
  tick = -1;
  readonly #rates = new SnapshotRates();
  /** Of each stretch. */
  readonly #bits: number[] = [];
  readonly #coming = new Map<number, SentSnapshot>();
  #whole: SentSnapshot | undefined;
  #mapChanges = 0;

  constructor(connection: ConnectionStream) {
    this.connection = connection;
  }

  /** Takes a part of a snapshot; false where it came before. */
  addPart({ tick, part, expected, length, compressed, bits, messageBits }: SentPart): boolean {
    let coming = this.#coming.get(tick);
    if (!coming) {
      coming = { tick, expected, parts: [], count: 0, bits: 0, messageBits: 0 };
      this.#coming.set(tick, coming);
    }
    if (coming.parts[part]) return false;
    coming.parts[part] = { length, compressed };
    coming.count++;
    coming.bits += bits;
    coming.messageBits += messageBits;
    if (coming.count === coming.expected) this.#whole = coming;
    return true;
  }

  /** The parts that came of a snapshot that is settled now. */
  settle({ tick, base }: SnapshotEntry): SentSnapshot | undefined {
    if (this.#mapChanges !== this.connection.mapChanges) this.#rates.restart();
    this.#mapChanges = this.connection.mapChanges;
    this.#rates.add(tick, base === -1);
    const coming = this.#coming.get(tick);
    this.#coming.delete(tick);
    const last = this.#rates.stretches.length - 1;
    if (last >= 0) this.#bits[last] = (this.#bits[last] ?? 0) + (coming?.messageBits ?? 0);
    return coming;
  }

  /** One that is whole, but of which nothing became before the next packet: it was there already. */
  takeRepeated(): SentSnapshot | undefined {
    const whole = this.#whole;
    this.#whole = undefined;
    if (!whole || this.#coming.get(whole.tick) !== whole) return undefined;
    this.#coming.delete(whole.tick);
    return whole;
  }

  /** Those that are waited for in vain: beyond the limit, or at the end all. */
  takeLost(limit = maxComing): SentSnapshot[] {
    const lost = [...this.#coming.values()].slice(0, Math.max(0, this.#coming.size - limit));
    for (const { tick } of lost) this.#coming.delete(tick);
    return lost;
  }

  get stretches(): StretchTally[] {
    return this.#rates.stretches.map((stretch, i) => ({ stretch, bits: this.#bits[i] ?? 0 }));
  }
}

/** What a server's way of sending snapshots brought, of all connections. */
export interface ModeTally {
  readonly mode: RateMode;
  /** As the server means to send them. */
  readonly perSecond: number;
  readonly snapshots: number;
  readonly seconds: number;
  readonly bits: number;
}
