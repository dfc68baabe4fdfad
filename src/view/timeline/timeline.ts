import type { TickRange } from '../../protocol/ticks.ts';
import type { RecordingEntry } from '../../recording/record.ts';
import type { Theme } from '../text/theme.ts';
import { ClientTimeline } from './client-timeline.ts';
import { TickTimeline } from './tick-timeline.ts';

export interface TimelineOptions {
  readonly theme: Theme;
  /** Columns of the output. */
  readonly width: number;
  /** Whether every action, snapshot and message has a line. */
  readonly verbose?: boolean;
  /** Only these ticks are printed. Records outside the range must still be added: they set the context. */
  readonly ticks?: TickRange;
}

/**
 * The events of a recording as lines. A recording of one player is listed by tick, with the players' actions; one of several
 * connections by time and client.
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

  /** The recording has ended. */
  finish(): string {
    return this.#timeline?.finish() ?? '';
  }
}
