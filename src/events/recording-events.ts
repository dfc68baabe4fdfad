import type { RecordingEntry } from '../recording/record.ts';
import { CaptureEvents } from './connection-events.ts';
import type { TickEvents } from './event.ts';
import { EventReader } from './events.ts';

/** The events of any recording: those of a demo, whose ticks are records, or of the connections of a capture. */
export class RecordingEvents {
  #demo: EventReader | undefined;
  #capture: CaptureEvents | undefined;
  #tick = -1;

  add(entry: RecordingEntry): TickEvents[] {
    const { stream } = entry;
    if (!this.#demo && (stream?.client || this.#capture)) {
      this.#capture ??= new CaptureEvents();
      return this.#capture.add(entry);
    }
    this.#demo ??= stream && new EventReader();
    return [...this.#missingTick(entry), ...this.#add(entry)];
  }

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
