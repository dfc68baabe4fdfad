import { escapeText } from '../view/text/escape.ts';
import { h } from './dom.ts';
import type { Recording } from './recording.ts';

const unitsPerTile = 32;

interface Row {
  readonly client: number;
  readonly element: HTMLElement;
  readonly x: HTMLElement;
  readonly y: HTMLElement;
}

/** The table of players at the chosen tick. A click on a player follows it in the picture of the match. */
export class PlayerTable {
  readonly element: HTMLElement;
  readonly #follow: (client: number) => void;
  readonly #body = h('tbody', {});
  #recording: Recording | undefined;
  #rows: Row[] = [];

  constructor(follow: (client: number) => void) {
    this.#follow = follow;
    const head = h('thead', {}, h('tr', {}, ...['player', 'x', 'y'].map((name) => h('th', { scope: 'col' }, name))));
    this.element = h(
      'section',
      { class: 'player-section', 'aria-labelledby': 'players-title' },
      h(
        'div',
        { class: 'bar' },
        h('h2', { id: 'players-title' }, 'Players'),
        h('span', { class: 'dim' }, 'in tiles; click to follow'),
      ),
      h(
        'div',
        { class: 'players', tabindex: 0, role: 'region', 'aria-label': 'positions' },
        h('table', {}, head, this.#body),
      ),
    );
    this.element.hidden = true;
  }

  open(recording: Recording): void {
    this.#recording = recording;
    this.#rows = recording.paths.all.map(({ client }) => {
      const look = recording.lookOf(client);
      const swatch = h('span', { class: 'swatch' });
      swatch.style.background = look?.colour ?? 'var(--dim)';
      const [x, y] = [h('td', {}), h('td', {})];
      const button = h(
        'button',
        { type: 'button', onclick: () => this.#follow(client) },
        swatch,
        look?.name ? escapeText(look.name) : `player ${client}`,
      );
      return { client, element: h('tr', {}, h('th', { scope: 'row' }, button), x, y), x, y };
    });
    this.element.hidden = this.#rows.length === 0;
    this.#body.replaceChildren(...this.#rows.map(({ element }) => element));
  }

  /** Shows the positions that a snapshot contains. */
  show(position: number): void {
    if (this.#rows.length === 0) return;
    const { reader, shown, characters } = this.#recording!;
    const snapshot = reader.snapshot(shown[position]!);
    for (const { client, element, x, y } of this.#rows) {
      const at = characters.sent(snapshot, client);
      element.classList.toggle('away', !at);
      x.textContent = at ? (at[0] / unitsPerTile).toFixed(2) : '–';
      y.textContent = at ? (at[1] / unitsPerTile).toFixed(2) : '–';
    }
  }
}
