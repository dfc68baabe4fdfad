import { ticksPerSecond } from '../protocol/ticks.ts';
import { button, h, isOwnKey, isTyping, onKeys } from './dom.ts';
import type { State, Store } from './store.ts';
import { repeatedFrom, repeatedUpTo } from './ticks.ts';

/** The speeds at which a recording can be played. */
const speeds = [0.25, 0.5, 1, 2, 4, 8];

interface TransportOptions {
  /** The names of the tracks. */
  readonly names: readonly string[];
  readonly search: HTMLElement;
  chooseTrack(track: number): void;
  choose(position: number): void;
  /** The address of what is shown. */
  link(): string;
}

// The variation selector keeps browsers from drawing a sign as an emoji.
const sign = (text: string) => `${text}\ufe0e`;

/** The slider, buttons, number field and keys that choose a tick, and the controls for playback. */
export function transport(store: Store<State>, options: TransportOptions): HTMLElement {
  const { names, search, chooseTrack, choose, link } = options;
  const go = (position: number) => choose(Math.max(0, Math.min(position, store.state.recording.shown.length - 1)));
  const step = (by: number) => () => go(store.state.position + by);
  const seconds = (by: number) => () => {
    const { recording, position } = store.state;
    go(recording.positionOf(recording.snapshot(position).tick + by * ticksPerSecond));
  };
  const toggle = () => store.set({ isPlaying: !store.state.isPlaying });
  const repeat = (range: typeof repeatedFrom) => () => {
    const { tick, repeated, recording } = store.state;
    store.set({ repeated: range(tick, repeated, recording.ticks) });
  };
  const keys = {
    ' ': toggle,
    '[': repeat(repeatedFrom),
    ']': repeat(repeatedUpTo),
    ',': step(-1),
    '.': step(1),
    ArrowLeft: step(-1),
    ArrowRight: step(1),
    '<': seconds(-1),
    '>': seconds(1),
  };
  // Space presses a focused button, and the arrow keys move a focused slider.
  onKeys(document, keys, (event) => !isTyping(event) && !isOwnKey(event));

  const slider = h('input', {
    type: 'range',
    min: 0,
    value: 0,
    'aria-label': 'snapshot',
    oninput: () => choose(slider.valueAsNumber),
  });
  const tickBox = h('input', {
    type: 'text',
    inputmode: 'numeric',
    size: 7,
    'aria-label': 'tick',
    onchange: () => {
      const tick = Number(tickBox.value.replace(/[\s,]/g, ''));
      if (!Number.isFinite(tick)) return;
      go(store.state.recording.positionOf(tick));
      show();
    },
  });
  const time = h('span', { class: 'time' });
  const between = h('span', {
    class: 'between dim',
    title: 'the picture is interpolated: this much of the time to the next snapshot has passed',
  });
  const address = h('a', { class: 'link', title: 'a link to this tick and item' });
  const tracks = h(
    'select',
    { 'aria-label': 'connection', hidden: names.length < 2, onchange: () => chooseTrack(tracks.selectedIndex) },
    ...names.map((name) => h('option', {}, name)),
  );
  const element = h(
    'nav',
    { class: 'transport', 'aria-label': 'choose a tick' },
    tracks,
    h(
      'span',
      { class: 'buttons' },
      button(sign('|‹'), 'first snapshot', () => go(0)),
      button(sign('‹'), 'previous snapshot (←)', step(-1)),
      button(sign('›'), 'next snapshot (→)', step(1)),
      button(sign('›|'), 'last snapshot', () => go(Number.POSITIVE_INFINITY)),
    ),
    playControls(store, toggle),
    h('label', { class: 'tick' }, 'tick ', tickBox),
    time,
    between,
    slider,
    search,
    address,
  );
  function show(): void {
    const { recording, position } = store.state;
    const { tick } = recording.snapshot(position);
    time.textContent = recording.timeOf(tick);
    slider.value = String(position);
    slider.setAttribute('aria-valuetext', `tick ${tick}, ${time.textContent}`);
    tickBox.value = String(tick);
  }
  store.on(['recording'], () => {
    const { recording, track } = store.state;
    slider.max = String(recording.shown.length - 1);
    tracks.selectedIndex = track;
    element.hidden = recording.shown.length < 2 && recording.ticks.from < 0;
  });
  store.on(['recording', 'position'], show);
  store.on(['recording', 'position', 'tick'], () => {
    const { recording, position, tick } = store.state;
    const share = recording.shareAt(position, tick);
    between.textContent = share > 0 ? `+${Math.floor(share * 100)} %` : '';
  });
  store.on(['recording', 'position', 'item'], () => {
    address.href = link();
    address.textContent = decodeURIComponent(link());
  });
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
  const label = 'play the whole recording again';
  const range = button('', label, () => store.set({ repeated: undefined }), 'range');
  range.hidden = true;
  const showState = () => {
    const { isPlaying } = store.state;
    play.textContent = sign(isPlaying ? '❚❚' : '▶');
    play.title = isPlaying ? 'pause (space)' : 'play (space)';
    play.setAttribute('aria-label', isPlaying ? 'pause' : 'play');
  };
  showState();
  store.on(['isPlaying'], showState);
  store.on(['repeated'], () => {
    const { repeated } = store.state;
    range.hidden = !repeated;
    if (repeated) range.textContent = `[${repeated.from} … ${repeated.to}] ×`;
  });
  return h('span', { class: 'play-controls' }, play, speed, range);
}
