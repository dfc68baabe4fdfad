import type { RecordingEntry, Replay } from '../../../src/recording/record.ts';
import { CommandError } from '../errors.ts';
import type { Opened } from './open.ts';

/** The end of reading an input. */
export interface InputEnd {
  /** The number of bytes that were read. */
  readonly bytes: number;
  /** The reason why the rest could not be read: compressed data may end early. */
  readonly failure: CommandError | undefined;
}

/**
 * Passes the records of an input to `add`, including those before a failure. If `add` returns a promise, the next
 * record waits for it.
 * @param afterPiece called after all records of a piece of the input
 */
export async function readRecords(
  { pieces }: Pick<Opened, 'pieces'>,
  replay: Replay,
  add: (entry: RecordingEntry) => Promise<void> | void,
  afterPiece?: (piece: Uint8Array) => Promise<void>,
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
  const addAll = async (entries: Iterable<RecordingEntry>) => {
    for (const entry of entries) {
      const written = add(entry);
      if (written) await written;
    }
  };
  for await (const piece of untilFailure()) {
    bytes += piece.length;
    await addAll(replay.feed(piece));
    await afterPiece?.(piece);
  }
  await addAll(replay.finish());
  return { bytes, failure };
}
