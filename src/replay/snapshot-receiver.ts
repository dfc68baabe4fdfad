import { IntBuffer } from '../bytes/buffers.ts';
import { DecodeError, ignore } from '../bytes/diagnostic.ts';
import { unpackInts } from '../codec/varint.ts';
import { Applier } from '../model/apply.ts';
import { Delta } from '../model/delta.ts';
import type { Message } from '../model/message.ts';
import { Snapshot } from '../model/snapshot.ts';
import type { Protocol } from '../protocol/registry.ts';

/** A snapshot that a server sent to a client, or why it can't be rebuilt. */
export interface Received {
  readonly tick: number;
  /** -1 for the empty snapshot. */
  readonly base: number;
  /** `snapshot` on the empty one, `delta` on another, `empty` the base unchanged. */
  readonly kind: 'snapshot' | 'delta' | 'empty';
  /** Announced; undefined for `empty`. */
  readonly expected: number | undefined;
  /** Bytes of the snapshot's payload, all parts. */
  readonly bytes: number;
  readonly parts: number;
  readonly snapshot?: Snapshot;
  readonly before?: Snapshot;
  readonly delta?: Delta;
  readonly payload?: Uint8Array;
  readonly crc?: number;
  readonly ok: boolean | null;
  readonly reason?: 'missing_base' | 'missing_part' | 'damaged';
}

/** Ticks that snapshots are kept as bases for: servers look back three seconds, with some to spare for what comes late. */
const keptTicks = 50 * 6;
const maxParts = 64;
const maxPartial = 64;

interface Partial {
  readonly tick: number;
  readonly base: number;
  readonly numParts: number;
  readonly expected: number;
  readonly parts: Map<number, Uint8Array>;
}

const empty = new Snapshot();

/** Rebuilds the snapshots that one client is sent, as that client does: parts in any order, bases by tick. */
export class SnapshotReceiver {
  readonly #protocol: Protocol;
  readonly #ints = new IntBuffer();
  readonly #delta = new Delta();
  readonly #applier = new Applier();
  readonly #kept = new Map<number, Snapshot>();
  readonly #partial = new Map<number, Partial>();
  /** Ticks that are done with: what comes again of them is no news. */
  readonly #done = new Set<number>();
  #newest = -1;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
  }

  /** A map change starts the ticks again: nothing before it is a base any more. */
  *restart(): Generator<Received, void> {
    yield* this.finish();
    this.#kept.clear();
    this.#done.clear();
    this.#newest = -1;
  }

  /** No more will come: what lacks parts is given up. */
  *finish(): Generator<Received, void> {
    for (const partial of this.#partial.values()) yield this.#incomplete(partial);
    this.#partial.clear();
  }

  /** Takes a snapshot message; gives the snapshots that are settled by it. */
  *take(message: Message): Generator<Received, void> {
    const value = (name: string) => message.values.find((one) => one.name === name)?.value;
    const tick = value('tick');
    const distance = value('delta');
    if (typeof tick !== 'number' || typeof distance !== 'number' || this.#done.has(tick)) return;
    const base = tick - distance;
    if (message.type?.name === 'snap_empty') {
      yield this.#unchanged(tick, base);
    } else {
      const bytes = value('bytes');
      const expected = value('crc');
      if (!(bytes instanceof Uint8Array) || typeof expected !== 'number') return;
      if (message.type?.name === 'snap_single') yield this.#whole(tick, base, expected, bytes, 1);
      else yield* this.#part(tick, base, expected, bytes, value('num_parts'), value('part'));
    }
    yield* this.#giveUpOld();
  }

  *#part(
    tick: number,
    base: number,
    expected: number,
    bytes: Uint8Array,
    numParts: unknown,
    part: unknown,
  ): Generator<Received, void> {
    if (typeof numParts !== 'number' || typeof part !== 'number') return;
    if (numParts < 1 || numParts > maxParts || part < 0 || part >= numParts) return;
    let partial = this.#partial.get(tick);
    if (!partial) {
      partial = { tick, base, numParts, expected, parts: new Map() };
      this.#partial.set(tick, partial);
    }
    if (!partial.parts.has(part)) partial.parts.set(part, bytes.slice());
    if (partial.parts.size < partial.numParts) return;
    this.#partial.delete(tick);
    yield this.#whole(tick, base, expected, joined(partial), numParts);
  }

  #whole(tick: number, base: number, expected: number, payload: Uint8Array, parts: number): Received {
    this.#done.add(tick);
    const kind = base === -1 ? 'snapshot' : 'delta';
    const about = { tick, base, kind, expected, bytes: payload.length, parts, payload } as const;
    const before = base === -1 ? empty : this.#kept.get(base);
    if (!before) return { ...about, ok: null, reason: 'missing_base' };
    const snapshot = new Snapshot();
    try {
      unpackInts(payload, 0, payload.length, this.#ints, ignore);
      this.#delta.read(this.#ints.ints, this.#ints.length, this.#protocol.sizeOf);
      this.#applier.apply(before, this.#delta, snapshot, ignore);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return { ...about, before, ok: null, reason: 'damaged' };
    }
    const crc = snapshot.checksum();
    const ok = crc === expected;
    // A client drops a snapshot with another sum, and so it is no base.
    if (ok) this.#keep(tick, snapshot);
    return { ...about, before, snapshot, delta: this.#delta, crc, ok };
  }

  #unchanged(tick: number, base: number): Received {
    this.#done.add(tick);
    const about = { tick, base, kind: 'empty', expected: undefined, bytes: 0, parts: 1 } as const;
    const before = base === -1 ? empty : this.#kept.get(base);
    if (!before) return { ...about, ok: null, reason: 'missing_base' };
    this.#keep(tick, before);
    return { ...about, before, snapshot: before, crc: before.checksum(), ok: true };
  }

  #keep(tick: number, snapshot: Snapshot): void {
    this.#kept.set(tick, snapshot);
    this.#newest = Math.max(this.#newest, tick);
  }

  *#giveUpOld(): Generator<Received, void> {
    const oldest = this.#newest - keptTicks;
    for (const tick of this.#kept.keys()) if (tick < oldest) this.#kept.delete(tick);
    for (const tick of this.#done) if (tick < oldest - keptTicks) this.#done.delete(tick);
    for (const partial of this.#partial.values()) {
      if (partial.tick >= oldest && this.#partial.size <= maxPartial) continue;
      this.#partial.delete(partial.tick);
      yield this.#incomplete(partial);
    }
  }

  #incomplete({ tick, base, numParts, expected, parts }: Partial): Received {
    this.#done.add(tick);
    const bytes = [...parts.values()].reduce((sum, { length }) => sum + length, 0);
    const kind = base === -1 ? 'snapshot' : 'delta';
    return { tick, base, kind, expected, bytes, parts: numParts, ok: null, reason: 'missing_part' };
  }
}

function joined({ numParts, parts }: Partial): Uint8Array {
  const pieces = Array.from({ length: numParts }, (_, i) => parts.get(i)!);
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
