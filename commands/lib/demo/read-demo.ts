import type { RecordingEntry, Replay } from '../../../src/recording/record.ts';
import { CommandError, inputError } from '../errors.ts';
import { type Opened, openInput } from '../input/open.ts';
import type { Io } from '../io.ts';

/** Opens an input that has to be a demo. */
export async function openDemo(path: string | undefined, io: Io): Promise<Opened> {
  const opened = await openInput(path, { from: 'auto' }, io);
  if (opened.format?.name !== 'demo') throw inputError(`${opened.name}: this is no demo`);
  return opened;
}

/**
 * Passes all records of an input on; between two pieces of it, what was made of them is written.
 * @param add returns whether the rest is not needed
 * @throws CommandError after the last record, where compressed data ends early
 */
export async function readAllRecords(
  { pieces }: Opened,
  replay: Replay,
  add: (entry: RecordingEntry) => boolean | undefined,
  drain: () => Promise<void>,
): Promise<void> {
  let failure: CommandError | undefined;
  try {
    for await (const piece of pieces) {
      for (const entry of replay.feed(piece)) if (add(entry)) return;
      await drain();
    }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    failure = error;
  }
  for (const entry of replay.finish()) if (add(entry)) break;
  await drain();
  if (failure) throw failure;
}
