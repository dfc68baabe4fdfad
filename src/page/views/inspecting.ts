import { inspect } from '../data/inspect.ts';
import { inspectRecord } from '../data/inspect-record.ts';
import type { State, Store } from '../data/store.ts';

/**
 * The minimum milliseconds between two updates of the inspector and the tables while the recording is played or
 * scrubbed.
 */
const minPause = 200;

/**
 * Keeps `inspected` that of the chosen snapshot. The inspector and the tables are too slow for every frame: while the
 * recording is played or scrubbed, they are updated so rarely that the picture keeps moving.
 */
export function keepInspected(store: Store<State>): void {
  let updated = 0;
  let took = 0;
  let wasPlaying = false;
  let [wasRecord, wasAt]: [State['record'], number] = [undefined, -1];
  store.derive(['position', 'record', 'isPlaying'], ({ position, record, isPlaying }) => {
    // A message or packet is shown until another place is chosen.
    const isLeft = isPlaying || (record === wasRecord && position !== wasAt);
    wasRecord = isLeft ? undefined : record;
    wasAt = position;
    return { record: wasRecord };
  });
  store.derive(
    ['recording', 'position', 'isPlaying', 'isScrubbing', 'record'],
    ({ recording, position, isPlaying, isScrubbing, record }) => {
      const now = performance.now();
      // When playing begins, it is up to date.
      if (isPlaying && !wasPlaying) updated = now;
      wasPlaying = isPlaying;
      if ((isPlaying || isScrubbing) && now - updated < Math.max(minPause, 6 * took)) return {};
      updated = now;
      const inspected = record && inspectRecord(recording, record);
      return { inspected: inspected ?? inspect(recording, position) };
    },
  );
  const measure = () => {
    took = performance.now() - updated;
  };
  store.on(['inspected'], measure, 'after');
}
