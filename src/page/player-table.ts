import { escapeText } from '../view/text/escape.ts';
import { unitsPerTile } from './characters.ts';
import { h, section, swatch } from './dom.ts';
import type { State, Store } from './store.ts';

/** The table of players at the chosen tick. A click on a player follows it in the picture of the match. */
export function playerTable(store: Store<State>, follow: (client: number) => void): HTMLElement {
  const head = h('thead', {}, h('tr', {}, ...['player', 'x', 'y'].map((name) => h('th', { scope: 'col' }, name))));
  const body = h('tbody', {});
  const element = section(
    'player-section',
    ['players-title', 'Players'],
    [h('span', { class: 'dim' }, 'in tiles; click to follow')],
    h('div', { class: 'players', tabindex: 0, role: 'region', 'aria-label': 'positions' }, h('table', {}, head, body)),
  );
  element.hidden = true;
  let rows: { readonly client: number; readonly row: HTMLElement; readonly cells: readonly HTMLElement[] }[] = [];

  /** Shows the positions that the chosen snapshot contains. */
  const show = () => {
    const { recording, position } = store.state;
    const { reader, shown, characters } = recording;
    const snapshot = rows.length > 0 ? reader.snapshot(shown[position]!) : undefined;
    for (const { client, row, cells } of rows) {
      const at = characters.sent(snapshot, client);
      row.classList.toggle('away', !at);
      for (const [i, cell] of cells.entries()) cell.textContent = at ? (at[i]! / unitsPerTile).toFixed(2) : '–';
    }
  };
  store.on(['isRead'], () => {
    const { recording, isRead } = store.state;
    if (!isRead) return;
    rows = recording.paths.all.map(({ client }) => {
      const look = recording.lookOf(client);
      const name = look?.name ? escapeText(look.name) : `player ${client}`;
      const onclick = () => follow(client);
      const button = h('button', { type: 'button', onclick }, swatch('swatch', look?.colour ?? 'var(--dim)'), name);
      const cells = [h('td', {}), h('td', {})];
      return { client, row: h('tr', {}, h('th', { scope: 'row' }, button), ...cells), cells };
    });
    element.hidden = rows.length === 0;
    body.replaceChildren(...rows.map(({ row }) => row));
    show();
  });
  store.on(['inspected'], show);
  return element;
}
