import { entryFinding, type Finding, finding, statusOf } from '../../src/recording/findings.ts';
import type { RecordingEntry } from '../../src/recording/record.ts';
import { exit } from './errors.ts';

export const entryStatus = (entry: RecordingEntry, isStrict = false): number => {
  const found = entryFinding(entry);
  return found ? statusOf([found], isStrict) : exit.fine;
};

/** The finding about a file that cannot be read, or that options do not fit. */
export const failureFinding = (status: number, reason: string): Finding =>
  status === exit.usage
    ? finding('refused_file', 'refused', { args: { reason } })
    : finding('unreadable_file', 'unread', { args: { reason } });
