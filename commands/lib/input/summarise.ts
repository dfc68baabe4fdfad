import { RecordingExplainer } from '../../../src/analysis/explain/recording-explainer.ts';
import { countFindings, type HealthPart, RecordingHealth } from '../../../src/analysis/explain/server-faults.ts';
import type { QuerySearch } from '../../../src/analysis/query/search.ts';
import type { RecordingInfo } from '../../../src/output/results/info.ts';
import { type RangeEnd, replayOfParts } from '../../../src/recording/demo/demo-range.ts';
import type { RecordingEntry } from '../../../src/recording/replay/record.ts';
import { RecordingSummary, type SummaryPart } from '../../../src/recording/summary/recording-summary.ts';
import type { Input, OpenedRecording } from './inputs.ts';
import { failureEntry, openReplay, readRecording } from './read-recording.ts';

type Reading = Pick<Input, 'version' | 'schema' | 'follow'>;

interface Also {
  /** It receives the same records. */
  readonly search?: Pick<QuerySearch, 'add'> | undefined;
  /** What is wrong in a capture is explained; servers announce no checksums in most demos. */
  readonly isExplained?: boolean;
}

export async function summarise(
  opened: OpenedRecording,
  input: Reading,
  { search, isExplained = false }: Also = {},
): Promise<RecordingInfo> {
  const isCapture = isExplained && opened.format.hasPackets;
  const explainer = isCapture ? new RecordingExplainer() : undefined;
  const { summary, health, bytes } = await read(opened, input, { search, explainer });
  const found = { file: opened.name, bytes, summary, findings: health.findings.length };
  const [explanation] = explainer?.explain() ?? [];
  return explanation ? { ...found, explanation } : found;
}

interface Beside extends Pick<Also, 'search'> {
  readonly start?: number;
  readonly explainer?: RecordingExplainer | undefined;
}

async function read(opened: OpenedRecording, input: Reading, { start = 0, search, explainer }: Beside = {}) {
  const replay = openReplay(opened, input, { parts: opened.format.hasPackets });
  const summary = new RecordingSummary(replay);
  const health = explainer?.health ?? new RecordingHealth();
  const findings = explainer ?? health;
  const add = (entry: RecordingEntry) => {
    summary.add(entry);
    findings.add(entry);
    search?.add(entry);
  };
  const end = await readRecording(opened, input, replay, { add });
  const failed = failureEntry({ ...end, bytes: start + end.bytes }, opened.name);
  if (failed) summary.add(failed);
  return { summary, health, bytes: end.bytes };
}

export interface SummarisedPart {
  readonly summary: SummaryPart;
  readonly health: HealthPart;
  readonly end: RangeEnd;
}

/** A part of a demo, opened as a recording of its own. Its end is known when it was read. */
type OpenedPart = OpenedRecording & { readonly start: number; readonly end: RangeEnd };

export async function summarisePart(opened: OpenedPart, input: Input): Promise<SummarisedPart> {
  const { summary, health } = await read(opened, input, { start: opened.start });
  return { summary: summary.part, health: health.part, end: opened.end };
}

/** The summary of a demo from those of its parts, in order. */
export function joinSummaries(
  { file, bytes }: Pick<RecordingInfo, 'file' | 'bytes'>,
  parts: readonly SummarisedPart[],
  { version, schema }: Input,
): RecordingInfo {
  const { header } = parts[0]!.summary;
  const summary = new RecordingSummary(replayOfParts(header!, parts.at(-1)!.end, { version, schema }));
  for (const part of parts) summary.addPart(part.summary);
  return { file, bytes, summary, findings: countFindings(parts.map(({ health }) => health)) };
}
