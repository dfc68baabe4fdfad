import { escapeText } from '../view/text/escape.ts';
import { unitsPerTile } from './characters.ts';
import { h, section } from './dom.ts';
import type { State, Store } from './store.ts';

interface Row {
  readonly client: number;
  readonly element: HTMLElement;
  readonly x: HTMLElement;
  readonly y: HTMLElement;
}

/** The table of players at the chosen tick. A click on a player follows it in the picture of the match. */
export class PlayerTable {
  readonly element: HTMLElement;
  readonly #store: Store<State>;
  readonly #body = h('tbody', {});
  #rows: readonly Row[] = [];

  constructor(store: Store<State>, follow: (client: number) => void) {
    this.#store = store;
    const head = h('thead', {}, h('tr', {}, ...['player', 'x', 'y'].map((name) => h('th', { scope: 'col' }, name))));
    this.element = section(
      'player-section',
      ['players-title', 'Players'],
      [h('span', { class: 'dim' }, 'in tiles; click to follow')],
      h(
        'div',
        { class: 'players', tabindex: 0, role: 'region', 'aria-label': 'positions' },
        h('table', {}, head, this.#body),
      ),
    );
    this.element.hidden = true;
    store.on(['isRead'], () => store.state.isRead && this.#open(follow));
  }

  #open(follow: (client: number) => void): void {
    const { recording } = this.#store.state;
    this.#rows = recording.paths.all.map(({ client }) => {
      const look = recording.lookOf(client);
      const swatch = h('span', { class: 'swatch' });
      swatch.style.background = look?.colour ?? 'var(--dim)';
      const [x, y] = [h('td', {}), h('td', {})];
      const name = look?.name ? escapeText(look.name) : `player ${client}`;
      const button = h('button', { type: 'button', onclick: () => follow(client) }, swatch, name);
      return { client, element: h('tr', {}, h('th', { scope: 'row' }, button), x, y), x, y };
    });
    this.element.hidden = this.#rows.length === 0;
    this.#body.replaceChildren(...this.#rows.map(({ element }) => element));
    this.show();
  }

  /** Shows the positions that the chosen snapshot contains. */
  show(): void {
    if (this.#rows.length === 0) return;
    const { recording, position } = this.#store.state;
    const { reader, shown, characters } = recording;
    const snapshot = reader.snapshot(shown[position]!);
    for (const { client, element, x, y } of this.#rows) {
      const at = characters.sent(snapshot, client);
      element.classList.toggle('away', !at);
      x.textContent = at ? (at[0] / unitsPerTile).toFixed(2) : '–';
      y.textContent = at ? (at[1] / unitsPerTile).toFixed(2) : '–';
    }
  }
}
