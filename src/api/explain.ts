/**
 * Causes of wrong checksums, unreadable deltas and damaged demos.
 *
 * @module tw-snap/explain
 */
import { encode } from '../decode/encoding-layers.ts';
import * as pair from '../explain/explanation.ts';
import * as log from '../explain/log.ts';
import { readLogLine } from '../explain/log.ts';
import { DemoCheck, RecordingExplainer } from '../explain/recording-explainer.ts';
import { protocolOf, type Version } from '../protocol/registry.ts';
import { formats } from '../recording/all-formats.ts';
import type { ReadOptions } from '../recording/replay.ts';
import { explainValues, logValues } from '../result/explain.ts';
import type { Delta } from '../snapshot/delta.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Pieces } from './input.ts';
import { DetectedReplay, recordsIn } from './read-recording.ts';

/**
 * Explains the failures of a recording: checksums that differ, deltas that cannot be read, damage of a demo.
 *
 * @param input a demo, a capture or a network log: a `Uint8Array`, or an iterable of its pieces
 * @returns what `tw-snap explain -t json` prints: the number of `failures` and of those that are `explained`; what the bytes show
 * (`shown`), each with its `cause`, `items` and `failures`; and what `fits` the sums of the `undecided` failures, the best first
 * @throws DecodeError `not_a_capture` if the file begins as no recording
 */
export function explain(input: Pieces, options: Pick<ReadOptions, 'version' | 'schema'> = {}) {
  const replay = new DetectedReplay(formats, 'not_a_capture', { ...options, parts: true });
  const explainer = new RecordingExplainer();
  const check = new DemoCheck();
  for (const entry of recordsIn(input, replay, 'explain')) {
    check.add(entry);
    explainer.add(entry);
  }
  const { counts, findings } = explainer;
  const explained = { ...counts, explanations: explainer.explain(), findings, demo: check.finish() };
  const { file: _, ...json } = explainValues({ file: '', ...explained });
  return json;
}

/**
 * Explains why a delta on a base does not make the snapshot whose checksum was announced.
 *
 * @returns the same as {@link explain}; nothing is shown and nothing fits if the checksum is right
 */
export function explainDelta(base: Snapshot, delta: Delta, announced: number, version: Version) {
  const explanations = pair.explainDelta({
    protocol: protocolOf(version),
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

/**
 * Explains what a client's log says of snapshots that it could not use: the causes that the differences allow.
 *
 * @param text the lines of the log of a DDNet or Teeworlds client; other lines are ignored
 */
export function explainLog(text: string) {
  const errors = text.split('\n').flatMap((line, i) => readLogLine(line, i + 1) ?? []);
  const { file: _, ...json } = logValues('', log.explainLog(errors));
  return json;
}
