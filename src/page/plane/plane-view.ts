import { quote } from '../../output/text/escape.ts';
import { readMapDesign } from '../../recording/container/map/map-design.ts';
import type { Players } from '../../recording/events/players.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import { type Box, gameView } from '../data/camera.ts';
import { unitsPerTile } from '../data/character-core.ts';
import { matchState } from '../data/match-state.ts';
import { isDuring, showScene } from '../data/scene.ts';
import { type Followed, type Look, looks, type State, type Store } from '../data/store.ts';
import {
  button,
  h,
  isTyping,
  onceAFrame,
  onKeys,
  onPress,
  onScheme,
  onSize,
  onWheel,
  section,
  swatch,
} from '../elements/dom.ts';
import { unpackZlib } from '../elements/inflate.ts';
import { forPointer } from '../elements/one-stop.ts';
import type { ReportData } from '../report/report-data.ts';
import { DesignPicture } from './design-picture.ts';
import { type DrawnItem, DrawnItems } from './drawn-items.ts';
import { hudView } from './hud.ts';
import { colourName, MapPicture } from './map-picture.ts';
import { PlaneDrawing } from './plane-drawing.ts';
import { Sprites } from './sprites.ts';

/** The margin around the items of a recording without a map. */
const margin = 4 * unitsPerTile;
const minSize = 24 * unitsPerTile;
const step = 60;

/**
 * The picture of the match. It shows the map and each item of the chosen snapshot that has a position.
 * @param onItem is called with the link of an item that was clicked
 */
