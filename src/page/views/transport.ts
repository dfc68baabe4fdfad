import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { advanced, repeatedFrom, repeatedUpTo, startOf } from '../data/marks.ts';
import type { State, Store } from '../data/store.ts';
import { button, h, isOwnKey, isTyping, onKeys, sessionSignal } from '../elements/dom.ts';
import { forPointer } from '../elements/one-stop.ts';
import { sliderView } from './slider.ts';

const speeds = [0.25, 0.5, 1, 2, 4, 8];
// The variation selector keeps browsers from drawing a sign as an emoji.
const sign = (text: string) => `${text}\ufe0e`;

/** A longer pause, in milliseconds, between two frames is shortened to this, because the page was not visible. */
const longestFrame = 250;

/** The tick of a number or a time such as `1:02.5`; undefined for anything else. */
function tickOf(text: string, first: number): number | undefined {
  const [, minutes, seconds] = /^(?:(\d+):)(\d+(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  if (seconds !== undefined) return first + (60 * Number(minutes) + Number(seconds)) * ticksPerSecond;
  const tick = Number(text.replace(/[\s,]/g, '') || Number.NaN);
  return Number.isFinite(tick) ? tick : undefined;
}

/**
 * The slider, buttons, number field and keys that choose a tick, and the controls for playback.
 * @param choose is called with whether more positions follow at once, as the slider moves or a key is held
 * @param others what the bar has besides
 */
export function transport(
  store: Store<State>,
  choose: (position: number, isScrubbing?: boolean) => void,
  ...others: readonly HTMLElement[]
): HTMLElement {
  const go = (position: number, isScrubbing = false) =>
    choose(Math.max(0, Math.min(position, store.state.recording.shown.length - 1)), isScrubbing);
  const goToTick = (tick: number, isScrubbing = false) => go(store.state.recording.positionOf(tick), isScrubbing);
  const step = (by: number) => (event?: KeyboardEvent) => go(store.state.position + by, event?.repeat);
  const seconds = (by: number) => () => {
    const { recording, position } = store.state;
    goToTick(recording.snapshot(position).tick + by * ticksPerSecond);
  };
  const toMark = (by: 1 | -1) => () => {
    const { marks, recording, position } = store.state;
    const reached = marks.map(({ tick }) => recording.positionOf(tick));
    const next = by > 0 ? reached.find((moment) => moment > position) : reached.findLast((moment) => moment < position);
    if (next !== undefined) go(next);
  };
  const toggle = () => store.set({ isPlaying: !store.state.isPlaying });
  const repeat = (range: typeof repeatedFrom) => () => {
    const { tick, repeated, recording } = store.state;
    store.set({ repeated: range(tick, repeated, recording.ticks) });
  };
  const keys = {
    '[': repeat(repeatedFrom),
    ']': repeat(repeatedUpTo),
    ' ': toggle,
    ',': step(-1),
    '.': step(1),
    ArrowLeft: step(-1),
    ArrowRight: step(1),
    '<': seconds(-1),
    '>': seconds(1),
    n: toMark(1),
    p: toMark(-1),
  };
  startPlayback(store);
  onKeys(document, keys, (event) => !isTyping(event) && !isOwnKey(event));

  const tickBox = h('input', {
    type: 'text',
    size: 7,
    class: 'mono',
    'aria-label': 'tick',
    title: 'a tick, or a time such as 1:02',
    onchange: () => {
      const tick = tickOf(tickBox.value, store.state.recording.ticks.from);
      if (tick !== undefined) goToTick(tick);
      show();
    },
  });
  const time = h('span', { class: 'time mono' });
  const element = h(
    'nav',
    { class: 'transport', 'aria-label': 'choose a tick' },
    h(
      'span',
      { class: 'buttons' },
      ...forPointer(
        button(sign('|‹'), 'first snapshot', () => go(0)),
        button(sign('‹'), 'previous snapshot (←)', () => step(-1)()),
        button(sign('›'), 'next snapshot (→)', () => step(1)()),
        button(sign('›|'), 'last snapshot', () => go(Number.POSITIVE_INFINITY)),
      ),
    ),
    playControls(store, toggle),
    h('label', { class: 'tick' }, 'tick ', tickBox),
    time,
    sliderView(store, (tick) => goToTick(tick, true)),
    ...others,
  );
  function show(): void {
    const { recording, position } = store.state;
    const { tick } = recording.snapshot(position);
    time.textContent = recording.timeOf(tick);
    tickBox.value = String(tick);
  }
  store.on(['recording', 'position'], show);
  return element;
}

/** The controls for playback: play or pause, the speed, and the range that is repeated. */
function playControls(store: Store<State>, toggle: () => void): HTMLElement {
  const play = h('button', { type: 'button', class: 'play', onclick: toggle });
  const speed = h(
    'select',
    { 'aria-label': 'speed', onchange: () => store.set({ speed: Number(speed.value) }) },
    ...speeds.map((value) => h('option', { value, selected: value === 1 }, `${value}×`)),
  );
  const range = button('×', undefined, () => store.set({ repeated: undefined }), 'range mono');
  range.title = 'play the whole recording again';
  range.hidden = true;
  store.on(['isPlaying'], () => {
    const { isPlaying } = store.state;
    play.textContent = sign(isPlaying ? '❚❚' : '▶');
    play.title = isPlaying ? 'pause (space)' : 'play (space)';
    play.setAttribute('aria-label', isPlaying ? 'pause' : 'play');
  });
  store.on(['speed'], () => {
    speed.value = String(store.state.speed);
  });
  store.on(['repeated'], () => {
    const { repeated } = store.state;
    range.hidden = !repeated;
    if (repeated) range.textContent = `[${repeated.from} … ${repeated.to}] ×`;
  });
  return h('span', { class: 'play-controls' }, play, speed, range);
}

/** Plays the recording while `isPlaying` is set: each frame advances the time. */
function startPlayback(store: Store<State>): void {
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
