import type { GameMap } from '../../container/map/game-map.ts';
import { h, onceAFrame, onScheme, onSize } from '../dom.ts';
import type { Recording } from '../recording.ts';
import { forgetColours, styled } from '../style-colours.ts';
import type { Box } from './camera.ts';
import { describeItem } from './describe-item.ts';
import { DrawnItems } from './drawn-items.ts';
import { type Followed, FollowSelect } from './follow-select.ts';
import { colourName, MapPicture, unitsPerTile } from './map-picture.ts';
import { PlaneDrawing } from './plane-drawing.ts';
import { PlaneKeys } from './plane-keys.ts';
import { listenToPointer } from './plane-pointer.ts';

/** The width in units that is visible when the picture follows a player, as in the game. */
const unitsFollowed = 1400;
/** The margin around the items of a recording without a map. */
const margin = 4 * unitsPerTile;
/** The minimum width and height that are shown without a map. */
const leastSize = 24 * unitsPerTile;

/** The picture of the match. It shows the map and each item of the chosen snapshot that has a position. */
export class PlaneView {
  readonly element: HTMLElement;
  readonly #canvas = h('canvas', { role: 'img', tabindex: 0 });
  readonly #drawing = new PlaneDrawing(this.#canvas, styled);
  readonly #follow: FollowSelect;
  readonly #legend = h('ul', { class: 'legend' });
  readonly #readout = h('p', { class: 'readout dim' });
  readonly #showsPaths = h('input', { type: 'checkbox', onchange: () => this.#redraw() });
  readonly #redraw = onceAFrame(() => this.#draw());
  #recording: Recording | undefined;
  #items: DrawnItems | undefined;
  #position = 0;
  #share = 0;
  #chosen: string | undefined;

