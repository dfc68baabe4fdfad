import { readMapDesign } from '../../recording/container/map/map-design.ts';
import { ticksPerSecond } from '../../wire/protocol/ticks.ts';
import type { State, Store } from '../data/store.ts';
import { button, h, isTyping, onceAFrame, onKeys, onScheme, onSize, section, swatch } from '../elements/dom.ts';
import { unpackZlib } from '../elements/inflate.ts';
import { forPointer } from '../elements/one-stop.ts';
import type { ReportData } from '../report/report-data.ts';
import { DesignPicture } from './design-picture.ts';
import { DrawnItems } from './drawn-items.ts';
import { Framing } from './framing.ts';
import { hudView } from './hud.ts';
import { colourName, MapPicture } from './map-picture.ts';
import { followedSelect, legend } from './picture-tools.ts';
import { PlaneDrawing } from './plane-drawing.ts';
import { pointerOf } from './pointer.ts';
import { Sprites } from './sprites.ts';

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
    const items = drawn.between(position, tick);
    framing.begin(map ?? items.flatMap(({ x, y }) => [x, y]));
    element.hidden = !map && items.length === 0;
  }

  /** Shows the paths when they have been read; without a map they say how large the picture is. */
  function showPaths(): void {
    const { recording, read } = store.state;
    if (read < 1) return;
    if (!map && recording.paths.size > 0) {
      framing.cover([...recording.paths.values()].flatMap(({ points }) => points));
      element.hidden = false;
    }
    draw();
  }

  function draw(): void {
    if (element.hidden || !drawn) return;
    const { recording, position, tick, item, look, showsPaths } = store.state;
    const items = drawn.between(position, tick);
    const followed = framing.aim(items);
    const recorder = framing.characterOf('camera', items);
    const isCoarse = drawing.draw({
      style: look,
      items,
      tick: recording.snapshot(position).tick,
      // The time of the match, by which the map moves.
      seconds: recording.matchAt(position, tick)?.passed ?? tick / ticksPerSecond,
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
  loadPictures(drawing, { mapFile, pictures }, (sprites) => {
    if (sprites) hud.onSprites(sprites);
    redraw();
  });
  store.on(['recording'], open, 'picture');
  store.on(['read'], showPaths, 'picture');
  store.on(['recording', 'followed', 'showsPaths', 'camera', 'look'], redraw);
  store.on(['recording', 'position', 'tick', 'item', 'scene'], draw, 'picture');
  return { element, follow };
}

/**
 * Loads the pictures of the game, and the layers of the map.
 * @param onLoad is called after each of them, with the pictures
 */
function loadPictures(
  drawing: PlaneDrawing,
  { mapFile, pictures }: Pick<ReportData, 'mapFile' | 'pictures'>,
  onLoad: (sprites?: Sprites) => void,
): void {
  if (pictures)
    void Sprites.load(pictures).then((loaded) => {
      drawing.sprites = loaded;
      onLoad(loaded);
    });
  if (mapFile)
    void readMapDesign(mapFile, unpackZlib)
      .then((design) => DesignPicture.load(design, pictures?.map))
      .then((loaded) => {
        drawing.design = loaded;
        onLoad();
      });
}

const licence =
  "Pictures: the game's data, CC BY-SA 3.0 where its files do not say otherwise (creativecommons.org/licenses/by-sa/3.0).";
