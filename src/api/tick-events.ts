import type { GameEvent, TickEvents } from '../recording/events/event.ts';
import { EventFinder } from '../recording/events/recording-events.ts';
import { RecordingClock } from '../recording/replay/clock.ts';
import type { RecordingEntry } from '../recording/replay/record.ts';

/** The events of records with their seconds, without the ticks that have none. */
export function* eventsIn(records: Iterable<RecordingEntry>): Generator<TickEvents, void> {
  const events = new TimedEvents();
  for (const entry of records) yield* events.add(entry);
  yield* events.finish();
}

/** The same of records that arrive later. */
export async function* eventsInLater(records: AsyncIterable<RecordingEntry>): AsyncGenerator<TickEvents, void> {
  const events = new TimedEvents();
  for await (const entry of records) yield* events.add(entry);
  yield* events.finish();
}

class TimedEvents {
  readonly #finder = new EventFinder({ withTold: true });
  readonly #clock = new RecordingClock();

  add(entry: RecordingEntry): TickEvents[] {
    // What is before the first connection of a capture is before its beginning.
    if (entry.stream || entry.time === undefined) this.#clock.at(entry);
    return this.#timed(this.#finder.add(entry));
  }

  finish(): TickEvents[] {
    return this.#timed(this.#finder.finish());
  }

  #timed(ticks: readonly TickEvents[]): TickEvents[] {
    const timed = (tick: number, event: GameEvent): GameEvent => {
      const { at = Number.NaN } = event;
      const elapsed = Number.isFinite(at) ? this.#clock.ofTime(at) : this.#clock.ofTick(tick);
      return Number.isFinite(elapsed) ? { ...event, elapsed } : event;
    };
    return ticks
      .filter(({ events }) => events.length > 0)
      .map((ended) => ({ ...ended, events: ended.events.map((event) => timed(ended.tick, event)) }));
  }
}
