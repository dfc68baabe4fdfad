import { DecodeError } from '../bytes/diagnostic.ts';
import { PayloadReader } from '../decode/payload-reader.ts';
import type { Message } from '../packet/message.ts';
import { ticksPerSecond } from '../protocol/ticks.ts';
import { Snapshot } from '../snapshot/snapshot.ts';
import { ReceivedSnapshot } from './received-snapshot.ts';
import type { Stream } from './record.ts';
import { SnapshotHistory } from './snapshot-history.ts';
import { SnapshotParts } from './snapshot-parts.ts';

/** The ticks for which snapshots are kept as bases. Servers use bases of up to three seconds; the rest is for late packets. */
const historyTicks = 6 * ticksPerSecond;
const maxDone = 4 * historyTicks;
const maxParts = 64;
const maxPartial = 64;

const empty = new Snapshot();

/**
 * Rebuilds the snapshots sent to one client, as that client does: parts in any order, bases by tick. A yielded snapshot is valid until
 * the next one is requested.
 */
export class SnapshotReceiver {
  readonly #stream: Stream;
  readonly #payload: PayloadReader;
  readonly #history = new SnapshotHistory(historyTicks);
  /** Incomplete snapshots by tick. */
  readonly #partial = new Map<number, SnapshotParts>();
  readonly #spareParts: SnapshotParts[] = [];
  /** Checksums announced for settled ticks; later copies are ignored. */
  readonly #done = new Map<number, number | undefined>();

  /** @param stream the stream of the snapshots */
  constructor(stream: Stream) {
    this.#stream = stream;
    this.#payload = new PayloadReader(stream.protocol.sizeOf);
  }

  /** Drops all bases at a map change, which restarts the ticks. */
  *restart(): Generator<ReceivedSnapshot, void> {
    yield* this.finish();
    this.#history.clear();
    this.#done.clear();
  }

  /** Gives up incomplete snapshots at the end of the recording. */
  *finish(): Generator<ReceivedSnapshot, void> {
    for (const parts of this.#partial.values()) yield this.#incomplete(parts);
  }

  /** Adds a snapshot message and yields the snapshots that are settled by it. */
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

  /** Whether a full snapshot has a tick that is too old or was used for another snapshot: then a map change was not captured. */
  #startsAgain({ tick, kind, announced }: ReceivedSnapshot): boolean {
    if (kind !== 'snapshot') return false;
    return tick < this.#history.oldest || (this.#done.has(tick) && this.#done.get(tick) !== announced);
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
    let partial = this.#partial.get(tick);
    if (!partial) {
      partial = (this.#spareParts.pop() ?? new SnapshotParts()).begin(received);
      this.#partial.set(tick, partial);
    }
    if (cause) partial.cause = cause;
    else partial.add(part, bytes);
    if (partial.missing > 0) return;
    this.#release(partial);
    received.partEnds = partial.partEnds();
    yield this.#rebuild(received, partial.joined());
  }

  #incomplete(parts: SnapshotParts): ReceivedSnapshot {
    this.#release(parts);
    const { received, missing, cause } = parts;
    received.bytes = parts.length;
    return this.#settled(received).failed(cause && missing === 1 ? 'damaged' : 'missing_part', cause);
  }

  #release(parts: SnapshotParts): void {
    this.#partial.delete(parts.received.tick);
    this.#spareParts.push(parts);
  }

  #rebuild(received: ReceivedSnapshot, payload: Uint8Array): ReceivedSnapshot {
    const { tick, base } = this.#settled(received);
    received.bytes = payload.length;
    received.payload = payload;
    received.stored = this.#history;
    received.before = base === -1 ? empty : this.#history.get(base);
    if (!received.before) return received.failed('missing_base');
    const snapshot = this.#history.spare();
    try {
      this.#payload.readDelta(payload, 'packed');
      this.#payload.applyTo(received.before, snapshot);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return received.failed('damaged', error);
    }
    // A client drops a snapshot with a wrong checksum, so it cannot be a base.
    if (received.rebuilt(snapshot, this.#payload.delta).verdict === 'ok') this.#history.keep(tick, snapshot);
    return received;
  }

  #unchanged(received: ReceivedSnapshot): ReceivedSnapshot {
    const { tick, base } = this.#settled(received);
    received.before = base === -1 ? empty : this.#history.get(base);
    if (!received.before) return received.failed('missing_base');
    this.#history.keep(tick, received.before);
    return received.rebuilt(received.before);
  }

  *#giveUpOld(): Generator<ReceivedSnapshot, void> {
    this.#history.forgetOld();
    if (this.#done.size > maxDone) this.#done.delete(this.#done.keys().next().value!);
    if (this.#partial.size === 0) return;
    for (const parts of this.#partial.values()) {
      if (parts.received.tick >= this.#history.oldest && this.#partial.size <= maxPartial) continue;
      yield this.#incomplete(parts);
    }
  }
}
