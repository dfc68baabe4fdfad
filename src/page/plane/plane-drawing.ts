import { printable } from '../../output/text/escape.ts';
import { shortened } from '../../output/text/layout.ts';
import { idOf } from '../../wire/snapshot/key.ts';
import { Camera, gameView } from '../data/camera.ts';
import { unitsPerTile } from '../data/character-core.ts';
import { multiples } from '../data/marks.ts';
import type { Path } from '../data/paths.ts';
import type { PlayerLook } from '../data/skin-colours.ts';
import type { Look } from '../data/store.ts';
import { styled } from '../elements/dom.ts';
import type { DesignPicture } from './design-picture.ts';
import type { DrawnItem, Key } from './drawn-items.ts';
import { drawShape } from './game-look.ts';
import { Pen, radiusOf } from './item-signs.ts';
import { namesThatFit, type PlacedName } from './labels.ts';
import type { MapPicture } from './map-picture.ts';
import type { Sprites } from './sprites.ts';

/** With more players than this, trails are short. */
const fewPlayers = 12;
/** The length of the drawn trails in ticks: five seconds, or one second if there are many players. */
const longTrail = 250;
const crowdTrail = 50;
/** A longer name is shortened. */
const longestName = 20;
/** In the game, names are so many units above the position. */
const nameHeight = 38;
/** The maximum distance in pixels between a sign and a click that selects it. */
const reach = 6;

/** What the one who recorded saw, in the window that most have. */
const view = gameView(16 / 9);

interface PlaneContent {
  readonly items: readonly DrawnItem[];
  readonly tick: number;
  /** Since the match began. */
  readonly seconds: number;
  readonly paths: readonly Path[];
  readonly showsPaths: boolean;
  readonly style: Look;
  /** The character of who recorded, around which what they saw is marked. */
  readonly recorder: DrawnItem | undefined;
  readonly followed: DrawnItem | undefined;
  /** The number of who recorded, whose keys are not shown. */
  readonly local: number | undefined;
  /** The links of the items that are chosen and under the pointer. */
  readonly chosen: string | undefined;
  readonly hovered: string | undefined;
  look(client: number): PlayerLook | undefined;
}

/** Draws the map, the trails of players, and all items that have a position. */
export class PlaneDrawing {
  readonly camera = new Camera();
  readonly #map: MapPicture | undefined;
  readonly #canvas: HTMLCanvasElement;
  #items: readonly DrawnItem[] = [];
  /** What the map looks like, once its images are decoded. */
  design: DesignPicture | undefined;
  sprites: Sprites | undefined;
  /** The players whose names are drawn. */
  #named: ReadonlySet<number> = new Set();

  constructor(canvas: HTMLCanvasElement, map: MapPicture | undefined) {
    this.#canvas = canvas;
    this.#map = map;
  }

  resize(width: number, height: number): void {
    this.#canvas.width = Math.round(width * devicePixelRatio);
    this.#canvas.height = Math.round(height * devicePixelRatio);
    Object.assign(this.camera, { width, height });
  }

  /** @returns whether the picture is still coarse, so that it should be drawn again */
  draw(content: PlaneContent): boolean {
    const { items, paths, tick, chosen, look, style } = content;
    const { camera } = this;
    this.#items = items;
    const context = this.#canvas.getContext('2d')!;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, camera.width, camera.height);
    const pen = new Pen(context);
    const design = style === 'game' ? this.design : undefined;
    let isCoarse = design?.draw(context, camera, false, content.seconds) ?? false;
    if (!design || design.hasGaps) this.#map?.draw(context, camera);
    if (!design) drawGrid(pen, camera);
    const isCrowd = paths.length > fewPlayers;
    const players = items.filter(({ kind }) => kind === 'player');
    const present = new Set(players.map(({ key }) => idOf(key)));
    for (const path of paths) {
      const colour = look(path.client)?.colour ?? styled('--dim');
      if (content.showsPaths) strokePath(pen, camera, path, [colour, isCrowd ? 0.2 : 0.5, 1], 0, path.ticks.length);
      if (!present.has(path.client) || style === 'game') continue;
      const from = Math.max(0, path.at(tick - (isCrowd ? crowdTrail : longTrail)));
      strokePath(pen, camera, path, [colour, 0.6, 1.6], from, path.at(tick) + 1);
    }
    const sprites = style === 'game' ? this.sprites : undefined;
    for (const item of items) drawShape(item, { pen, camera, look }, sprites);
    if (design) isCoarse = design.draw(context, camera, true, content.seconds) || isCoarse;
    this.#drawNames(pen, players, content);
    if (style === 'game')
      for (const player of players) if (idOf(player.key) !== content.local) drawKeys(pen, camera, player);
    if (content.recorder) {
      const { x, y } = content.recorder;
      const [left, top] = camera.toPixels(x - view.width / 2, y - view.height / 2);
      context.strokeStyle = styled('--accent');
      context.lineWidth = 1;
      context.strokeRect(left, top, view.width * camera.scale, view.height * camera.scale);
    }
    const lit = items.find(({ link }) => link === chosen);
    if (lit) pen.disc(camera.toPixels(lit.x, lit.y), radiusOf(lit, camera) + 5, undefined, styled('--accent'), 2);
    return isCoarse;
  }

