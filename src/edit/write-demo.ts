import { writeDemoHeader } from '../container/demo/write-header.ts';
import type { RecordingEntry } from '../recording/record.ts';
import { DemoRecorder } from './demo-recorder.ts';
import { LastByteMode } from './last-byte-mode.ts';
import type { Emit } from './slice.ts';

/**
 * Records a whole demo in memory; for one that does not fit, take the bytes of a {@link DemoRecorder} piece by piece.
 *
 * @param record emits the records, the header first
 * @returns the bytes of the demo; its header has the length that was recorded
 *
 * @example
 * ```ts
 * import { readDemo } from 'tw-snap';
 * import { writeDemo } from 'tw-snap/edit';
 *
 * const same = writeDemo((emit) => {
 *   for (const entry of readDemo(bytes, { reuse: true })) emit(entry);
 * });
 * ```
 */
export function writeDemo(record: (emit: Emit) => void): Uint8Array<ArrayBuffer> {
  const mode = new LastByteMode();
  const recorder = new DemoRecorder(mode);
  record((entry: RecordingEntry) => {
    if (entry.record === 'snapshot' || entry.record === 'message') mode.add(entry.payload);
    recorder.add(entry);
  });
  recorder.finish();
  const bytes = recorder.take();
  bytes.set(writeDemoHeader({ ...recorder.header, length: recorder.seconds }));
  return bytes;
}
