import { DemoRecorder, LastByteMode } from '../../src/editing/demo-recorder.ts';
import { type Edit, Editor } from '../../src/editing/editor.ts';
import { DemoRepair } from '../../src/editing/header-repair.ts';
import type { Repairer } from '../../src/editing/repair.ts';
import { type Emit, type SliceOptions, Slicer } from '../../src/editing/slice.ts';
import { DemoWriter } from '../../src/recording/container/demo/demo-writer.ts';
import type { DemoHeader } from '../../src/recording/container/demo/header.ts';
import { DemoReplay } from '../../src/recording/demo/demo-replay.ts';
import type { RecordingEntry } from '../../src/recording/replay/record.ts';
import type { TickRange } from '../../src/wire/protocol/ticks.ts';
import { copyOf } from '../../src/wire/snapshot/builder.ts';
import { compare, isSame } from '../../src/wire/snapshot/compare.ts';
import type { Snapshot } from '../../src/wire/snapshot/snapshot.ts';

/** The contents of a demo, for comparison. */
export interface Contents {
  readonly header: DemoHeader;
  readonly mapBytes: number;
  readonly ticks: readonly number[];
  /** The snapshot of each tick that has one. */
  readonly snapshots: ReadonlyMap<
    number,
    { readonly kind: string; readonly snapshot: Snapshot; readonly uncertain: boolean }
  >;
  readonly messages: readonly { readonly tick: number; readonly name: string; readonly bytes: Uint8Array }[];
  /** `framing_lost at 1234`. */
  readonly diagnostics: readonly string[];
}

export function contentsOf(file: Uint8Array): Contents {
  let header: DemoHeader | undefined;
  let mapBytes = 0;
  const ticks: number[] = [];
  const snapshots = new Map<number, { kind: string; snapshot: Snapshot; uncertain: boolean }>();
  const messages: { tick: number; name: string; bytes: Uint8Array }[] = [];
  const diagnostics: string[] = [];
  for (const entry of entriesOf(file)) {
    if (entry.record === 'header') header = entry.header;
    else if (entry.record === 'map') mapBytes += entry.piece.length;
    else if (entry.record === 'tick') ticks.push(entry.tick);
    else if (entry.record === 'snapshot') {
      const { kind, snapshot, uncertain } = entry;
      snapshots.set(entry.tick, { kind, snapshot: copyOf(snapshot!), uncertain });
    } else if (entry.record === 'message') {
      const name = entry.message.type?.name ?? 'unknown';
      messages.push({ tick: entry.tick!, name, bytes: entry.bytes.slice() });
    } else if (entry.record === 'diagnostic') {
      diagnostics.push(`${entry.diagnostic.code} at ${entry.diagnostic.offset}`);
    }
  }
  return { header: header!, mapBytes, ticks, snapshots, messages, diagnostics };
}

/** All records of a demo, including those of its chunks. */
export function* entriesOf(file: Uint8Array, piece = 1 << 18): Iterable<RecordingEntry> {
  const replay = new DemoReplay({ parts: true });
  for (let at = 0; at < file.length; at += piece) yield* replay.feed(file.subarray(at, at + piece));
  yield* replay.finish();
}

/**
 * A demo whose parts are written again, except those that `change` replaces, by their kind and number from 1.
 */
export function rewritten(
  file: Uint8Array,
  change: (writer: DemoWriter, chunk: string, payload: Uint8Array) => boolean,
): Uint8Array {
  let writer = new DemoWriter(4);
  const counts: Record<string, number> = {};
  for (const entry of entriesOf(file)) {
    if (entry.record === 'header') {
      writer = new DemoWriter(entry.header.version);
      writer.header(entry.header);
    }
    if (entry.record !== 'chunk') continue;
    const { kind, tick, keyframe, bytes, start, end } = entry.chunk;
    const payload = bytes.subarray(start, end);
    if (kind === 'map') writer.map(payload);
    else if (kind === 'tick') writer.tick(tick, keyframe);
    else if (kind === 'snapshot' || kind === 'delta' || kind === 'message') {
      counts[kind] = (counts[kind] ?? 0) + 1;
      if (!change(writer, `${kind} ${counts[kind]}`, payload)) writer.chunk(kind, payload);
    }
  }
  return writer.flush();
}

