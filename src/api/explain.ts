/**
 * Causes of wrong checksums, unreadable deltas and damaged demos.
 *
 * @module tw-snap/explain
 */

import * as pair from '../analysis/explain/explanation.ts';
import { explainLog as explainErrors, readLogLine } from '../analysis/explain/log.ts';
import { DemoCheck, RecordingExplainer } from '../analysis/explain/recording-explainer.ts';
import { explainValues, logValues } from '../output/results/explain.ts';
import { formats } from '../recording/all-formats.ts';
import { logSentences } from '../recording/games/log-sentences.ts';
import type { RecordingEntry } from '../recording/replay/record.ts';
import { encode } from '../wire/payload/encoding-layers.ts';
import { type Protocol, protocolOf, type Version } from '../wire/protocol/registry.ts';
import type { Delta } from '../wire/snapshot/delta.ts';
import type { Snapshot } from '../wire/snapshot/snapshot.ts';
import {
  DetectedReplay,
  isLater,
  type LaterOptions,
  type LaterRecording,
  type ReadOptions,
  type Recording,
  readOptions,
  recordsFrom,
  recordsFromLater,
} from './read-recording.ts';

/**
 * Explains the failures of a recording: checksums that differ, deltas that cannot be read, damage of a demo.
 *
 * @param recording what `read` accepts; or records, which may have less evidence: without those of chunks, what a
 *   damaged
 * demo lost is not counted, and kept ones of a capture have no other bases
 * @param options.signal ends the reading of what arrives later
 * @returns what `tw-snap explain -t json` prints, or its promise: the number of `failures` and of those that are
 *   `explained`; what
 * the bytes show (`shown`), each with its `cause`, `items` and `failures`; and what `fits` the sums of the `undecided`
 * failures, the best first
 * @throws DecodeError `not_a_recording` if the file begins as none
 */
export function explain(recording: Recording, options?: ExplainOptions): Explained;
export function explain(recording: LaterRecording, options?: ExplainOptions & LaterOptions): Promise<Explained>;
export function explain(recording: Recording | LaterRecording, options: ExplainOptions & LaterOptions = {}) {
  const { signal, ...stated } = options;
  const open = () =>
    new DetectedReplay(formats, 'not_a_recording', {
      ...readOptions('explain', stated, ['protocol', 'schema']),
      parts: true,
    });
  const explaining = new Explaining();
  if (isLater(recording)) return explainLater(recordsFromLater(recording, 'explain', open, signal), explaining);
  for (const entry of recordsFrom(recording, 'explain', open)) explaining.add(entry);
  return explaining.finish();
}

/** How the recording is read. */
export type ExplainOptions = Pick<ReadOptions, 'protocol' | 'schema'>;
/** What `tw-snap explain -t json` prints, without the path. */
export type Explained = Omit<ReturnType<typeof explainValues>, 'file'>;

async function explainLater(records: AsyncIterable<RecordingEntry>, explaining: Explaining): Promise<Explained> {
  for await (const entry of records) explaining.add(entry);
  return explaining.finish();
}

class Explaining {
  readonly #explainer = new RecordingExplainer();
  readonly #check = new DemoCheck();

  add(entry: RecordingEntry): void {
    this.#check.add(entry);
    this.#explainer.add(entry);
  }

  finish(): Explained {
    const { counts, findings } = this.#explainer;
    const explained = { ...counts, explanations: this.#explainer.explain(), findings, demo: this.#check.finish() };
    const { file: _, ...json } = explainValues({ file: '', ...explained });
    return json;
  }
}

/**
 * Explains why a delta on a base does not make the snapshot whose checksum was announced.
 *
 * @returns the same as {@link explain}; nothing is shown and nothing fits if the checksum is right
 */
export function explainDelta(base: Snapshot, delta: Delta, announced: number, protocol: Version | Protocol): Explained {
  const explanations = pair.explainDelta({
    protocol: typeof protocol === 'string' ? protocolOf(protocol) : protocol,
    tick: 0,
    base: 0,
    before: base,
    payload: encode(delta, 'packed'),
    announced,
  });
  const counts = { snapshots: 1, failures: explanations.length, unreadable: 0, missingBases: 0 };
  const { file: _, ...json } = explainValues({ file: '', ...counts, explanations, findings: [] });
  return json;
}

/** What `tw-snap explain -t json` prints of a client's log, without its path. */
export type ExplainedLog = Omit<ReturnType<typeof logValues>, 'file'>;

/**
 * Explains what a client's log says of snapshots that it could not use: the causes that the differences allow.
 *
 * @param text the lines of the log of a DDNet or Teeworlds client; other lines are ignored
 */
export function explainLog(text: string): ExplainedLog {
  const errors = text.split('\n').flatMap((line, i) => readLogLine(line, i + 1, logSentences) ?? []);
  const { file: _, ...json } = logValues('', explainErrors(errors));
  return json;
}
