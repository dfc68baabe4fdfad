import type { RecordingEntry, Replay } from '../../../src/recording/record.ts';
import { CommandError } from '../errors.ts';
import type { Opened } from './open.ts';

/** How the reading of an input ended. */
export interface InputEnd {
  /** Bytes that were read. */
  readonly bytes: number;
  /** Why the rest could not be read: compressed data may end early. */
  readonly failure: CommandError | undefined;
}

/** Passes the records of an input to `add`, those before a failure as well. */
export async function readRecords(
  { pieces }: Opened,
  replay: Replay,
  add: (entry: RecordingEntry) => void,
): Promise<InputEnd> {
  let bytes = 0;
  let failure: CommandError | undefined;
  async function* untilFailure() {
    try {
      yield* pieces;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      failure = error;
    }
  }
  for await (const piece of untilFailure()) {
    bytes += piece.length;
    for (const entry of replay.feed(piece)) add(entry);
  }
  for (const entry of replay.finish()) add(entry);
  return { bytes, failure };
}