/** The demo without its map, and with another header. */
export function withoutMap(file: Uint8Array, header: Partial<DemoHeader> = {}): Uint8Array {
  let writer = new DemoWriter(4);
  for (const entry of entriesOf(file)) {
    if (entry.record === 'header') {
      writer = new DemoWriter(entry.header.version);
      writer.header({ ...entry.header, mapSize: 0, ...header });
    }
    if (entry.record !== 'chunk') continue;
    const { kind, tick, keyframe, bytes, start, end } = entry.chunk;
    if (kind === 'tick') writer.tick(tick, keyframe);
    else if (kind === 'snapshot' || kind === 'delta' || kind === 'message')
      writer.chunk(kind, bytes.subarray(start, end));
  }
  return writer.flush();
}

/** Records a demo from the emitted records. */
export function recording(mode = new LastByteMode()): { emit: Emit; recorder: DemoRecorder; bytes(): Uint8Array } {
  const recorder = new DemoRecorder(mode);
  return {
    emit: (entry) => recorder.add(entry),
    recorder,
    bytes: () => {
      recorder.finish();
      return recorder.flush();
    },
  };
}

function hasSameItems(a: Snapshot, b: Snapshot): boolean {
  const { removed, added, changed } = compare(a, b);
  return removed.length + added.length + changed.length === 0;
}

/** The ticks of `result` whose items differ from those of `expected` at that tick, or at the last tick before it. */
export function differingTicks(
  result: Contents,
  expected: Contents,
  order: 'same order' | 'any order' = 'same order',
): number[] {
  const ticks = [...expected.snapshots.keys()].sort((a, b) => a - b);
  return [...result.snapshots].flatMap(([tick, { snapshot }]) => {
    const at = expected.snapshots.has(tick) ? tick : (ticks.findLast((value) => value <= tick) ?? -1);
    const own = expected.snapshots.get(at);
    return own && (isSame(snapshot, own.snapshot) || (order === 'any order' && hasSameItems(snapshot, own.snapshot)))
      ? []
      : [tick];
  });
}

/** A demo for each list of ranges, cut out in one pass. */
export function slices(
  file: Uint8Array,
  all: readonly (readonly TickRange[])[],
  options: SliceOptions = {},
): Uint8Array[] {
  const mode = new LastByteMode();
  const outputs = all.map(() => recording(mode));
  const slicer = new Slicer(
    all.map((ranges, i) => ({ ranges, emit: outputs[i]!.emit })),
    options,
  );
  for (const entry of entriesOf(file)) {
    if (entry.record === 'snapshot' || entry.record === 'message') mode.add(entry.payload);
    slicer.add(entry);
  }
  slicer.finish();
  return outputs.map((output) => output.bytes());
}

/** A demo with edits. */
export function edited(file: Uint8Array, edits: readonly Edit[]): Uint8Array {
  const mode = new LastByteMode();
  const output = recording(mode);
  const editor = new Editor(edits, output.emit);
  for (const entry of entriesOf(file)) {
    if (entry.record === 'snapshot' || entry.record === 'message') mode.add(entry.payload);
    editor.add(entry);
  }
  return output.bytes();
}

/** A demo that is repaired. */
export function repaired(file: Uint8Array): { bytes: Uint8Array; repairer: Repairer; snapshots: number } {
  const mode = new LastByteMode();
  const output = recording(mode);
  const repair = new DemoRepair(output.emit);
  for (const entry of entriesOf(file)) {
    if (entry.record === 'snapshot' || entry.record === 'message') mode.add(entry.payload);
    repair.add(entry);
  }
  repair.finish();
  return { bytes: output.bytes(), repairer: repair.repairer, snapshots: output.recorder.snapshots };
}