  /** @param onItem is called with the link of an item that was clicked */
  constructor(onItem: (link: string) => void) {
    const box = h('div', { class: 'plane-box' }, this.#canvas);
    const { camera } = this.#drawing;
    this.#follow = new FollowSelect((followed) => {
      if (followed === 'all') camera.showAll();
      else if (camera.isWhole) camera.showUnits(unitsFollowed);
      this.#redraw();
    });
    const zoom = (factor: number) => {
      camera.zoom(factor);
      this.#redraw();
    };
    const whole = () => this.#follow.set('all');
    const button = (sign: string, label: string, run: () => void) =>
      h('button', { type: 'button', title: label, 'aria-label': label, onclick: run }, sign);
    this.element = h(
      'section',
      { class: 'plane', 'aria-labelledby': 'plane-title' },
      h(
        'div',
        { class: 'bar' },
        h('h2', { id: 'plane-title' }, 'Match'),
        h('label', {}, 'show ', this.#follow.element),
        h('label', {}, this.#showsPaths, ' paths'),
        h(
          'span',
          { class: 'buttons' },
          button('+', 'enlarge', () => zoom(1.5)),
          button('−', 'reduce', () => zoom(1 / 1.5)),
          button('whole', 'show the whole map', whole),
        ),
      ),
      box,
      this.#legend,
      this.#readout,
    );
    this.element.hidden = true;
    onSize(box, (width, height) => {
      this.#drawing.resize(width, height);
      this.#draw();
    });
    onScheme(() => {
      forgetColours();
      this.#drawing.map?.paint(styled);
      this.#redraw();
    });
    const moved = () => {
      this.#follow.free();
      this.#redraw();
    };
    new PlaneKeys(this.#canvas, camera, { moved, whole, zoomed: this.#redraw });
    listenToPointer(this.#canvas, camera, {
      moved,
      whole,
      zoomed: this.#redraw,
      click: (x, y) => {
        const item = this.#drawing.itemAt(x, y);
        if (item) onItem(item.link);
      },
      hover: (x, y) => this.#hover(x, y),
    });
  }

  /** Shows the map, if there is one. {@link complete} adds the paths when the recording has been read. */
  open(recording: Recording, map: GameMap | undefined): void {
    this.#recording = recording;
    this.#items = new DrawnItems(recording.protocol, recording.characters);
    this.#drawing.map = map && new MapPicture(map, styled);
    this.#showsPaths.checked = !map;
    this.#drawing.camera.all = map
      ? { x: 0, y: 0, width: map.width * unitsPerTile, height: map.height * unitsPerTile }
      : this.#boxOf(0);
    this.#drawing.camera.showAll();
    this.#legend.replaceChildren(
      ...(this.#drawing.map?.kinds ?? []).map((kind) => {
        const swatch = h('span', { class: 'swatch tile' });
        swatch.style.background = `var(${colourName(kind)})`;
        return h('li', {}, swatch, kind);
      }),
    );
    this.element.hidden = !map && this.#itemsAt(0).length === 0;
    this.#canvas.setAttribute(
      'aria-label',
      `the match; the list of items has the same; plus and minus zoom, arrow keys move, 0 shows ${map ? 'the whole map' : 'all'}`,
    );
  }

  /** Shows the paths and players after the recording has been read. */
  complete(): void {
    const { paths, players } = this.#recording!;
    const { all } = paths;
    this.#follow.open(all.map(({ client }) => ({ client, name: players.infoOf(client)?.name })));
    if (!this.#drawing.map && all.length > 0) {
      this.#drawing.camera.all = boxOf(all.flatMap(({ points }) => points));
      this.element.hidden = false;
    }
    this.#draw();
  }

  /**
   * Shows a snapshot, or positions that are interpolated between it and the next one.
   * @param share the elapsed share of the time to the next snapshot; 0 for the snapshot itself
   */
  show(position: number, share: number, chosen: string | undefined): void {
    this.#position = position;
    this.#share = share;
    this.#chosen = chosen;
    this.#draw();
  }

  /** Chooses what the picture follows. */
  follow(followed: Followed): void {
    this.#follow.set(followed);
  }

  #itemsAt(position: number) {
    const recording = this.#recording!;
    const { reader, shown } = recording;
    const now = reader.snapshot(shown[position]!);
    if (!now) return [];
    recording.players.onSnapshot(now, recording.protocol);
    const isBetween = this.#share > 0 && position + 1 < shown.length;
    const next = isBetween ? reader.snapshot(shown[position + 1]!) : undefined;
    const { tick } = recording.snapshot(position);
    const nextTick = isBetween ? recording.snapshot(position + 1).tick : tick;
    return this.#items!.at({ now, tick, next, nextTick, share: next ? this.#share : 0 });
  }

  #draw(): void {
    if (this.element.hidden || !this.#recording) return;
    const recording = this.#recording;
    const items = this.#itemsAt(this.#position);
    const followed = this.#follow.find(items, recording, this.#position);
    if (followed) this.#drawing.camera.center(followed.x, followed.y);
    this.#drawing.draw({
      items,
      tick: recording.snapshot(this.#position).tick,
      paths: recording.paths.all,
      showsPaths: this.#showsPaths.checked,
      chosen: this.#chosen,
      look: (client) => recording.lookOf(client),
    });
  }

  #hover(x: number, y: number): void {
    const item = this.#drawing.itemAt(x, y);
    const [planeX, planeY] = this.#drawing.camera.toPlane(x, y);
    const tile = this.#drawing.map?.describe(planeX, planeY) ?? '';
    this.#readout.textContent = item ? describeItem(item, this.#recording!.players) : tile;
    this.#canvas.style.cursor = item ? 'pointer' : 'grab';
  }

  #boxOf(position: number): Box {
    return boxOf(this.#itemsAt(position).flatMap(({ x, y }) => [x, y]));
  }
}

/** The box around points `x y x y …`, with a margin and no smaller than the minimum size. */
function boxOf(points: readonly number[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    left = Math.min(left, points[i]!);
    right = Math.max(right, points[i]!);
    top = Math.min(top, points[i + 1]!);
    bottom = Math.max(bottom, points[i + 1]!);
  }
  if (left > right) return { x: 0, y: 0, width: unitsPerTile, height: unitsPerTile };
  const width = Math.max(leastSize, right - left + 2 * margin);
  const height = Math.max(leastSize, bottom - top + 2 * margin);
  return { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height };
}
