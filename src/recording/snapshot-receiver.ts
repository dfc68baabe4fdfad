import { DecodeError } from '../bytes/diagnostic.ts';
import { PayloadReader } from '../decode/payload-reader.ts';
import type { Message } from '../packet/message.ts';
import { ticksPerSecond } from '../protocol/ticks.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import { ReceivedSnapshot } from './received-snapshot.ts';
import type { Stream } from './record.ts';
import { SnapshotHistory } from './snapshot-history.ts';
import { SnapshotParts } from './snapshot-parts.ts';

/** Ticks that snapshots are kept as bases for: servers look back three seconds, with some to spare for what comes late. */
const keptTicks = 6 * ticksPerSecond;
const maxDone = 4 * keptTicks;
const maxParts = 64;
const maxPartial = 64;

const empty = new Snapshot();

/**
 * Rebuilds the snapshots that one client is sent, as that client does: parts in any order, bases by tick. What is given is valid
 * until the next is asked for.
 */
export class SnapshotReceiver {
  readonly #stream: Stream;
  readonly #payload: PayloadReader;
  readonly #kept = new SnapshotHistory(keptTicks);
  /** Of which parts are still to come, by tick. */
  readonly #partial = new Map<number, SnapshotParts>();
  readonly #spareParts: SnapshotParts[] = [];
  /** The sums announced for ticks that are done with: what comes again of them is no news. */
  readonly #done = new Map<number, number | undefined>();

  /** @param stream that the snapshots belong to */
  constructor(stream: Stream) {
    this.#stream = stream;
    this.#payload = new PayloadReader(stream.protocol.sizeOf);
  }

  /** A map change starts the ticks again: nothing before it is a base any more. */
  *restart(): Generator<ReceivedSnapshot, void> {
    yield* this.finish();
    this.#kept.clear();
    this.#done.clear();
  }

  /** No more will come: what lacks parts is given up. */
  *finish(): Generator<ReceivedSnapshot, void> {
    for (const parts of this.#partial.values()) yield this.#incomplete(parts);
  }

  /** Takes a snapshot message; gives the snapshots that are settled by it. */
  *add({ type, values, diagnostics }: Message): Generator<ReceivedSnapshot, void> {
    const value = (name: string) => values.find((one) => one.name === name)?.value;
    const [tick, distance, parts, part] = [value('tick'), value('delta'), value('num_parts') ?? 1, value('part') ?? 0];
    if (typeof tick !== 'number' || typeof distance !== 'number') return;
    if (typeof parts !== 'number' || typeof part !== 'number') return;
    const [expected, bytes] = [value('crc'), value('bytes')];
    const received = new ReceivedSnapshot(this.#stream, tick, tick - distance, expected as number | undefined, parts);
    if (this.#startsAgain(received)) yield* this.restart();
    if (this.#isDone(received)) return;
    if (type?.name === 'snap_empty') yield this.#unchanged(received);
    else if (!(bytes instanceof Uint8Array)) return;
    else if (parts !== 1) yield* this.#part(received, part, bytes, diagnostics.error);
    else if (diagnostics.error) yield this.#settled(received).failed('damaged', diagnostics.error);
    else yield this.#rebuild(received, bytes);
    yield* this.#giveUpOld();
  }

  /** Whether a whole snapshot has a tick that was long ago, or meant another one: then a map change was not captured. */
  #startsAgain({ tick, kind, announced }: ReceivedSnapshot): boolean {
    if (kind !== 'snapshot') return false;
    return tick < this.#kept.oldest || (this.#done.has(tick) && this.#done.get(tick) !== announced);
  }

  #isDone({ tick, announced }: ReceivedSnapshot): boolean {
    return this.#done.has(tick) && this.#done.get(tick) === announced;
  }

  #settled(received: ReceivedSnapshot): ReceivedSnapshot {
    this.#done.set(received.tick, received.announced);
    return received;
  }

  *#part(
    received: ReceivedSnapshot,
    part: number,
    bytes: Uint8Array,
    cause: ReceivedSnapshot['cause'],
  ): Generator<ReceivedSnapshot, void> {
    const { tick, parts } = received;
    if (parts < 1 || parts > maxParts || part < 0 || part >= parts) return;
    let gathered = this.#partial.get(tick);
    if (!gathered) {
      gathered = (this.#spareParts.pop() ?? new SnapshotParts()).begin(received);
      this.#partial.set(tick, gathered);
    }
    if (cause) gathered.cause = cause;
    else gathered.add(part, bytes);
    if (gathered.missing > 0) return;
    this.#dismiss(gathered);
    received.partEnds = gathered.partEnds();
    yield this.#rebuild(received, gathered.joined());
  }

  #incomplete(parts: SnapshotParts): ReceivedSnapshot {
    this.#dismiss(parts);
    const { received, missing, cause } = parts;
    received.bytes = parts.length;
    return this.#settled(received).failed(cause && missing === 1 ? 'damaged' : 'missing_part', cause);
  }

  #dismiss(parts: SnapshotParts): void {
    this.#partial.delete(parts.received.tick);
    this.#spareParts.push(parts);
  }

  #rebuild(received: ReceivedSnapshot, payload: Uint8Array): ReceivedSnapshot {
    const { tick, base } = this.#settled(received);
    received.bytes = payload.length;
    received.payload = payload;
    received.stored = this.#kept;
    received.before = base === -1 ? empty : this.#kept.get(base);
    if (!received.before) return received.failed('missing_base');
    const snapshot = this.#kept.spare();
    try {
      this.#payload.readDelta(payload, 'packed');
      this.#payload.applyTo(received.before, snapshot);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return received.failed('damaged', error);
    }
    // A client drops a snapshot with another sum, and so it is no base.
    if (received.rebuilt(snapshot, this.#payload.delta).verdict === 'ok') this.#kept.keep(tick, snapshot);
    return received;
  }

  #unchanged(received: ReceivedSnapshot): ReceivedSnapshot {
    const { tick, base } = this.#settled(received);
    received.before = base === -1 ? empty : this.#kept.get(base);
    if (!received.before) return received.failed('missing_base');
    this.#kept.keep(tick, received.before);
    return received.rebuilt(received.before);
  }

  *#giveUpOld(): Generator<ReceivedSnapshot, void> {
    this.#kept.forgetOld();
    if (this.#done.size > maxDone) this.#done.delete(this.#done.keys().next().value!);
    if (this.#partial.size === 0) return;
    for (const parts of this.#partial.values()) {
      if (parts.received.tick >= this.#kept.oldest && this.#partial.size <= maxPartial) continue;
      yield this.#incomplete(parts);
    }
  }
}
