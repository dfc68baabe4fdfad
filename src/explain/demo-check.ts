import { HeaderRepair } from '../edit/header-repair.ts';
import type { Loss } from '../edit/losses.ts';
import { Repairer } from '../edit/repair.ts';
import type { RecordingEntry } from '../recording/record.ts';

/** What is wrong with a demo: what `repair` would leave out, or read in another way. */
export interface DemoFaults {
  /** Ticks whose snapshots can't be read, or depend on such. */
  readonly losses: readonly Loss[];
  /** Messages that can't be read. */
  readonly lostMessages: number;
  /** Deltas of a 0.7 demo that have the item sizes of 0.6. */
  readonly wrongSizes: number;
  /** Whether the map is not the one that the header names. */
  readonly isMapDamaged: boolean;
}

/** Repairs a demo without writing it. Needs the records of chunks (`parts`). */
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
    this.#repairer.add(entry);
  }

  /** The demo has ended. Undefined where nothing is wrong. */
  finish(): DemoFaults | undefined {
    if (!this.#hasHeader) return undefined;
    this.#repairer.finish();
    // The ticks are of no interest here.
    this.#header.final(0, 0, 0);
    const { losses, wrongSizes } = this.#repairer;
    const { isMapDamaged } = this.#header;
    const isWrong = losses.losses.length > 0 || losses.lostMessages > 0 || wrongSizes > 0 || isMapDamaged;
    if (!isWrong) return undefined;
    return { losses: losses.losses, lostMessages: losses.lostMessages, wrongSizes, isMapDamaged };
  }
}
