import { crc32 } from '../codec/crc32.ts';
import type { DemoHeader } from '../container/demo/header.ts';
import { Slicer } from '../edit/slice.ts';
import { writeDemo } from '../edit/write-demo.ts';
import { DemoMessage } from '../recording/lazy-message.ts';
import type { RecordingEntry, SnapshotEntry } from '../recording/record.ts';
import type { Stream } from '../recording/stream.ts';
import { messageBytes, type Recording } from './recording.ts';
import type { Range } from './ticks.ts';

/**
 * Cuts a range out of a demo, as `tw-snap slice` does: it begins with a full snapshot and the messages that set the state.
 * @param map the file of the map that is in the demo; without it, games look for a map of that name and checksum among their own
 */
export function clipOf(
  recording: Recording,
  header: DemoHeader,
  map: Uint8Array | undefined,
  range: Range,
): Uint8Array<ArrayBuffer> {
  return writeDemo((emit) => {
    const slicer = new Slicer([{ ranges: [range], emit }]);
    for (const entry of entriesOf(recording, header, map && crc32(map) === header.mapCrc ? map : undefined)) {
      if (slicer.isDone) break;
      slicer.add(entry);
    }
    slicer.finish();
  });
}

/** The records of a demo from what the page has of it. */
function* entriesOf(
  { track, reader, protocol, shown }: Recording,
  header: DemoHeader,
  map: Uint8Array | undefined,
): Generator<RecordingEntry> {
  const stream: Stream = { number: 1, client: '', server: '', protocol, mapChanges: 0 };
  yield { record: 'header', stream, header: { ...header, mapSize: map?.length ?? 0 } };
  if (map) yield { record: 'map', stream, piece: map };
  let [read, tick] = [0, -1];
  function* upTo(after: number): Generator<RecordingEntry> {
    for (; read < track.messages.length && track.messages[read]!.after <= after; read++) {
      const one = track.messages[read]!;
      if (one.tick > tick) yield mark(one.tick, false);
      const payload = one.chunk === undefined ? undefined : one.bytes;
      yield new DemoMessage(stream, one.tick, one.chunk ?? -1, { bytes: messageBytes(one), payload });
    }
  }
  const mark = (now: number, keyframe: boolean): RecordingEntry => {
    tick = now;
    return { record: 'tick', stream, tick, keyframe };
  };
  for (const index of shown) {
    const one = track.snapshots[index]!;
    yield* upTo(index);
    const snapshot = reader.snapshot(index);
    if (!snapshot) continue;
    if (one.tick > tick) yield mark(one.tick, one.kind === 'snapshot');
    const before = reader.before(index);
    yield {
      ...{ record: 'snapshot', stream, tick: one.tick, kind: one.kind, payloadKind: one.kind, encoding: 'huffman' },
      ...{ base: before ? 0 : -1, payload: one.payload, offset: one.offset, parts: 1, bytes: one.payload.length },
      ...{ before, delta: undefined, announced: undefined, cause: undefined, uncertain: one.uncertain },
      ...{ verdict: 'unchecked', snapshot },
    } satisfies SnapshotEntry;
  }
  yield* upTo(Number.POSITIVE_INFINITY);
}
