import type { Diagnostic } from '../../src/bytes/diagnostic.ts';
import type { RecordingEntry, Verdict } from '../../src/recording/record.ts';
import type { Health } from '../../src/recording/recording-summary.ts';
import { exit } from './errors.ts';

/** The exit status for the health of a recording. */
export const healthStatus: Readonly<Record<Health['state'], number>> = {
  healthy: exit.fine,
  mismatched: exit.finding,
  cut: exit.unreadable,
  damaged: exit.unreadable,
  unreadable: exit.unreadable,
  undecodable: exit.unreadable,
};

/** The exit status for a snapshot. A missing base or part is not a finding. */
export const verdictStatus = (verdict: Verdict): number =>
  verdict === 'damaged' ? exit.unreadable : verdict === 'mismatch' ? exit.finding : exit.fine;

/** The exit status for a diagnostic. */
export const diagnosticStatus = ({ severity }: Diagnostic, isStrict = false): number =>
  severity === 'error' ? exit.unreadable : isStrict ? exit.finding : exit.fine;

/** The exit status that a record results in. */
export function entryStatus(entry: RecordingEntry, isStrict = false): number {
  if (entry.record === 'snapshot') return verdictStatus(entry.verdict);
  return entry.record === 'diagnostic' ? diagnosticStatus(entry.diagnostic, isStrict) : exit.fine;
}
