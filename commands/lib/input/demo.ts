import type { LastByteMode } from '../../../src/edit/demo-recorder.ts';
import { LossFilter } from '../../../src/edit/losses.ts';
import type { Schema } from '../../../src/protocol/registry.ts';
import { DemoReplay } from '../../../src/recording/demo.ts';
import type { RecordingEntry } from '../../../src/recording/record.ts';
import { diagnosticLine } from '../../../src/view/text/diagnostic-messages.ts';
import { CommandError, inputError } from '../errors.ts';
import type { Io } from '../io.ts';
import { type Opened, openInput, refuseEmpty } from './open.ts';

/** Opens an input, which must be a demo. */
export async function openDemo(path: string | undefined, io: Io): Promise<Opened> {
  const opened = await openInput(path, {}, io);
  refuseEmpty(opened);
  if (!opened.format?.hasTicks) throw inputError(`${opened.name}: this is not a demo`);
  return opened;
}

/** Receives the records of a demo. */
interface Consumer {
  /** Adds a record; returns true if no more records are needed. */
  add(entry: RecordingEntry): unknown;
  /** Writes the results so far, between two pieces of the input. */
  drain?(): Promise<void>;
}

/**
 * Passes all records of a demo to a consumer.
 * @throws CommandError if the header cannot be read; after the last record, if compressed data ends early
 */
export async function readDemo({ name, pieces }: Opened, schema: Schema, consumer: Consumer): Promise<void> {
  const replay = new DemoReplay({ parts: true, schema });
  let hasHeader = false;
  const addAll = (entries: Iterable<RecordingEntry>): boolean => {
    for (const entry of entries) {
      hasHeader ||= entry.record === 'header';
      if (!hasHeader && entry.record === 'diagnostic' && entry.diagnostic.severity === 'error') {
        throw inputError(`${name}: ${diagnosticLine(entry.diagnostic)}`);
      }
      if (consumer.add(entry) === true) return true;
    }
    return false;
  };
  const source = pieces[Symbol.asyncIterator]();
  let failure: CommandError | undefined;
  try {
    while (!failure) {
      const piece = await source.next().catch((error) => {
        if (!(error instanceof CommandError) || !hasHeader) throw error;
        failure = error;
      });
      if (!piece || piece.done) break;
      if (addAll(replay.feed(piece.value))) return;
      await consumer.drain?.();
    }
  } finally {
    await source.return?.();
  }
  addAll(replay.finish());
  await consumer.drain?.();
  if (failure) throw failure;
}

/**
 * Passes on only the records that damage does not make uncertain, and returns the losses. `mode` detects how the demo's
 * streams end.
 */
export async function readSureRecords(
  opened: Opened,
  { schema, mode }: { readonly schema: Schema; readonly mode: LastByteMode },
  consumer: Consumer,
): Promise<LossFilter> {
  let isDone = false;
  const losses = new LossFilter((entry) => {
    isDone ||= consumer.add(entry) === true;
  });
  const addAny = (entry: RecordingEntry) => {
    if (entry.record === 'snapshot' || entry.record === 'message') mode.add(entry.payload);
    losses.add(entry);
    return isDone;
  };
  await readDemo(opened, schema, { ...consumer, add: addAny });
  losses.finish();
  return losses;
}
