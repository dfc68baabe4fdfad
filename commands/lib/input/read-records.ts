import type { DiagnosticEntry, RecordingEntry } from '../../../src/recording/record.ts';
import type { Replay } from '../../../src/recording/replay.ts';
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

/**
 * The failure that ended an input, as a record after all others.
 * @throws CommandError the failure, if nothing was read before it
 */
export function failureEntry({ bytes, failure }: InputEnd, name: string): DiagnosticEntry | undefined {
  if (!failure) return undefined;
  if (bytes === 0) throw failure;
  const { message } = failure;
  const what = message.startsWith(`${name}: `) ? message.slice(name.length + 2) : message;
  const diagnostic = { severity: 'error', code: 'input_failed', offset: bytes, args: { what } } as const;
  return { record: 'diagnostic', stream: undefined, diagnostic };
}
