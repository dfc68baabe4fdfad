import { escapeText } from '../view/text/escape.ts';
import { h, onScheme, onWidth, styled } from './dom.ts';
import type { Path } from './paths.ts';
import { PlaneDrawing } from './plane-drawing.ts';
import type { Recording } from './recording.ts';

const unitsPerTile = 32;

interface Row {
  readonly path: Path;
  readonly element: HTMLElement;
  readonly x: HTMLElement;
  readonly y: HTMLElement;
  readonly swatch: HTMLElement;
}

/** The paths of players on a plane in tiles, and their positions at the chosen tick, also as a table. */
export class PlaneView {
  readonly element: HTMLElement;
  readonly #canvas = h('canvas', { role: 'img' });
  readonly #table = h('tbody', {});
  readonly #drawing = new PlaneDrawing(this.#canvas);
  #rows: Row[] = [];
  #tick = 0;

  constructor() {
    const head = h('thead', {}, h('tr', {}, ...['player', 'x', 'y'].map((name) => h('th', { scope: 'col' }, name))));
    const box = h('div', { class: 'plane-box' }, this.#canvas);
    this.element = h(
      'section',
      { class: 'plane', 'aria-labelledby': 'plane-title' },
      h('div', { class: 'bar' }, h('h2', { id: 'plane-title' }, 'Paths'), h('span', { class: 'dim' }, 'in tiles')),
      box,
      h(
        'div',
        { class: 'players', tabindex: 0, role: 'region', 'aria-label': 'positions' },
        h('table', {}, head, this.#table),
      ),
    );
    this.element.hidden = true;
    onWidth(box, (width) => {
      this.#drawing.resize(width);
      this.#draw();
    });
    onScheme(() => {
      this.#colour();
      this.#drawing.repaint();
      this.#draw();
    });
  }

  open({ paths }: Recording): void {
    const { all } = paths;
    this.element.hidden = all.length === 0;
    this.#rows = all.map((path) => this.#row(path));
    this.#table.replaceChildren(...this.#rows.map(({ element }) => element));
    this.#drawing.open(all);
    this.#colour();
    this.#canvas.setAttribute(
      'aria-label',
      `paths of ${all.length === 1 ? '1 player' : `${all.length} players`}; the table shows their positions at the chosen tick`,
    );
  }

  show(tick: number): void {
    this.#tick = tick;
    for (const { path, element, x, y } of this.#rows) {
      const place = this.#drawing.locate(path, tick);
      element.classList.toggle('away', !place?.isThere);
      x.textContent = place ? (place.x / unitsPerTile).toFixed(2) : '–';
      y.textContent = place ? (place.y / unitsPerTile).toFixed(2) : '–';
    }
    this.#draw();
  }

  #row(path: Path): Row {
    const swatch = h('span', { class: 'swatch' });
    const [x, y] = [h('td', {}), h('td', {})];
    const light = (client: number | undefined) => () => {
      this.#drawing.lit = client;
      this.#draw();
    };
    const name = path.name === undefined ? `player ${path.client}` : escapeText(path.name);
    const button = h('button', { type: 'button', onfocus: light(path.client), onblur: light(undefined) }, swatch, name);
    const element = h(
      'tr',
      { onpointerenter: light(path.client), onpointerleave: light(undefined) },
      h('th', { scope: 'row' }, button),
      x,
      y,
    );
    return { path, element, x, y, swatch };
  }

  #colour(): void {
    for (const { path, swatch } of this.#rows) swatch.style.background = this.#drawing.colorOf(path);
  }

  #draw(): void {
    if (!this.element.hidden) this.#drawing.draw(this.#tick, styled);
  }
}
