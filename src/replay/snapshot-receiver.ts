import { IntBuffer } from '../bytes/buffers.ts';
import { type Args, type Code, DecodeError, ignore } from '../bytes/diagnostic.ts';
import { join } from '../bytes/join.ts';
import { unpackInts } from '../codec/varint.ts';
import { Applier } from '../model/apply.ts';
import { Delta } from '../model/delta.ts';
import type { Message } from '../model/message.ts';
import { Snapshot } from '../model/snapshot.ts';
import type { Protocol } from '../protocol/registry.ts';
import { KeptSnapshots } from './kept-snapshots.ts';

/** A snapshot that a server sent to a client, or why it can't be rebuilt. Valid until the next one is asked for. */
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
  /** Of damaged ones: what is wrong. */
  readonly fault?: { readonly code: Code; readonly args: Args };
}

/** Ticks that snapshots are kept as bases for: servers look back three seconds, with some to spare for what comes late. */
const keptTicks = 50 * 6;
const maxParts = 64;
const maxPartial = 64;
const maxDone = 4 * keptTicks;

/** What a snapshot message announces. */
type Announced = Pick<Received, 'tick' | 'base' | 'kind' | 'expected' | 'parts'>;

interface Partial extends Announced {
  readonly pieces: (Uint8Array | undefined)[];
  missing: number;
  fault?: Received['fault'];
}

const empty = new Snapshot();

/** Rebuilds the snapshots that one client is sent, as that client does: parts in any order, bases by tick. */
export class SnapshotReceiver {
  readonly #protocol: Protocol;
  readonly #ints = new IntBuffer();
  readonly #delta = new Delta();
  readonly #applier = new Applier();
  readonly #kept = new KeptSnapshots(keptTicks);
  readonly #partial = new Map<number, Partial>();
  /** The sums announced for ticks that are done with: what comes again of them is no news. */
  readonly #done = new Map<number, number | undefined>();

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
  }

  /** A map change starts the ticks again: nothing before it is a base any more. */
  *restart(): Generator<Received, void> {
    yield* this.finish();
    this.#kept.clear();
    this.#done.clear();
  }

  /** No more will come: what lacks parts is given up. */
  *finish(): Generator<Received, void> {
    for (const partial of this.#partial.values()) yield this.#incomplete(partial);
    this.#partial.clear();
  }

  /** Takes a snapshot message; gives the snapshots that are settled by it. */
  *take({ type, values, findings }: Message): Generator<Received, void> {
    const value = (name: string) => values.find((one) => one.name === name)?.value;
    const tick = value('tick');
    const distance = value('delta');
    if (typeof tick !== 'number' || typeof distance !== 'number') return;
    const base = tick - distance;
    const isEmpty = type?.name === 'snap_empty';
    const expected = value('crc');
    const bytes = value('bytes');
    const parts = value('num_parts') ?? 1;
    const part = value('part') ?? 0;
    const kind = isEmpty ? 'empty' : base === -1 ? 'snapshot' : 'delta';
    const announced = { tick, base, kind, expected, parts } as Announced;
    if (this.#startsAgain(announced)) yield* this.restart();
    if (this.#isDone(announced)) return;
    if (isEmpty) yield this.#unchanged(announced);
    else if (bytes instanceof Uint8Array && typeof parts === 'number' && typeof part === 'number') {
      const { error } = findings;
      if (parts === 1) yield error ? this.#damaged(announced, bytes.length, error) : this.#rebuild(announced, bytes);
      else yield* this.#part(announced, part, bytes, error);
    }
    yield* this.#giveUpOld();
  }

  /** Whether a whole snapshot has a tick that was long ago, or meant another one: then a map change was not captured. */
  #startsAgain({ tick, kind, expected }: Announced): boolean {
    if (kind !== 'snapshot') return false;
    return tick < this.#kept.oldest || (this.#done.has(tick) && this.#done.get(tick) !== expected);
  }

  #isDone({ tick, expected }: Announced): boolean {
    return this.#done.has(tick) && this.#done.get(tick) === expected;
  }

  *#part(announced: Announced, part: number, bytes: Uint8Array, fault: Received['fault']): Generator<Received, void> {
    const { tick, parts } = announced;
    if (parts < 1 || parts > maxParts || part < 0 || part >= parts) return;
    let partial = this.#partial.get(tick);
    if (!partial) {
      partial = { ...announced, pieces: new Array(parts), missing: parts };
      this.#partial.set(tick, partial);
    }
    if (fault) partial.fault = fault;
    else if (part < partial.parts && !partial.pieces[part]) {
      partial.pieces[part] = bytes.slice();
      partial.missing--;
    }
    if (partial.missing > 0) return;
    this.#partial.delete(tick);
    yield this.#rebuild(announced, join(partial.pieces as Uint8Array[]));
  }

  #rebuild(announced: Announced, payload: Uint8Array): Received {
    const { tick, base, expected } = announced;
    this.#done.set(tick, expected);
    const about = { ...announced, bytes: payload.length, payload };
    const before = base === -1 ? empty : this.#kept.get(base);
    if (!before) return { ...about, ok: null, reason: 'missing_base' };
    const delta = this.#delta;
    const snapshot = this.#kept.spare();
    try {
      unpackInts(payload, 0, payload.length, this.#ints, ignore);
      delta.read(this.#ints.ints, this.#ints.length, this.#protocol.sizeOf);
      this.#applier.apply(before, delta, snapshot, ignore);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return { ...this.#damaged(announced, payload.length, error), before, payload };
    }
    const crc = snapshot.checksum();
    const ok = crc === expected;
    // A client drops a snapshot with another sum, and so it is no base.
    if (ok) this.#kept.keep(tick, snapshot);
    return { ...about, before, snapshot, delta, crc, ok };
  }

  #unchanged(announced: Announced): Received {
    const { tick, base } = announced;
    this.#done.set(tick, undefined);
    const before = base === -1 ? empty : this.#kept.get(base);
    if (!before) return { ...announced, bytes: 0, ok: null, reason: 'missing_base' };
    this.#kept.keep(tick, before);
    return { ...announced, bytes: 0, before, snapshot: before, crc: before.checksum(), ok: true };
  }

  *#giveUpOld(): Generator<Received, void> {
    this.#kept.forgetOld();
    for (const tick of this.#done.keys()) {
      if (this.#done.size <= maxDone) break;
      this.#done.delete(tick);
    }
    for (const partial of this.#partial.values()) {
      if (partial.tick >= this.#kept.oldest && this.#partial.size <= maxPartial) continue;
      this.#partial.delete(partial.tick);
      yield this.#incomplete(partial);
    }
  }

  #incomplete({ pieces, missing, fault, ...announced }: Partial): Received {
    const bytes = pieces.reduce((sum, piece) => sum + (piece?.length ?? 0), 0);
    if (fault && missing === 1) return this.#damaged(announced, bytes, fault);
    this.#done.set(announced.tick, announced.expected);
    return { ...announced, bytes, ok: null, reason: 'missing_part' };
  }

  #damaged(announced: Announced, bytes: number, { code, args }: NonNullable<Received['fault']>): Received {
    this.#done.set(announced.tick, announced.expected);
    return { ...announced, bytes, ok: null, reason: 'damaged', fault: { code, args } };
  }
}
