import type { GameMap } from '../../recording/container/map/game-map.ts';
import { readMapDesign } from '../../recording/container/map/map-design.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import type { Box } from '../data/camera.ts';
import { isSolid, unitsPerTile } from '../data/character-core.ts';
import { matchState } from '../data/match-state.ts';
import type { State, Store } from '../data/store.ts';
import { button, h, isTyping, onceAFrame, onKeys, onScheme, onSize, section, swatch } from '../elements/dom.ts';
import { unpackZlib } from '../elements/inflate.ts';
import { forPointer } from '../elements/one-stop.ts';
import type { ReportData } from '../report/report-data.ts';
import { DesignPicture } from './design-picture.ts';
import { type DrawnItem, DrawnItems } from './drawn-items.ts';
import { Framing } from './framing.ts';
import { hudView } from './hud.ts';
import { colourName, MapPicture } from './map-picture.ts';
import { followedSelect, legend } from './picture-tools.ts';
import { PlaneDrawing } from './plane-drawing.ts';
import { pointerOf } from './pointer.ts';
import { Sprites } from './sprites.ts';

/** The margin around the items of a recording without a map. */
const margin = 4 * unitsPerTile;
const minSize = 24 * unitsPerTile;

/**
 * The picture of the match. It shows the map and each item of the chosen snapshot that has a position.
 * @param onItem is called with the link of an item that was clicked
 */
export function planeView(
  store: Store<State>,
  { map, mapFile, pictures }: Pick<ReportData, 'map' | 'mapFile' | 'pictures'>,
  onItem: (link: string) => void,
) {
  const about = 'the match; the list of items has the same; plus and minus zoom, arrow keys move';
  const label = `${about}, 0 shows ${map ? 'the whole map' : 'all'}`;
  const canvas = h('canvas', { role: 'img', tabindex: 0, 'aria-label': label });
  const picture = map && new MapPicture(map);
  const drawing = new PlaneDrawing(canvas, picture);
  const framing = new Framing(store, drawing.camera);
  const redraw = onceAFrame(draw);
  let drawn: DrawnItems | undefined;
  /** The link of the item under the pointer. */
  let hovered: string | undefined;
  /** Whether the layers of the map have been drawn, which is measured. */
  let isMapSeen = false;

  const readout = pointerOf(
    canvas,
    {
      camera: drawing.camera,
      framing,
      under: {
        itemAt: (x, y) => drawing.itemAt(x, y),
        tileAt: (x, y) => picture?.describe(x, y) ?? '',
        players: () => store.state.recording.players,
      },
    },
    {
      onHover: (item) => {
        hovered = item?.link;
        redraw();
      },
      onClick: ({ link }) => onItem(link),
    },
  );
  const buttons = forPointer(
    button('+', 'enlarge', () => framing.zoom(1.5)),
    button('−', 'reduce', () => framing.zoom(1 / 1.5)),
    button('whole', 'show the whole map', () => framing.follow('all')),
  );
  const colours = (picture?.kinds ?? []).map((kind) => h('li', {}, swatch('swatch', `var(${colourName(kind)})`), kind));
  const hud = hudView(store);
  const box = h('div', { class: 'plane-box' }, canvas, hud.element, legend(store, colours), readout);
  const follow = (followed: State['followed']) => framing.follow(followed);
  const element = section(
    'plane',
    'Match',
    [followedSelect(store, follow), h('span', { class: 'buttons' }, ...buttons)],
    box,
    pictures && h('p', { class: 'licence dim' }, licence),
  );
  element.hidden = true;

  /** Shows the map, if there is one. The paths are added when the recording has been read. */
  function open(): void {
    const { recording, position, tick } = store.state;
    drawn = new DrawnItems(recording);
    const items = itemsAt(position, tick);
    if (map)
      framing.begin({ x: 0, y: 0, width: map.width * unitsPerTile, height: map.height * unitsPerTile }, openBox(map));
    else framing.begin(boxOf(items.flatMap(({ x, y }) => [x, y])));
    element.hidden = !map && items.length === 0;
  }

  /** Shows the paths when they have been read; without a map they say how large the picture is. */
  function showPaths(): void {
    const { recording, read } = store.state;
    if (read < 1) return;
    if (!map && recording.paths.size > 0) {
      drawing.camera.all = boxOf([...recording.paths.values()].flatMap(({ points }) => points));
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
    const { recording, position, tick, item, look, showsPaths } = store.state;
    const items = itemsAt(position, tick);
    const followed = framing.aim(items);
    const recorder = framing.characterOf('camera', items);
    const isCoarse = drawing.draw({
      style: look,
      items,
      tick: recording.snapshot(position).tick,
      seconds: secondsAt(position, tick),
      paths: [...recording.paths.values()],
      showsPaths,
      recorder: recorder === followed ? undefined : recorder,
      followed,
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
  store.on(['recording'], open, 'picture');
  store.on(['read'], showPaths, 'picture');
  store.on(['recording', 'followed', 'showsPaths', 'camera', 'look'], redraw);
  store.on(['recording', 'position', 'tick', 'item', 'scene'], draw, 'picture');
  return { element, follow };
}

const licence =
  "Pictures: the game's data, CC BY-SA 3.0 where its files do not say otherwise (creativecommons.org/licenses/by-sa/3.0).";

/** How many tiles of what is solid are shown around the rest of the map. */
const solidEdge = 2;

/** The box around the tiles that are not solid, in units; undefined if all are. */
function openBox({ layers, width, height }: GameMap): Box | undefined {
  const { types } = layers[0]!;
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let i = 0; i < types.length; i++) {
    if (isSolid(types[i]!)) continue;
    const x = i % width;
    const y = Math.floor(i / width);
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  if (right < 0) return undefined;
  [left, top] = [Math.max(0, left - solidEdge), Math.max(0, top - solidEdge)];
  [right, bottom] = [Math.min(width, right + 1 + solidEdge), Math.min(height, bottom + 1 + solidEdge)];
  const units = (tiles: number) => tiles * unitsPerTile;
  return { x: units(left), y: units(top), width: units(right - left), height: units(bottom - top) };
}

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
