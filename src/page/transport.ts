import { ticksPerSecond } from '../protocol/ticks.ts';
import { clock } from '../view/text/number.ts';
import { h, isOwnKey, isTyping, sessionSignal } from './dom.ts';
import { type Playback, speeds } from './playback.ts';
import type { Recording } from './recording.ts';

interface TransportOptions {
  readonly names: readonly string[];
  readonly chooseTrack: (track: number) => void;
  readonly choose: (position: number) => void;
  readonly search: HTMLElement;
  /** The buttons for playing. */
  readonly play: PlayControls;
}

/** The slider, buttons, number field and keys that choose a tick. */
export class Transport {
  readonly element: HTMLElement;
  readonly #options: TransportOptions;
  readonly #slider: HTMLInputElement;
  readonly #tick: HTMLInputElement;
  readonly #time = h('span', { class: 'time' });
  readonly #between = h('span', {
    class: 'between dim',
    title: 'the picture is interpolated: this much of the time to the next snapshot has passed',
  });
  readonly #link = h('a', { class: 'link', title: 'a link to this tick and item' });
  readonly #tracks: HTMLSelectElement;
  #recording: Recording | undefined;
  #position = 0;

  constructor(options: TransportOptions) {
    this.#options = options;
    const { names } = options;
    this.#slider = h('input', {
      type: 'range',
      min: 0,
      value: 0,
      'aria-label': 'snapshot',
      oninput: () => this.#choose(this.#slider.valueAsNumber),
    });
    this.#tick = h('input', {
      type: 'text',
      inputmode: 'numeric',
      size: 7,
      'aria-label': 'tick',
      onchange: () => this.#typed(),
    });
    this.#tracks = h(
      'select',
      {
        'aria-label': 'connection',
        hidden: names.length < 2,
        onchange: () => options.chooseTrack(this.#tracks.selectedIndex),
      },
      ...names.map((name) => h('option', {}, name)),
    );
    this.element = h(
      'nav',
      { class: 'transport', 'aria-label': 'choose a tick' },
      this.#tracks,
      h(
        'span',
        { class: 'buttons' },
        this.#button('|‹', 'first snapshot', () => this.#go(0)),
        this.#button('‹', 'previous snapshot (←)', () => this.#go(this.#position - 1)),
        this.#button('›', 'next snapshot (→)', () => this.#go(this.#position + 1)),
        this.#button('›|', 'last snapshot', () => this.#go(Number.POSITIVE_INFINITY)),
      ),
      options.play.element,
      h('label', { class: 'tick' }, 'tick ', this.#tick),
      this.#time,
      this.#between,
      this.#slider,
      options.search,
      this.#link,
    );
    document.addEventListener('keydown', (event) => this.#key(event), { signal: sessionSignal() });
  }

  open(recording: Recording, track: number): void {
    this.#position = -1;
    this.#recording = recording;
    this.#slider.max = String(recording.shown.length - 1);
    this.#tracks.selectedIndex = track;
    this.element.hidden = recording.shown.length < 2 && recording.firstTick < 0;
  }

  /** @param share the elapsed share of the time to the next snapshot */
  show(position: number, share: number, hash: string): void {
    const { tick } = this.#recording!.snapshot(position);
    const time = clock((tick - this.#recording!.firstTick) / ticksPerSecond);
    this.#between.textContent = share > 0 ? `+${Math.floor(share * 100)} %` : '';
    if (position === this.#position && this.#tick.value === String(tick)) {
      this.link(hash);
      return;
    }
    this.#position = position;
    this.#slider.value = String(position);
    this.#slider.setAttribute('aria-valuetext', `tick ${tick}, ${time}`);
    this.#tick.value = String(tick);
    this.#time.textContent = time;
    this.link(hash);
  }

  link(hash: string): void {
    this.#link.href = hash;
    this.#link.textContent = decodeURIComponent(hash);
  }

  #button(sign: string, label: string, run: () => void): HTMLButtonElement {
    // The variation selector keeps browsers from drawing the sign as an emoji.
    return h('button', { type: 'button', title: label, 'aria-label': label, onclick: run }, `${sign}\ufe0e`);
  }

  #go(position: number): void {
    const { shown } = this.#recording!;
    this.#choose(Math.max(0, Math.min(position, shown.length - 1)));
  }

  /** Stores the choice at once, so that further steps start from it, although it is only shown with the next frame. */
  #choose(position: number): void {
    this.#position = position;
    this.#options.choose(position);
  }

  #typed(): void {
    const tick = Number(this.#tick.value.replace(/[\s,]/g, ''));
    if (Number.isFinite(tick)) this.#go(this.#recording!.positionOf(tick));
  }

  #key(event: KeyboardEvent): void {
    if (event.defaultPrevented || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.#recording) return;
    // Space presses a focused button, and the arrow keys move a focused slider.
    if (isOwnKey(event)) return;
    if (this.#options.play.key(event.key)) {
      event.preventDefault();
      return;
    }
    const { tick } = this.#recording.snapshot(this.#position);
    const positions: Readonly<Record<string, () => number>> = {
      ',': () => this.#position - 1,
      '.': () => this.#position + 1,
      ArrowLeft: () => this.#position - 1,
      ArrowRight: () => this.#position + 1,
      '<': () => this.#recording!.positionOf(tick - ticksPerSecond),
      '>': () => this.#recording!.positionOf(tick + ticksPerSecond),
    };
    const position = positions[event.key];
    if (!position) return;
    event.preventDefault();
    this.#go(position());
  }
}

/** The controls for playback: play or pause, the speed, and the range that is repeated. */
export class PlayControls {
  readonly element: HTMLElement;
  readonly #playback: Playback;
  readonly #play: HTMLButtonElement;
  readonly #range: HTMLButtonElement;
  readonly #onRange: () => void;

  /** @param onRange is called when the range that is repeated has changed */
  constructor(playback: Playback, onRange: () => void) {
    this.#playback = playback;
    this.#onRange = onRange;
    this.#play = h('button', { type: 'button', class: 'play', onclick: () => playback.toggle() });
    const speed = h(
      'select',
      {
        'aria-label': 'speed',
        onchange: () => {
          playback.clock.speed = Number(speed.value);
        },
      },
      ...speeds.map((value) => h('option', { value, selected: value === 1 }, `${value}×`)),
    );
    this.#range = h('button', {
      type: 'button',
      class: 'range',
      'aria-label': 'play the whole recording again',
      title: 'play the whole recording again',
      onclick: () => {
        playback.clock.clearRange();
        this.showRange();
      },
    });
    this.element = h('span', { class: 'play-controls' }, this.#play, speed, this.#range);
    this.showState();
    this.#range.hidden = true;
  }

  showState(): void {
    const { isPlaying } = this.#playback;
    // The variation selector keeps browsers from drawing the sign as an emoji.
    this.#play.textContent = `${isPlaying ? '❚❚' : '▶'}\ufe0e`;
    this.#play.title = isPlaying ? 'pause (space)' : 'play (space)';
    this.#play.setAttribute('aria-label', isPlaying ? 'pause' : 'play');
  }

  showRange(): void {
    const { range } = this.#playback.clock;
    this.#range.hidden = !range;
    if (range) this.#range.textContent = `[${range.from} … ${range.to}] ×`;
    this.#onRange();
  }

  /** Handles a key. Returns whether the key controls playback. */
  key(key: string): boolean {
    const { clock } = this.#playback;
    if (key === ' ') this.#playback.toggle();
    else if (key === '[') clock.beginRange();
    else if (key === ']') clock.endRange();
    else return false;
    if (key !== ' ') this.showRange();
    return true;
  }
}
