/**
 * Demos that are cut, changed, repaired, joined, or made from captures or snapshots: records in, records out, and a
 * demo at the end.
 *
 * @module tw-snap/edit
 */
import { ClientDemo, type ClientDemoStart } from '../editing/client-demo.ts';
import { composedRecords, type NewMap, type NewTick } from '../editing/compose.ts';
import { Concat } from '../editing/concat.ts';
import { type Edit, Editor } from '../editing/editor.ts';
import { DemoRepair } from '../editing/header-repair.ts';
import { requireSnapshots } from '../editing/losses.ts';
import { type Emit, Slicer } from '../editing/slice.ts';
import { formats } from '../recording/all-formats.ts';
import { matchesClient, type Stream } from '../recording/replay/stream.ts';
import type { Protocol, Version } from '../wire/protocol/registry.ts';
import type { TickRange } from '../wire/protocol/ticks.ts';
import { protocolNamed } from './items.ts';
import { keep, type RecordingEntry } from './keep.ts';
import {
  DetectedReplay,
  isLater,
  type LaterOptions,
  type LaterRecording,
  type Recording,
  recordsFrom,
  recordsFromLater,
  withOptions,
} from './read-recording.ts';
import type * as record from './records.ts';

export type { NewMap, NewTick } from '../editing/compose.ts';
export { DemoRecorder, type LastByteMode } from '../editing/demo-recorder.ts';
export type { Edit } from '../editing/editor.ts';
export { Rename } from '../editing/rename-players.ts';
export type { Emit } from '../editing/slice.ts';
export { Strip } from '../editing/strip.ts';
export { writeDemo } from '../editing/write-demo.ts';
export type { DemoHeaderFields } from '../recording/container/demo/demo-writer.ts';

/** The records of a recording in their order, as `read` returns them. */
type Records = Iterable<record.RecordingEntry>;
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
function changed(
  recording: Recording | LaterRecording,
  { name, parts = false, signal }: LaterOptions & { readonly name: string; readonly parts?: boolean },
  begin: Begin,
) {
  const open = () => new DetectedReplay(formats, 'not_a_recording', { parts });
  if (isLater(recording)) return throughLater(recordsFromLater(recording, name, open, signal), begin);
  return through(recordsFrom(recording, name, open), begin);
}

/** The list without the options that may be its last element. */
function withoutOptions<One extends object>(given: readonly (One | LaterOptions)[]): [One[], LaterOptions] {
  const last = given.at(-1);
  const hasOptions = typeof last === 'object' && last && 'signal' in last;
  return [(hasOptions ? given.slice(0, -1) : [...given]) as One[], hasOptions ? last : {}];
}

/**
 * The records after some edits, such as a `Rename` or a `Strip`.
 *
 * @param recording what `read` accepts, or records
 * @param edits of what arrives later, `{ signal }` may follow, an `AbortSignal` that ends the reading
 */
export function edited(recording: Recording, ...edits: Edit[]): Generator<RecordingEntry, void>;
export function edited(
  recording: LaterRecording,
  ...edits: readonly Edit[] | readonly [...Edit[], LaterOptions]
): AsyncGenerator<RecordingEntry, void>;
export function edited(recording: Recording | LaterRecording, ...given: readonly (Edit | LaterOptions)[]) {
  const [edits, { signal }] = withoutOptions(given);
  return changed(recording, { name: 'edited', signal }, (emit) => new Editor(edits, emit));
}

/**
 * The records of some ticks, with the state at their beginning: `writeDemo` makes a demo of them.
 *
 * @param recording what `read` accepts, or records
 * @param ranges of what arrives later, `{ signal }` may follow, an `AbortSignal` that ends the reading
 */
export function sliced(recording: Recording, ...ranges: TickRange[]): Generator<RecordingEntry, void>;
export function sliced(
  recording: LaterRecording,
  ...ranges: readonly TickRange[] | readonly [...TickRange[], LaterOptions]
): AsyncGenerator<RecordingEntry, void>;
export function sliced(recording: Recording | LaterRecording, ...given: readonly (TickRange | LaterOptions)[]) {
  const [ranges, { signal }] = withoutOptions(given);
  return changed(recording, { name: 'sliced', signal }, (emit) => new Slicer([{ ranges, emit }]));
}

/**
 * The records of a damaged demo without what is lost, with the header corrected as `tw-snap repair` does.
 *
 * @param recording what `read` accepts; or the records that `readDemo` returned, or others with the records of chunks:
 * `readDemo(bytes, { parts: true })`
 * @param options.signal ends the reading of what arrives later
 * @throws DecodeError after the last record if no snapshot is left, as `tw-snap repair` refuses such a demo
 * @throws TypeError without the records of chunks
 */
export function repaired(recording: Recording): Generator<RecordingEntry, void>;
export function repaired(recording: LaterRecording, options?: LaterOptions): AsyncGenerator<RecordingEntry, void>;
export function repaired(recording: Recording | LaterRecording, options: LaterOptions = {}) {
  // Which show what of a demo was lost.
  return changed(
    withOptions(recording, { parts: true }),
    { name: 'repaired', parts: true, ...options },
    (emit) => new RecordRepair(emit),
  );
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
 * The records of the demo that a client of a capture would have recorded, of the first map that it has snapshots of:
 * `writeDemo` makes a demo of them.
 *
 * @param recording what `read` accepts, or records as `observe` of `tw-snap/live` returns them
 * @param options.client the address, `127.0.0.1:5000`; without, the first client that has a snapshot
 * @param options.signal ends the reading of what arrives later
 */
export function recorded(recording: Recording, options?: { readonly client?: string }): Generator<RecordingEntry, void>;
export function recorded(
  recording: LaterRecording,
  options?: LaterOptions & { readonly client?: string },
): AsyncGenerator<RecordingEntry, void>;
export function recorded(
  recording: Recording | LaterRecording,
  { client, signal }: LaterOptions & { readonly client?: string } = {},
) {
  return changed(recording, { name: 'recorded', signal }, (emit) => new FirstDemo(emit, client));
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

/**
 * The records of a demo of a program's own snapshots: `writeDemo` makes a demo of them. It has a full snapshot every
 * five seconds, as the games' demos, and deltas between them.
 *
 * @param protocol a version, or a protocol with the items of a mod
 * @param options.timestamp when the recording began, as the header says it
 * @param ticks in their order
 *
 * @example
 * ```ts
 * import { build, writeDemo } from 'tw-snap';
 * import { composed } from 'tw-snap/edit';
 *
 * const at = (x: number) => build('0.7').add('obj_character', 0, { x, y: 64 }).build();
 * const ticks = [100, 102, 104].map((tick) => ({ tick, snapshot: at(8 * tick) }));
 * const demo = writeDemo(composed('0.7', { map: { name: 'dm1', crc: 0x64548818 } }, ticks));
 * ```
 */
export function composed(
  protocol: Version | Protocol,
  { map, timestamp = '' }: { readonly map: NewMap; readonly timestamp?: string },
  ticks: Iterable<NewTick>,
): Generator<RecordingEntry, void> {
  // What a program made is not filled again.
  return composedRecords(protocolNamed(protocol), map, timestamp, ticks) as Generator<RecordingEntry, void>;
}
