import type { RecordingEntry } from '../../recording/replay/record.ts';
import type { Replay } from '../../recording/replay/replay.ts';

export type Feeding = Pick<Replay, 'feed' | 'finish'>;

/** If it returns a promise, the next record waits for it; if it returns true, the rest is not read. */
export type AddRecord = (entry: RecordingEntry) => Promise<void> | true | void;

export type AfterPiece = (piece: Uint8Array) => Promise<void>;

/** The end of a recording that was read. */
export interface RecordsEnd {
  readonly bytes: number;
  /** Why the rest could not be read: compressed data may end early. */
  readonly failure: unknown;
}

/** Passes the records of pieces to `add`, including those before a failure. */
export async function readRecords(
  pieces: AsyncIterable<Uint8Array>,
  replay: Feeding,
  add: AddRecord,
  afterPiece?: AfterPiece,
): Promise<RecordsEnd> {
  let bytes = 0;
  let failure: unknown;
  async function* untilFailure() {
    try {
      yield* pieces;
    } catch (error) {
      failure = error;
    }
  }
  const addAll = async (entries: Iterable<RecordingEntry>) => {
    for (const entry of entries) {
      const added = add(entry);
      if (added === true) return true;
      if (added) await added;
    }
    return false;
  };
  for await (const piece of untilFailure()) {
    bytes += piece.length;
    if (await addAll(replay.feed(piece))) return { bytes, failure };
    await afterPiece?.(piece);
  }
  await addAll(replay.finish());
  return { bytes, failure };
}
