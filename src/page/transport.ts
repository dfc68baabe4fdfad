import { ticksPerSecond } from '../protocol/ticks.ts';
import { clock } from '../view/text/units.ts';
import { h, isTyping } from './dom.ts';
import type { Recording } from './recording.ts';

export interface TransportOptions {
  readonly names: readonly string[];
  readonly chooseTrack: (track: number) => void;
  readonly choose: (place: number) => void;
}

/** Chooses a tick: a slider, buttons, a number, and keys. */
export class Transport {
  readonly element: HTMLElement;
  readonly #options: TransportOptions;
  readonly #slider: HTMLInputElement;
  readonly #tick: HTMLInputElement;
  readonly #time = h('output', { class: 'time' });
  readonly #link = h('a', { class: 'link', title: 'a link to this place' });
  readonly #tracks: HTMLSelectElement;
  #recording: Recording | undefined;
  #place = 0;

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
        this.#button('|◀', 'first snapshot', () => this.#go(0)),
        this.#button('◀', 'previous snapshot (,)', () => this.#go(this.#place - 1)),
        this.#button('▶', 'next snapshot (.)', () => this.#go(this.#place + 1)),
        this.#button('▶|', 'last snapshot', () => this.#go(Number.POSITIVE_INFINITY)),
      ),
      h('label', { class: 'tick' }, 'tick ', this.#tick),
      this.#time,
      this.#slider,
      this.#link,
    );
    document.addEventListener('keydown', (event) => this.#key(event));
  }

  open(recording: Recording, track: number): void {
    this.#recording = recording;
    this.#slider.max = String(recording.shown.length - 1);
    this.#tracks.selectedIndex = track;
    this.element.hidden = recording.shown.length < 2 && recording.firstTick < 0;
  }

  show(place: number, hash: string): void {
    const { tick } = this.#recording!.snapshot(place);
    const time = clock((tick - this.#recording!.firstTick) / ticksPerSecond);
    this.#place = place;
    this.#slider.value = String(place);
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
    // As text, where fonts have an emoji of it.
    return h('button', { type: 'button', title: label, 'aria-label': label, onclick: run }, `${sign}\ufe0e`);
  }

  #go(place: number): void {
    const { shown } = this.#recording!;
    this.#choose(Math.max(0, Math.min(place, shown.length - 1)));
  }

  /** It is shown with the next frame; until then further steps count from here. */
  #choose(place: number): void {
    this.#place = place;
    this.#options.choose(place);
  }

  #typed(): void {
    const tick = Number(this.#tick.value.replace(/[\s,]/g, ''));
    if (Number.isFinite(tick)) this.#go(this.#recording!.placeOf(tick));
  }

  #key(event: KeyboardEvent): void {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey || !this.#recording) return;
    const { tick } = this.#recording.snapshot(this.#place);
    const places: Readonly<Record<string, () => number>> = {
      ',': () => this.#place - 1,
      '.': () => this.#place + 1,
      '<': () => this.#recording!.placeOf(tick - ticksPerSecond),
      '>': () => this.#recording!.placeOf(tick + ticksPerSecond),
    };
    const place = places[event.key];
    if (!place) return;
    event.preventDefault();
    this.#go(place());
  }
}
