import { inspect } from './inspect.ts';
import type { State, Store } from './store.ts';

/** The minimum milliseconds between two updates of the inspector and the tables while the recording is played or scrubbed. */
const leastPause = 200;

/**
 * Keeps `inspected` that of the chosen snapshot. The inspector and the tables are too slow for every frame: while the recording is
 * played or scrubbed, they are updated so rarely that the picture keeps moving.
 */
export function keepInspected(store: Store<State>): void {
  let [updated, took] = [0, 0];
  let wasPlaying = false;
  store.derive(
    ['recording', 'position', 'isPlaying', 'isScrubbing'],
    ({ recording, position, isPlaying, isScrubbing }) => {
      const now = performance.now();
      // When playing begins, it is up to date.
      if (isPlaying && !wasPlaying) updated = now;
      wasPlaying = isPlaying;
      if ((isPlaying || isScrubbing) && now - updated < Math.max(leastPause, 6 * took)) return {};
      updated = now;
      return { inspected: inspect(recording, position) };
    },
  );
  const measure = () => {
    took = performance.now() - updated;
  };
  store.on(['inspected'], measure, 'after');
}
