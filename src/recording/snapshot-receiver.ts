import { type Message, valueNamed } from '../packet/message.ts';
import { type Protocol, protocolOf, type Version } from '../protocol/registry.ts';
import { ticksPerSecond } from '../protocol/ticks.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import { maxParts, ReceivedSnapshot, type SentSnapshot, SnapshotParts, TickSequence } from './received-snapshot.ts';
import { SharedMemory, SnapshotHistory } from './snapshot-history.ts';
import type { Stream } from './stream.ts';

/**
 * The number of ticks for which snapshots are kept as bases: servers use bases of the last three seconds, and packets
 * may be late.
 */
const keptTicks = 6 * ticksPerSecond;
const maxDone = 4 * keptTicks;
/** The maximum number of incomplete snapshots, and of parts that are kept for reuse. */
const [maxPartial, maxSpareParts] = [32, 4];
/**
 * The number of messages for which a snapshot waits for its base, since packets may be captured slightly out of order.
 */
const baseWait = 4;

const empty = new Snapshot();

/**
 * Rebuilds the snapshots that one client is sent, as that client does: parts in any order, bases by tick. A returned
 * snapshot is valid until the next one is requested.
 */
export class SnapshotReceiver {
  readonly #stream: Stream;
  readonly #memory: SharedMemory;
  readonly #history: SnapshotHistory;
  readonly #partial = new Map<number, SnapshotParts>();
  readonly #spareParts: SnapshotParts[] = [];
  /** Checksums announced for settled ticks; later copies are ignored. */
  readonly #done = new Map<number, number | undefined>();
  /** Snapshots that wait for their base, and the number of the last message until which they do. */
  readonly #waiting: { readonly received: ReceivedSnapshot; readonly until: number }[] = [];
  #messages = 0;
  /** The tick for a client to acknowledge; -1 asks for a whole snapshot, since the last one could not be used. */
  acknowledged = -1;
  /** Checks the ticks of snapshots; the connection reports those that were rejected. */
  readonly tickSequence = new TickSequence(keptTicks);

  /** @param of the stream of a recording, or for a live client the protocol */
  constructor(of: Stream | Version | Protocol, memory = new SharedMemory()) {
    const protocol = typeof of === 'string' ? protocolOf(of) : of;
    this.#stream = 'client' in protocol ? protocol : { number: 1, client: '', server: '', mapChanges: 0, protocol };
    this.#memory = memory;
    this.#history = new SnapshotHistory(keptTicks, memory.bases);
  }

  /** The snapshots after a map change that were held before it. */
  *restart(): Generator<ReceivedSnapshot, void> {
    for (const sent of this.tickSequence.restart()) yield* this.#receive(sent);
  }

  /** Gives up the snapshots that still lack parts or a base. */
  *finish(): Generator<ReceivedSnapshot, void> {
    for (const sent of this.tickSequence.finish()) yield* this.#receive(sent);
    yield* this.#giveUp();
    this.#history.clear();
  }

  /** Forgets all snapshots before a map change, so that none of them is a base from now on, and yields those that cannot be rebuilt. */
  *beginAgain(): Generator<ReceivedSnapshot, void> {
    yield* this.#giveUp();
    this.#history.clear();
    this.#done.clear();
    this.acknowledged = -1;
  }

