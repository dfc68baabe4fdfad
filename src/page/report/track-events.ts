import type { TickEvents } from '../../recording/events/event.ts';
import { type EventInput, type EventOptions, EventReader } from '../../recording/events/events.ts';
import type { Protocol } from '../../wire/protocol/registry.ts';

type TrackEntry = Extract<EventInput, { readonly record: 'message' | 'snapshot' }>;

/** Finds the events of a track in its messages and snapshots. */
export class TrackEvents {
  readonly #reader: EventReader;
  #tick = -1;

  constructor(protocol: Protocol, markers: readonly number[], options?: EventOptions) {
    this.#reader = new EventReader(undefined, options);
    this.#reader.add({ record: 'header', header: { markers, length: 1 }, stream: { protocol } });
  }

  /**
   * Returns the events of a tick before, if that has ended.
   * @param tick -1 before the first snapshot
   */
  add(entry: TrackEntry, tick: number): TickEvents | undefined {
    const begins = tick >= 0 && tick !== this.#tick;
    const ended = begins ? this.#reader.add({ record: 'tick', tick }) : undefined;
    if (begins) this.#tick = tick;
    this.#reader.add(entry);
    return ended;
  }

  finish(): TickEvents[] {
    return this.#reader.finish();
  }
}
