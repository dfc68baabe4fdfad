import type { RecordingEntry } from '../replay/record.ts';
import { CaptureEvents } from './connection-events.ts';
import type { TickEvents } from './event.ts';
import { EventReader } from './events.ts';

/**
 * Finds the events of a recording in its records, one by one: of a demo, of the connections of a capture, or while a
 * match runs.
 *
 * @example
 * ```ts
 * import { readDemo } from 'tw-snap';
 * import { EventFinder } from 'tw-snap/match';
 *
 * const finder = new EventFinder();
 * for (const entry of readDemo(bytes)) {
 *   for (const { tick, events } of finder.add(entry)) for (const { what } of events) console.log(tick, what);
 * }
 * finder.finish();
 * ```
 */
export class EventFinder {
  #demo: EventReader | undefined;
  #capture: CaptureEvents | undefined;
  #tick = -1;

  /** Adds the next record; returns the ticks that are complete, also those without events. */
  add(entry: RecordingEntry): TickEvents[] {
    const { stream } = entry;
    if (!this.#demo && (stream?.client || this.#capture)) {
      this.#capture ??= new CaptureEvents();
      return this.#capture.add(entry);
    }
    this.#demo ??= stream && new EventReader();
    return [...this.#missingTick(entry), ...this.#add(entry)];
  }

  /** The last ticks, at the end. */
  finish(): TickEvents[] {
    return this.#demo?.finish() ?? this.#capture?.finish() ?? [];
  }

  #add(entry: RecordingEntry): TickEvents[] {
    if (entry.record === 'tick') this.#tick = entry.tick;
    if (entry.record === 'diagnostic' && !this.#demo) {
      return [{ tick: -1, events: [{ what: 'diagnostic', diagnostic: entry.diagnostic }] }];
    }
    const ended = this.#demo?.add(entry);
    return ended ? [ended] : [];
  }

  /** The records of ticks may be left out. */
  #missingTick(entry: RecordingEntry): TickEvents[] {
    if (entry.record !== 'snapshot' && entry.record !== 'message') return [];
    const { tick = -1, stream } = entry;
    return tick > this.#tick ? this.#add({ record: 'tick', stream, tick, keyframe: false }) : [];
  }
}
