import type { Health } from '../../src/recording/recording-summary.ts';
import { exit } from './errors.ts';

/** The exit status that the health of a recording results in. */
export const healthStatus: Readonly<Record<Health['state'], number>> = {
  healthy: exit.fine,
  mismatched: exit.finding,
  cut: exit.unreadable,
  damaged: exit.unreadable,
  unreadable: exit.unreadable,
  undecodable: exit.unreadable,
};