  itemAt(x: number, y: number): DrawnItem | undefined {
    const { camera } = this;
    let best: DrawnItem | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const item of this.#items) {
      const [itemX, itemY] = camera.toPixels(item.x, item.y);
      const isLine = item.kind === 'laser' && item.toX !== undefined && item.toY !== undefined;
      const from = isLine ? camera.toPixels(item.toX!, item.toY!) : ([itemX, itemY] as const);
      const distance = distanceToLine(x, y, itemX, itemY, ...from) - radiusOf(item, camera);
      // If two items are equally near, the later one is found, because it is drawn on top.
      if (distance > reach || distance > least) continue;
      best = item;
      least = Math.max(0, distance);
    }
    return best;
  }

  /** Draws the names that matter most above their players, without any overlap. */
  #drawNames(pen: Pen, players: readonly DrawnItem[], content: PlaneContent): void {
    const { followed, chosen, hovered, look, style } = content;
    const { camera } = this;
    const [middleX, middleY] = followed
      ? camera.toPixels(followed.x, followed.y)
      : [camera.width / 2, camera.height / 2];
    const names = players.flatMap((player): PlacedName[] => {
      const client = idOf(player.key);
      const name = look(client)?.name;
      const [x, y] = camera.toPixels(player.x, player.y);
      if (!name || x < 0 || y < 0 || x > camera.width || y > camera.height) return [];
      const text = shortened(printable(name), longestName);
      const rank =
        player === followed
          ? 'followed'
          : player.link === chosen
            ? 'chosen'
            : player.link === hovered
              ? 'hovered'
              : this.#named.has(client)
                ? 'drawn'
                : 'other';
      const above = Math.max(radiusOf(player, camera) + 6, style === 'game' ? nameHeight * camera.scale : 0);
      const place = { x, y: y - above, width: pen.widthOf(text) };
      return [{ client, text, ...place, rank, distance: Math.hypot(x - middleX, y - middleY) }];
    });
    const fitting = namesThatFit(names);
    pen.context.textAlign = 'center';
    for (const { text, x, y } of fitting)
      if (style === 'game') pen.lightLabel(text, x, y);
      else pen.label(text, x, y, '--ink');
    this.#named = new Set(fitting.map(({ client }) => client));
  }
}

/** The points of a key's sign, and its place: across from the middle of the player. */
const signs: Readonly<Record<Key, readonly [across: number, ...points: (readonly [number, number])[]]>> = {
  left: [-24, [-1, 0], [1, -1], [1, 1]],
  up: [0, [0, -1], [1, 1], [-1, 1]],
  right: [24, [1, 0], [-1, 1], [-1, -1]],
};
/** In units: half of a sign, and how far it is above the position of the player. */
const signSize = 7;
const keysHeight = nameHeight + 30;
/** Smaller than this many pixels per unit, keys would be dots. */
const minKeyScale = 0.3;

/** Draws the keys that a player holds, above the name, as DDNet's client does for all but who plays. */
function drawKeys(pen: Pen, camera: Camera, { x, y, keys = [] }: DrawnItem): void {
  if (camera.scale < minKeyScale) return;
  for (const key of keys) {
    const [across, ...points] = signs[key];
    pen.polygon(camera.toPixels(x + across, y - keysHeight), signSize * camera.scale, points, '#fff', '#222c');
  }
}

function distanceToLine(x: number, y: number, x1: number, y1: number, x2: number, y2: number): number {
  const dx = x2 - x1;
  const dy = y2 - y1;
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * dx + (y - y1) * dy) / length));
  return Math.hypot(x - x1 - share * dx, y - y1 - share * dy);
}

function strokePath(
  { context }: Pen,
  camera: Camera,
  { points, begins }: Path,
  [colour, alpha, width]: readonly [colour: string, alpha: number, width: number],
  from: number,
  to: number,
): void {
  context.globalAlpha = alpha;
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.lineJoin = 'round';
  context.beginPath();
  let lastX = Number.NaN;
  let lastY = Number.NaN;
  for (let i = from; i < to; i++) {
    const [x, y] = camera.toPixels(points[2 * i]!, points[2 * i + 1]!);
    const isBegin = i === from || begins.has(i);
    // Steps that are too small to be visible are skipped.
    if (!isBegin && i < to - 1 && Math.abs(x - lastX) + Math.abs(y - lastY) < 0.7) continue;
    if (isBegin) context.moveTo(x, y);
    else context.lineTo(x, y);
    lastX = x;
    lastY = y;
  }
  context.stroke();
  context.globalAlpha = 1;
}

const tileSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const minStep = 52;

/** Draws grid lines at whole numbers of tiles, and their numbers at the edges of the picture. */
function drawGrid(pen: Pen, camera: Camera): void {
  const perTile = camera.scale * unitsPerTile;
  const step = tileSteps.find((tiles) => tiles * perTile >= minStep) ?? tileSteps.at(-1)!;
  const { all, width, height } = camera;
  const [left, top] = camera.toPlane(0, 0);
  const [right, bottom] = camera.toPlane(width, height);
  const lines = (from: number, to: number) => multiples(from / unitsPerTile, to / unitsPerTile, step);
  pen.context.textAlign = 'center';
  for (const tile of lines(Math.max(left, all.x), Math.min(right, all.x + all.width))) {
    const x = Math.round(camera.toPixels(tile * unitsPerTile, 0)[0]) + 0.5;
    pen.line([x, 0], [x, height], styled('--grid'), 1);
    if (x > 26 && x < width - 12) pen.label(String(tile), x, height - 5, '--dim');
  }
  pen.context.textAlign = 'left';
  for (const tile of lines(Math.max(top, all.y), Math.min(bottom, all.y + all.height))) {
    const y = Math.round(camera.toPixels(0, tile * unitsPerTile)[1]) + 0.5;
    pen.line([0, y], [width, y], styled('--grid'), 1);
    if (y > 12 && y < height - 18) pen.label(String(tile), 4, y + 4, '--dim');
  }
}
