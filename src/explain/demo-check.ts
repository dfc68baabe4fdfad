import { noBytes } from '../bytes/buffers.ts';
import type { Loss } from '../edit/losses.ts';
import { HeaderRepair, Repairer } from '../edit/repair.ts';
import { DemoMessage } from '../recording/demo-message.ts';
import type { MessageEntry, RecordingEntry } from '../recording/record.ts';

/** The faults of a demo: the data that `repair` would leave out or read differently. */
export interface DemoFaults {
  /** The ticks of snapshots that are unreadable or depend on unreadable ones. */
  readonly losses: readonly Loss[];
  /** The number of unreadable messages. */
  readonly lostMessages: number;
  /** The number of deltas in a 0.7 demo that have the item sizes of 0.6. */
  readonly wrongSizes: number;
  /** Whether the map differs from the one in the header. */
  readonly isMapDamaged: boolean;
}

/** Repairs a demo without writing it. Requires the records of chunks (`parts`). */
export class DemoCheck {
  readonly #header = new HeaderRepair();
  readonly #repairer = new Repairer(() => {});
  #hasHeader = false;

  add(entry: RecordingEntry): void {
    if (entry.record === 'header') {
      this.#hasHeader = true;
      this.#header.header(entry);
    }
    if (!this.#hasHeader) return;
    if (entry.record === 'map') this.#header.addMap(entry.piece);
    // Nothing is written, so the repairer need not copy the bytes of a message.
    this.#repairer.add(entry.record === 'message' ? withoutBytes(entry) : entry);
  }

  /** Ends the demo; returns undefined if it has no fault. */
  finish(): DemoFaults | undefined {
    if (!this.#hasHeader) return undefined;
    this.#repairer.finish();
    // The ticks do not matter here.
    this.#header.final(0, 0, 0);
    const { losses, wrongSizes } = this.#repairer;
    const { isMapDamaged } = this.#header;
    const isWrong = losses.losses.length > 0 || losses.lostMessages > 0 || wrongSizes > 0 || isMapDamaged;
    if (!isWrong) return undefined;
    return { losses: losses.losses, lostMessages: losses.lostMessages, wrongSizes, isMapDamaged };
  }
}

const withoutBytes = ({ stream, tick = -1 }: MessageEntry) => new DemoMessage(stream, tick, -1, { bytes: noBytes });
