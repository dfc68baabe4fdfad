import { HealthOfParts, type HealthPart, RecordingHealth } from '../../../src/explain/health.ts';
import { type RangeEnd, replayOfParts } from '../../../src/recording/demo-range.ts';
import { isOfClient } from '../../../src/recording/record.ts';
import { RecordingSummary, type SummaryPart } from '../../../src/recording/recording-summary.ts';
import type { RecordingInfo } from '../../../src/view/info/rows.ts';
import type { OpenedRange } from '../parallel/divided-demo.ts';
import type { Input } from './input.ts';
import { type OpenedRecording, openReplay } from './open.ts';
import { failureEntry, readRecords } from './read-records.ts';
import { refuseIneffective } from './refuse.ts';

/** Reads a recording to its end and summarises it. */
export async function summarise(opened: OpenedRecording, input: Input): Promise<RecordingInfo> {
  const { name } = opened;
  const { client } = input;
  const replay = openReplay(opened, input);
  const summary = new RecordingSummary(replay);
  const health = new RecordingHealth();
  const end = await readRecords(opened, replay, (entry) => {
    if (!isOfClient(entry.stream, client)) return;
    summary.add(entry);
    health.add(entry);
  });
  const failed = failureEntry(end, name);
  if (failed) summary.add(failed);
  else refuseIneffective(name, input, replay);
  return { file: name, bytes: end.bytes, summary, findings: health.findings.length };
}

/** The summary of a part of a demo, as plain data. */
export interface SummarisedPart {
  readonly summary: SummaryPart;
  readonly health: HealthPart;
  readonly end: RangeEnd;
}

/** Reads a part of a demo to its end and summarises it. */
export async function summarisePart(part: OpenedRange, input: Input): Promise<SummarisedPart> {
  const replay = openReplay(part, input);
  const summary = new RecordingSummary(replay);
  const health = new RecordingHealth();
  const end = await readRecords(part, replay, (entry) => {
    summary.add(entry);
    health.add(entry);
  });
  const failed = failureEntry({ ...end, bytes: part.start + end.bytes }, part.name);
  if (failed) summary.add(failed);
  return { summary: summary.part, health: health.part, end: part.end };
}

/** The summary of a demo from those of its parts, in order. */
export function joinSummaries(
  { file, bytes }: Pick<RecordingInfo, 'file' | 'bytes'>,
  parts: readonly SummarisedPart[],
  { version, schema }: Input,
): RecordingInfo {
  const { header } = parts[0]!.summary;
  const summary = new RecordingSummary(
    replayOfParts(header!, parts.at(-1)!.end, { ...(version && { version }), schema }),
  );
  const health = new HealthOfParts();
  for (const part of parts) {
    summary.addPart(part.summary);
    health.add(part.health);
  }
  return { file, bytes, summary, findings: health.count };
}
