import type { RecordingEntry } from '../../recording/record.ts';
import { ClientTimeline } from './client-timeline.ts';
import { TickTimeline, type TickTimelineOptions } from './tick-timeline.ts';

/**
 * Prints the events of a recording as lines. A demo is listed by tick and includes the players' actions; a capture, which can contain
 * several connections, is listed by time and client.
 */
export class Timeline {
  readonly #options: TickTimelineOptions;
  #timeline: TickTimeline | ClientTimeline | undefined;

  constructor(options: TickTimelineOptions) {
    this.#options = options;
  }

  /**
   * Adds the next record and returns the lines that are ready.
   * @param isShown false for a record outside the selected ticks
   */
  add(entry: RecordingEntry, isShown = true): string {
    // A demo has no clients.
    this.#timeline ??=
      entry.stream?.client === '' ? new TickTimeline(this.#options) : new ClientTimeline(this.#options);
    return this.#timeline.add(entry, isShown);
  }

  /** Ends the recording and returns the remaining lines. */
  finish(): string {
    return this.#timeline?.finish() ?? '';
  }
}
