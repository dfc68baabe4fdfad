import type { GameMap } from '../../container/map/game-map.ts';
import type { Players } from '../../recording/players.ts';
import { escapeText, quote } from '../../view/text/escape.ts';
import { forgetColours, h, onceAFrame, onScheme, onSize, styled } from '../dom.ts';
import type { Recording } from '../recording.ts';
import type { Box } from './camera.ts';
import { type DrawnItem, DrawnItems } from './drawn-items.ts';
import { colourName, MapPicture, unitsPerTile } from './map-picture.ts';
import { PlaneDrawing } from './plane-drawing.ts';
import { listenToPointer, PlaneKeys } from './plane-input.ts';

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

/** The picture shows the whole map, follows the recorded player, shows a free part, or follows a player by client number. */
type Followed = 'all' | 'camera' | 'free' | number;

/** The list from which the user chooses what the picture follows. */
class FollowSelect {
  readonly element: HTMLSelectElement;
  readonly #onChange: (followed: Followed) => void;
  #followed: Followed = 'all';

  constructor(onChange: (followed: Followed) => void) {
    this.#onChange = onChange;
    this.element = h('select', { 'aria-label': 'what the picture shows', onchange: () => this.#chosen() });
    this.open([]);
  }

  /** Lists the players. */
  open(players: readonly { readonly client: number; readonly name: string | undefined }[]): void {
    const option = (value: Followed, text: string) => h('option', { value }, text);
    this.element.replaceChildren(
      option('all', 'whole map'),
      option('camera', 'recorded player'),
      option('free', 'a part'),
      ...players.map(({ client, name }) => option(client, name ? escapeText(name) : `player ${client}`)),
    );
    this.element.value = String(this.#followed);
  }

  set(followed: Followed): void {
    this.#followed = followed;
    this.element.value = String(followed);
    this.#onChange(followed);
  }

  /** Stops following, because the user moved the picture. */
  free(): void {
    this.#followed = 'free';
    this.element.value = 'free';
  }

  /** The position of the followed player; undefined if no player is followed or the player has no character. */
  find(
    items: readonly DrawnItem[],
    recording: Recording,
    position: number,
  ): { readonly x: number; readonly y: number } | undefined {
    if (this.#followed === 'all' || this.#followed === 'free') return undefined;
    const client = this.#followed === 'camera' ? recording.localAt(position) : this.#followed;
    return items.find(({ kind, key }) => kind === 'player' && (key & 0xffff) === client);
  }

  #chosen(): void {
    const { value } = this.element;
    this.set(value === 'all' || value === 'camera' || value === 'free' ? value : Number(value));
  }
}

/** Describes the item under the pointer: `obj_pickup 3   health   31.50, 3.50 tiles`. */
function describeItem({ link, kind, key, what, x, y, sentAt }: DrawnItem, players: Players): string {
  const name = link.replace('/', ' ');
  const about = kind === 'player' ? players.infoOf(key & 0xffff)?.name : kind === 'event' ? undefined : what;
  const place = `${(x / unitsPerTile).toFixed(2)}, ${(y / unitsPerTile).toFixed(2)} tiles`;
  const subject = about === undefined ? '' : kind === 'player' ? quote(about) : about;
  const sent = sentAt === undefined ? '' : `sent at tick ${sentAt}`;
  return [name, subject, place, sent].filter(Boolean).join('   ');
}
