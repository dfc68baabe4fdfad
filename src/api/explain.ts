/**
 * Causes of wrong checksums, unreadable deltas and damaged demos.
 *
 * @module tw-snap/explain
 */
export { explain, explainDelta, explainLog } from './explain-recording.ts';
