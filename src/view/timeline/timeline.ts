import type { TickRange } from '../../protocol/ticks.ts';
import type { RecordingEntry } from '../../recording/record.ts';
import type { Theme } from '../text/theme.ts';
import { ClientTimeline } from './client-timeline.ts';
import { TickTimeline } from './tick-timeline.ts';

export interface TimelineOptions {
  readonly theme: Theme;
  /** The width of the output in columns. */
  readonly width: number;
  /** Whether every action, snapshot and message has a line. */
  readonly verbose?: boolean;
  /** Only these ticks are printed. Records outside the range must still be added, because they set the context. */
  readonly ticks?: TickRange;
}

/**
 * Prints the events of a recording as lines. A demo is listed by tick and includes the players' actions; a capture, which can contain
 * several connections, is listed by time and client.
 */
export class Timeline {
  readonly #options: TimelineOptions;
  #timeline: TickTimeline | ClientTimeline | undefined;

  constructor(options: TimelineOptions) {
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
