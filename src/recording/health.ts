import type { Code } from '../bytes/diagnostic.ts';

/** The states of a recording, the best first, for every command and the page. */
export const healthStates = {
  healthy: 'everything is read, and no announced checksum is wrong',
  incomplete: 'snapshots cannot be rebuilt, because packets before them are not in the recording',
  mismatched: 'snapshots have other checksums than the announced ones',
  unplayable: 'it can be read, but games refuse it or crash: its items have the sizes of the other version',
  damaged: 'parts of it cannot be read, or the whole file',
} as const;

export type HealthState = keyof typeof healthStates;

/** The state of a file that could not be opened, or is no recording. */
export const unreadableState = 'damaged' satisfies HealthState;

export interface HealthFacts {
  /** The number of errors of the file, and of packets and snapshots that cannot be read. */
  readonly unread: number;
  readonly isUnplayable: boolean;
  readonly mismatched: number;
  /** The number of snapshots that cannot be rebuilt without what is missing. */
  readonly missing: number;
}

export function healthState({ unread, isUnplayable, mismatched, missing }: HealthFacts): HealthState {
  if (unread > 0) return 'damaged';
  if (isUnplayable) return 'unplayable';
  if (mismatched > 0) return 'mismatched';
  return missing > 0 ? 'incomplete' : 'healthy';
}

export const joinFacts = (one: HealthFacts, next: HealthFacts): HealthFacts => ({
  unread: one.unread + next.unread,
  isUnplayable: one.isUnplayable || next.isUnplayable,
  mismatched: one.mismatched + next.mismatched,
  missing: one.missing + next.missing,
});

/** Whether a diagnostic says that games cannot play the recording. */
export const isUnplayable = ({ code }: { readonly code: Code }): boolean =>
  code === 'sizes_of_06' || code === 'content_of_07';