  *#giveUp(): Generator<ReceivedSnapshot, void> {
    for (const parts of this.#partial.values()) yield this.#incomplete(parts);
    for (const { received } of this.#waiting.splice(0)) yield received.failed('missing_base');
  }

  /**
   * Adds a snapshot message, or in a live client one of a map change, and yields the snapshots that it settles.
   * @param time in seconds; NaN if it is unknown
   */
  *add({ type, values, diagnostics }: Message, time = Number.NaN): Generator<ReceivedSnapshot, void> {
    if (type?.name === 'map_change') {
      yield* this.beginAgain();
      yield* this.restart();
    }
    const tick = valueNamed(values, 'tick');
    const distance = valueNamed(values, 'delta');
    const parts = valueNamed(values, 'num_parts') ?? 1;
    const part = valueNamed(values, 'part') ?? 0;
    if (typeof tick !== 'number' || typeof distance !== 'number') return;
    if (typeof parts !== 'number' || typeof part !== 'number') return;
    const [expected, data] = [valueNamed(values, 'crc'), valueNamed(values, 'bytes')];
    const isEmpty = type?.name === 'snap_empty';
    if (!isEmpty && !(data instanceof Uint8Array)) return;
    const received = new ReceivedSnapshot(this.#stream, tick, tick - distance, expected as number | undefined, parts);
    const bytes = isEmpty ? undefined : (data as Uint8Array);
    this.#messages++;
    const sent = { received, part, bytes, error: diagnostics.error };
    if (this.tickSequence.accepts(tick, this.#isOther(received), time)) yield* this.#receive(sent);
    else for (const one of this.tickSequence.add(sent, time)) yield* this.#receive(one);
    if (this.#waiting.length > 0) yield* this.#endWaiting();
    this.#history.forgetOld();
    if (this.#done.size > maxDone) this.#forgetDone();
    if (this.#partial.size > 0) yield* this.#giveUpOld();
  }

  *#receive({ received, part, bytes, error }: SentSnapshot): Generator<ReceivedSnapshot, void> {
    const { tick, kind, announced } = received;
    // A map change was not captured.
    const startsAgain = kind === 'snapshot' && (tick < this.#history.oldest || this.#isOther(received));
    if (startsAgain) yield* this.beginAgain();
    if (this.#done.has(tick) && this.#done.get(tick) === announced) return;
    let settled: ReceivedSnapshot | undefined;
    if (received.parts !== 1) settled = bytes && this.#part(received, part, bytes, error);
    else if (error && bytes) settled = this.#settled(received).failed('damaged', error);
    else settled = this.#rebuild(received, bytes);
    if (!settled) return;
    this.#acknowledge(settled);
    yield settled;
    if (this.#waiting.length > 0) yield* this.#resume(tick);
  }

  #acknowledge({ tick, verdict }: ReceivedSnapshot): void {
    if (verdict === 'ok' || verdict === 'unchecked') this.acknowledged = Math.max(this.acknowledged, tick);
    else if (verdict === 'missing_base' || verdict === 'mismatch') this.acknowledged = -1;
  }

  /** Whether its tick was settled with another checksum. */
  #isOther({ tick, announced }: ReceivedSnapshot): boolean {
    return this.#done.has(tick) && this.#done.get(tick) !== announced;
  }

  #settled(received: ReceivedSnapshot): ReceivedSnapshot {
    this.#done.set(received.tick, received.announced);
    return received;
  }

  #part(
    received: ReceivedSnapshot,
    part: number,
    bytes: Uint8Array,
    cause: ReceivedSnapshot['cause'],
  ): ReceivedSnapshot | undefined {
    const { tick, parts } = received;
    if (parts < 1 || parts > maxParts || part < 0 || part >= parts) return undefined;
    let collected = this.#partial.get(tick);
    if (!collected) {
      collected = (this.#spareParts.pop() ?? new SnapshotParts()).begin(received);
      this.#partial.set(tick, collected);
    }
    if (cause) collected.cause = cause;
    else collected.add(part, bytes);
    if (collected.missing > 0) return undefined;
    this.#dismiss(collected);
    received.partEnds = collected.partEnds();
    return this.#rebuild(received, collected.joined());
  }

  #incomplete(parts: SnapshotParts): ReceivedSnapshot {
    this.#dismiss(parts);
    const { received, missing, cause } = parts;
    received.bytes = parts.length;
    return this.#settled(received).failed(cause && missing === 1 ? 'damaged' : 'missing_part', cause);
  }

  #dismiss(parts: SnapshotParts): void {
    this.#partial.delete(parts.received.tick);
    if (this.#spareParts.length < maxSpareParts) this.#spareParts.push(parts);
  }

  /**
   * The snapshot, rebuilt or with the reason why not; undefined while it waits for its base.
   * @param payload undefined if the base is unchanged
   */
  #rebuild(received: ReceivedSnapshot, payload: Uint8Array | undefined): ReceivedSnapshot | undefined {
    const { tick, base } = this.#settled(received);
    if (payload) received.bytes = payload.length;
    received.payload = payload;
    received.before = base === -1 ? empty : this.#history.base(base);
    received.stored = this.#history;
    if (received.before) return payload ? this.#applied(received, payload, received.before) : this.#unchanged(received);
    if (!this.#mayCome(base, tick)) return received.failed('missing_base');
    received.payload = payload?.slice();
    this.#waiting.push({ received, until: this.#messages + baseWait });
    return undefined;
  }

  /** Whether a base may still arrive: its tick is between the known ones, but was not seen. */
  #mayCome(base: number, tick: number): boolean {
    return (
      base >= 0 && base < tick && this.#history.newest >= 0 && base > this.#history.oldest && !this.#done.has(base)
    );
  }

  *#resume(base: number): Generator<ReceivedSnapshot, void> {
    if (!this.#history.has(base)) return;
    for (let i = 0; i < this.#waiting.length; ) {
      const { received } = this.#waiting[i]!;
      if (received.base !== base) {
        i++;
        continue;
      }
      this.#waiting.splice(i, 1);
      const settled = this.#rebuild(received, received.payload);
      if (!settled) continue;
      this.#acknowledge(settled);
      yield settled;
      yield* this.#resume(received.tick);
      i = 0;
    }
  }

  *#endWaiting(): Generator<ReceivedSnapshot, void> {
    while (this.#waiting.length > 0 && this.#waiting[0]!.until <= this.#messages) {
      const received = this.#waiting.shift()!.received.failed('missing_base');
      this.#acknowledge(received);
      yield received;
    }
  }

  #applied(received: ReceivedSnapshot, bytes: Uint8Array, before: Snapshot): ReceivedSnapshot {
    const { payload } = this.#memory;
    const snapshot = this.#history.spare();
    payload.sizeOf = this.#stream.protocol.sizeOf;
    const error = payload.rebuild('delta', bytes, 'packed', before, snapshot);
    if (error) return received.failed('damaged', error);
    // A client drops a snapshot with another checksum, so it cannot be a base.
    if (received.rebuilt(snapshot, payload.delta).verdict === 'ok') this.#history.keep(received.tick, snapshot);
    return received;
  }

  #unchanged(received: ReceivedSnapshot): ReceivedSnapshot {
    this.#history.keep(received.tick, received.before!);
    return received.rebuilt(received.before!);
  }

  /** Forgets the older half at once: a map finds its first entry slowly after each deletion of one. */
  #forgetDone(): void {
    for (const tick of this.#done.keys()) {
      if (this.#done.size <= maxDone / 2) return;
      this.#done.delete(tick);
    }
  }

  *#giveUpOld(): Generator<ReceivedSnapshot, void> {
    for (const parts of this.#partial.values()) {
      if (parts.received.tick >= this.#history.oldest && this.#partial.size <= maxPartial) continue;
      yield this.#incomplete(parts);
    }
  }
}
