/**
 * Demos that are cut, changed, repaired, joined, or made from a capture: records in, records out, and a demo at the end.
 *
 * @module tw-snap/edit
 */
import { Concat } from '../edit/concat.ts';
import { type Edit, Editor } from '../edit/editor.ts';
import { HeaderRepair, Repairer, requireSnapshots } from '../edit/repair.ts';
import { type Emit, Slicer } from '../edit/slice.ts';
import type { TickRange } from '../protocol/ticks.ts';
import type * as record from '../recording/record.ts';
import { keep, type RecordingEntry, withChunks } from './read-recording.ts';

export { ClientDemo } from '../edit/client-demo.ts';
export { Concat } from '../edit/concat.ts';
export { DemoRecorder, type LastByteMode } from '../edit/demo-recorder.ts';
export { type Edit, Editor } from '../edit/editor.ts';
export { Rename } from '../edit/names.ts';
export { Repairer } from '../edit/repair.ts';
export { type Emit, type LeftOut, Slicer, type SliceTarget } from '../edit/slice.ts';
export { Strip } from '../edit/strip.ts';
export { writeDemo } from '../edit/write-demo.ts';

/** The records of a recording in their order, as `readDemo` yields them. */
export type Records = Iterable<record.RecordingEntry>;
type Steps = { add(entry: record.RecordingEntry): void; finish?(): void };

function* through(records: Records, begin: (emit: Emit) => Steps): Generator<RecordingEntry, void> {
  const ready: RecordingEntry[] = [];
  const steps = begin((entry) => ready.push(keep(entry)));
  for (const entry of records) {
    steps.add(entry);
    yield* ready.splice(0);
  }
  steps.finish?.();
  yield* ready;
}

/** The records after some edits, such as a `Rename` or a `Strip`. */
export const edited = (records: Records, ...edits: Edit[]) => through(records, (emit) => new Editor(edits, emit));

/** The records of some ticks, with the state at their beginning: `writeDemo` makes a demo of them. */
export const sliced = (records: Records, ...ranges: TickRange[]) =>
  through(records, (emit) => new Slicer([{ ranges, emit }]));

/**
 * The records of a damaged demo without what is lost, with the header corrected as `tw-snap repair` does.
 *
 * @param records those that `readDemo` returns, or others with the records of chunks: `readDemo(bytes, { parts: true })`
 * @throws DecodeError after the last record if no snapshot is left, as `tw-snap repair` refuses such a demo
 * @throws TypeError without the records of chunks
 */
export const repaired = (records: Records) => through(withChunks(records), (emit) => new DemoRepair(emit));

/** Repairs a demo whose header is written before its map is read: both wait until the map is complete. */
class DemoRepair {
  readonly #emit: Emit;
  readonly #header = new HeaderRepair();
  readonly #repairer = new Repairer((entry) => this.#pass(entry));
  /** What waits, from the header on; undefined once the map is complete. */
  #begin: record.RecordingEntry[] | undefined;
  #hasChunks = false;
  #snapshots = 0;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  add(entry: record.RecordingEntry): void {
    this.#hasChunks ||= entry.record === 'chunk';
    if (!this.#hasChunks && entry.record !== 'diagnostic') {
      throw new TypeError('repaired expects the records of chunks: readDemo(…, { parts: true }), not filtered');
    }
    if (entry.record === 'map') this.#header.addMap(entry.piece);
    this.#repairer.add(entry);
  }

  finish(): void {
    this.#repairer.finish();
    this.#release();
    requireSnapshots(this.#snapshots);
  }

  #pass(entry: record.RecordingEntry): void {
    if (entry.record === 'header') this.#begin = [{ ...entry, header: this.#header.header(entry) }];
    else if (entry.record === 'map' || entry.record === 'diagnostic') this.#emitOrHold(keep(entry));
    else {
      if (entry.record === 'snapshot') this.#snapshots++;
      this.#release();
      this.#emit(entry);
    }
  }

  #emitOrHold(entry: record.RecordingEntry): void {
    if (this.#begin) this.#begin.push(entry);
    else this.#emit(entry);
  }

  /** Emits the header, the map and what was found up to there. */
  #release(): void {
    const begin = this.#begin ?? [];
    this.#begin = undefined;
    for (const entry of begin) {
      this.#emit(entry.record === 'header' ? { ...entry, header: this.#header.withMap(entry.header) } : entry);
    }
  }
}

/** The records of several demos, one after the other. */
export function* joined(...recordings: Records[]): Generator<RecordingEntry, void> {
  let emit: Emit = () => {};
  const concat = new Concat((entry) => emit(entry));
  for (const records of recordings) {
    concat.begin();
    yield* through(records, (to) => {
      emit = to;
      return concat;
    });
  }
}
