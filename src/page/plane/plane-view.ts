import type { GameMap } from '../../container/map/game-map.ts';
import type { Players } from '../../recording/players.ts';
import { escapeText, quote } from '../../view/text/escape.ts';
import { unitsPerTile } from '../characters.ts';
import { button, forgetColours, h, onceAFrame, onScheme, onSize, section } from '../dom.ts';
import type { Followed, State, Store } from '../store.ts';
import type { Box } from './camera.ts';
import { type DrawnItem, DrawnItems } from './drawn-items.ts';
import { colourName, MapPicture } from './map-picture.ts';
import { PlaneDrawing } from './plane-drawing.ts';
import { listenToInput } from './plane-input.ts';

/** The width in units that is visible when the picture follows a player, as in the game. */
const unitsFollowed = 1400;
/** The margin around the items of a recording without a map. */
const margin = 4 * unitsPerTile;
/** The minimum width and height that are shown without a map. */
const leastSize = 24 * unitsPerTile;

/** The picture of the match. It shows the map and each item of the chosen snapshot that has a position. */
export class PlaneView {
  readonly element: HTMLElement;
  readonly #store: Store<State>;
  readonly #canvas = h('canvas', { role: 'img', tabindex: 0 });
  readonly #drawing = new PlaneDrawing(this.#canvas);
  readonly #follow = h('select', {
    'aria-label': 'what the picture shows',
    onchange: () => {
      const { value } = this.#follow;
      this.follow(value === 'all' || value === 'camera' || value === 'free' ? value : Number(value));
    },
  });
  readonly #legend = h('ul', { class: 'legend' });
  readonly #readout = h('p', { class: 'readout dim' });
  readonly #showsPaths = h('input', { type: 'checkbox', onchange: () => this.#redraw() });
  readonly #redraw = onceAFrame(() => this.#draw());
  #items: DrawnItems | undefined;

  /** @param onItem is called with the link of an item that was clicked */
  constructor(store: Store<State>, map: GameMap | undefined, onItem: (link: string) => void) {
    this.#store = store;
    const box = h('div', { class: 'plane-box' }, this.#canvas);
    const { camera } = this.#drawing;
    const zoom = (factor: number) => () => {
      camera.zoom(factor);
      this.#redraw();
    };
    const whole = () => this.follow('all');
    const buttons = [
      button('+', 'enlarge', zoom(1.5)),
      button('−', 'reduce', zoom(1 / 1.5)),
      button('whole', 'show the whole map', whole),
    ];
    this.element = section(
      'plane',
      ['plane-title', 'Match'],
      [
        h('label', {}, 'show ', this.#follow),
        h('label', {}, this.#showsPaths, ' paths'),
        h('span', { class: 'buttons' }, ...buttons),
      ],
      box,
      this.#legend,
      this.#readout,
    );
    this.element.hidden = true;
    this.#listPlayers([]);
    onSize(box, (width, height) => {
      this.#drawing.resize(width, height);
      this.#draw();
    });
    onScheme(() => {
      forgetColours();
      this.#drawing.map?.paint();
      this.#redraw();
    });
    listenToInput(this.#canvas, camera, {
      moved: () => {
        store.set({ followed: 'free' });
        this.#redraw();
      },
      whole,
      zoomed: this.#redraw,
      click: (x, y) => {
        const item = this.#drawing.itemAt(x, y);
        if (item) onItem(item.link);
      },
      hover: (x, y) => this.#hover(x, y),
    });
    store.on(['recording'], () => this.#open(map));
    store.on(['isRead'], () => store.state.isRead && this.#complete());
    store.on(['followed'], () => {
      this.#follow.value = String(store.state.followed);
    });
    store.on(['recording', 'position', 'tick', 'item'], () => this.#draw());
  }

  /** Chooses what the picture follows. */
  follow(followed: Followed): void {
    const { camera } = this.#drawing;
    if (followed === 'all') camera.showAll();
    else if (camera.isWhole) camera.showUnits(unitsFollowed);
    this.#store.set({ followed });
    this.#redraw();
  }

  /** Shows the map, if there is one. The paths are added when the recording has been read. */
  #open(map: GameMap | undefined): void {
    const { recording } = this.#store.state;
    this.#items = new DrawnItems(recording.protocol, recording.characters);
    this.#drawing.map = map && new MapPicture(map);
    this.#showsPaths.checked = !map;
    const items = this.#itemsAt(0, recording.ticks.from);
    this.#drawing.camera.all = map
      ? { x: 0, y: 0, width: map.width * unitsPerTile, height: map.height * unitsPerTile }
      : boxOf(items.flatMap(({ x, y }) => [x, y]));
    this.#drawing.camera.showAll();
    this.#legend.replaceChildren(
      ...(this.#drawing.map?.kinds ?? []).map((kind) => {
        const swatch = h('span', { class: 'swatch tile' });
        swatch.style.background = `var(${colourName(kind)})`;
        return h('li', {}, swatch, kind);
      }),
    );
    this.element.hidden = !map && items.length === 0;
    this.#canvas.setAttribute(
      'aria-label',
      `the match; the list of items has the same; plus and minus zoom, arrow keys move, 0 shows ${map ? 'the whole map' : 'all'}`,
    );
  }

  /** Shows the paths and players after the recording has been read. */
  #complete(): void {
    const { paths, players } = this.#store.state.recording;
    const { all } = paths;
    this.#listPlayers(all.map(({ client }) => ({ client, name: players.infoOf(client)?.name })));
    if (!this.#drawing.map && all.length > 0) {
      this.#drawing.camera.all = boxOf(all.flatMap(({ points }) => points));
      this.element.hidden = false;
    }
    this.#draw();
  }

  #listPlayers(players: readonly { readonly client: number; readonly name: string | undefined }[]): void {
    const option = (value: Followed, text: string) => h('option', { value }, text);
    this.#follow.replaceChildren(
      option('all', 'whole map'),
      option('camera', 'recorded player'),
      option('free', 'a part'),
      ...players.map(({ client, name }) => option(client, name ? escapeText(name) : `player ${client}`)),
    );
    this.#follow.value = String(this.#store.state.followed);
  }

  /** The items at a tick, between a snapshot and the next one. */
  #itemsAt(position: number, at: number) {
    const { recording } = this.#store.state;
    const { reader, shown } = recording;
    const now = reader.snapshot(shown[position]!);
    if (!now) return [];
    recording.players.onSnapshot(now, recording.protocol);
    const share = recording.shareAt(position, at);
    const isBetween = share > 0 && position + 1 < shown.length;
    const next = isBetween ? reader.snapshot(shown[position + 1]!) : undefined;
    const { tick } = recording.snapshot(position);
    const nextTick = isBetween ? recording.snapshot(position + 1).tick : tick;
    return this.#items!.at({ now, tick, next, nextTick, share: next ? share : 0 });
  }

  #draw(): void {
    if (this.element.hidden || !this.#items) return;
    const { recording, position, tick, item } = this.#store.state;
    const items = this.#itemsAt(position, tick);
    const followed = this.#followedIn(items);
    if (followed) this.#drawing.camera.center(followed.x, followed.y);
    this.#drawing.draw({
      items,
      tick: recording.snapshot(position).tick,
      paths: recording.paths.all,
      showsPaths: this.#showsPaths.checked,
      chosen: item,
      look: (client) => recording.lookOf(client),
    });
  }

  /** The character of the followed player; undefined if none is followed or the player has no character. */
  #followedIn(items: readonly DrawnItem[]): DrawnItem | undefined {
    const { followed, recording, position } = this.#store.state;
    if (followed === 'all' || followed === 'free') return undefined;
    const client = followed === 'camera' ? recording.localAt(position) : followed;
    return items.find(({ kind, key }) => kind === 'player' && (key & 0xffff) === client);
  }

  #hover(x: number, y: number): void {
    const item = this.#drawing.itemAt(x, y);
    const [planeX, planeY] = this.#drawing.camera.toPlane(x, y);
    const tile = this.#drawing.map?.describe(planeX, planeY) ?? '';
    this.#readout.textContent = item ? describeItem(item, this.#store.state.recording.players) : tile;
    this.#canvas.style.cursor = item ? 'pointer' : 'grab';
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

/** Describes the item under the pointer: `obj_pickup 3   health   31.50, 3.50 tiles`. */
function describeItem({ link, kind, key, what, x, y, sentAt }: DrawnItem, players: Players): string {
  const name = link.replace('/', ' ');
  const about = kind === 'player' ? players.infoOf(key & 0xffff)?.name : kind === 'event' ? undefined : what;
  const place = `${(x / unitsPerTile).toFixed(2)}, ${(y / unitsPerTile).toFixed(2)} tiles`;
  const subject = about === undefined ? '' : kind === 'player' ? quote(about) : about;
  const sent = sentAt === undefined ? '' : `sent at tick ${sentAt}`;
  return [name, subject, place, sent].filter(Boolean).join('   ');
}
