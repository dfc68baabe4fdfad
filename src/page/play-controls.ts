import { h } from './dom.ts';
import { speeds } from './play-clock.ts';
import type { Playback } from './playback.ts';

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
