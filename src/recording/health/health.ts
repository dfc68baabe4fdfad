/** The states of a recording, the best first, for every command and the page. */
export const healthStates = {
  healthy: 'everything is read, and no announced checksum is wrong',
  incomplete:
    'snapshots cannot be rebuilt, because packets before them are not in the recording; or it has more of something than is followed, as of connections at once',
  suspect:
    'everything is read, but no game writes it like this: its map is not the one that the header names, snapshots are in doubt, it has signs of damage, or packets and messages that no game sends or takes',
  mismatched: 'snapshots have other checksums than the announced ones',
  unplayable: 'it can be read, but games refuse it, or read it as something else',
  damaged: 'parts of it cannot be read',
  unread: 'nothing of it is read: there is no such file, it is no recording, or of a version that is not read',
} as const;

export type HealthState = keyof typeof healthStates;

/** The state of a file that could not be opened, or is no recording. */
export const unreadableState = 'unread' satisfies HealthState;
