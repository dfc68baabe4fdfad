/**
 * Demos that are cut, changed, repaired, joined, or made from a capture: records in, records out, and a demo at the end.
 *
 * @module tw-snap/edit
 */
import { ClientDemo, type ClientDemoStart } from '../edit/client-demo.ts';
import { Concat } from '../edit/concat.ts';
import { type Edit, Editor } from '../edit/editor.ts';
import { DemoRepair } from '../edit/header-repair.ts';
import { requireSnapshots } from '../edit/repair.ts';
import { type Emit, Slicer } from '../edit/slice.ts';
import type { TickRange } from '../protocol/ticks.ts';
import { formats } from '../recording/all-formats.ts';
import type * as record from '../recording/record.ts';
import { matchesClient, type Stream } from '../recording/stream.ts';
import { keep, type RecordingEntry } from './keep.ts';
import {
  DetectedReplay,
  isLater,
  type LaterRecording,
  type Recording,
  recordsFrom,
  recordsFromLater,
  withChunks,
} from './read-recording.ts';

export { ClientDemo } from '../edit/client-demo.ts';
export { Concat } from '../edit/concat.ts';
export { DemoRecorder, type LastByteMode } from '../edit/demo-recorder.ts';
export { type Edit, Editor } from '../edit/editor.ts';
export { Rename } from '../edit/names.ts';
export { Repairer } from '../edit/repair.ts';
export { type Emit, type LeftOut, Slicer, type SliceTarget } from '../edit/slice.ts';
export { Strip } from '../edit/strip.ts';
export { writeDemo } from '../edit/write-demo.ts';

/** The records of a recording in their order, as `read` returns them. */
export type Records = Iterable<record.RecordingEntry>;
type Steps = { add(entry: record.RecordingEntry): void; finish?(): void };
type Begin = (emit: Emit) => Steps;

function* through(records: Records, begin: Begin): Generator<RecordingEntry, void> {
  const ready: RecordingEntry[] = [];
  const steps = begin((entry) => ready.push(keep(entry)));
  for (const entry of records) {
    steps.add(entry);
    yield* ready.splice(0);
  }
  steps.finish?.();
  yield* ready;
}

async function* throughLater(
  records: AsyncIterable<record.RecordingEntry>,
  begin: Begin,
): AsyncGenerator<RecordingEntry, void> {
  const ready: RecordingEntry[] = [];
  const steps = begin((entry) => ready.push(keep(entry)));
  for await (const entry of records) {
    steps.add(entry);
    yield* ready.splice(0);
  }
  steps.finish?.();
  yield* ready;
}

/** @param parts whether the records of chunks are needed, if it is not records */
function changed(recording: Recording | LaterRecording, name: string, parts: boolean, begin: Begin) {
  const open = () => new DetectedReplay(formats, 'not_a_recording', { parts });
  if (isLater(recording)) return throughLater(recordsFromLater(recording, name, open), begin);
  return through(recordsFrom(recording, name, open), begin);
}

/**
 * The records after some edits, such as a `Rename` or a `Strip`.
 *
 * @param recording what `read` accepts, or records
 */
export function edited(recording: Recording, ...edits: Edit[]): Generator<RecordingEntry, void>;
export function edited(recording: LaterRecording, ...edits: Edit[]): AsyncGenerator<RecordingEntry, void>;
export function edited(recording: Recording | LaterRecording, ...edits: Edit[]) {
  return changed(recording, 'edited', false, (emit) => new Editor(edits, emit));
}

/**
 * The records of some ticks, with the state at their beginning: `writeDemo` makes a demo of them.
 *
 * @param recording what `read` accepts, or records
 */
export function sliced(recording: Recording, ...ranges: TickRange[]): Generator<RecordingEntry, void>;
export function sliced(recording: LaterRecording, ...ranges: TickRange[]): AsyncGenerator<RecordingEntry, void>;
export function sliced(recording: Recording | LaterRecording, ...ranges: TickRange[]) {
  return changed(recording, 'sliced', false, (emit) => new Slicer([{ ranges, emit }]));
}

/**
 * The records of a damaged demo without what is lost, with the header corrected as `tw-snap repair` does.
 *
 * @param recording what `read` accepts; or the records that `readDemo` returned, or others with the records of chunks:
 * `readDemo(bytes, { parts: true })`
 * @throws DecodeError after the last record if no snapshot is left, as `tw-snap repair` refuses such a demo
 * @throws TypeError without the records of chunks
 */
export function repaired(recording: Recording): Generator<RecordingEntry, void>;
export function repaired(recording: LaterRecording): AsyncGenerator<RecordingEntry, void>;
export function repaired(recording: Recording | LaterRecording) {
  const withParts = typeof recording === 'object' && recording ? withChunks(recording) : recording;
  return changed(withParts, 'repaired', true, (emit) => new RecordRepair(emit));
}

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

/**
 * The records of the demo that a client of a capture would have recorded, of the first map that it has snapshots of: `writeDemo` makes
 * a demo of them.
 *
 * @param recording what `read` accepts, or records as `observe` of `tw-snap/live` returns them
 * @param options.client the address, `127.0.0.1:5000`; without, the first client that has a snapshot
 */
export function recorded(recording: Recording, options?: { readonly client?: string }): Generator<RecordingEntry, void>;
export function recorded(
  recording: LaterRecording,
  options?: { readonly client?: string },
): AsyncGenerator<RecordingEntry, void>;
export function recorded(recording: Recording | LaterRecording, options: { readonly client?: string } = {}) {
  return changed(recording, 'recorded', false, (emit) => new FirstDemo(emit, options.client));
}

class FirstDemo {
  readonly #emit: Emit;
  readonly #client: string | undefined;
  readonly #demos = new Map<Stream, ClientDemo>();
  #hasBegun = false;

  constructor(emit: Emit, client: string | undefined) {
    this.#emit = emit;
    this.#client = client;
  }

  add(entry: record.RecordingEntry): void {
    const { stream } = entry;
    if (!stream?.client || !matchesClient(stream, this.#client)) return;
    const demo = this.#demos.get(stream) ?? new ClientDemo((start) => this.#begin(start));
    this.#demos.set(stream, demo);
    demo.add(entry);
  }

  #begin({ time }: ClientDemoStart) {
    // Another map, or another client, is another demo.
    const emit = this.#hasBegun ? () => {} : this.#emit;
    this.#hasBegun = true;
    return {
      timestamp: Number.isNaN(time) ? '' : new Date(1000 * time).toISOString().slice(0, 19).replace('T', ' '),
      emit,
    };
  }
}

/** The records of several demos, one after the other: of what `read` accepts at once, or of records. */
export function* joined(...recordings: Recording[]): Generator<RecordingEntry, void> {
  let emit: Emit = () => {};
  const concat = new Concat((entry) => emit(entry));
  for (const records of recordings) {
    concat.begin();
    yield* through(
      recordsFrom(records, 'joined', () => new DetectedReplay(formats, 'not_a_recording')),
      (to) => {
        emit = to;
        return concat;
      },
    );
  }
}
