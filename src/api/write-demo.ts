import type { Diagnostic } from '../bytes/diagnostic.ts';
import { DemoRecorder, LastByteMode } from '../edit/demo-recorder.ts';
import type { RecordingEntry } from '../recording/record.ts';

/** The bytes of a piece, at least. */
const pieceBytes = 1 << 16;

/**
 * Writes records as a demo that the games play: those of {@link readDemo}, left out or changed as the caller likes. A record that was
 * not changed is written as it was recorded; a changed snapshot has no `payload`, and is encoded.
 *
 * @param entries a `header` first; records other than `map`, `tick`, `snapshot` and `message` are passed over
 * @param onProblem receives the records that are left out because the games could not read them
 * @returns the pieces of the file, in order
 * @throws Error if the first record to be written is not a `header`
 * @example
 * ```ts
 * import { readDemo, writeDemo } from 'tw-snap';
 *
 * function* withoutMessages() {
 *   for (const entry of readDemo(bytes)) if (entry.record !== 'message') yield entry;
 * }
 * for (const piece of writeDemo(withoutMessages())) console.log(piece.length);
 * ```
 */
export function* writeDemo(
  entries: Iterable<RecordingEntry>,
  onProblem: (problem: Diagnostic) => void = () => {},
): Generator<Uint8Array<ArrayBuffer>, void> {
  const mode = new LastByteMode();
  const recorder = new DemoRecorder(mode);
  let written = 0;
  for (const entry of entries) {
    if (entry.record === 'snapshot' || entry.record === 'message') mode.add(entry.payload);
    recorder.add(entry);
    if (recorder.length - written < pieceBytes) continue;
    written = recorder.length;
    yield recorder.flush();
  }
  recorder.finish();
  yield recorder.flush();
  for (const problem of recorder.problems) onProblem(problem);
}