export function planeView(
  store: Store<State>,
  { map, mapFile, pictures }: Pick<ReportData, 'map' | 'mapFile' | 'pictures'>,
  onItem: (link: string) => void,
) {
  const canvas = h('canvas', { role: 'img', tabindex: 0 });
  canvas.setAttribute(
    'aria-label',
    `the match; the list of items has the same; plus and minus zoom, arrow keys move, 0 shows ${map ? 'the whole map' : 'all'}`,
  );
  const picture = map && new MapPicture(map);
  const drawing = new PlaneDrawing(canvas, picture);
  const { camera } = drawing;
  let drawn: DrawnItems | undefined;
  /** Whether the layers of the map have been drawn, which is measured. */
  let isMapSeen = false;
  /** Where the followed player was drawn last. */
  let lastSeen: { readonly followed: Followed; readonly x: number; readonly y: number } | undefined;

  const select = h('select', {
    'aria-label': 'what the picture shows',
    onchange: () => {
      const { value } = select;
      follow(value === 'all' || value === 'camera' || value === 'free' ? value : Number(value));
    },
  });
  const redraw = onceAFrame(draw);
  const style = h(
    'select',
    { 'aria-label': 'how the picture looks', onchange: () => store.set({ look: style.value as Look }) },
    ...looks.map((look) => h('option', { value: look }, look)),
  );
  const showsPaths = h('input', { type: 'checkbox', onchange: () => store.set({ showsPaths: showsPaths.checked }) });
  const whole = () => follow('all');
  const zoom = (factor: number, x?: number, y?: number) => {
    camera.zoom(factor, x, y);
    const { followed } = store.state;
    const still = followed === 'all' ? 'free' : followed;
    store.set({ camera: camera.place, scene: undefined, followed: camera.isWhole ? 'all' : still });
  };
  const move = (dx: number, dy: number) => {
    camera.move(dx, dy);
    store.set({ followed: 'free', camera: camera.place, scene: undefined });
  };
  const buttons = forPointer(
    button('+', 'enlarge', () => zoom(1.5)),
    button('−', 'reduce', () => zoom(1 / 1.5)),
    button('whole', 'show the whole map', whole),
  );
  const legend = (picture?.kinds ?? []).map((kind) => h('li', {}, swatch('swatch', `var(${colourName(kind)})`), kind));
  const readout = h('p', { class: 'readout mono', 'aria-hidden': 'true' });
  /** The link of the item under the pointer. */
  let hovered: string | undefined;
  const options = [h('label', {}, 'as ', style), h('label', {}, showsPaths, ' paths')];
  const hud = hudView(store);
  const box = h('div', { class: 'plane-box' }, canvas, hud.element, legendOf(options, legend), readout);
  const element = section(
    'plane',
    'Match',
    [h('label', {}, 'show ', select), h('span', { class: 'buttons' }, ...buttons)],
    box,
    pictures &&
      h(
        'p',
        { class: 'licence dim' },
        "Pictures: the game's data, CC BY-SA 3.0 where its files do not say otherwise (creativecommons.org/licenses/by-sa/3.0).",
      ),
  );
  element.hidden = true;

  function hideReadout(): void {
    readout.textContent = '';
  }

  function follow(followed: Followed): void {
    store.set({ followed, scene: undefined, camera: followed === 'all' ? undefined : store.state.camera });
  }

  /** Shows the map, if there is one. The paths are added when the recording has been read. */
  function open(): void {
    const { recording } = store.state;
    drawn = new DrawnItems(recording.protocol, recording.characters);
    lastSeen = undefined;
    const items = itemsAt(store.state.position, store.state.tick);
    camera.all = map
      ? { x: 0, y: 0, width: map.width * unitsPerTile, height: map.height * unitsPerTile }
      : boxOf(items.flatMap(({ x, y }) => [x, y]));
    element.hidden = !map && items.length === 0;
  }

  function listPlayers(): void {
    const { recording, followed } = store.state;
    const option = (value: Followed, text: string) => h('option', { value }, text);
    select.replaceChildren(
      option('all', 'whole map'),
      option('camera', 'recorded player'),
      option('free', 'a part'),
      ...recording.clients.map((client) => option(client, recording.playerText(client))),
    );
    select.value = String(followed);
  }

  /** A player may have another name than before. */
  function namePlayers(): void {
    const { recording } = store.state;
    for (const [i, client] of recording.clients.entries()) {
      const name = recording.playerText(client);
      const option = select.options[select.options.length - recording.clients.length + i]!;
      if (option.text !== name) option.text = name;
    }
  }

  /** Shows the paths when they have been read; without a map they say how large the picture is. */
  function showPaths(): void {
    const { recording, read } = store.state;
    if (read < 1) return;
    if (!map && recording.paths.size > 0) {
      camera.all = boxOf([...recording.paths.values()].flatMap(({ points }) => points));
      element.hidden = false;
    }
    draw();
  }

  function itemsAt(position: number, at: number): DrawnItem[] {
    const { recording } = store.state;
    const { reader, shown } = recording;
    const now = reader.snapshot(shown[position]!);
    if (!now) return [];
    recording.players.onSnapshot(now, recording.protocol);
    const share = recording.shareAt(position, at);
    const isBetween = share > 0 && position + 1 < shown.length;
    const next = isBetween ? reader.snapshot(shown[position + 1]!) : undefined;
    const { tick } = recording.snapshot(position);
    const nextTick = isBetween ? recording.snapshot(position + 1).tick : tick;
    return drawn!.at({ now, tick, next, nextTick, share: next ? share : 0 });
  }

  /** The time of the match, by which the map moves. */
  function secondsAt(position: number, tick: number): number {
    const { game, reader, shown } = store.state.recording;
    const snapshot = reader.snapshot(shown[position]!);
    return (snapshot && matchState(game, snapshot, tick)?.passed) ?? tick / ticksPerSecond;
  }

  function draw(): void {
    if (element.hidden || !drawn) return;
    const { recording, position, tick, item } = store.state;
    const items = itemsAt(position, tick);
    const subject = characterOf(store.state.followed, items);
    aim(items, subject);
    const recorder = characterOf('camera', items);
    const isCoarse = drawing.draw({
      style: store.state.look,
      items,
      tick: recording.snapshot(position).tick,
      seconds: secondsAt(position, tick),
      paths: [...recording.paths.values()],
      showsPaths: store.state.showsPaths,
      recorder: recorder === subject ? undefined : recorder,
      followed: subject,
      local: recording.localAt(position),
      chosen: item,
      hovered,
      look: (client) => recording.lookOf(client),
    });
    // A frame has no time for all of a large map.
    if (isCoarse) redraw();
    else if (drawing.design && !isMapSeen) {
      isMapSeen = true;
      performance.mark('map');
    }
  }

  /** Moves the camera to what is followed, or to who is in the scene that is watched. */
  function aim(items: readonly DrawnItem[], subject: DrawnItem | undefined): void {
    const { tick, camera: place, followed, scene } = store.state;
    camera.place = place;
    if (subject) lastSeen = { followed, x: subject.x, y: subject.y };
    // Who is dead stays in the picture at the last place.
    const { x, y } = lastSeen?.followed === followed ? lastSeen : middleOf(camera.all);
    const isPlain = !place && followed !== 'all';
    if (isPlain) camera.showBox({ x, y, width: 0, height: 0 }, gameView(camera.width / camera.height));
    else if (subject) camera.center(x, y);
    if (scene && isDuring(scene, tick)) showScene(camera, scene, tick, (client) => playerOf(client, items));
  }

  const playerOf = (client: number | undefined, items: readonly DrawnItem[]) =>
    items.find(({ kind, key }) => kind === 'player' && (key & 0xffff) === client);

  /** The character of a followed player; undefined if none is followed or the player has no character. */
  function characterOf(followed: Followed, items: readonly DrawnItem[]): DrawnItem | undefined {
    const { recording, position } = store.state;
    if (followed === 'all' || followed === 'free') return undefined;
    return playerOf(followed === 'camera' ? recording.localAt(position) : followed, items);
  }

  const fullScreen = () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else if (!element.hidden) void box.requestFullscreen().catch(() => {});
  };
  onKeys(document, { f: fullScreen }, (event) => !isTyping(event));
  onSize(box, (width, height) => {
    drawing.resize(width, height);
    draw();
  });
  onScheme(() => {
    picture?.paint();
    redraw();
  });
  onKeys(canvas, {
    ArrowLeft: () => move(step, 0),
    ArrowRight: () => move(-step, 0),
    ArrowUp: () => move(0, step),
    ArrowDown: () => move(0, -step),
    '+': () => zoom(1.25),
    '=': () => zoom(1.25),
    '-': () => zoom(0.8),
    0: whole,
  });
  onPress(
    canvas,
    (dx, dy) => camera.isWhole || move(dx, dy),
    ({ offsetX, offsetY }) => {
      const item = drawing.itemAt(offsetX, offsetY);
      if (item) onItem(item.link);
    },
    zoom,
  );
  canvas.addEventListener('dblclick', whole);
  canvas.addEventListener('pointermove', ({ buttons: pressed, offsetX, offsetY }) => {
    if (pressed !== 0) return hideReadout();
    const item = drawing.itemAt(offsetX, offsetY);
    const tile = picture?.describe(...camera.toPlane(offsetX, offsetY)) ?? '';
    readout.textContent = item ? describeItem(item, store.state.recording.players) : tile;
    // It is beside the pointer, on the side that has more room.
    const isRight = offsetX > camera.width / 2;
    const isLow = offsetY > camera.height / 2;
    readout.style.inset = [
      isLow ? 'auto' : `${offsetY + 14}px`,
      isRight ? `${camera.width - offsetX + 10}px` : 'auto',
      isLow ? `${camera.height - offsetY + 10}px` : 'auto',
      isRight ? 'auto' : `${offsetX + 14}px`,
    ].join(' ');
    canvas.style.cursor = item ? 'pointer' : 'grab';
    if (item?.link === hovered) return;
    hovered = item?.link;
    redraw();
  });
  canvas.addEventListener('pointerleave', hideReadout);
  onWheel(canvas, (factor, { offsetX, offsetY }) => zoom(factor, offsetX, offsetY));
  store.on(['recording'], open, 'picture');
  store.on(['recording'], listPlayers, 'picture');
  store.on(['inspected'], namePlayers);
  store.on(['read'], showPaths, 'picture');
  if (pictures)
    void Sprites.load(pictures).then((loaded) => {
      drawing.sprites = loaded;
      hud.onSprites(loaded);
      redraw();
    });
  if (mapFile)
    void readMapDesign(mapFile, unpackZlib)
      .then((design) => DesignPicture.load(design, pictures?.map))
      .then((loaded) => {
        drawing.design = loaded;
        redraw();
      });
  store.on(['recording', 'followed', 'showsPaths', 'camera', 'look'], () => {
    style.value = store.state.look;
    select.value = String(store.state.followed);
    showsPaths.checked = store.state.showsPaths;
    redraw();
  });
  store.on(['recording', 'position', 'tick', 'item', 'scene'], draw, 'picture');
  return { element, follow };
}

/** What is drawn, and how: options and a list of colours over the picture, which a button opens. */
function legendOf(options: readonly HTMLElement[], colours: readonly HTMLElement[]): HTMLElement {
  const toggle = button('legend', undefined, () => {
    toggle.setAttribute('aria-expanded', String(element.classList.toggle('is-open')));
  });
  toggle.setAttribute('aria-expanded', 'false');
  const element = h(
    'div',
    { class: 'legend' },
    toggle,
    h('div', { class: 'content' }, ...options, h('ul', {}, ...colours)),
  );
  return element;
}

const middleOf = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 });

/** The box around points `x y x y …`, with a margin and no smaller than the minimum size. */
function boxOf(points: readonly number[]): Box {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (let i = 0; i < points.length; i += 2) {
    left = Math.min(left, points[i]!);
    right = Math.max(right, points[i]!);
    top = Math.min(top, points[i + 1]!);
    bottom = Math.max(bottom, points[i + 1]!);
  }
  if (left > right) return { x: 0, y: 0, width: unitsPerTile, height: unitsPerTile };
  const width = Math.max(minSize, right - left + 2 * margin);
  const height = Math.max(minSize, bottom - top + 2 * margin);
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
