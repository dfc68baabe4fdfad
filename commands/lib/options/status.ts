import { type Finding, finding } from '../../../src/recording/health/findings.ts';
import { exit } from './errors.ts';

/** The finding about a file that cannot be read, or that options do not fit. */
export const failureFinding = (status: number, reason: string): Finding =>
  status === exit.usage
    ? finding('refused_file', 'refused', { args: { reason } })
    : finding('unreadable_file', 'unread', { args: { reason } });
