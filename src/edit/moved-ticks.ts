import type { RecordingEntry } from '../recording/record.ts';
import { Editor } from './editor.ts';
import { DropSentSnapshots } from './sent-snapshots.ts';
import { ShiftTicks } from './shift-ticks.ts';
import type { Emit } from './slice.ts';

/**
 * Emits records with all ticks moved: their own, and those in items and messages. The snapshots that a server sent to
 * its clients are left out.
 */
export class MovedTicks {
  readonly #by: number;
  readonly #emit: Emit;
  readonly #editor: Editor;

  /** @param by the number of ticks, which may be negative */
  constructor(by: number, emit: Emit) {
    this.#by = by;
    this.#emit = emit;
    this.#editor = new Editor(by === 0 ? [] : [new DropSentSnapshots(), new ShiftTicks(by)], (entry) => {
      this.#moved(entry);
    });
  }

  add(entry: RecordingEntry): void {
    this.#editor.add(entry);
  }

  #moved(entry: RecordingEntry): void {
    if (entry.record === 'tick') this.#emit({ ...entry, tick: entry.tick + this.#by });
    else if (entry.record === 'snapshot') {
      this.#emit({ ...entry, tick: entry.tick + this.#by, payload: entry.payload });
    } else this.#emit(entry);
  }
}
