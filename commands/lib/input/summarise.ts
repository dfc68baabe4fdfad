import { RecordingHealth } from '../../../src/analysis/explain/server-faults.ts';
import type { QuerySearch } from '../../../src/analysis/query/search.ts';
import type { RecordingInfo } from '../../../src/output/results/info.ts';
import { RecordingSummary } from '../../../src/recording/summary/recording-summary.ts';
import type { Input, OpenRecording } from './inputs.ts';
import { failureEntry, Records } from './records.ts';

interface Also {
  /** It receives the same records. */
  readonly search?: Pick<QuerySearch, 'add'> | undefined;
  /** What is wrong in a capture is explained; servers announce no checksums in most demos. */
  readonly isExplained?: boolean;
}

export async function summarise(
  opened: OpenRecording,
  input: Pick<Input, 'version' | 'schema' | 'follow'>,
  { search, isExplained = false }: Also = {},
): Promise<RecordingInfo> {
  const { hasPackets } = opened.format;
  const explainer = isExplained && hasPackets ? new (await explainers()).RecordingExplainer() : undefined;
  const records = new Records(opened, input, { parts: hasPackets });
  const summary = new RecordingSummary(records.replay);
  const health = explainer?.health ?? new RecordingHealth();
  const findings = explainer ?? health;
  const end = await records.read({
    add(entry) {
      summary.add(entry);
      findings.add(entry);
      search?.add(entry);
    },
  });
  const failed = failureEntry(end, opened.name);
  if (failed) summary.add(failed);
  const found = { file: opened.name, bytes: end.bytes, summary, findings: health.findings.length };
  const [explanation] = explainer?.explain() ?? [];
  if (!explanation || explanation.shown.length + explanation.fits.length === 0) return found;
  const { saidOf } = await import('../../../src/output/reports/explain/explanation-text.ts');
  return { ...found, cause: saidOf(explanation)[0]! };
}

/** Loaded for captures only, to keep start-up fast. */
const explainers = () => import('../../../src/analysis/explain/recording-explainer.ts');
