import { Slicer } from '../../editing/slice.ts';
import { writeDemo } from '../../editing/write-demo.ts';
import type { DemoHeader } from '../../recording/container/demo/header.ts';
import { DemoMessage } from '../../recording/replay/lazy-message.ts';
import type { RecordingEntry, SnapshotEntry } from '../../recording/replay/record.ts';
import type { Stream } from '../../recording/replay/stream.ts';
import { crc32 } from '../../wire/codec/crc32.ts';
import type { Range } from './marks.ts';
import { messageBytes, type Recording } from './shown-recording.ts';

/**
 * Cuts a range out of a demo, as `tw-snap slice` does: it begins with a full snapshot and the messages that set the
 * state.
 * @param map the file of the map that is in the demo; without it, games look for a map of that name and checksum among
 *   their own
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
  let read = 0;
  let tick = -1;
  function* upTo(after: number): Generator<RecordingEntry> {
    for (; read < track.messages.length && track.messages[read]!.after <= after; read++) {
      const message = track.messages[read]!;
      if (message.tick > tick) yield mark(message.tick, false);
      const payload = message.chunk === undefined ? undefined : message.bytes;
      yield new DemoMessage(stream, message.tick, message.chunk ?? -1, { bytes: messageBytes(message), payload });
    }
  }
  const mark = (now: number, keyframe: boolean): RecordingEntry => {
    tick = now;
    return { record: 'tick', stream, tick, keyframe };
  };
  for (const index of shown) {
    const { tick: at, kind, payload, offset, uncertain } = track.snapshots[index]!;
    yield* upTo(index);
    const snapshot = reader.snapshot(index);
    if (!snapshot) continue;
    if (at > tick) yield mark(at, kind === 'snapshot');
    const before = reader.before(index);
    yield {
      record: 'snapshot',
      stream,
      tick: at,
      kind,
      payloadKind: kind,
      encoding: 'huffman',
      base: before ? 0 : -1,
      payload,
      offset,
      parts: 1,
      bytes: payload.length,
      before,
      delta: undefined,
      announced: undefined,
      cause: undefined,
      uncertain,
      verdict: 'unchecked',
      snapshot,
    } satisfies SnapshotEntry;
  }
  yield* upTo(Number.POSITIVE_INFINITY);
}
