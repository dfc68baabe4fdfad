import type { VersionCertainty } from '../../wire/packet/message.ts';
import { isSnapshotOrTiming } from '../../wire/protocol/message-registry.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';
import { type DemoHeader, markersFrom } from '../container/demo/header.ts';
import { maxEvents } from '../replay/limits.ts';
import type { DiagnosticEntry, MessageEntry, RecordingEntry, SnapshotEntry, TickEntry } from '../replay/record.ts';
import type { Stream } from '../replay/stream.ts';
import { EventDetectors } from './detectors.ts';
import { explains, type GameEvent, isAction, isDeathByGame, type TickEvents } from './event.ts';
import { type TickMessage, TickMessages } from './tick-messages.ts';

/** A record of one stream, with the fields that `EventReader` needs. */
export type EventInput =
  | {
      readonly record: 'header';
      readonly header: Pick<DemoHeader, 'markers' | 'length'>;
      readonly stream: Pick<Stream, 'protocol'>;
    }
  | { readonly record: Exclude<RecordingEntry['record'], 'header' | 'tick' | 'snapshot' | 'message' | 'diagnostic'> }
  | Pick<TickEntry, 'record' | 'tick'>
  | (Pick<SnapshotEntry, 'record' | 'tick' | 'kind' | 'snapshot' | 'before'> & OfStream)
  | (Pick<MessageEntry, 'record' | 'bytes' | 'message' | 'certainty'> & OfStream)
  | Pick<DiagnosticEntry, 'record' | 'diagnostic'>;

/** What is said of records that may be of several streams. */
export interface OfStream {
  /** Needed if no header is added. */
  readonly stream?: Pick<Stream, 'protocol'>;
  /** Then events have it, too, as `at`. */
  readonly time?: number;
}

/** Which events an `EventFinder` yields. */
export interface EventOptions {
  /**
   * Whether events remain that others tell, for those who search a kind: a join that the chat announces, a death by the
   * game before a change of the team.
   */
  readonly withTold?: boolean;
  /** Whether players' actions are events, as by default. Without them `report` takes 0.83 of the time (34 players). */
  readonly withActions?: boolean;
}

/** A step of more ticks is a gap. Recordings usually have a snapshot at every second tick. */
const gapTicks = 50;

/** An event of a message is marked if another reading of the message is as good. */
const sureReadings: ReadonlySet<VersionCertainty | undefined> = new Set([undefined, 'certain', 'likely']);

/**
 * Finds the events of a demo in its records, tick by tick, in the order of the records. A tick is returned when the
 * next one is complete, because a snapshot shows the reason of some deaths one tick late.
 */
export class EventReader {
  #detectors: EventDetectors | undefined;
  #markers: readonly number[] = [];
  #header: Pick<DemoHeader, 'markers' | 'length'> | undefined;
  #tick = -1;
  #current: { readonly event: GameEvent; readonly message: TickMessage | undefined }[] = [];
  readonly #messages = new TickMessages(maxEvents);
  #ended: TickEvents | undefined;
  #reportsFull = true;
  #hasSnapshot = false;
  #time: number | undefined;

  readonly #options: EventOptions;

  /**
   * @param protocol needed if no header will be added
   */
  constructor(protocol?: Protocol, options: EventOptions = {}) {
    this.#options = options;
    if (protocol) this.#detect(protocol);
  }

  /** Adds the next record. If it begins a tick, returns the events of the tick before the one that has just ended. */
  add(record: EventInput): TickEvents | undefined {
    if (record.record === 'tick') return this.#beginTick(record.tick);
    const part = this.#current.length < maxEvents ? undefined : this.#endTick();
    if (record.record === 'message') this.#onMessage(record);
    else if (record.record === 'header') {
      this.#detect(record.stream.protocol);
      this.#header = record.header;
    } else if (record.record === 'snapshot' && record.snapshot) {
      this.#begin(record);
      const isFull = record.kind === 'snapshot';
      if (isFull && this.#reportsFull) this.#emit([{ what: 'full_snapshot', items: record.snapshot.count }]);
      // A recording may begin between two full snapshots, so the first full one after a delta is not reported.
      if (isFull || !this.#hasSnapshot) this.#reportsFull = false;
      this.#hasSnapshot = true;
      this.#emit(this.#detectors?.onSnapshot(record.snapshot, record.before) ?? []);
    } else if (record.record === 'diagnostic') {
      if (record.diagnostic.severity === 'error') this.#reportsFull = true;
      this.#emit([{ what: 'diagnostic', diagnostic: record.diagnostic }]);
    }
    return part;
  }

  finish(): TickEvents[] {
    const ended = this.#endTick();
    this.#tick = -1;
    return [ended, this.#endTick()].filter((events) => events !== undefined);
  }

  #begin({ stream, time }: OfStream): void {
    this.#time = time;
    if (!this.#detectors && stream) this.#detect(stream.protocol);
  }

  #detect(protocol: Protocol): void {
    const { withActions, withTold } = this.#options;
    this.#detectors = new EventDetectors(protocol, withActions, withTold);
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
    if (before < 0 && this.#header) this.#markers = markersFrom(this.#header, tick).toSorted((a, b) => a - b);
    for (const [i, marker] of this.#markers.entries()) {
      if (marker <= tick && marker > before) this.#emit([{ what: 'marker', number: i + 1, of: this.#markers.length }]);
    }
    return ended;
  }

  #endTick(): TickEvents | undefined {
    const before = this.#ended;
    this.#ended = this.#currentTick();
    if (!before) return undefined;
    const later = this.#ended?.events ?? [];
    const isExplained = (event: GameEvent) =>
      !this.#options.withTold &&
      isDeathByGame(event) &&
      [...before.events, ...later].some((other) => explains(other, event));
    return { tick: before.tick, events: before.events.filter((event) => !isExplained(event)) };
  }

  #currentTick(): TickEvents | undefined {
    this.#messages.finish();
    if (this.#tick < 0 && this.#current.length === 0) return undefined;
    const events = this.#current
      .filter(({ message }) => !message?.isCopy)
      .map(({ event, message }) =>
        message && message.receivers > 1 && !isAction(event) ? { ...event, receivers: message.receivers } : event,
      );
    this.#current = [];
    return { tick: this.#tick, events };
  }

  #emit(events: Iterable<GameEvent>, message?: TickMessage): void {
    const at = this.#time;
    for (const event of events) this.#current.push({ event: at === undefined ? event : { ...event, at }, message });
  }

  #onMessage(record: EventInput & { record: 'message' }): void {
    const { bytes } = record;
    this.#begin(record);
    const { protocol } = this.#detectors ?? {};
    if (!protocol) return;
    if (isSnapshotOrTiming(bytes, protocol.version)) return;
    const { message } = record;
    if (!message.type || isSnapshotOrTiming(bytes, message.version ?? protocol.version)) return;
    const first = this.#messages.add(message, bytes);
    if (!first) return;
    const events = [...this.#detectors!.onMessage(message)];
    const isSure = events.every(isAction) || sureReadings.has(record.certainty);
    this.#emit(
      isSure ? events : events.map((event) => (isAction(event) ? event : { ...event, uncertain: true })),
      first,
    );
  }
}
