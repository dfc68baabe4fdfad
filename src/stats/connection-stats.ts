import { Players } from '../recording/players.ts';
import type { ConnectionStream, SnapshotEntry } from '../recording/record.ts';
import { type RateMode, type RateStretch, SnapshotRates } from '../recording/snapshot-rates.ts';
import type { PayloadPart } from './payload-ints.ts';

/** A snapshot that has captured parts and has not been rebuilt yet. */
export interface SentSnapshot {
  readonly tick: number;
  readonly expected: number;
  /** The parts by number; some may be missing. */
  readonly parts: (PayloadPart | undefined)[];
  count: number;
  /** Bits of the delta in the parts. */
  bits: number;
  /** Bits of the messages that contain these parts. */
  messageBits: number;
}

/** The limit of incomplete snapshots per connection. The receiver gives up before there are more. */
const maxPending = 100;

/** A part as it was captured. */
export interface SentPart extends PayloadPart {
  readonly tick: number;
  readonly part: number;
  readonly expected: number;
  readonly bits: number;
  readonly messageBits: number;
}

/** Consecutive snapshots that were sent in one mode, and their bits. */
export interface StretchTally {
  readonly stretch: RateStretch;
  readonly bits: number;
}

/** The state of a connection while its bytes are counted. */
export class ConnectionStats {
  readonly connection: ConnectionStream;
  readonly names = new Players();
  /** The tick of the last snapshot. */
  tick = -1;
  /** The time of the last packet in seconds; the snapshots it completes belong to it. */
  seconds = Number.NaN;
  readonly #rates = new SnapshotRates();
  /** Bits of each stretch. */
  readonly #bits: number[] = [];
  readonly #pending = new Map<number, SentSnapshot>();
  #whole: SentSnapshot | undefined;

  constructor(connection: ConnectionStream) {
    this.connection = connection;
  }

  /** Adds a part of a snapshot and returns false if it was already added. */
  addPart({ tick, part, expected, length, compressed, bits, messageBits }: SentPart): boolean {
    let sent = this.#pending.get(tick);
    if (!sent) {
      sent = { tick, expected, parts: [], count: 0, bits: 0, messageBits: 0 };
      this.#pending.set(tick, sent);
    }
    if (sent.parts[part]) return false;
    sent.parts[part] = { length, compressed };
    sent.count++;
    sent.bits += bits;
    sent.messageBits += messageBits;
    if (sent.count === sent.expected) this.#whole = sent;
    return true;
  }

  /** Removes a snapshot that was rebuilt or given up, and returns its captured parts. */
  settle({ tick, base }: SnapshotEntry): SentSnapshot | undefined {
    this.#rates.add(tick, base === -1, this.connection.mapChanges);
    const sent = this.#pending.get(tick);
    this.#pending.delete(tick);
    const last = this.#rates.stretches.length - 1;
    if (last >= 0) this.#bits[last] = (this.#bits[last] ?? 0) + (sent?.messageBits ?? 0);
    return sent;
  }

  /** Removes and returns a complete snapshot that was not rebuilt before the next packet, which means that it is repeated. */
  removeRepeated(): SentSnapshot | undefined {
    const whole = this.#whole;
    this.#whole = undefined;
    if (!whole || this.#pending.get(whole.tick) !== whole) return undefined;
    this.#pending.delete(whole.tick);
    return whole;
  }

  /** Removes and returns the oldest snapshots beyond the limit, whose missing parts are lost. */
  removeLost(limit = maxPending): SentSnapshot[] {
    const lost = [...this.#pending.values()].slice(0, Math.max(0, this.#pending.size - limit));
    for (const { tick } of lost) this.#pending.delete(tick);
    return lost;
  }

  get stretches(): StretchTally[] {
    return this.#rates.stretches.map((stretch, i) => ({ stretch, bits: this.#bits[i] ?? 0 }));
  }
}

/** The snapshots that servers sent in one mode, summed over all connections. */
export interface ModeTally {
  readonly mode: RateMode;
  /** The rate at which the server sends in this mode. */
  readonly perSecond: number;
  readonly snapshots: number;
  readonly seconds: number;
  readonly bits: number;
}
