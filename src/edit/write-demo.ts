import { writeDemoHeader } from '../container/demo/write-header.ts';
import type { RecordingEntry } from '../recording/record.ts';
import { DemoRecorder } from './demo-recorder.ts';
import { LastByteMode } from './last-byte-mode.ts';
import type { Emit } from './slice.ts';

/**
 * Writes records as a whole demo in memory. For larger demos use a `DemoRecorder`, which returns the bytes piece by
 * piece.
 *
 * @param records the records, the header first, or a function that emits them; a changed snapshot has no `payload`
 * @returns the bytes of the demo; its header has the length that was recorded
 * @throws Error if the header is not first
 *
 * @example
 * ```ts
 * import { readDemo, writeDemo } from 'tw-snap';
 *
 * const same = writeDemo(readDemo(bytes, { reuse: true }));
 * const quiet = writeDemo([...readDemo(bytes)].filter(({ record }) => record !== 'message'));
 * ```
 */
export function writeDemo(records: Iterable<RecordingEntry> | ((emit: Emit) => void)): Uint8Array<ArrayBuffer> {
  const mode = new LastByteMode();
  const recorder = new DemoRecorder(mode);
  const emit = (entry: RecordingEntry) => {
    if (entry.record === 'snapshot' || entry.record === 'message') mode.add(entry.payload);
    recorder.add(entry);
  };
  if (typeof records === 'function') records(emit);
  else for (const entry of records) emit(entry);
  recorder.finish();
  const bytes = recorder.flush();
  bytes.set(writeDemoHeader({ ...recorder.header, length: recorder.seconds }));
  return bytes;
}
