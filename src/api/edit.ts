/**
 * Demos that are cut, changed, repaired, joined, or made from a capture: records in, records out, and a demo at the end.
 *
 * @module tw-snap/edit
 */
import { Concat } from '../edit/concat.ts';
import { type Edit, Editor } from '../edit/editor.ts';
import { DemoRepair } from '../edit/header-repair.ts';
import { requireSnapshots } from '../edit/repair.ts';
import { type Emit, Slicer } from '../edit/slice.ts';
import type { TickRange } from '../protocol/ticks.ts';
import type * as record from '../recording/record.ts';
import { keep, type RecordingEntry, withChunks } from './read-recording.ts';

export { ClientDemo } from '../edit/client-demo.ts';
export { Concat } from '../edit/concat.ts';
export { DemoRecorder, type LastByteMode, writeDemo } from '../edit/demo-recorder.ts';
export { type Edit, Editor } from '../edit/editor.ts';
export { Rename } from '../edit/names.ts';
export { Repairer } from '../edit/repair.ts';
export { type Emit, type LeftOut, Slicer, type SliceTarget } from '../edit/slice.ts';
export { Strip } from '../edit/strip.ts';

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
export const repaired = (records: Records) => through(withChunks(records), (emit) => new RecordRepair(emit));

/** Repairs a demo, and refuses what `tw-snap repair` refuses. */
class RecordRepair {
  readonly #repair: DemoRepair;
  #hasChunks = false;
  #snapshots = 0;

  constructor(emit: Emit) {
    this.#repair = new DemoRepair((entry) => {
      if (entry.record === 'snapshot') this.#snapshots++;
      emit(entry);
    });
  }

  add(entry: record.RecordingEntry): void {
    this.#hasChunks ||= entry.record === 'chunk';
    if (!this.#hasChunks && entry.record !== 'diagnostic') {
      throw new TypeError('repaired expects the records of chunks: readDemo(…, { parts: true }), not filtered');
    }
    this.#repair.add(entry);
  }

  finish(): void {
    this.#repair.finish();
    requireSnapshots(this.#snapshots);
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
