import { idOf } from '../../wire/snapshot/key.ts';
import { type Box, type Camera, gameView } from '../data/camera.ts';
import { isDuring, showScene } from '../data/scene.ts';
import type { Followed, State, Store } from '../data/store.ts';
import type { DrawnItem } from './drawn-items.ts';

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
   * @param open the part of the map that is not solid at its edges
   */
  begin(all: Box, open?: Box): void {
    this.#camera.all = all;
    this.#open = open;
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
