import type { Diagnostic } from '../bytes/diagnostic.ts';
import type { DemoHeader } from '../container/demo/header.ts';
import type { Message } from '../packet/message.ts';
import { isSnapshotOrTiming } from '../protocol/message-registry.ts';
import type { Protocol } from '../protocol/registry.ts';
import type { SnapshotEntry, Stream } from '../recording/record.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { EventDetectors } from './detectors.ts';
import type { GameEvent, PlayerRef, TickEvents } from './event.ts';

/** A record of one stream, with the fields that {@link EventReader} needs. */
export type EventInput =
  | {
      readonly record: 'header';
      readonly header: Pick<DemoHeader, 'markers' | 'length'>;
      readonly stream: Pick<Stream, 'protocol'>;
    }
  | { readonly record: 'map' | 'connection' | 'close' | 'drop' | 'chunk' | 'block' | 'packet' }
  | { readonly record: 'tick'; readonly tick: number }
  | {
      readonly record: 'snapshot';
      readonly tick: number;
      readonly kind: SnapshotEntry['kind'];
      readonly snapshot: Snapshot | undefined;
      readonly before: Snapshot | undefined;
    }
  | { readonly record: 'message'; readonly bytes: Uint8Array; readonly message: Message }
  | { readonly record: 'diagnostic'; readonly diagnostic: Diagnostic };

/** Only damaged or forged recordings have more events in a tick. */
const maxEvents = 500;
/** A step of more ticks is a gap. Recordings usually have a snapshot at every second tick. */
const gapTicks = 50;
/** Longer messages are not checked for repetition. */
const maxRepeatedBytes = 1000;
const killedByGame = -3;

/** Finds the events of a demo in its records, tick by tick. */
export class EventReader {
  #detectors: EventDetectors | undefined;
  #markers: readonly number[] = [];
  #tick = -1;
  #current: GameEvent[] = [];
  #omitted = 0;
  /** The messages of this tick, because a server demo contains each message once per receiver. */
  readonly #messages = new Set<string>();
  /** Whether the next full snapshot is reported. */
  #reportsFull = true;
  #hasSnapshot = false;

  /** @param protocol needed if no header will be added */
  constructor(protocol?: Protocol) {
    if (protocol) this.#detectors = new EventDetectors(protocol);
  }

  /** Adds the next record. If it begins a tick, returns the events of the previous tick. */
  add(record: EventInput): TickEvents | undefined {
    switch (record.record) {
      case 'header':
        this.#detectors = new EventDetectors(record.stream.protocol);
        this.#markers = record.header.markers.toSorted((a, b) => a - b);
        break;
      case 'tick':
        return this.#beginTick(record.tick);
      case 'snapshot':
        if (!record.snapshot) break;
        if (record.kind === 'snapshot' && this.#reportsFull) {
          this.#emit([{ what: 'full_snapshot', items: record.snapshot.count }]);
        }
        // A recording may begin between two full snapshots, so the first full one after a delta is not reported.
        if (record.kind === 'snapshot' || !this.#hasSnapshot) this.#reportsFull = false;
        this.#hasSnapshot = true;
        this.#emit(this.#detectors?.onSnapshot(record.snapshot, record.before) ?? []);
        break;
      case 'message':
        this.#onMessage(record);
        break;
      case 'diagnostic':
        if (record.diagnostic.severity === 'error') this.#reportsFull = true;
        this.#emit([{ what: 'diagnostic', diagnostic: record.diagnostic }]);
        break;
    }
    return undefined;
  }

  /** Ends the demo and returns the events of the last tick. */
  finish(): TickEvents | undefined {
    return this.#endTick();
  }

  #beginTick(tick: number): TickEvents | undefined {
    const ended = this.#endTick();
    const before = this.#tick;
    this.#tick = tick;
    this.#detectors?.onTick(tick);
    if (before >= 0 && tick - before > gapTicks) {
      this.#reportsFull = true;
      this.#emit([{ what: 'gap', ticks: tick - before - 1 }]);
    }
    for (const [i, marker] of this.#markers.entries()) {
      if (marker <= tick && marker > before) this.#emit([{ what: 'marker', number: i + 1, of: this.#markers.length }]);
    }
    return ended;
  }

  /** The events of the current tick; undefined before the first tick unless events were found there. */
  #endTick(): TickEvents | undefined {
    if (this.#tick < 0 && this.#current.length === 0) return undefined;
    const events = withoutRepeats(this.#current);
    if (this.#omitted > 0) events.push({ what: 'more', count: this.#omitted });
    this.#current = [];
    this.#omitted = 0;
    this.#messages.clear();
    return { tick: this.#tick, events };
  }

  #emit(events: Iterable<GameEvent>): void {
    for (const event of events) {
      if (this.#current.length < maxEvents) this.#current.push(event);
      else this.#omitted++;
    }
  }

  #onMessage(record: EventInput & { record: 'message' }): void {
    const { bytes } = record;
    const { protocol } = this.#detectors ?? {};
    if (!protocol) return;
    if (isSnapshotOrTiming(bytes, protocol.version)) return;
    const { message } = record;
    if (!message.type) return;
    if (bytes.length <= maxRepeatedBytes) {
      // The first byte is left out: receivers of 0.6 and 0.7 get the same message under different numbers.
      const key = message.type.name + String.fromCharCode(...bytes.subarray(1));
      if (this.#messages.has(key)) return;
      if (this.#messages.size < maxEvents) this.#messages.add(key);
    }
    this.#emit(this.#detectors!.onMessage(message));
  }
}

/** Removes the deaths of players who leave or change the team, because the game kills them first. */
function withoutRepeats(events: readonly GameEvent[]): GameEvent[] {
  const gone = new Set<number>();
  const serverLines: string[] = [];
  for (const one of events) {
    if (one.what === 'left' || one.what === 'changed_team') gone.add(one.player.client);
    if (one.what === 'chat' && !one.player) serverLines.push(one.text);
  }
  const isReported = ({ client, name }: PlayerRef) =>
    gone.has(client) ||
    serverLines.some((line) => line.startsWith(`'${name}' has left`) || line.startsWith(`'${name}' joined`));
  return events.filter((one) => !(one.what === 'killed' && one.weapon === killedByGame && isReported(one.player)));
}
