import { CaptureReplay } from './capture/capture-replay.ts';
import { NetlogReplay } from './capture/netlog-replay.ts';
import { CheckedDemoReplay } from './demo/checked-demo.ts';
import { GhostReplay } from './demo/ghost-replay.ts';
import { captureFormat, demoFormat, ghostFormat, netlogFormat, type RecordingFormat, withReader } from './formats.ts';

/** All formats with their readers, in the order in which they are tried. */
export const formats: readonly RecordingFormat[] = [
  withReader(demoFormat, CheckedDemoReplay),
  withReader(captureFormat, CaptureReplay),
  withReader(ghostFormat, GhostReplay),
  withReader(netlogFormat, NetlogReplay),
];

/** The format of a file by its first bytes; undefined if it is not a recording. */
export const formatOf = (first: Uint8Array): RecordingFormat | undefined => formats.find(({ detect }) => detect(first));
