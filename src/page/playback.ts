import { sessionSignal } from './dom.ts';
import type { State, Store } from './store.ts';
import { advanced, startOf } from './ticks.ts';

/** A longer pause, in milliseconds, between two frames is shortened to this, because the page was not visible. */
const longestFrame = 250;

/** Plays the recording while `isPlaying` is set: each frame advances the time. */
export function startPlayback(store: Store<State>): void {
  let frame = 0;
  let last = 0;
  const next = (now: number) => {
    const { recording, tick, speed, repeated } = store.state;
    const milliseconds = Math.min(longestFrame, Math.max(0, now - last));
    const later = advanced(tick, milliseconds, speed, repeated, recording.ticks);
    const isPlaying = later < recording.ticks.to;
    last = now;
    if (isPlaying) frame = requestAnimationFrame(next);
    store.set({ tick: later, position: recording.positionOf(later), isPlaying });
  };
  store.on(['isPlaying'], () => {
    cancelAnimationFrame(frame);
    const { isPlaying, recording, tick, repeated } = store.state;
    if (!isPlaying) return;
    const start = startOf(tick, repeated ?? recording.ticks);
    last = performance.now();
    frame = requestAnimationFrame(next);
    if (start !== tick) store.set({ tick: start, position: recording.positionOf(start) });
  });
  sessionSignal().addEventListener('abort', () => cancelAnimationFrame(frame));
}
