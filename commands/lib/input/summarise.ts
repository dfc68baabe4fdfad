import { RecordingHealth } from '../../../src/explain/health.ts';
import type { Schema } from '../../../src/protocol/schema.ts';
import { isOfClient } from '../../../src/recording/record.ts';
import { RecordingSummary } from '../../../src/recording/recording-summary.ts';
import type { RecordingInfo } from '../../../src/view/info/info-rows.ts';
import type { InputOptions } from '../options.ts';
import { refuseIneffective } from '../refuse-options.ts';
import { type OpenedRecording, openReplay } from './open.ts';
import { failureEntry, readRecords } from './read-records.ts';

/** Reads a recording to its end and summarises it. */
export async function summarise(
  opened: OpenedRecording,
  options: Pick<InputOptions, 'protocol' | 'client'>,
  schema: Schema,
): Promise<RecordingInfo> {
  const { name } = opened;
  const { client } = options;
  const replay = openReplay(opened, options, { schema });
  const summary = new RecordingSummary(replay);
  const health = new RecordingHealth();
  const end = await readRecords(opened, replay, (entry) => {
    if (!isOfClient(entry.stream, client)) return;
    summary.add(entry);
    health.add(entry);
  });
  const failed = failureEntry(end, name);
  if (failed) summary.add(failed);
  else refuseIneffective(name, options, replay.streams);
  return { file: name, bytes: end.bytes, summary, findings: health.findings.length };
}
