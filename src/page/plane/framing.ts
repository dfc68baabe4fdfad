import type { GameMap } from '../../recording/container/map/game-map.ts';
import { idOf } from '../../wire/snapshot/key.ts';
import { type Box, type Camera, gameView } from '../data/camera.ts';
import { isSolid, unitsPerTile } from '../data/character-core.ts';
import { isDuring, showScene } from '../data/scene.ts';
import type { Followed, State, Store } from '../data/store.ts';
import type { DrawnItem } from './drawn-items.ts';

/** The margin around the items of a recording without a map. */
const margin = 4 * unitsPerTile;
const minSize = 24 * unitsPerTile;

/** What the picture shows: all, whom it follows, who is in a scene, or the part that the user chose. */
export class Framing {
  readonly #store: Store<State>;
  readonly #camera: Camera;
  /** Where players can be: what is around it, such as rock, is not shown as long as there is a choice. */
  #open: Box | undefined;

  constructor(store: Store<State>, camera: Camera) {
    this.#store = store;
    this.#camera = camera;
  }

  /**
   * Begins with another recording.
   * @param plane the map, or points `x y x y …` that the picture shows
   */
  begin(plane: GameMap | readonly number[]): void {
    if ('layers' in plane) {
      const { width, height } = plane;
      this.#camera.all = { x: 0, y: 0, width: width * unitsPerTile, height: height * unitsPerTile };
      this.#open = openBox(plane);
    } else {
      this.#open = undefined;
      this.cover(plane);
    }
  }

  /** Shows all points `x y x y …`, with a margin. */
  cover(points: readonly number[]): void {
    this.#camera.all = boxOf(points);
  }

  follow(followed: Followed): void {
    const { camera } = this.#store.state;
    this.#store.set({ followed, scene: undefined, camera: followed === 'all' ? undefined : camera });
  }

  zoom(factor: number, x?: number, y?: number): void {
    const camera = this.#camera;
    camera.zoom(factor, x, y);
    const { followed } = this.#store.state;
    const still = followed === 'all' ? 'free' : followed;
    this.#store.set({ camera: camera.place, scene: undefined, followed: camera.isWhole ? 'all' : still });
  }

  /** Moves by pixels. */
  move(dx: number, dy: number): void {
    this.#camera.move(dx, dy);
    this.#store.set({ followed: 'free', camera: this.#camera.place, scene: undefined });
  }

  /** Moves the camera to what is followed, or to who is in the scene that is watched. @returns who is followed */
  aim(items: readonly DrawnItem[]): DrawnItem | undefined {
    const { recording, position, tick, camera: place, followed, scene } = this.#store.state;
    const camera = this.#camera;
    const subject = this.characterOf(followed, items);
    camera.place = place;
    const client = recording.followedAt(position, followed);
    const watched = followed === 'camera' ? recording.watchedAt(position) : undefined;
    // Who is dead stays in the picture at the last place.
    const middle = watched ?? subject ?? (client !== undefined && recording.paths.get(client)?.placeAt(tick));
    const { x, y } = middle || middleOf(camera.all);
    if (!place && followed !== 'all') {
      const view = gameView(camera.width / camera.height);
      camera.showBox({ x, y, width: 0, height: 0 }, view);
      const open = this.#open;
      // Without a map nothing is known of what is around.
      if (!open) camera.center(x, y);
      else camera.center(inside(x, open.x, open.width, view.width), inside(y, open.y, open.height, view.height));
    } else if (middle) camera.center(x, y);
    if (scene && isDuring(scene, tick)) showScene(camera, scene, tick, (client) => playerOf(client, items));
    return subject;
  }

  /** The character of a followed player; undefined if none is followed or the player has no character. */
  characterOf(followed: Followed, items: readonly DrawnItem[]): DrawnItem | undefined {
    const { recording, position } = this.#store.state;
    return playerOf(recording.followedAt(position, followed), items);
  }
}

const playerOf = (client: number | undefined, items: readonly DrawnItem[]) =>
  items.find(({ kind, key }) => kind === 'player' && idOf(key) === client);

/** The middle of a view nearest to a value that shows nothing outside of a range; a range that is smaller is no limit. */
const inside = (value: number, start: number, length: number, view: number) =>
  length < view ? value : Math.max(start + view / 2, Math.min(start + length - view / 2, value));

const middleOf = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 });

/** How many tiles of what is solid are shown around the rest of the map. */
const solidEdge = 2;

/** The box around the tiles that are not solid, in units; undefined if all are. */
function openBox({ layers, width, height }: GameMap): Box | undefined {
  const { types } = layers[0]!;
  let left = width;
  let top = height;
  let right = -1;
  let bottom = -1;
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
  left = Math.max(0, left - solidEdge);
  top = Math.max(0, top - solidEdge);
  right = Math.min(width, right + 1 + solidEdge);
  bottom = Math.min(height, bottom + 1 + solidEdge);
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
